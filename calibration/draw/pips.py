"""The suits' signs, drawn: many hearts, no two decks with the same one.

Also the signs of other countries' suits (acorn, bell, coin, star), which no reader may take for one
of ours.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.draw.fonts import Face, bent

Line = NDArray[np.float64]
_SIZE: Final = 256  # the sign is drawn this high, then scaled

_GLYPHS: Final = {"C": "\u2663", "D": "\u2666", "H": "\u2665", "S": "\u2660"}
# One design each, by the parity of the seed: the even ones are learned from, the odd ones are held
# back. (FreeSerif Bold is left out: it has club and spade the wrong way round.)
_FONTS: Final = (
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono-Bold.ttf", "DejaVuSerif.ttf",
     "FreeSans.ttf", "FreeSansBold.ttf", "FreeSerif.ttf", "FreeMono.ttf", "C059-Bold.otf",
     "NimbusSans-Bold.otf", "NimbusMonoPS-Bold.otf", "LiberationMono-Bold.ttf",
     "texgyreadventor-bold.otf"),
    ("DejaVuSansCondensed-Bold.ttf", "P052-Roman.otf", "URWGothic-Book.otf",
     "LiberationSans-Bold.ttf", "NotoSansSymbols2-Regular.ttf", "texgyrepagella-bold.otf"),
)  # fmt: skip
SUITS: Final = "CDHS"


@lru_cache(maxsize=2048)
def sign(suit: str, seed: int) -> NDArray[np.uint8]:
    """A suit's sign as ink coverage, cut tight, about 256 pixels high."""
    bend = seed if seed // 16 % 3 else 0
    if suit in SUITS and seed // 2 % 8 < 3:
        return _tight(bent(_of_font(suit, seed), bend, 0.02))
    rng = np.random.default_rng([seed, ord(suit)])
    # Hearts and spades of one deck share their roundness, as do the stems of spade and club.
    shared = np.random.default_rng([seed, 1])
    canvas = np.zeros((_SIZE * 2, _SIZE * 2), np.uint8)
    for shape in _SHAPES[suit](shared if suit in SUITS else rng):
        points = np.round((shape + 0.5) * _SIZE).astype(np.int32)
        cv2.fillPoly(canvas, [points.reshape(-1, 1, 2)], 255)
    if suit == "n":
        cv2.circle(canvas, (_SIZE, _SIZE), _SIZE // 5, 0, _SIZE // 14)
    return _tight(bent(_tight(canvas), bend, 0.02))


def _tight(canvas: NDArray[np.uint8]) -> NDArray[np.uint8]:
    rows = np.flatnonzero(canvas.max(axis=1) > 40)
    columns = np.flatnonzero(canvas.max(axis=0) > 40)
    return canvas[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _of_font(suit: str, seed: int) -> NDArray[np.uint8]:
    """The sign as a font has it."""
    names = _FONTS[seed % 2]
    stretch = 0.85 + 0.3 * (seed // 64 % 101) / 100
    return Face(names[seed // 16 % len(names)], stretch).mask(_GLYPHS[suit], _SIZE)


def scaled(suit: str, seed: int, height: int, stretch: float = 1.0) -> NDArray[np.uint8]:
    """The sign, `height` pixels high."""
    drawn = sign(suit, seed)
    width = max(3, round(drawn.shape[1] * height / drawn.shape[0] * stretch))
    return np.asarray(cv2.resize(drawn, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _heart_line(fat: float, dip: float, point: float) -> Line:
    """A heart's outline, one unit high, centred on (0.5, 0.5)."""
    t = np.linspace(0, 2 * np.pi, 160)
    x = fat * np.sign(np.sin(t)) * np.abs(np.sin(t)) ** point
    y = -(13 * np.cos(t) - dip * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)) / 29
    return np.stack([x + 0.5, y + 0.42], axis=1)


def _heart(rng: np.random.Generator) -> list[Line]:
    return [_heart_line(rng.uniform(0.38, 0.58), rng.uniform(3.5, 6.8), rng.uniform(1.8, 3.2))]


def _stem(rng: np.random.Generator, top: float) -> Line:
    """From a straight bar over a wedge to a trumpet's foot."""
    foot = rng.uniform(0.06, 0.28)
    neck = rng.uniform(0.012, min(0.06, foot))
    y = np.linspace(top, 1.0, 16)
    bend = rng.uniform(1.0, 5.0)
    half = neck + (foot - neck) * ((y - top) / (1 - top)) ** bend
    right = np.stack([0.5 + half, y], axis=1)
    left = np.stack([0.5 - half, y], axis=1)[::-1]
    return np.vstack([right, left])


def _spade(rng: np.random.Generator) -> list[Line]:
    heart = _heart(rng)[0]
    turned = np.stack([heart[:, 0], 1.0 - heart[:, 1]], axis=1)
    turned[:, 1] *= rng.uniform(0.76, 0.92)
    return [turned, _stem(rng, rng.uniform(0.5, 0.62))]


def _club(rng: np.random.Generator) -> list[Line]:
    """Three leaves that touch, lie over each other or stand apart, round or longish."""
    rng.uniform(size=3)
    r = rng.uniform(0.165, 0.26)
    spread = rng.uniform(0.85, 1.15) * r + rng.uniform(0.0, 0.05)
    low = rng.uniform(0.5, 0.66)
    top = r + rng.uniform(-0.02, 0.04)
    turn = np.linspace(0, 2 * np.pi, 48)
    ring = np.stack([np.cos(turn), np.sin(turn) * rng.uniform(0.88, 1.12)], axis=1) * r
    first = ring * [rng.uniform(0.85, 1.05), 1.0] + [0.5, top]
    leaves = [first, ring + [0.5 - spread, low], ring + [0.5 + spread, low]]
    width = rng.uniform(0.1, 1.0)
    middle = np.array([[0.5, top], [0.5 + spread * width, low], [0.5 - spread * width, low]])
    return [*leaves, middle, _stem(rng, rng.uniform(0.42, 0.55))]


def _diamond(rng: np.random.Generator) -> list[Line]:
    half = rng.uniform(0.32, 0.46)
    bend = float(rng.choice([0.0, 0.0, rng.uniform(0.0, 0.1), rng.uniform(-0.05, 0.0)]))
    corners = np.array([[0.5, 0], [0.5 + half, 0.5], [0.5, 1], [0.5 - half, 0.5]])
    points = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        t = np.linspace(0, 1, 12)[:, None]
        inward = np.array([0.5, 0.5]) - (a + b) / 2
        points.append(a + (b - a) * t + inward * bend * 4 * t * (1 - t))
    return [np.vstack(points)]


def _acorn(rng: np.random.Generator) -> list[Line]:
    turn = np.linspace(0, np.pi, 40)
    nut = np.stack([0.5 + 0.27 * np.cos(turn), 0.45 + 0.5 * np.sin(turn)], axis=1)
    cap = np.stack([0.5 + 0.34 * np.cos(turn), 0.4 - 0.25 * np.sin(turn)], axis=1)
    lean = rng.uniform(0.4, 0.6)
    return [nut, cap, np.array([[0.47, 0.2], [lean - 0.03, 0], [lean + 0.03, 0], [0.53, 0.2]])]


def _bell(rng: np.random.Generator) -> list[Line]:
    turn = np.linspace(0, 2 * np.pi, 60)
    r = rng.uniform(0.36, 0.44)
    ball = np.stack([0.5 + r * np.cos(turn), 0.55 + r * np.sin(turn)], axis=1)
    return [ball, np.array([[0.44, 0.2], [0.44, 0], [0.56, 0], [0.56, 0.2]])]


def _coin(rng: np.random.Generator) -> list[Line]:
    turn = np.linspace(0, 2 * np.pi, 60)
    r = rng.uniform(0.42, 0.5)
    return [np.stack([0.5 + r * np.cos(turn), 0.5 + r * np.sin(turn)], axis=1)]


def _star(rng: np.random.Generator) -> list[Line]:
    points = int(rng.choice([5, 5, 6, 8]))
    turn = np.arange(points * 2) * np.pi / points - np.pi / 2
    r = np.where(np.arange(points * 2) % 2, rng.uniform(0.2, 0.3), 0.5)
    return [np.stack([0.5 + r * np.cos(turn), 0.5 + r * np.sin(turn)], axis=1)]


_SHAPES: Final = {
    "C": _club, "D": _diamond, "H": _heart, "S": _spade,
    "a": _acorn, "b": _bell, "n": _coin, "s": _star,
}  # fmt: skip
