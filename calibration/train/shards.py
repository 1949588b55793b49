"""Samples on disk, 500 frames or cards a file: a long drawing can be cut short and goes on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from enum import Enum
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.draw.fonts import DesignSplit
from calibration.train import samples
from calibration.train.samples import Picture


class ShardPart(Enum):
    """Which of a shard's pictures."""

    CORNERS = "c"
    FACES = "f"


FRAMES: Final = 500
VIEWS: Final = 1_000_000  # seeds from this on are of cards drawn close up
PAINTED: Final = 5_000_000  # and from this on some corners are without what stands beside the index


def draw(
    folder: Path, wanted: Iterable[tuple[DesignSplit, int]], tell: Callable[[str], None] = print
) -> None:
    """Draw the shards that are missing; a shard is a split and the seed of its first frame.

    Raises:
        MissingPackage: Fonts or art are not installed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    missing = [each for each in wanted if not _path(folder, *each).exists()]
    if not missing:
        return
    # A process for each core: threads of this one may be the training library's by now.
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        for done in workers.map(_draw, [folder] * len(missing), *zip(*missing, strict=True)):
            tell(done)


def _draw(folder: Path, split: DesignSplit, first: int) -> str:
    seeds, decks = range(first, first + FRAMES), decks_known(split)
    if first < VIEWS:
        drawn = samples.draw(seeds, split, decks)
    else:
        drawn = samples.draw_views(seeds, split, decks, painted=first >= PAINTED)
    path = _path(folder, split, first)
    part = path.with_suffix(".part.npz")
    np.savez(part, c=drawn.corners, cl=drawn.corner_labels, f=drawn.faces, fl=drawn.face_labels)
    os.replace(part, path)
    what = "frames" if first < VIEWS else "cards close up"
    return f"{split.value}: {what} {first} to {first + FRAMES} drawn"


def decks_known(split: DesignSplit) -> int:
    """How many decks the frames are of: hardly one twice, of those held back to measure fewer."""
    return 200 if split is DesignSplit.HELD else 20_000


def load(
    folder: Path, wanted: Iterable[tuple[DesignSplit, int]], part: ShardPart
) -> Iterator[tuple[Picture, NDArray[np.int8]]]:
    """The pictures and labels of some shards, one after the other: together they are gigabytes."""
    for split, first in wanted:
        with np.load(_path(folder, split, first)) as stored:
            yield stored[part.value], stored[f"{part.value}l"]


def _path(folder: Path, split: DesignSplit, first: int) -> Path:
    return folder / f"{split.value}_{first}.npz"
