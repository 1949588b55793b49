"""Train the networks and write them where the table finds them: `python -m calibration.train`.

    python -m calibration.train --work DIR               # learn from one part, measure the other
    python -m calibration.train --work DIR --split all   # learn from all art and all fonts

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

PLANS: Final = {
    "index_a": Plan(epochs=14, seed=11),
    "index_b": Plan(epochs=14, seed=22, rate=1.5e-3, shift=5),
    "face": Plan(epochs=12, seed=33, shift=2),
}


def least(pictures: Picture) -> Picture:
    """What index_b sees: the least of blue, green and red."""
    return np.asarray(pictures.min(axis=-1, keepdims=True), np.uint8)


def firsts_of(name: str, frames: int) -> range:
    """The shards that a network learns from: the two readers of an index share half of them."""
    quarter = frames // 4 // shards.FRAMES * shards.FRAMES
    return {
        "index_a": range(0, frames - quarter, shards.FRAMES),
        "index_b": range(quarter, frames, shards.FRAMES),
        "face": range(0, frames, shards.FRAMES),
    }[name]


def inputs(
    shape: Shape, work: Path, split: Split, firsts: range
) -> tuple[Picture, NDArray[np.int8]]:
    """What a network sees, and the labels; what nobody could label is left out."""
    drawn = shards.load(work, split, firsts)
    if shape is shapes.FACE:
        pictures, labels = drawn.faces, drawn.face_labels
    else:
        pictures, labels = drawn.corners, drawn.corner_labels
    known = (labels >= 0).any(axis=1)
    pictures, labels = pictures[known], labels[known]
    return (least(pictures) if shape.channels == 1 else pictures), labels


def trained(shape: Shape, work: Path, split: Split, frames: int) -> Weights:
    """The network's weights: from an earlier run with the same figures, or trained now."""
    plan = PLANS[shape.name]
    kept = work / f"{shape.name}-{split.value}-{frames}-{plan.epochs}-{plan.seed}.npz"
    if kept.exists():
        stored = np.load(kept)
        return [
            (jnp.asarray(stored[f"w{n}"]), jnp.asarray(stored[f"b{n}"]))
            for n in range(len(stored.files) // 2)
        ]
    pictures, labels = inputs(shape, work, split, firsts_of(shape.name, frames))
    print(f"{shape.name}: {len(pictures)} pictures", flush=True)
    weights = fit.train(shape, pictures, labels, plan, tell=lambda text: print(text, flush=True))
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
    parser.add_argument("--frames", type=int, default=24000, help="frames to learn from")
    parser.add_argument("--held", type=int, default=2000, help="frames to measure on")
    parser.add_argument("--split", choices=["train", "all"], default="train")
    asked = parser.parse_args(arguments)
    split = Split(asked.split)
    try:
        shards.draw(asked.work, split, asked.frames)
        shards.draw(asked.work, Split.HELD, asked.held)
    except MissingPackage as missing:
        print(missing, file=sys.stderr)
        return 1
    done: dict[str, figures.Figures] = {}
    for shape in shapes.ALL:
        weights = trained(shape, asked.work, split, asked.frames)
        held = inputs(shape, asked.work, Split.HELD, range(0, asked.held, shards.FRAMES))
        done[shape.name] = figures.measure(shape, weights, *held)
        print(done[shape.name].line, flush=True)
    figures.write(asked.out, done, split, asked.frames, asked.held, PLANS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
