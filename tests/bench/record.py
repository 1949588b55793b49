"""A long journal: from the start of the service to the exact state, and the full verified replay.

Each is a process of its own, so that nothing is warm but the disk; imports are not counted.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from controller.record.checkpoint import EVERY_RECORDS
from tests.bench.table import Line
from tests.support.journals import dealing, fill

RECORDS = 1_000_000
STARTS = 7

#: What the service does between its imports and its first picture.
RESTART = """
import sys, time
from pathlib import Path
from controller.record.checkpoint import recover
from controller.record.journal import Journal
from controller.table.views.scene import scene
began = time.perf_counter()
journal = Journal(Path(sys.argv[1]))
state = recover(journal)
scene(state).dealer
took = time.perf_counter() - began
if len(sys.argv) > 2:
    from controller.record.checkpoint import write_checkpoint
    write_checkpoint(journal.path, journal.head, state)
journal.close()
print(took)
"""
VERIFY = """
import sys, time
from pathlib import Path
from controller.record.audit import verify
began = time.perf_counter()
found = verify(Path(sys.argv[1]))
assert found.good, found.problems
print(time.perf_counter() - began)
"""


def seconds(program: str, *words: object) -> float:
    """What a process of its own measured."""
    command = [sys.executable, "-c", program, *map(str, words)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def lines() -> list[Line]:
    """The rows of this part."""
    with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as name:
        path = Path(name) / "journal.db"
        day = dealing(1)
        # The checkpoint is as old as it can be: the next one would be due.
        head = fill(path, day, RECORDS - EVERY_RECORDS)
        replayed = seconds(RESTART, path, "checkpoint")
        fill(path, day, RECORDS, head)
        starts = [seconds(RESTART, path) for _ in range(STARTS)]
        verified = seconds(VERIFY, path)
    return [
        Line(
            f"restart to the exact state, {RECORDS:,} records, checkpoint",
            f"{median(starts) * 1e3:.0f} ms",
            f"{max(starts) * 1e3:.0f} ms",
            "within 100 ms",
            median(starts) <= 0.1,
        ),
        Line(
            f"restart without a checkpoint, {RECORDS:,} records",
            f"{replayed:.1f} s",
        ),
        Line(
            f"tablectl verify, {RECORDS:,} records, every one played again",
            f"{verified:.1f} s",
            "",
            "within 8 s",
            verified <= 8,
        ),
    ]


if __name__ == "__main__":
    from tests.bench.table import print_table

    print_table(lines())
