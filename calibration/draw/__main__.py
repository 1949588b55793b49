"""Write frames and their labels: `python -m calibration.draw --count 500 --seed 1 --out DIR`."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from pathlib import Path

import cv2

from calibration.draw import decks, frames
from calibration.draw.fonts import DesignSplit, MissingPackage
from calibration.draw.frames import Truth
from controller.rules.cards import Card

_FIELDS = (
    "file", "rank", "suit", "style", "deck", "level", "neg_kind", "under_card", "source", "params",
)  # fmt: skip


def _named(card: Card | None) -> tuple[str, str]:
    return decks.split_of(card) if card else ("none", "")


def row(file: str, truth: Truth) -> dict[str, str]:
    """One line of labels.csv, as the sample frames have it."""
    rank, suit = _named(truth.card)
    under = "".join(_named(truth.under)) if truth.under else ""
    lens = truth.lens
    params = {
        "gain": round(lens.gain, 2),
        "wb": [round(v, 2) for v in lens.balance],
        "blur": round(lens.blur, 2),
        "motion": lens.motion,
        "noise": round(lens.noise, 1),
        "glare": round(lens.glare),
        "quad": None if truth.quad is None else truth.quad.round(1).tolist(),
    }
    return {
        "file": file,
        "rank": rank,
        "suit": suit,
        "style": truth.style.value if truth.style else "none",
        "deck": truth.deck,
        "level": truth.level.value,
        "neg_kind": "" if truth.card else truth.kind.value,
        "under_card": under,
        "source": "drawn" if truth.deck.startswith("drawn:") else "art",
        "params": json.dumps(params),
    }


def main(arguments: list[str] | None = None) -> int:
    """Draw the frames; 0 when all are written, 1 where fonts or art are missing."""
    parser = argparse.ArgumentParser(prog="python -m calibration.draw", description=__doc__)
    parser.add_argument("--count", type=int, required=True, help="frames to draw")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same frames")
    parser.add_argument("--out", type=Path, required=True, help="folder for frames and labels.csv")
    parser.add_argument("--split", choices=[each.value for each in DesignSplit], default="all")
    asked = parser.parse_args(arguments)
    (asked.out / "frames").mkdir(parents=True, exist_ok=True)
    try:
        with (asked.out / "labels.csv").open("w", newline="") as labels:
            table = csv.DictWriter(labels, _FIELDS)
            table.writeheader()
            for number in range(asked.count):
                seed = asked.seed * 1_000_003 + number
                picture, truth = frames.frame(seed, DesignSplit(asked.split))
                file = f"frames/{number:05d}.jpg"
                cv2.imwrite(str(asked.out / file), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
                table.writerow(row(file, truth))
    except MissingPackage as missing:
        print(missing, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
