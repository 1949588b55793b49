"""The power fails in the middle of the writes of a roll-over: a start goes on from what is left.

The crash points between the writes are in `test_gaming_day`. Here a disk keeps of what was not
synced any sectors or none, in the new day's files too, which do not have their names yet.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from controller.record.files.chain_store import ChainReader
from controller.record.files.day_files import day_files
from controller.record.files.signing import default_key_path
from controller.record.reading.verify import verify
from controller.table.facts import DayClosed
from tests.endurance.torture.damage import lay
from tests.record.days.dealt_days import dealt, recovered, write
from tests.support.faults import power
from tests.support.forms import is_long_form
from tests.support.processes.below import Below, DiskChange, compiled

#: Deals two days and writes them, commit by commit, as a service does.
DRIVER = """
import sys
from pathlib import Path
from tests.record.days.dealt_days import dealt, write
write(Path(sys.argv[1]), dealt().records)
"""
CUTS, LONG_CUTS = 16, 1_000
#: Of the files of a record these are made anew at a start, or hold nothing of it.
PASSING = ("-shm", "lock")


def logged(tmp_path: Path) -> tuple[list[DiskChange], Path]:
    """What a roll-over does to the files of a record, in order, and where."""
    folder = tmp_path / "record"
    folder.mkdir()
    below = Below(compiled(tmp_path), folder, log=True)
    try:
        command = [sys.executable, "-c", DRIVER, str(folder)]
        subprocess.run(command, env={**os.environ, **below.environment}, check=True)
        return below.log(), folder
    finally:
        below.close()


@pytest.mark.long
def test_a_roll_over_that_was_cut_in_the_middle_of_a_write_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(power, "_PASSING", PASSING)
    entries, folder = logged(tmp_path)
    pit = dealt()
    closed = next(each.seq for each in pit.records if isinstance(each.fact, DayClosed))
    of_next = [at for at, each in enumerate(entries) if "2023-11-15" in each.path]
    begins, ends = of_next[0] - 6, of_next[-1]
    named = next(at for at, each in enumerate(entries) if each.data.endswith(b"2023-11-15.day"))
    chance = Random(15)
    moments = [
        # Half of them before the new day has its name.
        (chance.randint(begins, named if number % 2 else ends), chance.randrange(2**32))
        for number in range(LONG_CUTS if is_long_form() else CUTS)
    ]
    whole = rows(folder)
    shutil.copy(default_key_path(folder), default_key_path(tmp_path / "left"))
    went_on = 0
    for at, (_, left) in enumerate(power.cuts(entries, folder, moments)):
        record = tmp_path / "left"
        lay(left, record)
        state = recovered(record)
        went_on += state.seq > closed
        write(record, pit.records)
        found = verify(record)
        assert (found.problems, found.head.seq) == ([], len(pit.records)), at
        assert rows(record) == whole
    assert went_on > 0, "some of them after the day was closed"


def rows(folder: Path) -> list[bytes]:
    """Every row of every day."""
    found = []
    for day in day_files(folder):
        with closing(ChainReader(day.path)) as reader:
            found += [row.hash for row in reader.rows()]
    return found
