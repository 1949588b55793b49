"""The text of an index and its sign, each cut out by its ink and brought to one size.

What is looked at so stands where it always stands, as high as it always is, and shows nothing of
the card's middle: a witness that sees it makes other mistakes than those that see a whole corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from drivers.vision.finding.card_edges import Image, darkest_channel, image_of
from drivers.vision.finding.rectified_card import WHITE, RectifiedCard
from drivers.vision.index_corner import CUT_HEIGHT, CUT_WIDTH, LARGE_CUT_HEIGHT, LARGE_CUT_WIDTH
from drivers.vision.index_sign import Box, cuts_of, text_and_sign, texts_and_signs

#: Of a text: all of it, its height, and the paper before it, in pixels.
TEXT_WIDTH: Final = 48
TEXT_HEIGHT: Final = 32
_TEXT: Final = 22
_BEFORE: Final = 5
#: Of a sign: all of it, and the longer of its sides.
SIGN_SIDE: Final = 28
_SIGN: Final = 22
#: By this factor the two indices of a card may differ in width and height: they are printed alike.
_AS_LARGE: Final = 1.2
#: And by this share of their height in where they begin.
_AS_FAR: Final = 0.25
#: Made smaller than this in one step, not every pixel would count.
_HALVED_BELOW: Final = 0.75


@dataclass(frozen=True, slots=True)
class IndexParts:
    """The text, 48 x 32, and the sign, 28 x 28, of an index; the darkest channel of each."""

    text: Image
    sign: Image


def index_parts(card: RectifiedCard, *, large: bool) -> list[IndexParts]:
    """Those of both indices; none where not both show a text above a sign, each as large as in the
    other corner: of a letter that blur or light has broken a piece would be taken for a text.

    `large`: the indices are in the larger corners.
    """
    size = (LARGE_CUT_WIDTH, LARGE_CUT_HEIGHT) if large else (CUT_WIDTH, CUT_HEIGHT)
    found = _in_both(*cuts_of(card, *size))
    if not found:
        return []
    whole = darkest_channel(card.image)
    turned = image_of(cv2.rotate(whole, cv2.ROTATE_180))
    return [
        IndexParts(_text(grey, text), sign_in(grey, sign))
        for grey, (text, sign) in zip((whole, turned), found, strict=True)
    ]


def _in_both(one: Image, other: Image) -> tuple[tuple[Box, Box], tuple[Box, Box]] | None:
    """The text and the sign in each of two corners; None where they are not alike.

    Of several letters light may leave but one in one of the corners: they are looked for in every
    ink, and count where two are seen in each. The pieces of a single letter, which blur or light
    has broken, are not looked for so: they are alike at times, and no text.
    """
    upper, lower = text_and_sign(one), text_and_sign(other)
    if upper and lower and all(map(_alike, upper, lower)):
        return upper, lower
    uppers, lowers = (
        [(text, sign) for text, sign, letters in texts_and_signs(cut) if letters > 1]
        for cut in (one, other)
    )
    return next(
        (
            (upper, lower)
            for upper in uppers
            for lower in lowers
            if all(map(_alike, upper, lower)) and all(map(_in_place, upper, lower))
        ),
        None,
    )


def _in_place(one: Box, other: Box) -> bool:
    near = _AS_FAR * max(one[3], other[3])
    return abs(one[0] - other[0]) <= near and abs(one[1] - other[1]) <= near


def _alike(one: Box, other: Box) -> bool:
    return all(max(a, b) <= _AS_LARGE * min(a, b) for a, b in zip(one[2:], other[2:], strict=True))


def _text(grey: Image, box: Box) -> Image:
    """A text with what stands behind it, which may belong to it."""
    left, top, _, high = box
    scale = _TEXT / high
    above = (TEXT_HEIGHT - _TEXT) / 2
    return _scaled(
        grey, left - _BEFORE / scale, top - above / scale, scale, TEXT_WIDTH, TEXT_HEIGHT
    )


def sign_in(grey: Image, box: Box) -> Image:
    """A sign or a pip in this box, as large as any other, with the paper around it."""
    left, top, wide, high = box
    scale = _SIGN / max(wide, high)
    half = SIGN_SIDE / 2 / scale
    return _scaled(grey, left + wide / 2 - half, top + high / 2 - half, scale, SIGN_SIDE, SIGN_SIDE)


def _scaled(grey: Image, left: float, top: float, scale: float, wide: int, high: int) -> Image:
    """The part of a picture that begins there, `scale` times as large; beyond it is paper."""
    if scale < _HALVED_BELOW:
        size = (max(grey.shape[1] // 2, 1), max(grey.shape[0] // 2, 1))
        half = image_of(cv2.resize(grey, size, interpolation=cv2.INTER_AREA))
        return _scaled(half, left / 2, top / 2, scale * 2, wide, high)
    shift = (scale - 1) / 2
    matrix = np.array([[scale, 0, shift - left * scale], [0, scale, shift - top * scale]])
    return image_of(
        cv2.warpAffine(
            grey, matrix, (wide, high), flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT, borderValue=(WHITE,),
        )
    )  # fmt: skip
