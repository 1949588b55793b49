"""Samples on disk, 500 frames a file, so that a long drawing can be cut short and goes on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import numpy as np

from calibration.draw.fonts import Split
from calibration.train import samples
from calibration.train.samples import Samples

FRAMES: Final = 500
MANY: Final = 100_000  # frames from this seed on are of many decks


def draw(
    folder: Path, wanted: Iterable[tuple[Split, int]], tell: Callable[[str], None] = print
) -> None:
    """Draw the shards that are missing; a shard is a split and the seed of its first frame."""
    folder.mkdir(parents=True, exist_ok=True)
    for split, first in wanted:
        path = _path(folder, split, first)
        if path.exists():
            continue
        drawn = samples.draw(range(first, first + FRAMES), split, decks_known(split, first))
        part = path.with_suffix(".part.npz")
        np.savez(part, c=drawn.corners, cl=drawn.corner_labels, f=drawn.faces, fl=drawn.face_labels)
        os.replace(part, path)
        tell(f"{split.value}: frames {first} to {first + FRAMES} drawn")


def decks_known(split: Split, first: int) -> int:
    """How many decks the frames are of: few to begin with, later hardly one twice."""
    if split is Split.HELD:
        return 200
    return 500 if first < MANY else 20_000


def load(folder: Path, wanted: Iterable[tuple[Split, int]]) -> Samples:
    """The samples of some shards."""
    files = [np.load(_path(folder, split, first)) for split, first in wanted]
    return Samples(
        np.concatenate([each["c"] for each in files]),
        np.concatenate([each["cl"] for each in files]),
        np.concatenate([each["f"] for each in files]),
        np.concatenate([each["fl"] for each in files]),
    )


def _path(folder: Path, split: Split, first: int) -> Path:
    return folder / f"{split.value}_{first}.npz"
