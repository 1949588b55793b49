"""Whole records spoilt in every way that a file or a database can be, and every command on them.

    python -m tests.endurance.torture.spoilt --count 3000 --seed 1

No command may end in a traceback, whatever lies there, and a good backup always leads back. Each
case is told by its number: `--only 4711` repeats that one.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import logging
import os
import random
import shutil
import stat
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

from controller.__main__ import main as tablectl
from controller.record.copies.backup import backup
from controller.record.files.database import JournalError
from controller.record.journal import Journal
from controller.record.reading.verify import verify
from controller.service.loop import Service
from controller.service.recorder import RecordSettings
from controller.table import inputs as i
from tests.endurance.torture.ways_to_spoil import WAYS, Way
from tests.records.dealing import two_days
from tests.support.dealt.days import commits
from tests.support.pit import SCANNER


class Home(NamedTuple):
    """The folders of one case: a record that is spoilt, its second copy and a good backup."""

    record: Path
    copy: Path
    good: Path
    table: i.Setup

    @property
    def all(self) -> tuple[Path, Path, Path]:
        """Every folder."""
        return self.record, self.copy, self.good


def make(base: Path) -> Home:
    """A record of two days whose service was killed, with its second copy and a backup."""
    pit = two_days("blackjack")
    home = Home(base / "record", base / "copy", base / "good", pit.setup)
    live = base / "live"
    with closing(Journal(live, home.copy)) as journal:
        journal.recover()
        for commit in commits(pit.records):
            journal.write(commit)
        shutil.copytree(live, home.record)
    shutil.rmtree(live)
    backup(home.record, home.good)
    assert verify(home.record).problems == []
    assert verify(home.copy).head == verify(home.good).head
    return home


# -- what is done with it --


class CommandFailure(NamedTuple):
    """A command that ended as none may, and how the record was spoilt."""

    number: int
    spoilt: str
    command: str
    why: str


def spoil(home: Home, number: int, seed: int, ways: Sequence[Way] = WAYS) -> str:
    """Spoil the record, or in a tenth of the cases its second copy, in the way of that number."""
    mixed = Random(f"{seed}/{number}")
    folder = home.copy if mixed.random() < 0.1 else home.record
    way = mixed.choice(ways)
    return f"{folder.name}: {way.__name__}: {way(folder, mixed)}"


def command_lines(home: Home, base: Path) -> list[list[str]]:
    """Every command about a record, on the spoilt one; the way back comes last."""
    record, copy, good = map(str, home.all)
    return [
        ["verify", record],
        ["verify", good, "--copy", record],
        ["verify", record, "--copy", copy],
        ["verify", record, "--day", "2023-11-15"],
        ["replay", record],
        ["replay", record, "--openings", "--round", "2"],
        ["replay", record, "--round", "5", "--json"],
        ["export", record],
        ["export", record, "--format", "csv"],
        ["backup", record, str(base / "backup")],
        ["restore", record, str(base / "new")],
        ["restore", record, copy, str(base / "newer"), "--readable"],
    ]


def run_command(words: Sequence[str]) -> tuple[int, str]:
    """A command's exit status and what it printed. Raises what it raises."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            status = tablectl(words)
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else 1
    return status, out.getvalue()


class _Tracebacks(logging.Handler):
    """Collects the tracebacks that a service logs."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1]:
            self.found.append("".join(traceback.format_exception(record.exc_info[1])))


def started(home: Home) -> str:
    """Start the service on the spoilt record; the traceback that it logged, if it did."""

    async def start() -> None:
        begin = i.Start(home.table, "0.0-test", (SCANNER,))
        service = Service(begin, RecordSettings(home.record, home.copy))
        await service.recover()
        service.close()

    log = logging.getLogger()
    tracebacks = _Tracebacks()
    log.addHandler(tracebacks)
    try:
        asyncio.run(start())
    finally:
        log.removeHandler(tracebacks)
    return "".join(tracebacks.found)


def way_back(home: Home) -> str:
    """Restore the good backup over the spoilt record; what is wrong with how that ended."""
    words = ["restore", str(home.good), str(home.record)]
    status, said = run_command(words)
    if status:
        if "there is nothing to restore" in said:
            return ""
        by_hand = (
            "move it away first", "was written by", "wrote it, start that", "newer tablectl",
            "cannot be used",
        )  # fmt: skip
        if not any(each in said for each in by_hand):
            return f"{status}: {said}"
        home.record.rename(home.record.with_name("moved-away"))
        status, said = run_command(words)
    if status:
        return f"{status} after it was moved away: {said}"
    try:
        found = verify(home.record)
    except JournalError as error:
        return f"restored, and then: {error}"
    return "; ".join(found.problems)


def _copy_folder(source: Path, target: Path) -> None:
    """With whatever is in it, pipes too."""

    def copy_file(each: str, to: str) -> None:
        if stat.S_ISFIFO(os.stat(each).st_mode):
            os.mkfifo(to)
        else:
            shutil.copy2(each, to)

    shutil.copytree(source, target, symlinks=True, copy_function=copy_file)


def case(
    made: Home, base: Path, number: int, seed: int, few: int = 0, ways: Sequence[Way] = WAYS
) -> list[CommandFailure]:
    """One case: spoil a fresh copy, run every command (or only `few`), the start, the way back."""
    shutil.rmtree(base, ignore_errors=True)
    base.mkdir(parents=True)
    home = Home(base / "record", base / "copy", base / "good", made.table)
    for source, target in zip(made.all, home.all, strict=True):
        shutil.copytree(source, target)
    spoilt = spoil(home, number, seed, ways)
    spoilt_record = base / "kept"
    _copy_folder(home.record, spoilt_record)
    spoilt_copy = base / "kept-copy"
    _copy_folder(home.copy, spoilt_copy)

    def as_spoilt() -> None:
        for source, target in ((spoilt_record, home.record), (spoilt_copy, home.copy)):
            shutil.rmtree(target, ignore_errors=True)
            _copy_folder(source, target)

    failures = []
    lines = command_lines(home, base)
    if few:
        lines = Random(f"{seed}/{number}/few").sample(lines, few)
    for words in lines:
        try:
            status, said = run_command(words)
        except Exception as error:  # noqa: BLE001  (whatever it is, it is the failure)
            why = "".join(traceback.format_exception(error)[-6:])
            failures.append(CommandFailure(number, spoilt, " ".join(words), why))
            continue
        if "Traceback" in said or status not in (0, 1, 2, 3):
            failures.append(CommandFailure(number, spoilt, " ".join(words), f"{status}: {said}"))
    last: dict[str, Callable[[Home], str]] = {"start": started, "restore": way_back}
    for what, do in last.items():
        as_spoilt()
        try:
            why = do(home)
        except Exception as error:  # noqa: BLE001  (whatever it is, it is the failure)
            why = "".join(traceback.format_exception(error)[-6:])
        if why:
            failures.append(CommandFailure(number, spoilt, what, why))
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000, help="how many cases (1000)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first (0)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--way", help="this way of spoiling alone")
    parser.add_argument("--only", type=int, help="this case alone")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.CRITICAL)
    logging.getLogger().handlers[0].setLevel(logging.CRITICAL)
    random.seed(arguments.seed)
    numbers = range(arguments.first, arguments.first + arguments.count)
    if arguments.only is not None:
        numbers = range(arguments.only, arguments.only + 1)
    ways = [each for each in WAYS if arguments.way in (None, each.__name__)]
    bad = 0
    with tempfile.TemporaryDirectory(prefix="tablectl-spoilt-") as name:
        made = make(Path(name, "made"))
        for done, number in enumerate(numbers, start=1):
            if not done % 100:
                sys.stdout.write(f"{done} cases\n")
                sys.stdout.flush()
            for each in case(made, Path(name, "case"), number, arguments.seed, ways=ways):
                bad += 1
                sys.stdout.write(f"{each.number}: {each.spoilt}\n  {each.command}\n{each.why}\n")
                sys.stdout.flush()
    sys.stdout.write(f"{len(numbers)} cases, {bad} failures\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
