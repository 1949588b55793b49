"""A card in the frame: where its corners are, and its picture laid between them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.draw import ground
from calibration.draw.art import Picture
from calibration.draw.ground import HIGH, WIDE

Points = NDArray[np.float64]


def place(rng: np.random.Generator, aspect: float, persp: float, *, half: bool) -> Points:
    """The four corners of the card in the frame."""
    high = float(rng.uniform(0.345, 0.705)) * HIGH
    wide = high * aspect
    turn = np.radians(rng.uniform(-8.2, 8.2))
    corners = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
    corners = corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = corners + rng.uniform(-persp, persp, (4, 2)) * high
    reach = np.abs(corners).max(axis=0) + 4
    centre = rng.uniform(reach, [WIDE - reach[0], HIGH - reach[1]])
    if half:
        if rng.random() < 0.5:
            centre[0] = rng.uniform(-0.35, 0.2) * wide
        else:
            centre[1] = rng.uniform(-0.35, 0.2) * high
    return np.asarray(corners + centre, np.float64)


def warp(picture: Picture, card: Picture, quad: Points, rng: np.random.Generator) -> None:
    """Lay a card's picture into the quad, with its shadow; shrunk first, against aliases."""
    size = max(np.hypot(*(quad[3] - quad[0])), np.hypot(*(quad[2] - quad[1]))) * 1.15
    scale = min(1.0, size / card.shape[0])
    small = cv2.resize(card, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    high, wide = small.shape[:2]
    share = cv2.merge([small[..., 3]] * 3)
    premultiplied = cv2.merge([cv2.multiply(small[..., :3], share, scale=1 / 255), small[..., 3]])
    low = np.clip(np.floor(quad.min(axis=0)) - 16, 0, [WIDE, HIGH]).astype(int)
    top = np.clip(np.ceil(quad.max(axis=0)) + 16, 0, [WIDE, HIGH]).astype(int)
    source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, (quad - low).astype(np.float32))
    size_of_spot = (int(top[0] - low[0]), int(top[1] - low[1]))
    if min(size_of_spot) < 1:
        return
    laid = np.asarray(cv2.warpPerspective(premultiplied, matrix, size_of_spot), np.uint8)
    spot = picture[low[1] : top[1], low[0] : top[0]]
    cover = np.ascontiguousarray(laid[..., 3])
    ground.shadow(spot, cover, rng)
    # As in print and light: what the card covers is replaced, its edge mixes with the ground.
    around = cv2.multiply(spot, cv2.merge([cv2.bitwise_not(cover)] * 3), scale=1 / 255)
    spot[:] = cv2.add(around, np.ascontiguousarray(laid[..., :3]))
