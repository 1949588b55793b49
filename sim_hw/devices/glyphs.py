"""What is printed in the corner of a card: ranks as strokes, suits as shapes. Drawn here alone.

The world has an alphabet of its own, shared with nothing that reads or learns: what both sides
misunderstood would show. A letter is a list of lines in a box one unit wide and high, y downwards.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Points = list[tuple[float, float]]

_FINE: Final = 4  # drawn this much larger and shrunk, for smooth edges


def _arc(x: float, y: float, wide: float, high: float, begin: float, end: float) -> Points:
    """Part of an ellipse; degrees clockwise, 0 on the right."""
    steps = max(int(abs(end - begin) / 6), 2)
    angles = [math.radians(begin + (end - begin) * each / steps) for each in range(steps + 1)]
    return [(x + wide * math.cos(each), y + high * math.sin(each)) for each in angles]


def _turned(lines: list[Points]) -> list[Points]:
    return [[(1 - x, 1 - y) for x, y in line] for line in lines]


_SIX: Final = [_arc(0.5, 0.69, 0.39, 0.3, 0, 360), _arc(0.88, 0.69, 0.77, 0.68, 180, 255)]

LETTERS: Final[dict[str, list[Points]]] = {
    "0": [_arc(0.5, 0.5, 0.38, 0.5, 0, 360)],
    "1": [[(0.2, 0.24), (0.56, 0.0), (0.56, 1.0)]],
    "2": [[*_arc(0.5, 0.29, 0.4, 0.29, 190, 398), (0.08, 1.0), (0.94, 1.0)]],
    "3": [[*_arc(0.46, 0.26, 0.37, 0.26, 205, 450), *_arc(0.46, 0.74, 0.43, 0.26, 270, 512)]],
    "4": [[(0.72, 1.0), (0.72, 0.0), (0.04, 0.7), (0.98, 0.7)]],
    "5": [[(0.86, 0.0), (0.2, 0.0), (0.14, 0.46), *_arc(0.46, 0.68, 0.43, 0.32, 222, 508)]],
    "6": _SIX,
    "7": [[(0.06, 0.0), (0.94, 0.0), (0.4, 1.0)]],
    "8": [_arc(0.5, 0.25, 0.33, 0.25, 0, 360), _arc(0.5, 0.745, 0.41, 0.255, 0, 360)],
    "9": _turned(_SIX),
    "A": [[(0.0, 1.0), (0.5, 0.0), (1.0, 1.0)], [(0.2, 0.66), (0.8, 0.66)]],
    "E": [[(0.88, 0.0), (0.14, 0.0), (0.14, 1.0), (0.88, 1.0)], [(0.14, 0.5), (0.76, 0.5)]],
    "J": [[(0.76, 0.0), (0.76, 0.68), *_arc(0.42, 0.68, 0.34, 0.32, 0, 168)]],
    "K": [[(0.12, 0.0), (0.12, 1.0)], [(0.92, 0.0), (0.12, 0.64)], [(0.4, 0.43), (0.96, 1.0)]],
    "O": [_arc(0.5, 0.5, 0.46, 0.5, 0, 360)],
    "Q": [_arc(0.5, 0.49, 0.46, 0.49, 0, 360), [(0.58, 0.7), (0.98, 1.04)]],
    "R": [
        [(0.14, 1.0), (0.14, 0.0), *_arc(0.52, 0.27, 0.36, 0.27, 270, 450), (0.14, 0.54)],
        [(0.5, 0.54), (0.92, 1.0)],
    ],
}  # fmt: skip

#: Where a face has serifs: short strokes across the ends, by letter.
_SERIFS: Final[dict[str, list[Points]]] = {
    "1": [[(0.28, 1.0), (0.84, 1.0)]],
    "A": [[(-0.12, 1.0), (0.2, 1.0)], [(0.8, 1.0), (1.12, 1.0)]],
    "J": [[(0.52, 0.0), (1.0, 0.0)]],
    "K": [[(-0.06, 0.0), (0.3, 0.0)], [(-0.06, 1.0), (0.3, 1.0)], [(0.82, 1.0), (1.1, 1.0)]],
    "4": [[(0.5, 1.0), (0.94, 1.0)]],
    "7": [[(0.06, 0.0), (0.06, 0.16)]],
}


def text_mask(text: str, height: int, weight: float, narrow: float, *, serif: bool) -> Picture:
    """The text as ink coverage, cut to its ink; `height` in pixels, `weight` of it is the stroke.

    `narrow` is a letter's width over its height.
    """
    tall = height * _FINE
    thick = max(int(tall * weight), 1)
    wide = int(tall * narrow)
    step = wide + int(1.9 * thick)
    mask = np.zeros((tall + 4 * thick, step * len(text) + 4 * thick), np.uint8)
    for place, letter in enumerate(text):
        lines = LETTERS[letter] + (_SERIFS.get(letter, []) if serif else [])
        for line in lines:
            points = np.array(
                [
                    (2 * thick + place * step + x * wide, 2 * thick + y * (tall - thick))
                    for x, y in line
                ]
            )
            cv2.polylines(mask, [np.round(points).astype(np.int32)], False, 255, thick, cv2.LINE_AA)
    return _shrunk(_cut(mask), height)


def suit_mask(suit: str, height: int) -> Picture:
    """The suit (c d h s) as ink coverage, cut to its ink."""
    size = height * _FINE
    mask = np.zeros((size * 2, size * 2), np.uint8)
    _SUITS[suit](mask, size)
    return _shrunk(_cut(mask), height)


def _heart(mask: Picture, size: int, *, up: bool = False) -> None:
    angles = np.linspace(0, 2 * math.pi, 120)
    x = 16 * np.sin(angles) ** 3
    y = -(
        13 * np.cos(angles) - 5 * np.cos(2 * angles) - 2 * np.cos(3 * angles) - np.cos(4 * angles)
    )
    scale = size / 34 * (0.9 if up else 1)
    points = np.stack([size + x * scale, size + (-y if up else y) * scale], axis=1)
    cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 255, cv2.LINE_AA)


def _stem(mask: Picture, size: int, top: float) -> None:
    points = [(size - 0.03 * size, top), (size + 0.03 * size, top)]
    points += [(size + 0.2 * size, size * 1.5), (size - 0.2 * size, size * 1.5)]
    cv2.fillPoly(mask, [np.round(np.array(points)).astype(np.int32)], 255, cv2.LINE_AA)


def _spade(mask: Picture, size: int) -> None:
    _heart(mask, size, up=True)
    _stem(mask, size, size * 0.95)


def _diamond(mask: Picture, size: int) -> None:
    points = [(size, size * 0.5), (size * 1.4, size), (size, size * 1.5), (size * 0.6, size)]
    cv2.fillPoly(mask, [np.round(np.array(points)).astype(np.int32)], 255, cv2.LINE_AA)


def _club(mask: Picture, size: int) -> None:
    radius = round(size * 0.225)
    for x, y in ((1.0, 0.73), (0.75, 1.12), (1.25, 1.12)):
        cv2.circle(mask, (round(size * x), round(size * y)), radius, 255, -1, cv2.LINE_AA)
    cv2.circle(mask, (size, round(size * 1.02)), round(size * 0.1), 255, -1, cv2.LINE_AA)
    _stem(mask, size, size * 0.9)


_SUITS: Final[dict[str, Callable[[Picture, int], None]]] = {
    "c": _club, "d": _diamond, "h": _heart, "s": _spade,
}  # fmt: skip


def _cut(mask: Picture) -> Picture:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _shrunk(mask: Picture, height: int) -> Picture:
    width = max(round(mask.shape[1] * height / mask.shape[0]), 1)
    small = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)
