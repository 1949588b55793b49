"""Power cuts at any moment of a demo day: what a disk could be left with, and the start on it.

    python -m tests.endurance.torture.cuts --count 5000 --seed 1

A service is dealt to, killed, and dealt to again; below it every write, sync and change of a name
is logged. From the log follows what a cut could leave. On an honest disk all that was shown to
anybody is there; on one that only pretends to sync one of the files it is there or is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from enum import Enum
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from controller.record.journal import JournalError
from tests.endurance.torture.damage import begin, lay, tell
from tests.support.faults.power import cuts
from tests.support.processes.below import Below, DiskChange, compiled
from tests.support.processes.town import Town

SEATS: Final = 3
#: What the disk lies about, one file at a time; nothing: it is honest.
LIES: Final[tuple[tuple[str, ...], ...]] = (
    (), (".day-wal",), (".day",), (".day.openings-wal",), (".day.openings",), ("head",),
)  # fmt: skip


class StartOutcome(Enum):
    """What a start on the files comes to. `LOST` must never be."""

    THERE = "all that was shown is there"
    NOTICED = "damage is noticed"
    LOST = "LOST"


class Log(NamedTuple):
    """What a service did to its files, in which folder, and all that is on record at the end."""

    entries: list[DiskChange]
    folder: Path
    events: list[tuple[bytes, str]]


class _Town(Town):
    """A town whose record lies in a folder of its own, with a log of what is done to it."""

    below: Below

    def prepare(self) -> None:
        record = self.folder / "record"
        record.mkdir()
        self.below = Below(compiled(self.folder), record, log=True)
        self.environment = self.below.environment


def dealt(folder: Path, seed: int, game: str = "blackjack") -> Log:
    """A short day: a service that is killed in mid-round, the next one that is stopped in order."""
    folder.mkdir()
    town = _Town(folder, rounds=0, seed=seed, seats=SEATS, speed=1_000, game=game)
    try:
        town.until_scene(lambda scene: scene["phase"] == "round" and len(scene["hands"]) > 1)
        town.service.kill()
        town.start_service()
        town.end_after_a_round()
        town.service.close()
    finally:
        town.close()
        town.below.close()
    record = folder / "record"
    return Log(town.below.log(), record, tell(record))


def judge(
    left: dict[str, bytes], shown: int, events: list[tuple[bytes, str]], at: Path
) -> StartOutcome:
    """Start on what is left: all that was shown and nothing else is there, now and after more."""
    lay(left, at)
    try:
        found = tell(at)
        if found:
            begin(at)
    except JournalError:
        return StartOutcome.NOTICED
    if len(found) < shown or found != events[: len(found)]:
        return StartOutcome.LOST
    return StartOutcome.THERE


def moments(entries: list[DiskChange], count: int, chance: Random) -> list[tuple[int, int]]:
    """Moments of a log by chance, each with a seed for what is left."""
    return [(chance.randint(0, len(entries)), chance.randrange(2**32)) for _ in range(count)]


def run(log: Log, count: int, seed: int, at: Path) -> tuple[Counter[str], list[str]]:
    """Cut so many times, half of them on an honest disk; the outcomes and what went wrong."""
    found: Counter[str] = Counter()
    wrong = []
    for lies in LIES:
        share = count // 2 if not lies else count // (2 * (len(LIES) - 1))
        asked = moments(log.entries, share, Random(f"{seed}/{lies}"))
        for number, (shown, left) in enumerate(cuts(log.entries, log.folder, asked, lies)):
            outcome = judge(left, shown, log.events, at)
            disk = f"lies about {lies[0]}" if lies else "honest"
            found[f"disk {disk}: {outcome.value}"] += 1
            if outcome is StartOutcome.LOST or (not lies and outcome is StartOutcome.NOTICED):
                wrong.append(f"disk {disk}, cut {number}, after record {shown}: {outcome.value}")
    return found, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000, help="how many cuts (1000)")
    parser.add_argument("--seed", type=int, default=1, help="which day, and which cuts (1)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tablectl-cuts-") as name:
        log = dealt(Path(name, "day"), arguments.seed)
        found, wrong = run(log, arguments.count, arguments.seed, Path(name, "left"))
    for key, value in sorted(found.items()):
        sys.stdout.write(f"{value:9,}  {key}\n")
    for each in wrong:
        sys.stdout.write(f"WRONG: {each}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
