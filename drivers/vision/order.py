"""Medians and shares of small arrays: numpy's own take several times as long for a few hundred
numbers, and give the same ones to the last bit. `numpy.median` also loads its masked arrays, for
good: more than a MB that no table needs.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def median(values: NDArray[Any]) -> Floats:
    """The middle of the last axis, as `numpy.median` has it; without nan."""
    ordered = np.sort(values, axis=-1)
    high = ordered.shape[-1] // 2
    if ordered.shape[-1] % 2:
        return np.asarray(ordered[..., high], np.float64)
    return np.asarray((ordered[..., high - 1].astype(np.float64) + ordered[..., high]) / 2)


def median_over(values: NDArray[Any], *axes: int) -> Floats:
    """The same over several axes, which are gone in the result."""
    last = np.moveaxis(values, axes, range(-len(axes), 0))
    return median(last.reshape(*last.shape[: -len(axes)], -1))


def percentile(values: Floats, share: float) -> Floats:
    """`share` in a hundred of the last axis are below, as `numpy.percentile` has it; no nan."""
    ordered = np.sort(values, axis=-1)
    at = (ordered.shape[-1] - 1) * (share / 100)
    low = math.floor(at)
    below, above = ordered[..., low], ordered[..., min(low + 1, ordered.shape[-1] - 1)]
    part = at - low
    step = above - below
    return np.asarray(below + step * part if part < 0.5 else above - step * (1 - part))
