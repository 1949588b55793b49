"""Train the networks and write them where the table finds them: `python -m calibration.train`.

Stages: "train" learns from one part of the fonts and the art and is measured on the other; "all"
goes on from there with both parts, and "again" in another order. The figures are the first's.

    python -m calibration.train --work DIR [--until train]

DIR keeps what was drawn and each network as it is finished: run again, it goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from calibration.draw.fonts import MissingPackage, Split
from calibration.train import figures, fit, shapes, shards
from calibration.train.fit import Picture, Plan
from calibration.train.shapes import Shape, Weights
from drivers.vision.nets import MODELS

SEEDS: Final = "0:5000,16000:20000,100000:104000"
HELD: Final = "0:2000"
STAGES: Final = ("train", "all", "again")
PLANS: Final = {
    "index_a": Plan(epochs=5, seed=11),
    "index_b": Plan(epochs=5, seed=22, rate=2.5e-3, shift=5),
    "face": Plan(epochs=5, seed=33, shift=2),
}
LATER: Final = {
    "index_a": Plan(epochs=8, seed=11, rate=1.5e-3),
    "index_b": Plan(epochs=5, seed=22, rate=1.5e-3, shift=5),
    "face": Plan(epochs=3, seed=33, rate=1.5e-3, shift=2),
}
AGAIN: Final = {
    "index_a": Plan(epochs=5, seed=44, rate=1e-3),
    "index_b": Plan(epochs=5, seed=55, rate=1e-3, shift=5),
    "face": Plan(epochs=2, seed=66, rate=8e-4, shift=2),
}
BY_STAGE: Final = {"train": PLANS, "all": LATER, "again": AGAIN}


def least(pictures: Picture) -> Picture:
    """What index_b sees: the least of blue, green and red."""
    return np.asarray(pictures.min(axis=-1, keepdims=True), np.uint8)


def share_of(name: str, drawn: list[tuple[Split, int]]) -> list[tuple[Split, int]]:
    """The shards that a network learns from: the two readers of an index share half of them."""
    quarter = len(drawn) // 4
    return {
        "index_a": drawn[: len(drawn) - quarter],
        "index_b": drawn[quarter:],
        "face": drawn,
    }[name]


def spread(drawn: list[tuple[Split, int]]) -> list[tuple[Split, int]]:
    """The same shards in another order, so that both readers of an index get of every kind."""
    return drawn[::3] + drawn[1::3] + drawn[2::3]


def mixed(learn: list[tuple[Split, int]], held: list[tuple[Split, int]]) -> list[tuple[Split, int]]:
    """Both lists in one, the shorter spread over the longer, so that both readers get some."""
    every = sorted(
        [(n / len(learn), each) for n, each in enumerate(learn)]
        + [((n + 0.5) / len(held), each) for n, each in enumerate(held)],
        key=lambda pair: pair[0],
    )
    return [each for _, each in every]


def firsts_of(text: str, split: Split) -> list[tuple[Split, int]]:
    """The shards of "0:7000,16000:20000", each by the seed of its first frame."""
    found: list[tuple[Split, int]] = []
    for part in text.split(","):
        first, end = (int(each) for each in part.split(":"))
        found += [(split, seed) for seed in range(first, end, shards.FRAMES)]
    return found


def inputs(
    shape: Shape, work: Path, drawn: list[tuple[Split, int]]
) -> tuple[Picture, NDArray[np.int8]]:
    """What a network sees, and the labels; what nobody could label is left out."""
    loaded = shards.load(work, drawn)
    if shape is shapes.FACE:
        pictures, labels = loaded.faces, loaded.face_labels
    else:
        pictures, labels = loaded.corners, loaded.corner_labels
    known = (labels >= 0).any(axis=1)
    pictures, labels = pictures[known], labels[known]
    return (least(pictures) if shape.channels == 1 else pictures), labels


def trained(
    shape: Shape,
    work: Path,
    run: str,
    drawn: list[tuple[Split, int]],
    begin: Weights | None = None,
) -> Weights:
    """The network's weights: kept from an earlier run of this name, or trained now."""
    kept = work / f"{run}-{shape.name}.npz"
    if kept.exists():
        stored = np.load(kept)
        return [
            (jnp.asarray(stored[f"w{n}"]), jnp.asarray(stored[f"b{n}"]))
            for n in range(len(stored.files) // 2)
        ]
    pictures, labels = inputs(shape, work, share_of(shape.name, drawn))
    print(f"{run} {shape.name}: {len(pictures)} pictures", flush=True)
    plan = BY_STAGE[run][shape.name]
    weights = fit.train(
        shape, pictures, labels, plan, begin=begin, tell=lambda text: print(text, flush=True)
    )
    plain = {}
    for n, (kernel, bias) in enumerate(weights):
        plain[f"w{n}"], plain[f"b{n}"] = np.asarray(kernel), np.asarray(bias)
    np.savez(kept, allow_pickle=False, **plain)
    return weights


def main(arguments: list[str] | None = None) -> int:
    """Draw, train, measure, write; 1 where fonts or art are missing."""
    parser = argparse.ArgumentParser(prog="python -m calibration.train", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for samples and weights")
    parser.add_argument("--out", type=Path, default=MODELS, help="where the networks are written")
    parser.add_argument("--seeds", default=SEEDS, help="frames to learn from: first:end,...")
    parser.add_argument("--held", default=HELD, help="frames of held-back decks to measure on")
    parser.add_argument("--until", choices=STAGES, default=STAGES[-1], help="the last stage")
    asked = parser.parse_args(arguments)
    learn = spread(firsts_of(asked.seeds, Split.TRAIN))
    held = firsts_of(asked.held, Split.HELD)
    every = mixed(learn, held)
    lists = {"train": learn, "all": every, "again": every}
    stages = STAGES[: STAGES.index(asked.until) + 1]
    try:
        shards.draw(asked.work, lists[stages[-1]] + held)
    except MissingPackage as missing:
        print(missing, file=sys.stderr)
        return 1
    done: dict[str, figures.Figures] = {}
    for shape in shapes.ALL:
        weights: Weights | None = None
        for stage in stages:
            weights = trained(shape, asked.work, stage, lists[stage], weights)
            if stage == "train":
                done[shape.name] = figures.measure(shape, weights, *inputs(shape, asked.work, held))
                print(stage, done[shape.name].line, flush=True)
        assert weights is not None
        done[shape.name] = figures.with_weights(done[shape.name], shape, weights)
    recipe = figures.Recipe(
        stages, asked.seeds, asked.held, tuple(BY_STAGE[stage] for stage in stages)
    )
    figures.write(asked.out, done, recipe)
    return 0


if __name__ == "__main__":
    sys.exit(main())
