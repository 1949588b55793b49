"""The rule that tells clubs from spades by their outline: `python -m calibration.train.pip_shape`.

Least squares with a small ridge on the outlines of drawn black number cards, either way round.
What it is measured on are decks that it did not learn from.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.draw import frames
from calibration.draw.fonts import DesignSplit, MissingPackage
from calibration.draw.frames import DrawnKind
from calibration.train import written
from controller.rules.cards import Rank, Suit
from drivers.vision.finding.rectified_card import RectifiedCard, find_card
from drivers.vision.nets import MODELS
from drivers.vision.pip_shape import COLUMNS, ROWS, pip_outline

Floats = NDArray[np.float64]

SEED: Final = 8_200_000
HELD: Final = 8_290_000
RIDGE: Final = 1.0
#: Of what is measured: the scores of the best-told and the worst-told hundredth, and the median.
_PER_CENT: Final = (1, 50, 99)


def main(arguments: list[str] | None = None) -> int:
    """Draw, fit, measure, write; 1 where fonts or art are missing."""
    parser = argparse.ArgumentParser(prog="python -m calibration.train.pip_shape")
    parser.add_argument("--count", type=int, default=6000, help="frames to learn from")
    parser.add_argument("--held", type=int, default=1500, help="frames to measure on")
    parser.add_argument("--out", type=Path, default=MODELS, help="where the rule is written")
    asked = parser.parse_args(arguments)
    try:
        outlines, spades = drawn(range(SEED, SEED + asked.count), DesignSplit.TRAIN)
        held, held_spades = drawn(range(HELD, HELD + asked.held), DesignSplit.HELD)
    except MissingPackage as missing:
        sys.stderr.write(f"{missing}\n")
        return 1
    weights, bias = fitted(outlines, spades)
    scores = held @ weights + bias
    rule = {
        "weights": [[round(float(each), 5) for each in row] for row in weights.reshape(ROWS, -1)],
        "bias": round(bias, 5),
    }
    raw = (json.dumps(rule, indent=1) + "\n").encode()
    written.write(asked.out, "pip_shape", "pip_shape.json", raw, {}, {
        "learned_from": f"{SEED}:{SEED + asked.count}", "cards": len(spades),
        "measured_on": f"{HELD}:{HELD + asked.held}", "held_cards": len(held_spades),
        "wrong": int(((scores > 0) != held_spades).sum()),
        "clubs_at_per_cent": _percentiles(scores[~held_spades]),
        "spades_at_per_cent": _percentiles(scores[held_spades]),
    })  # fmt: skip
    return 0


def drawn(seeds: range, split: DesignSplit) -> tuple[Floats, NDArray[np.bool_]]:
    """The outline of each black number card that is found, and whether it is of spades.

    Raises `MissingPackage`.
    """
    found = list(_black_numbers(seeds, split))
    outlines = np.array([outline.ravel() for outline, _ in found])
    return outlines.reshape(-1, ROWS * COLUMNS), np.array([each for _, each in found], np.bool_)


def _black_numbers(seeds: range, split: DesignSplit) -> Iterator[tuple[Floats, bool]]:
    for seed in seeds:
        picture, truth = frames.frame(seed, split, kind=DrawnKind.CARD)
        card = truth.card
        if card is None or card.suit not in (Suit.CLUBS, Suit.SPADES):
            continue
        if not Rank.TWO <= card.rank <= Rank.TEN:
            continue
        found = find_card(picture)
        outline = pip_outline(found) if isinstance(found, RectifiedCard) else None
        if outline is not None:
            yield outline, card.suit is Suit.SPADES


def fitted(outlines: Floats, spades: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Weights and bias: 1 for spades, -1 for clubs, by least squares; the bias is not shrunk."""
    rows = np.c_[outlines, np.ones(len(outlines))]
    ridge = np.diag([RIDGE] * outlines.shape[1] + [0.0])
    found: Floats = np.linalg.solve(rows.T @ rows + ridge, rows.T @ np.where(spades, 1.0, -1.0))
    return found[:-1], float(found[-1])


def _percentiles(scores: Floats) -> list[float]:
    return [round(float(each), 2) for each in np.percentile(scores, _PER_CENT)]


if __name__ == "__main__":
    sys.exit(main())
