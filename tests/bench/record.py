"""A gaming day's record: from the start of the service to the exact state, and `tablectl verify`.

Each is a process of its own, so that nothing is warm but the disk; imports are not counted.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.bench.table import BenchLine
from tests.support.journals import dealing, fill

#: A day at a busy table, and one that nobody closed for days; the promise for each, in seconds.
DAYS = ((40_000, 2.0), (200_000, 10.0))
STARTS = 3

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


def lines() -> list[BenchLine]:
    """The rows of this part."""
    found = []
    for records, promise_s in DAYS:
        with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as name:
            folder = Path(name) / "record"
            fill(folder, dealing(1), records)
            starts = [seconds(RESTART, folder) for _ in range(STARTS)]
            verified = seconds(VERIFY, folder)
        found += [
            BenchLine(
                f"start on a day of {records:,} records",
                f"{median(starts):.2f} s",
                f"{max(starts):.2f} s",
                f"within {promise_s:g} s",
                median(starts) <= promise_s,
            ),
            BenchLine(f"tablectl verify, a day of {records:,} records", f"{verified:.1f} s"),
        ]
    return found


if __name__ == "__main__":
    from tests.bench.table import print_table

    print_table(lines())
