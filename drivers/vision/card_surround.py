"""What lies beside a card's edges: four strips of the frame, outward, by the card's own paper."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from drivers.vision.card_edges import Image, image_of
from drivers.vision.rectified_card import RectifiedCard

#: Samples outward from an edge and along it.
STRIP_HEIGHT: Final = 24
STRIP_WIDTH: Final = 64
#: From a little inside of the edge, as shares of the card's height.
_ACROSS: Final = np.linspace(-0.03, 0.20, STRIP_HEIGHT)
#: From before one corner to beyond the other, as shares of the edge.
_ALONG: Final = np.linspace(-0.15, 1.15, STRIP_WIDTH)
#: What the card's paper becomes.
_PAPER: Final = 160.0


def strips_beside(frame: Image, card: RectifiedCard) -> Image:
    """The strips beside the left, right, top and bottom edge of `card`, found in `frame`.

    4 x 24 x 64 x BGR, the card's own rim first, its paper at 160 in every channel.
    """
    quad = card.quad.astype(np.float64)
    starts, ends = quad[[0, 1, 0, 3]], quad[[3, 2, 1, 2]]
    ways = ends - starts
    outward = np.stack([-ways[:, 1], ways[:, 0]], axis=1) / np.linalg.norm(ways, axis=1)[:, None]
    outward[[1, 2]] *= -1
    high = float(np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2
    points = (
        starts[:, None, None]
        + outward[:, None, None] * (_ACROSS * high)[None, :, None, None]
        + ways[:, None, None] * _ALONG[None, None, :, None]
    ).astype(np.float32)
    # A sample stands for what lies around it.
    soft = cv2.blur(frame, (3, 3)) if high > 2 / (_ACROSS[1] - _ACROSS[0]) else frame
    x, y = (points[..., at].reshape(-1, STRIP_WIDTH) for at in (0, 1))
    strip = cv2.remap(soft, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    level = np.arange(256)[None, :, None] * (_PAPER / np.maximum(card.white, 1.0))
    table = np.minimum(np.rint(level), 255).astype(np.uint8)
    return image_of(cv2.LUT(strip, table)).reshape(4, STRIP_HEIGHT, STRIP_WIDTH, 3)
