"""A gaming day's record: from the start of the service to the exact state, the close, `verify`.

Each is a process of its own, so that nothing is warm but the disk; imports are not counted.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median

from controller.service.recorder import SLOW_COMMIT_S
from tests.bench.table import BenchLine
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.days import CalendarPit, some_round
from tests.support.dealt.journals import QuickPit, fill

#: A day at a busy table, and one that nobody closed for days; the promise for each, in seconds.
DAYS = ((40_000, 2.0), (200_000, 10.0))
STARTS = 3
GAME = "21-24-27"

#: What the service does between its imports and its first picture.
RESTART = """
import sys, time
from pathlib import Path
from controller.record.journal import Journal
from controller.table.views.scene import scene
began = time.perf_counter()
journal = Journal(Path(sys.argv[1]))
state = journal.recover()
scene(state).dealer
print(time.perf_counter() - began)
journal.close()
"""
#: The end of the day was due when the service started: from the table's decision to the next day.
CLOSE = """
import sys, time
from contextlib import closing
from pathlib import Path
from controller.record.journal import Journal
from tests.support.dealt.days import CalendarPit
with closing(Journal(Path(sys.argv[1]))) as journal:
    pit = CalendarPit(sys.argv[2], began=journal.recover())
    journal.write(pit.records)
    pit.records.clear()
    began = time.perf_counter()
    assert not pit.close_day().refused
    journal.write(pit.records)
    print(time.perf_counter() - began)
"""
VERIFY = """
import sys, time
from pathlib import Path
from controller.record.reading.verify import verify
began = time.perf_counter()
found = verify(Path(sys.argv[1]))
assert found.good, found.problems
print(time.perf_counter() - began)
"""


def seconds(program: str, *words: object) -> float:
    """What a process of its own measured."""
    command = [sys.executable, "-c", program, *map(str, words)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def dealing() -> Iterator[QuickPit]:
    """A table with a calendar that deals without end; yields after every round."""
    pit = CalendarPit(GAME)
    croupier = Croupier(pit, Random(1))
    while True:
        some_round(croupier)
        yield pit


def lines() -> list[BenchLine]:
    """The rows of this part."""
    found = []
    for records, promise_s in DAYS:
        with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as name:
            folder = Path(name) / "record"
            fill(folder, dealing(), records)
            starts = [seconds(RESTART, folder) for _ in range(STARTS)]
            verified = seconds(VERIFY, folder)
            closed = seconds(CLOSE, folder, GAME)
        found += [
            BenchLine(
                f"start on a day of {records:,} records",
                f"{median(starts):.2f} s",
                f"{max(starts):.2f} s",
                f"within {promise_s:g} s",
                median(starts) <= promise_s,
            ),
            BenchLine(
                f"close of a day of {records:,} records",
                f"{closed:.2f} s",
                goal=f"within {SLOW_COMMIT_S:g} s, past which all shows SAFE",
                reached=closed <= SLOW_COMMIT_S,
            ),
            BenchLine(f"tablectl verify, a day of {records:,} records", f"{verified:.1f} s"),
        ]
    return found


if __name__ == "__main__":
    from tests.bench.table import print_table

    print_table(lines())
