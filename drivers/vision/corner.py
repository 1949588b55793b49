"""The two index corners of a card, as the readers see them."""

from __future__ import annotations

from typing import Final

import cv2

from drivers.vision.card_edges import Image, image_of
from drivers.vision.rectified_card import HEIGHT, WIDTH, RectifiedCard

#: Of the sheet: wide enough for a two-digit index and what stands to its right.
CUT_WIDTH: Final = 80
CUT_HEIGHT: Final = 140
CORNER_WIDTH: Final = 64
CORNER_HEIGHT: Final = 112


def index_corners(sheet: RectifiedCard) -> tuple[Image, Image]:
    """The upper left and the lower right corner, that one turned: BGR, 64 wide and 112 high."""
    upper = sheet.image[:CUT_HEIGHT, :CUT_WIDTH]
    lower = sheet.image[HEIGHT - CUT_HEIGHT :, WIDTH - CUT_WIDTH :]
    return _shrunk(upper), _shrunk(image_of(cv2.rotate(lower, cv2.ROTATE_180)))


def _shrunk(cut: Image) -> Image:
    size = (CORNER_WIDTH, CORNER_HEIGHT)
    return image_of(cv2.resize(cut, size, interpolation=cv2.INTER_AREA))
