"""A backup and a restore that are killed before each single change they make to a file."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.record.codec import encode
from controller.record.copies.backup import backup
from controller.record.copies.restore import restore
from controller.record.files.database import JournalError
from controller.record.files.day_files import openings_path
from controller.record.files.head_anchor import anchor_path
from controller.record.journal import Journal
from tests.record.days.dealt_days import dealt, write
from tests.support.dealt.journals import newest, records, write_journal
from tests.support.faults.power import not_safe
from tests.support.forms import is_long_form
from tests.support.processes.below import Below, compiled

DAY = records(3, 40)
OLD = 30
#: Does it in a fork of its own for each folder that it is told, and tells how that ended.
DRIVER = """
import os, sys
from pathlib import Path
from controller.record.files.head_anchor import anchor_path
from controller.record.copies.backup import backup
from controller.record.copies.restore import restore
what = sys.argv[1]
for line in sys.stdin:
    folder = Path(line.strip())
    pid = os.fork()
    if not pid:
        if what == "backup":
            backup(folder.parents[1] / "record", folder / "kept")
        else:
            restore([folder.parents[1] / "kept"], folder / "record")
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""
NEVER = 1_000_000
#: What is written first and last is looked at step by step, what lies between only here and there.
FIRST, LAST, BETWEEN = (5, 13, 5) if is_long_form() else (3, 6, 2)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where each killing has a folder of its own."""
    (tmp_path / "steps").mkdir()
    return tmp_path / "steps"


@pytest.fixture
def below(tmp_path: Path, home: Path) -> Iterator[Below]:
    made = Below(compiled(tmp_path), home)
    yield made
    made.close()


def killed(what: str, home: Path, below: Below, ready: Callable[[Path], None]) -> Iterator[Path]:
    """A folder, made `ready`, for each killing at another step; in the first it is not killed."""
    command = [sys.executable, "-c", DRIVER, what]
    environment = {**os.environ, **below.environment}
    with subprocess.Popen(
        command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as driver:
        asks, answers = driver.stdin, driver.stdout
        assert asks is not None
        assert answers is not None

        def end(step: int) -> int:
            folder = home / str(step)
            folder.mkdir()
            ready(folder)
            below.die_at(step)
            asks.write(f"{folder}\n")
            asks.flush()
            return int(answers.readline())

        assert end(NEVER) == 0
        yield home / str(NEVER)
        steps = below.steps
        chosen = {*range(1, FIRST), *range(steps - LAST, steps + 1)}
        for step in sorted({*chosen, *range(FIRST, steps - LAST, steps // BETWEEN)}):
            assert end(step) == -signal.SIGKILL
            yield home / str(step)


def bodies(path: Path) -> list[bytes]:
    """Every record with its openings, as a service reads it."""
    with closing(Journal(path)) as journal:
        return [encode(record) for record in journal.newest_day.records()]


def whole(path: Path) -> list[bytes] | None:
    """Every record, None where damage is noticed."""
    try:
        return bodies(path)
    except JournalError:
        return None


ALL = [encode(record) for record in DAY]


def test_a_killed_backup_leaves_no_half_file_and_the_next_one_is_whole(
    tmp_path: Path, home: Path, below: Below
) -> None:
    journal = tmp_path / "record"
    write_journal(journal, DAY)
    originals = (newest(journal), openings_path(newest(journal)), anchor_path(journal))
    before = [each.read_bytes() for each in originals]
    for folder in killed("backup", home, below, lambda folder: None):
        target = folder / "kept"
        if target.exists():
            assert bodies(target) == ALL
        else:
            backup(journal, target)
            assert bodies(target) == ALL
    assert [each.read_bytes() for each in originals] == before


@pytest.mark.long
def test_a_killed_restore_loses_nothing_and_the_next_one_goes_through(
    tmp_path: Path, home: Path, below: Below
) -> None:
    write_journal(tmp_path / "kept", DAY)
    write_journal(tmp_path / "record", DAY[:OLD])

    def ready(folder: Path) -> None:
        shutil.copytree(tmp_path / "record", folder / "record")

    for folder in killed("restore", home, below, ready):
        journal = folder / "record"
        # The two exchange their names at once: at no moment is there no record, or half of one.
        found = whole(journal)
        assert found in (ALL, ALL[:OLD])
        if found != ALL:
            restore([tmp_path / "kept"], journal)
        assert bodies(journal) == ALL
        replaced = list(folder.glob("record.replaced-?"))
        assert ALL[:OLD] in [whole(each) for each in replaced]


RESTORES = """
import sys
from pathlib import Path
from controller.record.copies.backup import backup
from controller.record.copies.restore import restore
home = Path(sys.argv[1])
first, *_, last = (each.stem for each in sorted((home / "record").glob("*.day")))
backup(home / "record", home / "all")
backup(home / "record", home / "kept", last, last)
restore([home / "kept"], home / "older")
"""


def test_what_was_backed_up_and_restored_is_there_after_a_power_cut(
    tmp_path: Path, home: Path
) -> None:
    """Closed days, signatures and the public key as well as what SQLite writes."""
    pit = dealt(days=3)
    write(home / "record", pit.records)
    write(home / "older", pit.records[:-1])
    with closing(Below(compiled(tmp_path), home, log=True)) as below:
        command = [sys.executable, "-c", RESTORES, str(home)]
        subprocess.run(command, check=True, env={**os.environ, **below.environment})
        assert not_safe(below.log(), home) == []
    assert len(list((home / "older").glob("*.day.signature"))) == 2
