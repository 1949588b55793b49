"""What lies around a card: its edges, the frame softened, and four strips beside the edges.

Several look for a second card there; what they have in common is computed once.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

import cv2
import numpy as np

from drivers.vision.finding.card_edges import Floats, Image, image_of
from drivers.vision.finding.rectified_card import RectifiedCard

#: Samples outward from an edge and along it.
STRIP_HEIGHT: Final = 24
STRIP_WIDTH: Final = 64
#: From a little inside of the edge, as shares of the card's height.
_ACROSS: Final = np.linspace(-0.03, 0.20, STRIP_HEIGHT)
#: From before one corner to beyond the other, as shares of the edge.
_ALONG: Final = np.linspace(-0.15, 1.15, STRIP_WIDTH)
#: Steps along an edge, and how far outside of it, as shares of the card's height, at which the
#: ground beside it is measured.
_STEPS: Final = np.linspace(0.06, 0.94, 45)
_OUTSIDE: Final = np.array([0.011, 0.018, 0.028, 0.042])
#: As a share of the card's larger side: nothing farther away is looked at.
_REACH: Final = 0.25
#: What the card's paper becomes.
_PAPER: Final = 160.0


class CardSurround:
    """The part of a frame around `card`, which was found in it.

    `starts`, `ways` and `outward` are where in that part the left, right, top and bottom edge
    begin, where they lead, and outward by a pixel; `lengths` how long they are in pixels.
    """

    def __init__(self, frame: Image, card: RectifiedCard) -> None:
        self.card = card
        quad = card.quad.astype(np.float64)
        reach = _REACH * float(np.ptp(quad, axis=0).max())
        left, top = np.maximum(quad.min(axis=0) - reach, 0).astype(int)
        right, bottom = (quad.max(axis=0) + reach).astype(int)
        self.frame: Image = frame[top : bottom + 2, left : right + 2]
        quad -= (left, top)
        self.starts: Floats = quad[[0, 1, 0, 3]]
        self.ways: Floats = quad[[3, 2, 1, 2]] - self.starts
        self.lengths: Floats = np.linalg.norm(self.ways, axis=1)
        turned = np.stack([-self.ways[:, 1], self.ways[:, 0]], axis=1)
        self.outward: Floats = turned / self.lengths[:, None]
        self.outward[[1, 2]] *= -1

    @cached_property
    def soft(self) -> Image:
        """The frame, each pixel the mean of those around it, as a sample stands for them."""
        return image_of(cv2.blur(self.frame, (3, 3)))

    @cached_property
    def ground(self) -> Floats:
        """The ground beside each edge by the card's paper: edges x steps x distances x channels."""
        points = (
            self.starts[:, None, None]
            + self.ways[:, None, None] * _STEPS[None, :, None, None]
            + self.outward[:, None, None] * (_OUTSIDE * self.lengths[0])[:, None]
        )
        return np.asarray(sampled(self.soft, points) / np.maximum(self.card.white, 1.0), np.float64)


def sampled(frame: Image, points: Floats) -> Floats:
    """The picture's BGR at these points (x, y)."""
    x, y = (points[..., at].astype(np.float32).reshape(len(points), -1) for at in (0, 1))
    there = cv2.remap(frame, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return image_of(there).reshape(*points.shape[:-1], 3).astype(np.float64)


def strips_beside(around: CardSurround) -> Image:
    """The strips beside the left, right, top and bottom edge of a card.

    4 x 24 x 64 x BGR, the card's own rim first, its paper at 160 in every channel.
    """
    card, starts, ways, outward = around.card, around.starts, around.ways, around.outward
    high = float(around.lengths[0] + around.lengths[1]) / 2
    points = (
        starts[:, None, None]
        + outward[:, None, None] * (_ACROSS * high)[None, :, None, None]
        + ways[:, None, None] * _ALONG[None, None, :, None]
    ).astype(np.float32)
    soft = around.soft if high > 2 / (_ACROSS[1] - _ACROSS[0]) else around.frame
    x, y = (points[..., at].reshape(-1, STRIP_WIDTH) for at in (0, 1))
    strip = cv2.remap(soft, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    level = np.arange(256)[None, :, None] * (_PAPER / np.maximum(card.white, 1.0))
    table = np.minimum(np.rint(level), 255).astype(np.uint8)
    return image_of(cv2.LUT(strip, table)).reshape(4, STRIP_HEIGHT, STRIP_WIDTH, 3)
