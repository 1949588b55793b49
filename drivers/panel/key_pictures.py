"""Pictures of keys: a label in white, as large as it fits. Knows Pillow, which is an extra."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any, Final

from PIL import Image, ImageDraw, ImageFont

#: A label in the largest of these that fits.
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
        draw = ImageDraw.Draw(image)
        font, text = _fitting(draw, label, pixels - 2 * _MARGIN)
        middle = pixels / 2
        draw.multiline_text(
            (middle, middle), text, fill=_INK, font=font, anchor="mm", align="center", spacing=2
        )
    out = io.BytesIO()
    image.transpose(Image.Transpose.ROTATE_180).save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()


def _fitting(draw: Any, label: str, room: int) -> tuple[Any, str]:
    """The largest font in which the label fits, and the label in rows; else it is cut."""
    font: Any = None
    rows: list[str] = []
    for size in _SIZES:
        font = ImageFont.load_default(size)
        rows = _rows(label, font, room)
        left, top, right, bottom = draw.multiline_textbbox((0, 0), "\n".join(rows), font, spacing=2)
        if right - left <= room and bottom - top <= room:
            break
    else:
        rows = rows[: max(1, room // (_SIZES[-1] + 2))]
    return font, "\n".join(rows)


def _rows(label: str, font: Any, room: int) -> list[str]:
    """The words of a label in rows that are not wider than the room, where words allow it."""
    rows: list[str] = []
    for word in label.split():
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and font.getlength(longer) <= room:
            rows[-1] = longer
        else:
            rows.append(word)
    return rows
