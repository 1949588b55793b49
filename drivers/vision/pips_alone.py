"""The pips of a number card, each cut out by its ink and seen alone, as the sign of an index is.

The face network looks at the whole card and takes pips that it never saw, or of which a jumbo index
is one, for another suit. What looks at one pip after the other knows the suit of nearly every deck;
all of them together are the witness.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from drivers.vision.finding.card_edges import Floats, Image, darkest_channel, image_of
from drivers.vision.finding.rectified_card import HEIGHT, WIDTH, RectifiedCard
from drivers.vision.index_corner import CUT_HEIGHT, CUT_WIDTH, LARGE_CUT_HEIGHT, LARGE_CUT_WIDTH
from drivers.vision.index_parts import sign_in
from drivers.vision.index_sign import cuts_of, text_and_sign
from drivers.vision.nets import SUITS, Networks
from drivers.vision.pip_shape import Box, of_one_size, pips_of, stands_on_its_head

#: In pixels of the rectified card: a smaller pip is not looked at.
_SIDE_MIN: Final = 14
#: So many at least must be seen.
_PIPS_MIN: Final = 2
#: The least share that counts: it bounds what one pip can do.
_FLOOR: Final = 1e-4
_INDICES: Final = ((CUT_WIDTH, CUT_HEIGHT), (LARGE_CUT_WIDTH, LARGE_CUT_HEIGHT))


def suit_of_pips(card: RectifiedCard, nets: Networks) -> Floats | None:
    """The shares of clubs, diamonds, hearts and spades in what the pips show, each seen alone.

    None where fewer than two stand free.
    """
    pips = _cut_out(card)
    if len(pips) < _PIPS_MIN:
        return None
    logs = np.log(np.maximum(nets.sign_alone(pips)[:, : len(SUITS) - 1], _FLOOR)).mean(axis=0)
    shares: Floats = np.exp(logs) / float(np.exp(logs).sum())
    return shares


def _cut_out(card: RectifiedCard) -> list[Image]:
    """Each pip, upright; of the index, small or large, nothing is one."""
    index = _index_boxes(card)
    boxes = [
        box
        for box, _ in pips_of(card, _SIDE_MIN)
        if not any(_overlap(box, other) for other in index)
    ]
    if len(boxes) < _PIPS_MIN:
        return []
    grey = darkest_channel(card.image)
    turned = image_of(cv2.rotate(grey, cv2.ROTATE_180))
    return [
        sign_in(turned, _from_the_other_end(box)) if stands_on_its_head(box) else sign_in(grey, box)
        for box in of_one_size(boxes)
    ]


def _index_boxes(card: RectifiedCard) -> list[Box]:
    """Where the texts and signs of both indices are on the card."""
    found: list[Box] = []
    for size in _INDICES:
        upper, lower = (text_and_sign(cut) or () for cut in cuts_of(card, *size))
        found += [*upper, *map(_from_the_other_end, lower)]
    return found


def _from_the_other_end(box: Box) -> Box:
    """The same box on the card turned by half."""
    left, top, wide, high = box
    return WIDTH - left - wide, HEIGHT - top - high, wide, high


def _overlap(one: Box, other: Box) -> bool:
    return all(
        one[at] < other[at] + other[at + 2] and other[at] < one[at] + one[at + 2] for at in (0, 1)
    )
