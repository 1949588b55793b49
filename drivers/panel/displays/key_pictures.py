"""Pictures of keys: a label in white. Knows Pillow, which is an extra."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from drivers.panel.displays.lettering import Room, write

_SIZES: Final = (26, 22, 19, 17, 15, 13, 11, 9)
_MARGIN: Final = 4
_GROUND: Final = (20, 83, 45)
_INK: Final = (255, 255, 255)
_QUALITY: Final = 90


@lru_cache(maxsize=256)
def key_picture(label: str, pixels: int) -> bytes:
    """A JPEG of a key with that label, upside down as the keys have it; black without a label."""
    image = Image.new("RGB", (pixels, pixels), _GROUND if label else (0, 0, 0))
    if label:
        room = Room(pixels - 2 * _MARGIN, pixels - 2 * _MARGIN)
        write(ImageDraw.Draw(image), label, (pixels / 2, pixels / 2), room, _SIZES, _INK)
    out = io.BytesIO()
    image.transpose(Image.Transpose.ROTATE_180).save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()
