"""What lies around the cards: whether the camera sees it as at calibration, before a card comes.

The region of the cards is painted over before anything is looked at, so that the next card, which
may lie there, stays unknown. What is left, the shoe and its slot, shows light that changed and a
camera that was moved, covered or put far out of focus.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.rules.messages import Message, message
from drivers.vision.calibrated.camera_geometry import CameraView
from drivers.vision.calibrated.drift import WHITE_SHARE
from drivers.vision.finding.card_edges import Image, image_of
from drivers.vision.order import median, median_over

#: Large enough for a slot, too small for the noise of a sensor.
WIDTH: Final = 160
HEIGHT: Final = 120
#: Less of the picture than this is not around the cards, but a rim.
SHARE_MIN: Final = 0.08
#: Of the small picture, in pixels: finer is grain, and moves with every jolt.
_GRAIN: Final = 1.5
#: And what is larger is light.
_LIGHT: Final = (31, 31)
#: Correlation with calibration's picture: as it was, and not even nearly.
LIKE: Final = 0.8
UNLIKE: Final = 0.5

FloatImage = NDArray[np.float32]


def surroundings_of(frame: Image, view: CameraView) -> Image:
    """What is around the region of `frame`, small and grey; the region is 0.

    Raises `ValueError` for a frame of another size.
    """
    view.cut(frame)
    at = view.region
    grey = image_of(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY))
    grey[at.top : at.bottom, at.left : at.right] = 0
    small = image_of(cv2.resize(grey, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA))
    return np.where(view.outside(WIDTH, HEIGHT), np.maximum(small, 1), 0).astype(np.uint8)


@dataclass(frozen=True, slots=True, repr=False)
class Surroundings:
    """What was around the cards at calibration, as `surroundings_of` makes it."""

    ground: Image

    @classmethod
    def of(cls, images: Sequence[Image]) -> Surroundings | None:
        """The ground that several images share; None where there is nothing to go by.

        That is so where the cards come all over the picture, and where what is around them is as
        even as felt or was not the same in all of them.
        """
        made = cls(median_over(np.stack(images), 0).astype(np.uint8))
        if float((made.ground > 0).mean()) < SHARE_MIN:
            return None
        return made if min(made.likeness(each) for each in images) >= LIKE else None

    def problem(self, now: Image) -> Message | None:
        """What has changed since calibration, and what to do; None if nothing has."""
        there = self.ground > 0
        light = float(median(now[there])) / float(median(self.ground[there]))
        if light > WHITE_SHARE[1]:
            return message("camera-shoe-brighter")
        if light < WHITE_SHARE[0]:
            return message("camera-shoe-darker")
        return message("camera-shoe-changed") if self.likeness(now) < UNLIKE else None

    def likeness(self, now: Image) -> float:
        """The correlation of what is around, without grain and slow light: 1 is the same."""
        there = (self.ground > 0).astype(np.float32)
        one, other = _structure(self.ground, there), _structure(now, there)
        length = float(np.linalg.norm(one) * np.linalg.norm(other))
        return float((one * other).sum()) / max(length, 1.0)


def _structure(image: Image, there: FloatImage) -> FloatImage:
    """What is neither grain nor light, where there is something to compare."""
    level = image.astype(np.float32) * there
    fine = _share(cv2.GaussianBlur(level, (0, 0), _GRAIN), cv2.GaussianBlur(there, (0, 0), _GRAIN))
    slow = _share(cv2.blur(level, _LIGHT), cv2.blur(there, _LIGHT))
    return np.asarray((fine - slow) * there, np.float32)


def _share(level: object, weight: object) -> FloatImage:
    floor = np.maximum(np.asarray(weight, np.float32), np.float32(1e-3))
    return np.asarray(np.asarray(level, np.float32) / floor, np.float32)
