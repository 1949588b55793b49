"""Straight edges through points of which some say nothing: by votes, then by least squares."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float32]
Floats = NDArray[np.float64]

#: Pixels (of the small picture, or steps) by which a point may be off its edge.
NEAR: Final = 1.25
#: Further out than any point of an edge lies.
_FAR: Final = 1e6


def lines_of(along: Floats, across: Floats, slopes: Floats) -> tuple[Floats, Floats]:
    """The line (offset at 0, slope) that most points of each edge are near; how far each is off.

    Points are (4, n); one that says nothing is nan across.
    """
    offsets = across[:, None, :] - slopes[None, :, None] * along[:, None, :]
    offsets -= np.fmin.reduce(offsets, axis=None)
    silent = np.isnan(across)
    blank = silent[:, None, :] if silent.any() else None
    heights = (offsets if blank is None else np.where(blank, _FAR, offsets)).astype(np.intp)
    # Each row of votes begins at its own lowest: the fewer bins, the sooner they are counted.
    lowest = heights.min(axis=2)
    heights -= lowest[:, :, None] - 2
    if blank is not None:
        heights = np.where(blank, 0, heights)
    width = int(heights.max()) + 2
    edges, tried = len(across), len(slopes)
    heights += (np.arange(edges * tried) * width).reshape(edges, tried, 1)
    counted = np.bincount(heights.ravel(), minlength=edges * tried * width)
    votes = counted.reshape(edges, tried, width)
    pairs = (votes[:, :, 2:-1] + votes[:, :, 3:]).reshape(edges, -1)
    slope, bin_ = np.divmod(pairs.argmax(axis=1), width - 3)
    every = np.arange(edges)
    off = np.abs(offsets[every, slope] - (bin_ + lowest[every, slope] + 1)[:, None])
    near = off <= NEAR
    weight = near / np.maximum(near.sum(axis=1, keepdims=True), 1)
    level = np.where(near, across, 0.0)
    middle, mean = (weight * along).sum(axis=1), (weight * level).sum(axis=1)
    away = along - middle[:, None]
    fitted = (weight * away * level).sum(axis=1) / np.maximum((weight * away**2).sum(axis=1), 1e-9)
    return np.stack([mean - fitted * middle, fitted], axis=1), off


def corners_of(lines: Floats) -> Points:
    """Where left and right (x by y) meet top and bottom (y by x)."""
    side, level = lines[[0, 1, 1, 0]], lines[[2, 2, 3, 3]]
    y = (level[:, 0] + level[:, 1] * side[:, 0]) / (1 - level[:, 1] * side[:, 1])
    return np.stack([side[:, 0] + side[:, 1] * y, y], axis=1).astype(np.float32)


def through(ends: Floats) -> Floats:
    """The lines x by y through two points each."""
    way = ends[:, 1] - ends[:, 0]
    slope = way[:, 0] / way[:, 1]
    return np.stack([ends[:, 0, 0] - slope * ends[:, 0, 1], slope], axis=1)
