"""Let cards pass rendered shoe cameras, read as at the table, and count the readings.

    python -m tests.endurance.passages --work DIR --passages 10000     # so many more
    python -m tests.endurance.passages --work DIR --show

Each run goes on where the last one of its seed was. Runs of different seeds may share a folder and
run side by side; what is shown is the sum of all that this reader ever read there. The exit status
is 1 where a card was misread.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2

from calibration.draw.fonts import MissingPackage
from calibration.outcomes import ReadingReport
from tests.endurance.passages.record import (
    OtherRunError,
    PassageRecord,
    RunHeader,
    reader_digest,
    report,
)
from tests.endurance.passages.scene import PASSAGES_A_SHOE
from tests.endurance.passages.table import PassageResult, ReadingTable

FRAMES: Final = 5
_TOLD_EVERY: Final = 100


def passages(
    seed: int, numbers: range, frames: int, *, calibrated: bool
) -> Iterator[PassageResult]:
    """The passages of these numbers, in order. Raises `MissingPackage`."""
    table: ReadingTable | None = None
    for number in numbers:
        shoe, nth = divmod(number, PASSAGES_A_SHOE)
        if table is None or table.shoe.number != shoe:
            with tempfile.TemporaryDirectory(prefix="captures-") as folder:
                table = ReadingTable(seed, shoe, Path(folder) if calibrated else None)
        yield table.read(nth, frames)


def run(folder: Path, about: RunHeader, more: int) -> None:
    """Run so many more passages. Raises `OtherRunError`, `MissingPackage`."""
    with PassageRecord(folder, about) as record:
        count = record.done + more
        numbers = range(record.done, count)
        if record.done:
            print(f"{record.path}: goes on after {record.done} passages", flush=True)
        began_s, misread = time.monotonic(), 0
        for passage in passages(
            about.seed, numbers, about.frames, calibrated=about.deck == "calibrated"
        ):
            record.add(passage)
            if passage.card not in (None, passage.case.card, passage.case.under):
                misread += 1
                print(
                    f"passage {passage.case.name}: {passage.case} read as {passage.card}",
                    flush=True,
                )
            if record.done % _TOLD_EVERY == 0:
                each_s = (time.monotonic() - began_s) / (record.done - numbers.start)
                left = each_s * (count - record.done) / 60
                print(
                    f"{record.done} of {count}, {misread} misread since the start,"
                    f" {each_s * 1000:.0f} ms each, {left:.0f} min left",
                    flush=True,
                )


def summary(done: ReadingReport) -> str:
    """The figures of a run in one line."""
    cards = done.groups["cards"]
    return (
        f"{cards.all} passages of a card: {cards.right} right ({cards.right / cards.all:.2%}),"
        f" {cards.doubtful} not read, {cards.misread} misread; all {done.all}: {done.bound()}"
    )


def _peak_mb() -> int:
    """The most memory that this process has had, in MB: what reads here is what reads at a table,
    with a renderer beside it.
    """
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_000


def main(arguments: list[str] | None = None) -> int:
    """Run and show; 1 where a card was misread, 2 for what makes no sense."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.endurance.passages",
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--work", type=Path, required=True, help="where results are kept")
    parser.add_argument("--passages", type=int, default=10_000, help="how many more (10000)")
    parser.add_argument("--frames", type=int, default=FRAMES, help="frames of each (5)")
    parser.add_argument("--seed", type=int, default=1, help="which shoes and passages (1)")
    parser.add_argument("--deck", choices=["calibrated", "none"], default="calibrated")
    parser.add_argument("--show", action="store_true", help="run nothing, show what there is")
    asked = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    try:
        about = RunHeader(asked.seed, asked.frames, asked.deck, reader_digest())
        if not asked.show:
            run(asked.work, about, asked.passages)
        done, abouts, others = report(asked.work, asked.deck, about.reader)
    except (OtherRunError, MissingPackage) as error:
        print(error, file=sys.stderr)
        return 2
    for each in abouts:
        print(each)
    if others:
        print(f"Not counted: {others} passages of other readers, or drawn otherwise")
    print(done.text("passage"))
    if "cards" in done.groups:
        print(f"  {summary(done)}")
        print(f"  this run's memory, at most: {_peak_mb()} MB")
    return 1 if done.misreads else 0


if __name__ == "__main__":
    sys.exit(main())
