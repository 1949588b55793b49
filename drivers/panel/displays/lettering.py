"""Text in a small picture, as large as it fits. Knows Pillow, which is an extra."""

from __future__ import annotations

from typing import Any, NamedTuple

from PIL import ImageDraw, ImageFont

_SPACING = 2


class Room(NamedTuple):
    """How much room a text has, in pixels."""

    width: int
    height: int


def write(
    draw: ImageDraw.ImageDraw, text: str, middle: tuple[float, float], room: Room,
    sizes: tuple[int, ...], ink: Any,
) -> None:  # fmt: skip
    """Write `text` around `middle` in the largest of `sizes` that fits, in the last one cut."""
    font: Any = None
    rows: list[str] = []
    for size in sizes:
        font = ImageFont.load_default(size)
        rows = _rows(text, font, room.width)
        left, top, right, bottom = draw.multiline_textbbox(
            (0, 0), "\n".join(rows), font, spacing=_SPACING
        )
        if right - left <= room.width and bottom - top <= room.height:
            break
    else:
        rows = rows[: max(1, room.height // (sizes[-1] + _SPACING))]
    draw.multiline_text(
        middle, "\n".join(rows), fill=ink, font=font, anchor="mm", align="center", spacing=_SPACING
    )


def _rows(text: str, font: Any, width: int) -> list[str]:
    """The words of a text in rows that are not wider than `width`, where words allow it."""
    rows: list[str] = []
    for word in text.split():
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and font.getlength(longer) <= width:
            rows[-1] = longer
        else:
            rows.append(word)
    return rows
