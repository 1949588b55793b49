"""The networks' way through the stages of the training: which samples, for how long, how fast."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from calibration.draw.fonts import DesignSplit
from calibration.train import export, figures, fit, shapes, shards
from calibration.train.figures import NetworkFigures
from calibration.train.fit import Picture, Plan
from calibration.train.shapes import Shape, Weights

#: Files of samples: the split and the seed of the first frame.
Shards = list[tuple[DesignSplit, int]]

STAGES: Final = ("train", "all", "either_way", "letters", "painted")
TRAIN: Final = {
    "index_a": Plan(epochs=8, seed=11),
    "index_b": Plan(epochs=5, seed=22, rate=2.5e-3, shift=5),
    "face": Plan(epochs=12, seed=33, shift=2),
}
ALL: Final = {
    "index_a": Plan(epochs=3, seed=44, rate=1.2e-3),
    "index_b": Plan(epochs=2, seed=55, rate=1.2e-3, shift=5),
    "face": Plan(epochs=3, seed=66, rate=1e-3, shift=2),
}
#: Cards either way round, four colours, jumbo indices, Russian letters: both stages before knew
#: little or nothing of them.
EITHER_WAY: Final = {
    "index_a": Plan(epochs=4, seed=77, rate=1.5e-3),
    "index_b": Plan(epochs=3, seed=88, rate=1.2e-3, shift=5),
    "face": Plan(epochs=6, seed=99, rate=1.5e-3, shift=2),
}
#: The letters of other countries; a suit is labelled by the height of its own sign. The face has
#: nothing to learn of it. Weights between those before and after read more than either.
LETTERS: Final = {
    "index_a": Plan(epochs=3, seed=111, rate=1.2e-3, keep=0.3),
    "index_b": Plan(epochs=4, seed=122, rate=1.2e-3, shift=5, keep=0.3),
    "face": Plan(epochs=0, seed=133),
}
#: More of every kind, and corners without what stands beside the index. From random weights: the
#: committed stages before were of narrower networks. The face has nothing to learn of it.
PAINTED: Final = {
    "index_a": Plan(epochs=16, seed=311, anew=True),
    "index_b": Plan(epochs=16, seed=322, rate=2.5e-3, shift=5, anew=True),
    "face": Plan(epochs=0, seed=233),
}
BY_STAGE: Final = {
    "train": TRAIN, "all": ALL, "either_way": EITHER_WAY, "letters": LETTERS, "painted": PAINTED,
}  # fmt: skip


def least(pictures: Picture) -> Picture:
    """What index_b sees: the least of blue, green and red."""
    return np.asarray(pictures.min(axis=-1, keepdims=True), np.uint8)


def share_of(name: str, drawn: Shards) -> Shards:
    """The shards that a network learns from: the two readers of an index share half of them."""
    quarter = len(drawn) // 4
    return {
        "index_a": drawn[: len(drawn) - quarter],
        "index_b": drawn[quarter:],
        "face": drawn,
    }[name]


def spread(drawn: Shards) -> Shards:
    """The same shards in another order, so that both readers of an index get of every kind."""
    return drawn[::3] + drawn[1::3] + drawn[2::3]


def mixed(learn: Shards, held: Shards) -> Shards:
    """Both lists in one, the shorter spread over the longer, so that both readers get some."""
    every = sorted(
        [(n / len(learn), each) for n, each in enumerate(learn)]
        + [((n + 0.5) / len(held), each) for n, each in enumerate(held)],
        key=lambda pair: pair[0],
    )
    return [each for _, each in every]


def firsts_of(text: str, split: DesignSplit) -> Shards:
    """The shards of "0:7000,16000:20000", each by the seed of its first frame."""
    found: Shards = []
    for part in text.split(","):
        first, end = (int(each) for each in part.split(":"))
        found += [(split, seed) for seed in range(first, end, shards.FRAMES)]
    return found


def inputs(shape: Shape, work: Path, drawn: Shards) -> tuple[Picture, NDArray[np.int8]]:
    """What a network sees, and the labels; what nobody could label is left out."""
    part = shards.ShardPart.FACES if shape is shapes.FACE else shards.ShardPart.CORNERS
    pictures: list[Picture] = []
    labels: list[NDArray[np.int8]] = []
    for some, truth in shards.load(work, drawn, part):
        known = (truth >= 0).any(axis=1)
        pictures.append(least(some[known]) if shape.channels == 1 else some[known])
        labels.append(truth[known])
    return np.concatenate(pictures), np.concatenate(labels)


def trained(
    shape: Shape,
    work: Path,
    run: str,
    drawn: Shards,
    begin: Weights | None = None,
) -> Weights:
    """The network's weights: of an earlier run of this name, or trained now."""
    saved = work / f"{run}-{shape.name}.npz"
    if saved.exists():
        stored = np.load(saved)
        return [
            (jnp.asarray(stored[f"w{n}"]), jnp.asarray(stored[f"b{n}"]))
            for n in range(len(stored.files) // 2)
        ]
    pictures, labels = inputs(shape, work, share_of(shape.name, drawn))
    tell(f"{run} {shape.name}: {len(pictures)} pictures")
    plan = BY_STAGE[run][shape.name]
    weights = fit.train(shape, pictures, labels, plan, begin=begin, tell=tell)
    plain = {}
    for n, (kernel, bias) in enumerate(weights):
        plain[f"w{n}"], plain[f"b{n}"] = np.asarray(kernel), np.asarray(bias)
    np.savez(saved, allow_pickle=False, **plain)
    return weights


def tell(text: str) -> None:
    """A line for whoever waits; several networks share the terminal."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def learned(
    name: str,
    core: int,
    work: Path,
    lists: dict[str, Shards],
    measured: Shards,
    begin: Path | None = None,
) -> NetworkFigures:
    """One network through these stages, measured after the first; in a process of its own.

    `core` is the one it runs on: two networks on a core each learn faster than one on both.
    `begin` is a folder of networks to go on from.
    """
    os.sched_setaffinity(0, {core})
    shape = next(each for each in shapes.ALL if each.name == name)
    weights: Weights | None = None
    if begin is not None:
        weights = export.weights_of(shape, (begin / f"{name}.onnx").read_bytes())
    done: NetworkFigures | None = None
    for stage, drawn in lists.items():
        begin_with = None if BY_STAGE[stage][name].anew else weights
        weights = trained(shape, work, stage, drawn, begin_with)
        if done is None:
            done = figures.measure(shape, weights, *inputs(shape, work, measured))
            tell(f"{stage} {done.line}")
    assert weights is not None
    assert done is not None
    return figures.with_weights(done, shape, weights)
