"""The network that sees a second card beside an edge: `python -m calibration.train.beneath`.

Its pictures are the strips that the table cuts beside the edges of cards and double feeds, half of
them on ground that may be taken for a card: carpet and wood cut along the card, bars beside it.
Its misses and its false alarms are measured on decks that it was not trained on.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

import numpy as np

from calibration.draw.fonts import DesignSplit, MissingPackage
from calibration.train import export, fit, written
from calibration.train.fit import Plan
from calibration.train.probe import probe
from calibration.train.shapes import BENEATH
from calibration.train.strips import drawn, learned_from
from drivers.vision.finding.card_surround import STRIP_HEIGHT, STRIP_WIDTH
from drivers.vision.nets import MODELS

PLAN: Final = Plan(epochs=5, rate=2e-3, shift=1, seed=5)
SEED: Final = 8_000_000
HELD: Final = 8_900_000


def main(arguments: list[str] | None = None) -> int:
    """Draw, train, measure, write; 1 where fonts or art are missing."""
    parser = argparse.ArgumentParser(prog="python -m calibration.train.beneath")
    parser.add_argument("--count", type=int, default=5000, help="frames to learn from")
    parser.add_argument("--held", type=int, default=500, help="frames to measure on")
    parser.add_argument("--out", type=Path, default=MODELS, help="where the network is written")
    asked = parser.parse_args(arguments)
    try:
        learn, held = (
            [np.stack(each) for each in zip(*drawn(range(seed, seed + count), split), strict=True)]
            for seed, count, split in (
                (SEED, asked.count, DesignSplit.TRAIN), (HELD, asked.held, DesignSplit.HELD),
            )
        )  # fmt: skip
    except MissingPackage as missing:
        sys.stderr.write(f"{missing}\n")
        return 1
    pictures, truth = learned_from(learn[0], learn[1])
    weights = fit.train(BENEATH, pictures, np.stack([truth, truth], axis=1), PLAN)
    raw = export.onnx_of(BENEATH, weights)
    says = fit.answer(BENEATH, weights, probe(STRIP_HEIGHT, STRIP_WIDTH, 3))[0]
    logits = fit.answer(BENEATH, weights, held[0].reshape(-1, STRIP_HEIGHT, STRIP_WIDTH, 3))
    lead = (logits[:, 1] - logits[:, 0]).reshape(-1, 4).max(axis=1)
    two, one = (held[1] == 1).any(axis=1), (held[1] == 0).all(axis=1)
    written.write(asked.out, "beneath", "beneath.onnx", raw, {"t_rank": 1.0, "t_suit": 1.0}, {
        "seed": PLAN.seed, "epochs": [PLAN.epochs], "bytes": len(raw),
        "says_of_probe": [round(float(value), 5) for value in says],
        "learned_from": f"{SEED}:{SEED + asked.count}", "strips": len(pictures),
        "measured_on": f"{HELD}:{HELD + asked.held}",
        "two_cards": int(two.sum()), "missed": int((lead[two] <= 0).sum()),
        "one_card": int(one.sum()), "told_as_two": int((lead[one] > 0).sum()),
    })  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
