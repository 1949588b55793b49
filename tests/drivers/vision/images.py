"""Small pictures of cards for the tests of the reader, drawn from a seed."""

from __future__ import annotations

from functools import cache
from typing import Final

import cv2
import numpy as np

from drivers.vision.finding.card_edges import Image, Points, image_of

GREEN: Final = (52, 92, 30)
DARK: Final = (24, 22, 21)
PAPER: Final = (228, 236, 240)

#: A card of 88 mm that fills half of the frame's height, 3 degrees askew.
QUAD: Final = np.array([[254, 118], [423, 127], [410, 367], [241, 358]], np.float32)


def blank(paper: tuple[int, int, int] = PAPER) -> Image:
    """A card without print, 280 wide and 400 high."""
    return np.full((400, 280, 3), paper, np.uint8)


def printed(text: str, ink: tuple[int, int, int] = (20, 20, 20)) -> Image:
    """A card with `text` in two corners and a bar beside each, as an index and its suit."""
    card = blank()
    for _ in range(2):
        cv2.putText(card, text, (12, 52), cv2.FONT_HERSHEY_SIMPLEX, 1.5, ink, 5, cv2.LINE_AA)
        cv2.rectangle(card, (18, 66), (36, 90), ink, -1)
        card = image_of(cv2.rotate(card, cv2.ROTATE_180))
    return card


def felt(ground: tuple[int, int, int] = GREEN, seed: int = 1) -> Image:
    """An empty frame of 640 by 480."""
    return _felt(ground, seed).copy()


@cache
def _felt(ground: tuple[int, int, int], seed: int) -> Image:
    """Drawn once: to draw its noise takes longer than a reader looks at it."""
    noise = np.random.default_rng(seed).normal(0, 4, (480, 640, 3))
    return np.clip(np.array(ground) + noise, 0, 255).astype(np.uint8)


def laid(card: Image, frame: Image, quad: Points = QUAD) -> Image:
    """`card` laid on `frame`, its corners at `quad`, as a lens shows it: with soft edges."""
    height, width = card.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    # Only where it lies: the rest of the frame stays what it is.
    rim = np.array([frame.shape[1], frame.shape[0]])
    left, top = np.clip(np.floor(quad.min(axis=0)).astype(int) - 2, 0, rim)
    right, bottom = np.clip(np.ceil(quad.max(axis=0)).astype(int) + 3, 0, rim)
    seen = image_of(frame.copy())
    if right <= left or bottom <= top:
        return seen
    to = cv2.getPerspectiveTransform(corners, quad * 2 + 0.5)
    to = np.array([[1, 0, -2 * left], [0, 1, -2 * top], [0, 0, 1]], np.float64) @ to
    size = (int(right - left), int(bottom - top))
    big = (2 * size[0], 2 * size[1])
    over = cv2.warpPerspective(card, to, big, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), to, big)
    over, mask = (cv2.resize(each, size, interpolation=cv2.INTER_AREA) for each in (over, mask))
    share = image_of(mask)[:, :, None] / 255.0
    part = seen[top:bottom, left:right]
    part[:] = np.rint(part * (1 - share) + image_of(over) * 1.0).clip(0, 255)
    return seen


def glare(frame: Image, x: int, y: int, radius: float) -> Image:
    """`frame` with a reflection around a point."""
    rows, columns = np.mgrid[: frame.shape[0], : frame.shape[1]]
    light = 230 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * radius**2))
    return image_of(np.clip(frame + light[:, :, None], 0, 255).astype(np.uint8))
