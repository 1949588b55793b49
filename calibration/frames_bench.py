"""How well frames are read: `python -m calibration.frames_bench DIR [--deck DIR] [--style any]`.

DIR is what `python -m calibration.draw` writes (`labels.csv` and the frames it names). Printed are
the shares right, abstained and misread by level and style, false reads on negatives, why nothing
was told, the confusions, and the time a frame takes on one core.

A misread is a wrong card; on a negative that was made of a card, that very card is none.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Final

import cv2
import numpy as np

from controller.rules.cards import JOKER, Card, card
from drivers.vision.alphabet import Style
from drivers.vision.deck import load_deck
from drivers.vision.reader import Reader
from drivers.vision.sight import Sight

_LETTERS: Final = {"10": "T"}


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled frame; `truth` is None for a negative, `under` what it was made of."""

    file: Path
    truth: Card | None
    under: Card | None
    style: str
    level: str
    kind: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was made of one frame: "right", "abstained", "misread" or "false read"."""

    case: Case
    sight: Sight
    result: str
    ms: float


def cases(folder: Path) -> Iterator[Case]:
    """The labelled frames of a folder."""
    with (folder / "labels.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield Case(
                folder / row["file"],
                _card(row["rank"], row["suit"]),
                _under(row["under_card"]),
                row["style"],
                row["level"],
                row["neg_kind"],
            )


def _card(rank: str, suit: str) -> Card | None:
    if rank == "none":
        return None
    return JOKER if rank == "JOKER" else card(_LETTERS.get(rank, rank) + suit.lower())


def _under(text: str) -> Card | None:
    if not text:
        return None
    return JOKER if text == "JOKER" else _card(text[:-1], text[-1:])


def judged(case: Case, sight: Sight, ms: float) -> Outcome:
    """An outcome, without the picture."""
    kept = Sight(sight.card, sight.confidence, sight.why, sight.text, sight.style)
    if case.truth is not None:
        told = {None: "abstained", case.truth: "right"}
        return Outcome(case, kept, told.get(sight.card, "misread"), ms)
    return Outcome(case, kept, "right" if sight.card in (None, case.under) else "false read", ms)


def read_all(reader: Reader, folder: Path) -> Iterator[Outcome]:
    """Every frame of the folder, read."""
    for case in cases(folder):
        picture = cv2.imread(str(case.file), cv2.IMREAD_COLOR)
        if picture is None:
            raise FileNotFoundError(case.file)
        began = time.perf_counter()
        sight = reader.read(np.asarray(picture, np.uint8))
        yield judged(case, sight, (time.perf_counter() - began) * 1000)


def report(done: Sequence[Outcome]) -> list[str]:
    """The lines of the report."""
    cards = [each for each in done if each.case.truth is not None]
    negatives = [each for each in done if each.case.truth is None]
    lines = [f"{'':24}{'frames':>8}{'right':>9}{'abstained':>11}{'misread':>9}"]
    lines.append(_shares("all cards", cards))
    for name in sorted({each.case.level for each in cards}):
        lines.append(_shares(f"level {name}", [e for e in cards if e.case.level == name]))
    for name in sorted({each.case.style for each in cards}):
        lines.append(_shares(f"style {name}", [e for e in cards if e.case.style == name]))
    lines.append(_shares("Jokers", [e for e in cards if e.case.truth is JOKER]))
    lines.append(_shares("no Jokers", [e for e in cards if e.case.truth is not JOKER]))
    false = [each for each in negatives if each.result == "false read"]
    lines.append(f"negatives: {len(negatives)}, false reads: {len(false)}")
    whys = Counter(each.sight.why.name for each in cards if each.sight.why)
    lines.append("why nothing was told: " + ", ".join(f"{n} {k}" for k, n in whys.most_common()))
    lines.extend(
        f"{each.result}: {each.case.file.name} {each.case.level} {each.case.kind}"
        f" {each.case.truth or each.case.under or 'none'} read as {each.sight.card}"
        f" ({each.sight.text}, {each.sight.confidence:.4f})"
        for each in done
        if each.result in ("misread", "false read")
    )
    times = [each.ms for each in done]
    worst = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    lines.append(f"ms a frame, one core: median {median(times):.2f}, 95 of 100 under {worst:.2f}")
    return lines


def _shares(name: str, done: Sequence[Outcome]) -> str:
    if not done:
        return f"{name:24}{0:8}"
    of = Counter(each.result for each in done)
    shares = "".join(
        f"{of[result] / len(done):{width}.1%}"
        for result, width in (("right", 9), ("abstained", 11))
    )
    return f"{name:24}{len(done):8}{shares}{of['misread']:9}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Read and report; the exit status is 1 when a card was misread."""
    parser = argparse.ArgumentParser(prog="python -m calibration.frames_bench")
    parser.add_argument("folder", type=Path, help="frames with their labels.csv")
    parser.add_argument("--deck", type=Path, help="the deck that calibration captured")
    parser.add_argument("--style", choices=("finnish", "anglo", "any"), default="any")
    asked = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    deck = load_deck(asked.deck) if asked.deck else None
    style = None if asked.style == "any" else Style(asked.style)
    done = list(read_all(Reader(deck=deck, style=style), asked.folder))
    sys.stdout.write("\n".join(report(done)) + "\n")
    return int(any(each.result in ("misread", "false read") for each in done))


if __name__ == "__main__":
    sys.exit(main())
