"""How well frames are read: right, abstained and misread, by level, style and deck.

    python -m calibration.measure_frames --count 1000 --split held     # frames drawn here
    python -m calibration.measure_frames --frames DIR                  # DIR/labels.csv and pictures

A misread is a card told that is not there; on a negative made of a card, telling that card is none.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from controller.rules.cards import Card, card
from drivers.vision.alphabet import Style
from drivers.vision.edges import Image, image_of
from drivers.vision.nets import MODELS, Nets
from drivers.vision.reader import Reader


@dataclass(frozen=True, slots=True)
class Shown:
    """One frame and what it shows: `card` None on a negative of `kind`, made of `under`."""

    name: str
    picture: Image
    card: Card | None
    under: Card | None
    kind: str
    level: str
    style: str
    deck: str


@dataclass(slots=True)
class Tally:
    """Counts of one group of frames."""

    right: int = 0
    abstained: int = 0
    misread: int = 0

    @property
    def all(self) -> int:
        """How many frames."""
        return self.right + self.abstained + self.misread

    def line(self, name: str) -> str:
        """One line of the table."""
        return (
            f"  {name:<44} {self.all:>6} {self.right / max(1, self.all):>8.1%}"
            f" {self.abstained / max(1, self.all):>10.1%} {self.misread:>8}"
        )


@dataclass(slots=True)
class Report:
    """What came of it: tallies by group, each misread, and why nothing was told."""

    groups: dict[str, Tally] = field(default_factory=dict)
    misreads: list[str] = field(default_factory=list)
    whys: Counter[str] = field(default_factory=Counter)
    times_ms: list[float] = field(default_factory=list)

    def add(self, shown: Shown, told: Card | None, why: str, took_ms: float) -> None:
        """Count one frame."""
        self.times_ms.append(took_ms)
        wrong = told is not None and told is not shown.card and told is not shown.under
        if wrong:
            truth = shown.card or f"{shown.kind} of {shown.under or 'none'}"
            self.misreads.append(f"{shown.name}: {truth} told as {told} ({shown.deck})")
        if shown.card and told is None:
            self.whys[why] += 1
        for group in self._groups(shown):
            tally = self.groups.setdefault(group, Tally())
            if wrong:
                tally.misread += 1
            elif told is not None:
                tally.right += 1
            else:
                tally.abstained += 1

    @staticmethod
    def _groups(shown: Shown) -> list[str]:
        if shown.card is None:
            return ["negatives", f"negative {shown.kind}"]
        rank = shown.card.label.rstrip("♣♦♥♠")
        deck = shown.deck.split(":")[0] if shown.deck.startswith(("drawn", "font")) else shown.deck
        if "+" in deck:
            deck = deck.split("+")[0] + " relabelled"
        return [
            "cards", f"level {shown.level}", f"style {shown.style}", f"deck {deck}", f"rank {rank}",
        ]  # fmt: skip

    def text(self) -> str:
        """The report for people."""
        head = f"  {'':<44} {'frames':>6} {'right':>8} {'abstained':>10} {'misread':>8}"
        lines = [head] + [self.groups[name].line(name) for name in sorted(self.groups)]
        lines.append("  why nothing was told: " + ", ".join(
            f"{why} {count}" for why, count in self.whys.most_common()
        ))  # fmt: skip
        times = np.array(self.times_ms)
        lines.append(
            f"  a frame: p50 {np.median(times):.1f} ms, p99 {np.quantile(times, 0.99):.1f} ms"
        )
        lines += ["  misreads:", *(f"    {each}" for each in self.misreads or ["none"])]
        return "\n".join(lines)


def drawn(count: int, seed: int, split: str) -> Iterator[Shown]:
    """Frames of `calibration/draw`."""
    # Where frames come from a folder, no drawing library is needed.
    from calibration.draw import frames  # noqa: PLC0415
    from calibration.draw.fonts import Split  # noqa: PLC0415

    for number in range(seed, seed + count):
        picture, truth = frames.frame(number, Split(split), decks_known=200)
        yield Shown(
            str(number), picture, truth.card, truth.under, truth.kind.value, truth.level.value,
            truth.style.value if truth.style else "none", truth.deck,
        )  # fmt: skip


_TENS: Final = {"10": "T"}


def kept(folder: Path) -> Iterator[Shown]:
    """Frames of a folder with labels.csv, as the samples and `calibration.draw` write it."""
    with (folder / "labels.csv").open(newline="") as labels:
        for row in csv.DictReader(labels):
            picture = cv2.imread(str(folder / row["file"]), cv2.IMREAD_COLOR)
            if picture is None:
                raise FileNotFoundError(folder / row["file"])
            under = row["under_card"]
            yield Shown(
                row["file"], image_of(picture), _named(row["rank"], row["suit"]),
                _named(under[:-1], under[-1:]) if under else None,
                row["neg_kind"], row["level"], row["style"], row["deck"],
            )  # fmt: skip


def _named(rank: str, suit: str) -> Card | None:
    if rank in ("none", ""):
        return None
    return card("Jo") if rank.startswith("JOKE") else card(_TENS.get(rank, rank) + suit.lower())


def measure(shown: Iterator[Shown], reader: Reader) -> Report:
    """Read every frame."""
    report = Report()
    for each in shown:
        began = time.perf_counter()
        sight = reader.read(each.picture)
        took = (time.perf_counter() - began) * 1000
        report.add(each, sight.card, sight.why.name if sight.why else "", took)
    return report


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; 1 where a card was misread."""
    parser = argparse.ArgumentParser(prog="python -m calibration.measure_frames")
    parser.add_argument("--frames", type=Path, help="a folder with labels.csv")
    parser.add_argument("--count", type=int, default=500, help="frames to draw")
    parser.add_argument("--seed", type=int, default=900_000, help="of the first frame drawn")
    parser.add_argument("--split", default="held", choices=["train", "held", "all"])
    parser.add_argument("--models", type=Path, default=MODELS, help="the networks' folder")
    parser.add_argument("--style", choices=[each.value for each in Style])
    asked = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    reader = Reader(Nets(asked.models), style=Style(asked.style) if asked.style else None)
    source = kept(asked.frames) if asked.frames else drawn(asked.count, asked.seed, asked.split)
    report = measure(source, reader)
    sys.stdout.write(report.text() + "\n")
    return 1 if report.misreads else 0


if __name__ == "__main__":
    sys.exit(main())
