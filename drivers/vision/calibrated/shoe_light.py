"""Whether a card is lit as the shoe around it is: paper returns the lamp's light, a screen shines.

Light that changes, dims or turns warmer changes the paper and the ground around the cards by the
same share, channel by channel. What shines by itself does not: its white against the ground is
another than that of the deck's paper when it was captured. A print on paper is lit as a card is,
and so is a screen whose light was matched to the lamp's: neither is noticed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from drivers.vision.calibrated.camera_geometry import CameraView
from drivers.vision.calibrated.drift import CardAppearance
from drivers.vision.finding.card_edges import Floats, Image
from drivers.vision.order import median, median_over

#: The picture is looked at in so many points, each the mean of what is around it.
WIDTH: Final = 80
HEIGHT: Final = 60
#: So many pictures without the cards' region make the ground; more would say no more.
PICTURES_MAX: Final = 9
#: Less of the picture than this is not around the cards, but a rim.
SHARE_MIN: Final = 0.08
#: A ground darker than this, in levels, has no light to compare with.
_DARK: Final = 12.0
#: From here on, in levels, a sensor is full and says no more about light.
_FULL: Final = 250.0
#: Of the points around the cards so many must have changed by the same share (a log), but for a
#: lamp that moved to one side: else hands or things lie there, and nothing is said.
_SAME_SHARE: Final = 0.5
_SAME_BY: Final = 0.25
#: And by less than this (a log) in one channel than in another: no lamp turns felt into skin.
_OTHER_COLOUR: Final = 0.5
#: A channel in which the ground is darker than this, in levels, is noise more than light.
_DIM: Final = 22.0
#: By which factor the card's paper may be brighter or darker than the ground says, and by which one
#: channel may differ from another. Of rendered passages, whose light and balance change by a
#: quarter: 0.8 to 1.3, 1.5 in glare, and 1.1. A hand's shadow may lie on the card alone.
BRIGHTER: Final = 1.6
DARKER: Final = 1.8
COLOUR: Final = 1.2

_Logs = NDArray[np.float64]


@dataclass(frozen=True, slots=True, repr=False)
class ShoeLight:
    """The ground around the cards at calibration: the logs of its colour, point by point."""

    ground: _Logs
    there: NDArray[np.bool_]

    @classmethod
    def of(cls, frames: Iterable[Image], view: CameraView) -> ShoeLight | None:
        """The ground that these captures share; None where that is too little."""
        small = [_small(each) for each in frames]
        if not small:
            return None
        levels = median_over(np.stack(small), 0)
        lit = (levels.min(axis=2) >= _DARK) & (levels.max(axis=2) < _FULL)
        there = lit & view.outside(WIDTH, HEIGHT)
        return cls(np.log(levels[there]), there) if float(there.mean()) >= SHARE_MIN else None

    def excess(self, frame: Image, white: Sequence[float], was: CardAppearance) -> Floats | None:
        """By which factor a card's paper is brighter than the light on the ground makes it (BGR).

        `white` is its paper in `frame`, `was` how the same card looked at its capture. NaN for a
        channel in which the ground is too dark; None where it is covered, or not what it was.
        """
        change = np.log(np.maximum(_small(frame)[self.there], 1.0)) - self.ground
        lit = median(change.T)
        same = np.abs((change - lit).mean(axis=1)) < _SAME_BY
        lit = np.mean(change[same], axis=0) if same.any() else lit
        if float(same.mean()) < _SAME_SHARE or float(np.ptp(lit)) > _OTHER_COLOUR:
            return None
        lit[median(self.ground.T) + lit < np.log(_DIM)] = np.nan
        paper = np.log(np.maximum(white, 1.0)) - np.log(np.maximum(was.white, 1.0))
        return np.asarray(np.exp(paper - lit), np.float64)

    def is_of_paper(self, frame: Image, white: Sequence[float], was: CardAppearance) -> bool:
        """False where what was read as this card cannot be paper in the light of this shoe."""
        excess = self.excess(frame, white, was)
        return excess is None or is_of_paper(excess, white)


def is_of_paper(excess: Floats, white: Sequence[float]) -> bool:
    """Whether paper may have this excess (NaN: not known), and this white in the frame (BGR).

    A channel that is full may have had more than it shows.
    """
    known = ~np.isnan(excess)
    full = np.array(white) >= _FULL
    exact = excess[known & ~full]
    if not known.any() or not exact.size:
        return not known.any() or float(np.nanmax(excess)) <= BRIGHTER
    most, least = float(np.nanmax(excess)), float(exact.min())
    if most > min(BRIGHTER, COLOUR * least):
        return False
    return bool(full.any()) or least >= 1 / DARKER


def _small(frame: Image) -> Floats:
    small = cv2.resize(frame, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float64)
