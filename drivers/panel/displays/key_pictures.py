"""Pictures of keys: a label in white. Knows Pillow, which is an extra."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from PIL import Image, ImageDraw

from drivers.panel.displays.lettering import Room, write

_SIZES: Final = (26, 22, 19, 17, 15, 13, 11, 9)
_MARGIN: Final = 4
_GROUND: Final = (20, 83, 45)
_INK: Final = (255, 255, 255)
_QUALITY: Final = 90
#: How a picture lies in a key's memory.
Turn = Literal["upright", "turned", "transposed"]
_METHODS: Final = {
    "turned": Image.Transpose.ROTATE_180, "transposed": Image.Transpose.TRANSPOSE,
}  # fmt: skip


class KeyFace(NamedTuple):
    """The pixels of a key's side, and what a picture of it has to be: kind of file, and turn."""

    pixels: int
    kind: Literal["JPEG", "BMP"] = "JPEG"
    turn: Turn = "turned"


def key_image(label: str, pixels: int) -> Image.Image:
    """A key with that label, as a person is to see it; black without a label."""
    image = Image.new("RGB", (pixels, pixels), _GROUND if label else (0, 0, 0))
    if label:
        room = Room(pixels - 2 * _MARGIN, pixels - 2 * _MARGIN)
        write(ImageDraw.Draw(image), label, (pixels / 2, pixels / 2), room, _SIZES, _INK)
    return image


@lru_cache(maxsize=256)
def key_picture(label: str, face: KeyFace) -> bytes:
    """The file that a key of that face takes to show a label; black without one."""
    image = key_image(label, face.pixels)
    if face.turn != "upright":
        image = image.transpose(_METHODS[face.turn])
    out = io.BytesIO()
    image.save(out, face.kind, quality=_QUALITY)
    return out.getvalue()
