"""How far a grabbed picture of the display is from the page that it should show."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import cv2
import numpy as np

#: The picture is compared in so many fields across and down: a wrong word is a wrong field.
ACROSS: Final = 32
DOWN: Final = 18
#: A grabber softens edges and shifts them by a pixel: both pictures are blurred alike.
BLUR: Final = 5


class Difference(NamedTuple):
    """The worst field's mean difference, as a share of full scale; and a picture that shows it."""

    worst: float
    marked_png: bytes


def difference(grabbed_png: bytes, expected_png: bytes) -> Difference:
    """Compare field by field. Raises `ValueError` for what is no picture."""
    grabbed, expected = _decoded(grabbed_png), _decoded(expected_png)
    high, wide = expected.shape[:2]
    if grabbed.shape != expected.shape:
        grabbed = cv2.resize(grabbed, (wide, high), interpolation=cv2.INTER_AREA)
    apart = cv2.absdiff(*(cv2.blur(each, (BLUR, BLUR)) for each in (grabbed, expected)))
    fields = cv2.resize(apart, (ACROSS, DOWN), interpolation=cv2.INTER_AREA).mean(axis=2) / 255
    row, column = np.unravel_index(int(fields.argmax()), fields.shape)
    left, top = int(column) * wide // ACROSS, int(row) * high // DOWN
    end = left + wide // ACROSS, top + high // DOWN
    marked = grabbed.copy()
    if fields.max() > 0:
        cv2.rectangle(marked, (left, top), end, (0, 0, 255), 2)
    return Difference(float(fields.max()), cv2.imencode(".png", marked)[1].tobytes())


def _decoded(png: bytes) -> Any:
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError("the grabbed bytes are no picture")
    return picture
