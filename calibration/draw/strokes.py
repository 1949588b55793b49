"""A face drawn by hand: the letters of an index as strokes whose shape varies with a seed.

Printed cards have letterings that no font has: a 3 with a flat top, a J with a bar, a Q whose tail
crosses, an open 4. A letter is a list of lines in a box one unit high; y points down.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Line = NDArray[np.float64]
_SCALE: Final = 4  # drawn larger and shrunk, for smooth edges


def knows(letter: str) -> bool:
    """Whether this letter can be drawn by strokes."""
    return letter in _LETTERS


def letter(text: str, seed: int, height: int) -> NDArray[np.uint8]:
    """One letter as ink coverage, on a square line of twice the height, as fonts are drawn."""
    rng = np.random.default_rng(seed)
    habits = _Habits(rng)
    size = height * 2 * _SCALE
    picture = np.zeros((size, size), np.uint8)
    unit = height * _SCALE * 0.9
    thick = max(3, round(habits.weight * unit))
    for line in _LETTERS[text](habits):
        points = np.round(line * [unit * habits.width, unit] + height * _SCALE * 0.4)
        drawn = points.astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(picture, [drawn], isClosed=False, color=255, thickness=thick)
    if habits.square:
        picture = np.asarray(
            cv2.morphologyEx(picture, cv2.MORPH_CLOSE, np.ones((thick // 2 + 1,) * 2, np.uint8)),
            dtype=np.uint8,
        )
    half = (height * 2, height * 2)
    return np.asarray(cv2.resize(picture, half, interpolation=cv2.INTER_AREA), dtype=np.uint8)


class _Habits:
    """What one hand does every time: weight, width, serifs and the forms that it prefers."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.weight = float(rng.uniform(0.09, 0.21))
        self.width = float(rng.uniform(0.85, 1.15))
        self.square = bool(rng.random() < 0.4)
        self.serif = float(rng.choice([0.0, 0.0, 0.1, 0.16]))
        self.flag = bool(rng.random() < 0.75)
        self.foot = bool(rng.random() < 0.35)
        self.flat_three = bool(rng.random() < 0.35)
        self.open_four = bool(rng.random() < 0.3)
        self.straight_six = bool(rng.random() < 0.35)
        self.curved_seven = bool(rng.random() < 0.4)
        self.bar_on_j = bool(rng.random() < 0.6)
        self.tail = int(rng.integers(3))
        self.flat_a = bool(rng.random() < 0.3)
        self.bar_of_a = float(rng.uniform(0.6, 0.74))
        self.waist = float(rng.uniform(0.42, 0.5))
        self.sway = float(rng.uniform(-0.03, 0.03))

    def serifs(self, *feet: tuple[float, float]) -> list[Line]:
        """Short bars across the ends of stems."""
        s = self.serif
        return [_line((x - s, y), (x + s, y)) for x, y in feet] if s else []


def _line(*points: tuple[float, float]) -> Line:
    return np.array(points, dtype=np.float64)


def _arc(x: float, y: float, rx: float, ry: float, start: float, end: float) -> Line:
    """Part of an ellipse; degrees, 0 to the right, clockwise as y points down."""
    turn = np.radians(np.linspace(start, end, 28))
    return np.stack([x + rx * np.cos(turn), y + ry * np.sin(turn)], axis=1)


def _a(h: _Habits) -> list[Line]:
    top = 0.06 if h.flat_a else 0.0
    lines = [_line((0, 1), (0.33 - top, 0), (0.33 + top, 0), (0.66, 1))]
    y = h.bar_of_a
    return [
        *lines,
        _line((0.33 * (1 - y) + 0.02, y), (0.64 - 0.33 * (1 - y), y)),
        *h.serifs((0, 1), (0.66, 1)),
    ]


def _j(h: _Habits) -> list[Line]:
    hook = _arc(0.22, 0.76, 0.24, 0.24, 0, 170)
    lines = [np.vstack([_line((0.46, 0)), hook])]
    if h.bar_on_j:
        lines.append(_line((0.24, 0), (0.46 + h.serif * 1.3, 0)))
    return lines


def _q(h: _Habits) -> list[Line]:
    tails = (
        _line((0.36, 0.68), (0.66, 1.04)),
        _line((0.3, 0.78), (0.46, 0.82), (0.7, 1.02)),
        np.vstack([_arc(0.33, 0.86, 0.14, 0.1, 180, 330), _line((0.72, 1.05))]),
    )
    return [_arc(0.33, 0.49, 0.33, 0.49, 0, 360), tails[h.tail]]


def _k(h: _Habits) -> list[Line]:
    return [
        _line((0.04, 0), (0.04, 1)),
        _line((0.6, 0), (0.05, 0.6)),
        _line((0.25, 0.4), (0.64, 1)),
        *h.serifs((0.04, 0), (0.04, 1), (0.6, 0), (0.64, 1)),
    ]


def _zero(_: _Habits) -> list[Line]:
    return [_arc(0.28, 0.5, 0.28, 0.5, 0, 360)]


def _one(h: _Habits) -> list[Line]:
    lines = [_line((0.2, 0), (0.2, 1))]
    if h.flag:
        lines.append(_line((0.2, 0), (0.02, 0.2 + h.sway)))
    if h.foot or h.serif:
        lines.append(_line((0.03, 1), (0.37, 1)))
    return lines


def _two(h: _Habits) -> list[Line]:
    return [
        np.vstack([_arc(0.28, 0.28, 0.28, 0.28, 190, 385), _line((0.0, 0.99), (0.58, 0.99))]),
        *([_line((0.58, 0.99), (0.58, 0.88))] if h.serif else []),
    ]


def _three(h: _Habits) -> list[Line]:
    bowl = _arc(0.24, 0.7, 0.31, 0.3, 260, 510)
    if h.flat_three:
        return [_line((0.02, 0.12), (0.02, 0), (0.52, 0), (0.2, 0.4)), bowl]
    return [_arc(0.25, 0.25, 0.26, 0.25, 200, 450), bowl]


def _four(h: _Habits) -> list[Line]:
    if h.open_four:
        return [_line((0.12, 0), (0.02, 0.62), (0.62, 0.62)), _line((0.44, 0.28), (0.44, 1))]
    return [
        _line((0.44, 1), (0.44, 0), (0.0, 0.7), (0.62, 0.7)),
        *h.serifs((0.44, 1)),
    ]


def _five(h: _Habits) -> list[Line]:
    top = _line((0.52, 0), (0.08, 0), (0.05, 0.46 + h.sway))
    return [top, _arc(0.26, 0.68, 0.3, 0.32, 225, 505)]


def _six(h: _Habits) -> list[Line]:
    bowl = _arc(0.29, 0.68, 0.28, 0.32, 0, 360)
    if h.straight_six:
        return [_line((0.42, 0), (0.04, 0.58)), bowl]
    return [_arc(0.42, 0.66, 0.41, 0.66, 180, 290), bowl]


def _seven(h: _Habits) -> list[Line]:
    lines = [_line((0.0, 0), (0.56, 0), (0.18, 1))]
    if h.curved_seven:
        lines = [_line((0.0, 0), (0.56, 0), (0.4, 0.3), (0.28, 0.6), (0.24, 1))]
    if h.serif:
        lines.append(_line((0.0, 0), (0.0, 0.14)))
    return lines


def _eight(h: _Habits) -> list[Line]:
    top = h.waist / 2
    rest = (1 - h.waist) / 2
    return [
        _arc(0.29, top, 0.24, top, 0, 360),
        _arc(0.29, h.waist + rest, 0.29, rest, 0, 360),
    ]


def _nine(h: _Habits) -> list[Line]:
    return [np.array([0.58, 1.0]) - line for line in _six(h)]


_LETTERS: Final[dict[str, Callable[[_Habits], list[Line]]]] = {
    "A": _a, "J": _j, "Q": _q, "K": _k, "0": _zero, "1": _one, "2": _two, "3": _three,
    "4": _four, "5": _five, "6": _six, "7": _seven, "8": _eight, "9": _nine,
}  # fmt: skip
