"""How well frames are read: right, doubtful and misread, by level, style and deck.

    python -m calibration.measure_frames --count 1000 --split held     # frames drawn here
    python -m calibration.measure_frames --kind forged_suit            # of one kind, drawn here
    python -m calibration.measure_frames --frames DIR                  # DIR/labels.csv and pictures
    python -m calibration.measure_frames --mono                        # as a mono sensor takes them

Every frame is read as it is and turned by half, as cards of a shuffled shoe lie. A misread names a
card that is not there; on a negative made of a card, that card is none.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2

from calibration.outcomes import GroundTruth, ReadingReport
from controller.rules.cards import Card, card
from drivers.vision.alphabet import PrintedStyle
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.card_edges import Image, image_of
from drivers.vision.nets import MODELS, CardNetworks

if TYPE_CHECKING:
    from calibration.draw.frames import Truth


@dataclass(frozen=True, slots=True)
class LabelledFrame:
    """One frame and what it shows."""

    case: GroundTruth
    picture: Image


def drawn(count: int, seed: int, split: str, kind: str | None = None) -> Iterator[LabelledFrame]:
    """Frames of `calibration/draw`, cards and negatives or of one kind."""
    # Where frames come from a folder, no drawing library is needed.
    from calibration.draw import frames  # noqa: PLC0415
    from calibration.draw.fonts import DesignSplit  # noqa: PLC0415
    from calibration.draw.frames import DrawnKind  # noqa: PLC0415

    for number in range(seed, seed + count):
        picture, truth = frames.frame(
            number, DesignSplit(split), kind=DrawnKind(kind) if kind else None, decks_known=200
        )
        yield LabelledFrame(case_of(str(number), truth), picture)


def case_of(name: str, truth: Truth) -> GroundTruth:
    """What a drawn frame shows."""
    style = truth.style.value if truth.style else "none"
    kind, level = truth.kind.value, truth.level.value
    return GroundTruth(name, truth.card, truth.under, kind, level, style, truth.deck)


_TENS: Final = {"10": "T"}


def from_folder(folder: Path) -> Iterator[LabelledFrame]:
    """Frames of a folder with labels.csv, as the samples and `calibration.draw` write it.

    Of photographs the table has the columns `file` and `card` (`Th`) alone.
    """
    with (folder / "labels.csv").open(newline="") as labels:
        for row in csv.DictReader(labels):
            picture = cv2.imread(str(folder / row["file"]), cv2.IMREAD_COLOR)
            if picture is None:
                raise FileNotFoundError(folder / row["file"])
            yield LabelledFrame(_case_in(row, folder.name), image_of(picture))


def _case_in(row: dict[str, str], source: str) -> GroundTruth:
    """What a line of labels.csv says."""
    if "card" in row:
        return GroundTruth(row["file"], card(row["card"]), None, "card", "photograph", "", source)
    under = row["under_card"]
    return GroundTruth(
        row["file"], _named(row["rank"], row["suit"]),
        _named(under[:-1], under[-1:]) if under else None,
        row["neg_kind"], row["level"], row["style"], row["deck"],
    )  # fmt: skip


def _named(rank: str, suit: str) -> Card | None:
    if rank in ("none", ""):
        return None
    return card("Jo") if rank.startswith("JOKE") else card(_TENS.get(rank, rank) + suit.lower())


@dataclass(frozen=True, slots=True)
class BothWays:
    """The readings of the same frames as they are, and turned by half."""

    upright: ReadingReport
    turned: ReadingReport

    def text(self) -> str:
        """Both reports, and the line of both that tells how much the way round matters."""
        lines = []
        for way, report in (("as they are", self.upright), ("turned by half", self.turned)):
            lines += [way, report.text()]
        for group in ("cards", "negatives"):
            counts = [each.groups.get(group) for each in (self.upright, self.turned)]
            lines += [each.line(f"{group} {way}") for each, way in zip(counts, _WAYS, strict=True)
                      if each]  # fmt: skip
        return "\n".join(lines)

    @property
    def misreads(self) -> list[str]:
        """Every misread, either way round."""
        return self.upright.misreads + self.turned.misreads


_WAYS: Final = ("as they are", "turned by half")


def without_colour(shown: Iterator[LabelledFrame]) -> Iterator[LabelledFrame]:
    """The same frames as a monochrome sensor under white light takes them."""
    for each in shown:
        grey = cv2.cvtColor(each.picture, cv2.COLOR_BGR2GRAY)
        yield replace(each, picture=image_of(cv2.merge([grey, grey, grey])))


def measure(shown: Iterator[LabelledFrame], recognizer: CardRecognizer) -> BothWays:
    """Read every frame, either way round."""
    done = BothWays(ReadingReport(), ReadingReport())
    for each in shown:
        for report, picture in (
            (done.upright, each.picture),
            (done.turned, image_of(cv2.rotate(each.picture, cv2.ROTATE_180))),
        ):
            began = time.perf_counter()
            reading = recognizer.read(picture)
            took = (time.perf_counter() - began) * 1000
            report.add(each.case, reading.card, reading.doubt.name if reading.doubt else "", took)
    return done


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; 1 where a card was misread."""
    parser = argparse.ArgumentParser(prog="python -m calibration.measure_frames")
    parser.add_argument("--frames", type=Path, help="a folder with labels.csv")
    parser.add_argument("--count", type=int, default=500, help="frames to draw")
    parser.add_argument("--seed", type=int, default=900_000, help="of the first frame drawn")
    parser.add_argument("--kind", help="what the drawn frames show: forged_suit, ...")
    parser.add_argument("--split", default="held", choices=["train", "held", "all"])
    parser.add_argument("--models", type=Path, default=MODELS, help="the networks' folder")
    parser.add_argument("--style", choices=[each.value for each in PrintedStyle])
    parser.add_argument("--mono", action="store_true", help="take the colour out of every frame")
    asked = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    recognizer = CardRecognizer(
        CardNetworks(asked.models), style=PrintedStyle(asked.style) if asked.style else None
    )
    source = (
        from_folder(asked.frames)
        if asked.frames
        else drawn(asked.count, asked.seed, asked.split, asked.kind)
    )
    report = measure(without_colour(source) if asked.mono else source, recognizer)
    sys.stdout.write(report.text() + "\n")
    return 1 if report.misreads else 0


if __name__ == "__main__":
    sys.exit(main())
