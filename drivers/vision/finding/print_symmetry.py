"""By how much a card's print is off the middle of the edges that were found.

The index in one corner is the index in the opposite one turned by half, as far from its corner. A
printer is true to half a millimetre of 57 to 64; where the difference is larger, one of the edges
is not this card's own: it lies over another one, or part of it is cut away.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np

from drivers.vision.finding.card_edges import Image, darkest_channel, image_of
from drivers.vision.finding.rectified_card import HEIGHT, WHITE, WIDTH

#: The rectified card is compared at half its size, to a pixel of that: two of its own.
_SCALE: Final = 2
#: What is compared, from the corner: columns and rows of an index with what stands beside it, and
#: of the index alone, where art beside it is not the same either way round.
_PARTS: Final = ((36, 68), (26, 54))
#: The edge itself is left out.
_RIM: Final = 4
#: So far the other index is looked for: a lower card looks out by 15 % at the most, or its own
#: index is in the corner.
_REACH: Final = 30
#: Levels by which there must be print in a corner: paper is like any other.
_PRINT_MIN: Final = 60
#: The correlation from which both corners show the same; the second part is tried below it.
_ALIKE: Final = 0.9
#: Pixels of the rectified card by which print may be off the middle: a card that was cut askew,
#: seen askew. Of 560 cards alone 99 % were off by four or less, 59 double feeds by ten or more.
OFF_MIDDLE: Final = 6
#: Print that is off by more than that needs to be less alike: what of the lower card's index looks
#: out stands in one of the corners. Of 1,200 cards alone one photograph is off so by 0.849.
_ALIKE_OFF: Final = 0.86
#: Or even less where there are four indices, and the other two are off by as much, within these
#: pixels; by these correlations, of the first two and of the others.
_FOUR_ALIKE_OFF: Final = (0.7, 0.95)
_AS_MUCH: Final = 4


def print_offset(image: Image) -> int | None:
    """By how many pixels of this rectified card the print is nearer to one edge than to the one
    opposite: the larger of across and down. None where the two corners do not look alike.
    """
    size = (WIDTH // _SCALE, HEIGHT // _SCALE)
    small = image_of(cv2.resize(image, size, interpolation=cv2.INTER_AREA))
    dim = np.minimum(darkest_channel(small), WHITE)
    alike, off = 0.0, 0
    for found in _of_parts(dim):
        if found[0] >= _ALIKE:
            return found[1]
        alike, off = max((alike, off), found)
    if off <= OFF_MIDDLE or alike < _FOUR_ALIKE_OFF[0]:
        return None
    return off if alike >= _ALIKE_OFF or _others_are_off(dim, off) else None


def _others_are_off(dim: Image, off: int) -> bool:
    """Whether the two corners that need have no index have one, which is off by as much."""
    alike, others = max(_of_parts(image_of(dim[:, ::-1])))
    return alike >= _FOUR_ALIKE_OFF[1] and abs(others - off) <= _AS_MUCH


def _of_parts(dim: Image) -> Iterator[tuple[float, int]]:
    """Of each part, how alike the upper left corner and the opposite one are, and by how many
    pixels of the rectified card they are off.
    """
    turned = image_of(cv2.rotate(dim, cv2.ROTATE_180))
    for wide, high in _PARTS:
        alike, away = max(_found(a, b, wide, high) for a, b in ((dim, turned), (turned, dim)))
        yield alike, away * _SCALE


def _found(one: Image, other: Image, wide: int, high: int) -> tuple[float, int]:
    """Where one's corner is in the other's: the correlation there, and how far away that is."""
    corner = one[_RIM:high, _RIM:wide]
    if int(corner.max()) - int(corner.min()) < _PRINT_MIN:
        return 0.0, 0
    around = cv2.copyMakeBorder(
        other[_RIM : high + _REACH, _RIM : wide + _REACH], _REACH, 0, _REACH, 0,
        cv2.BORDER_CONSTANT, value=(WHITE,),
    )  # fmt: skip
    _, alike, _, at = cv2.minMaxLoc(cv2.matchTemplate(around, corner, cv2.TM_CCOEFF_NORMED))
    return alike, max(abs(at[0] - _REACH), abs(at[1] - _REACH))
