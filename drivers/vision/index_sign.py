"""Where the index stands on a card, by its ink alone: a text and below it a sign, each whole.

No network is asked. Two things follow: an index that lies whole in the small corner is no jumbo
index, and is not read again in the larger corner, where it is half as large; and the outline of
the sign is a witness for clubs or spades on a court card, whose face is none.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from drivers.vision.card_edges import Floats, Image, darkest_channel, image_of
from drivers.vision.index_corner import CUT_HEIGHT, CUT_WIDTH, LARGE_CUT_HEIGHT, LARGE_CUT_WIDTH
from drivers.vision.pip_shape import COLUMNS, ROWS
from drivers.vision.rectified_card import HEIGHT, WIDTH, RectifiedCard

#: Darker than this is ink; under blur text and sign grow together, and part only where it is
#: darker. A second digit that is paler than the first is lost there, so that only an index of one
#: letter or digit is looked for in darker ink.
_INK: Final = 150
_DARKER_INK: Final = 110
#: As of the pips: half-way from the paper, so that blur moves no outline.
_OUTLINE_INK: Final = 130
#: Of the rectified card, in pixels: nearer to the card's edge is no print of its own, and what is
#: lower than a text or has less ink is a speck.
_RIM: Final = 2
_LOW: Final = 8
_SPECK: Final = 20
#: A sign stands below its text, which may reach this share of its own height into it.
_BELOW: Final = 0.8
#: What stands beside a text, as high as that to this share of it, is its next digit.
_LINE: Final = 0.25
#: A sign whose outline can be told is at least so large, in pixels, and so much higher than wide.
_SIGN_MIN: Final = 12
_SIGN_SHAPE: Final = (0.6, 1.7)

#: Left, top, width and height of a piece of ink in pixels of its cut, and its label.
_Box = tuple[int, int, int, int, int]


def index_is_small(card: RectifiedCard, *, one_glyph: bool) -> bool:
    """Whether some small corner holds a whole index, so that none is a jumbo index.

    `one_glyph` says that the index is of one letter or digit.
    """
    inks = (_INK, _DARKER_INK) if one_glyph else (_INK,)
    cuts = _cuts(card, CUT_WIDTH, CUT_HEIGHT)
    return any(_text_and_sign(cut, ink)[1] is not None for cut in cuts for ink in inks)


def sign_outline(card: RectifiedCard, *, large: bool) -> Floats | None:
    """The mean outline of the index's signs, 16 x 8, as `pip_outline` has that of the pips.

    `large`: of an index in the larger corners. None where no sign stands free.
    """
    size = (LARGE_CUT_WIDTH, LARGE_CUT_HEIGHT) if large else (CUT_WIDTH, CUT_HEIGHT)
    found = []
    for cut in _cuts(card, *size):
        labels, sign = _text_and_sign(cut, _OUTLINE_INK)
        if sign is None:
            continue
        left, top, wide, high, label = sign
        least, most = _SIGN_SHAPE
        if min(wide, high) < _SIGN_MIN or not least < high / wide < most:
            continue
        inked = (labels[top : top + high, left : left + wide] == label).astype(np.float32)
        found.append(cv2.resize(inked, (2 * COLUMNS, ROWS), interpolation=cv2.INTER_AREA))
    if not found:
        return None
    mean = np.stack(found).mean(axis=0, dtype=np.float64)
    outline: Floats = (mean + mean[:, ::-1])[:, :COLUMNS] / 2
    return outline


def _cuts(card: RectifiedCard, wide: int, high: int) -> tuple[Image, Image]:
    lower = card.image[HEIGHT - high :, WIDTH - wide :]
    return card.image[:high, :wide], image_of(cv2.rotate(lower, cv2.ROTATE_180))


def _text_and_sign(cut: Image, ink: int) -> tuple[NDArray[np.uint16], _Box | None]:
    """The labels of the pieces of ink, and the one that is the sign below a text, both whole."""
    high, wide = cut.shape[:2]
    inked = (darkest_channel(cut) < ink).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        inked, connectivity=8, ltype=cv2.CV_16U
    )
    every = [
        (int(x), int(y), int(w), int(h), at)
        for at, (x, y, w, h, area) in enumerate(np.asarray(stats)[1:count], start=1)
        if area >= _SPECK and h >= _LOW
    ]
    whole = [
        box
        for box in every
        if min(box[0], box[1]) >= _RIM
        and box[0] < wide // 2 - 2
        and box[0] + box[2] < wide - 1
        and box[1] + box[3] < high - 1
    ]
    for text in whole:
        if any(_goes_on(text, box, wide) for box in every):
            continue
        for sign in whole:
            if sign[1] >= text[1] + _BELOW * text[3] and _above_each_other(text, sign):
                return np.asarray(labels, np.uint16), sign
    return np.asarray(labels, np.uint16), None


def _goes_on(text: _Box, other: _Box, wide: int) -> bool:
    """Whether the other is the text's next digit, cut off by the corner's end."""
    near = _LINE * text[3]
    return (
        other[0] > text[0]
        and other[0] + other[2] >= wide - 1
        and abs(other[1] - text[1]) <= near
        and abs(other[3] - text[3]) <= near
    )


def _above_each_other(one: _Box, other: _Box) -> bool:
    return min(one[0] + one[2], other[0] + other[2]) > max(one[0], other[0])
