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


def draw(folder: Path, split: Split, frames: int, tell: Callable[[str], None] = print) -> None:
    """Draw what is missing of the first `frames` frames of a split."""
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, frames, FRAMES):
        path = _path(folder, split, first)
        if path.exists():
            continue
        drawn = samples.draw(range(first, first + FRAMES), split, decks_known(split))
        part = path.with_suffix(".part.npz")
        np.savez(part, c=drawn.corners, cl=drawn.corner_labels, f=drawn.faces, fl=drawn.face_labels)
        os.replace(part, path)
        tell(f"{split.value}: {first + FRAMES} of {frames} frames drawn")


def decks_known(split: Split) -> int:
    """How many decks the frames of a split are of."""
    return 200 if split is Split.HELD else 500


def load(folder: Path, split: Split, firsts: Iterable[int]) -> Samples:
    """The samples of some shards, by the number of their first frame."""
    files = [np.load(_path(folder, split, first)) for first in firsts]
    return Samples(
        np.concatenate([each["c"] for each in files]),
        np.concatenate([each["cl"] for each in files]),
        np.concatenate([each["f"] for each in files]),
        np.concatenate([each["fl"] for each in files]),
    )


def _path(folder: Path, split: Split, first: int) -> Path:
    return folder / f"{split.value}_{first}.npz"
