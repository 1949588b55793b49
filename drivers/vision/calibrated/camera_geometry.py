"""How a calibrated camera sees the cards: where in its picture they lie, and how large there.

What calibration measured of a camera that is fixed to its shoe. A card is looked for inside the
region alone, and must be of a card's size on the plane of the cards: a picture of a card, half of
one or two side by side are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.devices.inputs import Doubt
from drivers.vision.finding.card_edges import Floats, Image, Points
from drivers.vision.finding.rectified_card import SIDE_MAX, SIDE_MIN
from drivers.vision.frame_reading import FrameReading

#: A card, mm: bridge to poker width, and the heights that are made.
WIDTH_MM: Final = (57.0, 64.0)
HEIGHT_MM: Final = (87.0, 89.0)
#: By which share a side may be off: the edges' fit, a bent card, one that lies on others.
SIDE_BY: Final = 0.05
#: And the width over the height, which does not change with the distance.
ASPECT_BY: Final = 0.04
#: The same against the deck's own cards: what looks out of a second card beneath one is more.
OWN_ASPECT_BY: Final = 0.022
#: So much of a card's height is left around the places where cards were seen.
MARGIN: Final = 0.12
#: And by which share each side: a card in a hand is nearer to the camera than one that lies.
OWN_SIDE_BY: Final = 0.05
_KEYS: Final = frozenset({"width", "height", "region", "plane"})


@dataclass(frozen=True, slots=True)
class PixelRegion:
    """A part of the picture in pixels; `right` and `bottom` are the first beyond it."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def text(self) -> str:
        """The region in words."""
        return f"{self.left} to {self.right} px across, {self.top} to {self.bottom} px down"


@dataclass(frozen=True, slots=True)
class CardSides:
    """What a deck's own cards measure on the plane: width, height (mm), and the one by the other.

    Medians of its captures.
    """

    width: float
    height: float
    aspect: float

    @classmethod
    def of(cls, sides: Sequence[tuple[float, float]]) -> CardSides:
        """Of the width and height of each capture."""
        wide, high = (median(each) for each in zip(*sides, strict=True))
        return cls(wide, high, median(one / other for one, other in sides))

    def fit(self, wide: float, high: float) -> bool:
        """Whether these are the sides of such a card, lying or a little nearer to the camera."""
        width, height = self.width, self.height
        return _within(wide, (width, width), OWN_SIDE_BY) and _within(
            high, (height, height), OWN_SIDE_BY
        )

    def have_shape(self, wide: float, high: float) -> bool:
        """Whether one card alone has these sides; a second one beneath makes another shape."""
        return _within(wide / high, (self.aspect, self.aspect), OWN_ASPECT_BY)


@dataclass(frozen=True, slots=True)
class CameraView:
    """The picture's `width` and `height` in pixels, the region of the cards in it, and the plane.

    `plane` takes pixels of the picture to mm on the plane of the cards: a homography, row by row.
    Raises `ValueError` for a region that is no part of the picture or a plane that is none.
    """

    width: int
    height: int
    region: PixelRegion
    plane: tuple[float, ...]

    def __post_init__(self) -> None:
        at = self.region
        if not (0 <= at.left < at.right <= self.width and 0 <= at.top < at.bottom <= self.height):
            raise ValueError("view: the region is no part of the picture")
        sides = (at.right - at.left, at.bottom - at.top)
        if min(sides) < SIDE_MIN or max(self.width, self.height) > SIDE_MAX:
            raise ValueError(f"view: a region has {SIDE_MIN} to {SIDE_MAX} pixels a side")
        if len(self.plane) != 9 or not np.isfinite(self.plane).all():
            raise ValueError("view: the plane is nine numbers")
        if abs(float(np.linalg.det(self._matrix))) < 1e-12:
            raise ValueError("view: the plane is flat on edge")

    @property
    def _matrix(self) -> Floats:
        return np.array(self.plane, np.float64).reshape(3, 3)

    def cut(self, frame: Image) -> Image:
        """The region of a frame, which is not copied. Raises `ValueError` for another size."""
        height, width = frame.shape[:2]
        if (width, height) != (self.width, self.height):
            raise ValueError(f"a frame of {width}x{height}, not of {self.width}x{self.height}")
        at = self.region
        return frame[at.top : at.bottom, at.left : at.right]

    def outside(self, wide: int, high: int) -> NDArray[np.bool_]:
        """Of a frame made so small, the pixels of which no part is in the region of the cards."""
        whole = np.zeros((self.height, self.width), np.float32)
        at = self.region
        whole[at.top : at.bottom, at.left : at.right] = 1
        share = np.asarray(cv2.resize(whole, (wide, high), interpolation=cv2.INTER_AREA))
        return np.asarray(share == 0, np.bool_)

    def placed(self, reading: FrameReading, own: CardSides | None = None) -> FrameReading:
        """A reading of the region, with the card's corners in pixels of the whole frame.

        What is not of a card's size on the plane is no card; nor is what has not the size of the
        deck's `own` cards, or their shape.
        """
        if reading.rectified is None:
            return reading
        offset = np.array([self.region.left, self.region.top], np.float32)
        card = replace(reading.rectified, quad=reading.rectified.quad + offset)
        wide, high = self.sides_mm(card.quad)
        if not self.fits(card.quad) or (own and not own.fit(wide, high)):
            return FrameReading(None, Doubt.WRONG_SIZE, rectified=card)
        if own and not own.have_shape(wide, high):
            return FrameReading(None, Doubt.SEVERAL, rectified=card)
        return replace(reading, rectified=card)

    def fits(self, quad: Points) -> bool:
        """Whether the corners, in pixels of the frame, are those of a card on the plane."""
        wide, high = self.sides_mm(quad)
        return (
            _within(wide, WIDTH_MM, SIDE_BY)
            and _within(high, HEIGHT_MM, SIDE_BY)
            and _within(wide / high, _ASPECT, ASPECT_BY)
        )

    def sides_mm(self, quad: Points) -> tuple[float, float]:
        """Width and height of what has these corners and lies on the plane, in mm."""
        corners = cv2.perspectiveTransform(quad.reshape(1, 4, 2).astype(np.float64), self._matrix)
        closed = [*corners[0], corners[0][0]]
        top, right, bottom, left = (float(np.hypot(*(b - a))) for a, b in pairwise(closed))
        return (top + bottom) / 2, (left + right) / 2

    def holds(self, quad: Points) -> bool:
        """Whether what has these corners lies in the region of the cards."""
        (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
        at = self.region
        across = at.left <= left and right <= at.right
        return bool(across and at.top <= top and bottom <= at.bottom)

    def middle_mm(self, quad: Points) -> tuple[float, float]:
        """Where the middle of what has these corners lies on the plane, in mm."""
        middle = quad.mean(axis=0).reshape(1, 1, 2).astype(np.float64)
        x, y = cv2.perspectiveTransform(middle, self._matrix)[0, 0]
        return float(x), float(y)

    def as_json(self) -> dict[str, Any]:
        """What `deck.json` holds of it."""
        at = self.region
        return {
            "width": self.width,
            "height": self.height,
            "region": [at.left, at.top, at.right, at.bottom],
            "plane": list(self.plane),
        }

    @classmethod
    def of(cls, data: object) -> CameraView:
        """The view that `as_json` wrote. Raises `ValueError`."""
        if not isinstance(data, dict) or data.keys() != _KEYS:
            raise ValueError(f"view: it has {', '.join(sorted(_KEYS))}, and nothing else")
        sizes = [data["width"], data["height"], *_numbers(data["region"], 4)]
        if any(type(size) is not int for size in sizes):
            raise ValueError("view: pixels are whole numbers")
        plane = tuple(float(number) for number in _numbers(data["plane"], 9))
        return cls(sizes[0], sizes[1], PixelRegion(*sizes[2:]), plane)


#: Width over height.
_ASPECT: Final = (WIDTH_MM[0] / HEIGHT_MM[1], WIDTH_MM[1] / HEIGHT_MM[0])


def region_of(quads: Sequence[Points], width: int, height: int) -> PixelRegion:
    """The region in which all of these cards lie, with a margin, in a picture of that size."""
    corners = np.concatenate(quads)
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = MARGIN * max(float(np.linalg.norm(quad[3] - quad[0])) for quad in quads)
    return PixelRegion(
        max(int(low[0] - margin), 0),
        max(int(low[1] - margin), 0),
        min(int(np.ceil(high[0] + margin)) + 1, width),
        min(int(np.ceil(high[1] + margin)) + 1, height),
    )


def _numbers(values: object, count: int) -> list[Any]:
    numbers: list[Any] = values if isinstance(values, list) else []
    if len(numbers) != count or any(type(each) not in (int, float) for each in numbers):
        raise ValueError("view: region is four numbers, plane is nine")
    return numbers


def _within(value: float, limits: tuple[float, float], by: float) -> bool:
    return limits[0] * (1 - by) <= value <= limits[1] * (1 + by)
