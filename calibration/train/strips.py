"""The strips that the network for a second card learns from, and what each of them shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.draw import frames
from calibration.draw.fonts import DesignSplit
from calibration.draw.frames import DrawnKind, Truth
from drivers.vision.finding.card_surround import (
    STRIP_HEIGHT,
    STRIP_WIDTH,
    CardSurround,
    strips_beside,
)
from drivers.vision.finding.rectified_card import RectifiedCard, find_card

Strips = NDArray[np.uint8]
Labels = NDArray[np.int8]

#: A lower card that looks out by more than this, as a share of the card's height, is to be seen;
#: by less than the second nobody has to say.
_VISIBLE_FROM: Final = 0.018
_NOTHING: Final = 0.002
#: Edges found farther than this from the card's own are another card's: `print_symmetry` knows.
_FOUND_WITHIN: Final = 0.02
_UNKNOWN: Final = -1
#: Left, right, top and bottom, by the corners at their ends.
_EDGES: Final = ((0, 3), (1, 2), (0, 1), (3, 2))


def drawn(seeds: range, split: DesignSplit) -> Iterator[tuple[Strips, Labels]]:
    """The four strips of each card that is found, and what each shows. Raises `MissingPackage`."""
    for seed in seeds:
        kind = DrawnKind.DOUBLE_FEED if seed % 5 < 2 else DrawnKind.CARD
        picture, truth = frames.frame(seed, split, kind=kind, busy=seed % 2 == 0)
        found = find_card(picture)
        if isinstance(found, RectifiedCard) and _is_its_own(found, truth):
            yield strips_beside(CardSurround(picture, found)), labels(truth)


def _is_its_own(found: RectifiedCard, truth: Truth) -> bool:
    assert truth.quad is not None
    high = float(np.hypot(*(truth.quad[3] - truth.quad[0])))
    return bool(np.abs(found.quad - truth.quad).max() <= _FOUND_WITHIN * high)


def labels(truth: Truth) -> Labels:
    """Whether a lower card looks out at the left, right, top and bottom edge: 1, 0 or unknown."""
    found = np.zeros(4, np.int8)
    if truth.beneath is None or truth.quad is None:
        return found
    quad, high = truth.quad, float(np.hypot(*(truth.quad[3] - truth.quad[0])))
    for edge, (begin, end) in enumerate(_EDGES):
        way = quad[end] - quad[begin]
        outward = np.array([-way[1], way[0]]) / float(np.hypot(*way))
        if (quad[begin] - quad.mean(axis=0)) @ outward < 0:
            outward = -outward
        moved = (truth.beneath - quad)[[begin, end]].mean(axis=0)
        out = float(moved @ outward) / high
        found[edge] = 1 if out > _VISIBLE_FROM else _UNKNOWN if out > _NOTHING else 0
    return found


def learned_from(strips: Strips, truth: Labels) -> tuple[Strips, Labels]:
    """Single strips and labels, mirrored too, and those with a card once more: they are few."""
    one, each = strips.reshape(-1, STRIP_HEIGHT, STRIP_WIDTH, 3), truth.ravel()
    one, each = one[each != _UNKNOWN], each[each != _UNKNOWN]
    one = np.concatenate([one, one[:, :, ::-1]])
    each = np.concatenate([each, each])
    again = each == 1
    return np.concatenate([one, one[again]]), np.concatenate([each, each[again]])
