"""The networks of an index's text and sign alone: `python -m calibration.train.index_parts`.

They forbid a card whose index they read otherwise: a text that has more letters or others than the
one that was read, a sign of another suit. What they make of indices is measured on decks that they
did not learn from.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from calibration.draw.fonts import DesignSplit, MissingPackage
from calibration.train import export, fit, written
from calibration.train.fit import Plan
from calibration.train.index_samples import PartSamples, drawn
from calibration.train.probe import probe
from calibration.train.shapes import INDEX_SIGN, INDEX_TEXT, Shape
from drivers.vision.nets import MODELS, SUITS, TEXTS

PLANS: Final = {
    INDEX_TEXT.name: Plan(epochs=15, shift=2, seed=7),
    INDEX_SIGN.name: Plan(epochs=6, shift=2, seed=7),
}
#: Cards to learn from, two views of each.
SEEDS: Final = "100000:101200,200000:201200,400000:400800,500000:500700,600000:600600,700000:700800"
HELD: Final = "900000:900250,920000:920250"
_SURE: Final = 0.9


def main(arguments: list[str] | None = None) -> int:
    """Draw, train, measure, write; 1 where fonts or art are missing."""
    parser = argparse.ArgumentParser(prog="python -m calibration.train.index_parts")
    parser.add_argument("--seeds", default=SEEDS, help="cards to learn from: first:end,...")
    parser.add_argument("--held", default=HELD, help="cards of held-back decks to measure on")
    parser.add_argument("--out", type=Path, default=MODELS, help="where the networks are written")
    asked = parser.parse_args(arguments)
    try:
        learn = _drawn(asked.seeds, DesignSplit.TRAIN)
        held = _drawn(asked.held, DesignSplit.HELD)
    except MissingPackage as missing:
        sys.stderr.write(f"{missing}\n")
        return 1
    train(learn, held, asked.out, {"learned_from": asked.seeds, "measured_on": asked.held})
    return 0


def _drawn(seeds: str, split: DesignSplit) -> PartSamples:
    ranges = [range(*map(int, each.split(":"))) for each in seeds.split(",")]
    parts = [drawn(each, split) for each in ranges]
    return PartSamples(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("texts", "says", "signs", "suits")
        )
    )


def train(learn: PartSamples, held: PartSamples, out: Path, recipe: dict[str, str]) -> None:
    """Train both networks on the one, measure them on the other, and write them."""
    for shape, classes, pictures, truth, unseen, shown in (
        (INDEX_TEXT, TEXTS, learn.texts, learn.says, held.texts, held.says),
        (INDEX_SIGN, SUITS, learn.signs, learn.suits, held.signs, held.suits),
    ):
        plan = PLANS[shape.name]
        weights = fit.train(shape, pictures, np.stack([truth, truth], axis=1), plan)
        raw = export.onnx_of(shape, weights)
        says = fit.answer(shape, weights, probe(shape.high, shape.wide, shape.channels))[0]
        entry = {"t_rank": 1.0, "t_suit": 1.0}
        written.write(out, shape.name, f"{shape.name}.onnx", raw, entry, {
            "seed": plan.seed, "epochs": [plan.epochs],
            "says_of_probe": [round(float(value), 5) for value in says],
            **recipe, "pictures": len(pictures),
            **_measured(shape, fit.answer(shape, weights, unseen), shown, len(classes) - 1),
        })  # fmt: skip


def _measured(
    shape: Shape, logits: NDArray[np.float32], shown: NDArray[np.int8], none: int
) -> dict[str, Any]:
    """How often an index of ours was read as it is, was not, and what is none for one of ours."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares = powers / powers.sum(axis=1, keepdims=True)
    said, sure = shares.argmax(axis=1), shares.max(axis=1) > _SURE
    ours = shown < (none - 1 if shape is INDEX_TEXT else none)
    own = shares[np.arange(len(shown)), shown]
    return {
        "of_ours": int(ours.sum()),
        "right": int((said == shown)[ours].sum()),
        "hardly_its_own": int((own < 1 - _SURE)[ours].sum()),
        "of_none": int((shown == none).sum()),
        "surely_taken_for_ours": int((sure & (said != none))[shown == none].sum()),
    }


if __name__ == "__main__":
    sys.exit(main())
