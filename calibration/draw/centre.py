"""What stands in the middle of a drawn card: pips, a court figure, a large letter, a jester."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.draw import pips
from calibration.draw.fonts import Face, Mask

Picture = NDArray[np.uint8]
Colour = tuple[float, float, float]

_MIDDLE: Final = 0.5
#: Of the decks: those whose courts are not the same either way round.
_ONE_WAY: Final = 0.15
# Places of the pips: column (0 left, 1 middle, 2 right) and height, 0 top row to 1 bottom row.
_PLACES: Final[dict[int, tuple[tuple[int, float], ...]]] = {
    2: ((1, 0), (1, 1)),
    3: ((1, 0), (1, 0.5), (1, 1)),
    4: ((0, 0), (2, 0), (0, 1), (2, 1)),
    5: ((0, 0), (2, 0), (1, 0.5), (0, 1), (2, 1)),
    6: ((0, 0), (2, 0), (0, 0.5), (2, 0.5), (0, 1), (2, 1)),
    7: ((0, 0), (2, 0), (0, 0.5), (2, 0.5), (0, 1), (2, 1), (1, 0.25)),
    8: ((0, 0), (2, 0), (0, 0.5), (2, 0.5), (0, 1), (2, 1), (1, 0.25), (1, 0.75)),
    9: ((0, 0), (2, 0), (0, 1 / 3), (2, 1 / 3), (0, 2 / 3), (2, 2 / 3), (0, 1), (2, 1), (1, 0.5)),
    10: ((0, 0), (2, 0), (0, 1 / 3), (2, 1 / 3), (0, 2 / 3), (2, 2 / 3), (0, 1), (2, 1),
         (1, 1 / 6), (1, 5 / 6)),
}  # fmt: skip
_ROBES: Final[tuple[Colour, ...]] = (
    (40, 30, 200), (30, 200, 240), (170, 60, 20), (20, 20, 20), (245, 245, 245), (60, 140, 30),
    (60, 100, 180), (120, 60, 120),
)  # fmt: skip


def stamp(picture: Picture, ink: Mask, colour: Colour, x: int, y: int) -> None:
    """Print ink with its upper left at (x, y); what lies beyond the picture is cut off."""
    top, left = max(0, -y), max(0, -x)
    ink = ink[top : max(0, picture.shape[0] - y), left : max(0, picture.shape[1] - x)]
    if ink.size == 0:
        return
    y, x = y + top, x + left
    spot = picture[y : y + ink.shape[0], x : x + ink.shape[1], :3]
    share = ink[..., None].astype(np.float32) / 255
    spot[:] = np.round(spot * (1 - share) + np.array(colour, np.float32) * share)


def draw_pips(
    picture: Picture,
    count: int,
    suit: str,
    seed: int,
    colour: Colour,
    *,
    large_index: bool = False,
) -> None:
    """The pips of an Ace to a ten; beside a large index they are smaller and closer."""
    rng = np.random.default_rng([seed, 7])
    high, wide = picture.shape[:2]
    side = float(rng.uniform(0.26, 0.33))
    top = float(rng.uniform(0.13, 0.2))
    size = float(rng.uniform(0.1, 0.165))
    if large_index:
        side, size = float(rng.uniform(0.3, 0.42)), size * float(rng.uniform(0.62, 0.95))
    if count == 1:
        pip = pips.scaled(suit, seed, round(high * float(rng.uniform(0.13, 0.42))))
        if pip.shape[1] > wide * 0.55:
            pip = pips.scaled(suit, seed, round(pip.shape[0] * wide * 0.55 / pip.shape[1]))
        stamp(picture, pip, colour, (wide - pip.shape[1]) // 2, (high - pip.shape[0]) // 2)
        return
    pip = pips.scaled(suit, seed, round(high * size))
    for column, down in _PLACES[count]:
        x = (_MIDDLE + (column - 1) * (_MIDDLE - side)) * wide
        y = (top + down * (1 - 2 * top)) * high
        each = pip[::-1, ::-1] if down > _MIDDLE else pip
        stamp(picture, each, colour, round(x - pip.shape[1] / 2), round(y - pip.shape[0] / 2))


def draw_ornament(picture: Picture, seed: int, colour: Colour, face: Face) -> None:
    """What the Ace of spades of most decks has around and in its pip, and the maker's name."""
    rng = np.random.default_rng([seed, 13])
    high, wide = picture.shape[:2]
    middle = (wide // 2, round(high * float(rng.uniform(0.44, 0.56))))
    for _ in range(int(rng.integers(0, 5))):
        reach = round(high * float(rng.uniform(0.03, 0.19)))
        line = (255.0, 255.0, 255.0) if reach < high * 0.1 else colour
        cv2.circle(picture, middle, reach, (*line, 255), int(rng.integers(1, 5)))
    for _ in range(int(rng.integers(0, 14))):
        turn, reach = rng.uniform(0, 2 * np.pi), high * rng.uniform(0.02, 0.16)
        leaf = (middle[0] + np.cos(turn) * reach, middle[1] + np.sin(turn) * reach)
        white = rng.random() < 0.6
        axes = (round(high * rng.uniform(0.006, 0.03)), round(high * rng.uniform(0.004, 0.012)))
        ink = (255.0, 255.0, 255.0) if white else colour
        cv2.ellipse(picture, _at(leaf), axes, float(np.degrees(turn)), 0, 360, (*ink, 255), -1)
    for _ in range(int(rng.integers(0, 4))):
        word = "".join(_LETTERS[int(each)] for each in rng.integers(0, len(_LETTERS), 7))
        ink_high = round(high * float(rng.uniform(0.015, 0.045)))
        ink_mask = face.mask(word, ink_high)
        if ink_mask.shape[1] > wide * 0.56:
            size = (round(wide * 0.56), ink_high)
            ink_mask = np.asarray(cv2.resize(ink_mask, size, interpolation=cv2.INTER_AREA))
        down = rng.choice([rng.uniform(0.14, 0.3), rng.uniform(0.68, 0.84)])
        if rng.random() < 0.3:
            ink_mask = np.ascontiguousarray(ink_mask[::-1, ::-1])
        stamp(picture, ink_mask, colour, (wide - ink_mask.shape[1]) // 2, round(high * float(down)))


#: Of a maker's name: no letter that strokes or fonts have not.
_LETTERS: Final = "AJQK0123456789"


def draw_court(
    picture: Picture, rank: str, suit: str, seed: int, colour: Colour, face: Face
) -> None:
    """A King, Queen or Jack: a two-headed figure in a panel, or a large letter."""
    deck = np.random.default_rng([seed, 8])
    rng = np.random.default_rng([seed, 9, "JQK".index(rank), "CDHSabns".index(suit)])
    high, wide = picture.shape[:2]
    kind = deck.random()
    if kind < 0.12:
        ink = face.mask(rank, round(high * float(deck.uniform(0.22, 0.4))))
        stamp(picture, ink, colour, (wide - ink.shape[1]) // 2, (high - ink.shape[0]) // 2)
        return
    bleed = kind > 0.88
    left = round(wide * (0.03 if bleed else float(deck.uniform(0.15, 0.25))))
    top = round(high * (0.02 if bleed else float(deck.uniform(0.06, 0.14))))
    half = _figure(rng, high // 2 - top, wide - 2 * left)
    # Of a one-way court the lower half is another picture, not the upper one turned.
    lower = _figure(rng, *half.shape[:2]) if deck.random() < _ONE_WAY else half[::-1, ::-1]
    panel = np.vstack([half, lower])
    if deck.random() < 0.6:
        pip = pips.scaled(suit, seed, round(high * float(deck.uniform(0.08, 0.13))))
        for _ in range(2):
            place = 4 if deck.random() < 0.5 else panel.shape[1] - pip.shape[1] - 4
            stamp(panel, pip, colour, place, 5)
            panel = np.ascontiguousarray(panel[::-1, ::-1])
    picture[top : top + panel.shape[0], left : left + panel.shape[1], :3] = panel
    if deck.random() < 0.75 and not bleed:
        box = ((left - 3, top - 3), (wide - left + 2, top + panel.shape[0] + 2))
        line = colour if deck.random() < 0.3 else (40.0, 40.0, 40.0)
        cv2.rectangle(picture, *box, (*line, 255), int(deck.integers(1, 4)))


def _figure(rng: np.random.Generator, high: int, wide: int) -> Picture:
    """The upper half of a court figure: robe, arms, head, crown; shapes without a likeness."""
    half = np.full((high, wide, 3), 255, np.uint8)
    robes = [_ROBES[i] for i in rng.permutation(len(_ROBES))[:4]]
    middle = wide * float(rng.uniform(0.42, 0.58))
    for _ in range(int(rng.integers(5, 12))):
        centre = np.array([rng.uniform(0, wide), rng.uniform(high * 0.4, high)])
        points = centre + rng.normal(0, wide * 0.22, (int(rng.integers(3, 7)), 2))
        _fill(half, points, robes[int(rng.integers(4))])
    shoulders = np.array([[0, high], [wide * 0.12, high * 0.62], [middle, high * 0.42],
                          [wide * 0.88, high * 0.62], [wide, high]])  # fmt: skip
    _fill(half, shoulders, robes[0])
    for _ in range(int(rng.integers(4, 10))):
        a, b = rng.uniform([0, high * 0.5], [wide, high], (2, 2))
        cv2.line(half, _at(a), _at(b), robes[int(rng.integers(4))], int(rng.integers(2, 11)))
    for _ in range(int(rng.integers(3, 9))):
        spot = rng.uniform([0, high * 0.5], [wide, high])
        cv2.circle(half, _at(spot), int(rng.integers(3, 14)), robes[int(rng.integers(4))], -1)
    head = (middle, high * 0.32)
    hair = robes[int(rng.integers(4))]
    size = (round(wide * 0.15), round(high * 0.19))
    cv2.ellipse(half, _at(head), (size[0] + 9, size[1] + 7), 0, 0, 360, hair, -1)
    skin = (190.0, 215.0, 245.0) if rng.random() < 0.5 else (255.0, 255.0, 255.0)
    cv2.ellipse(half, _at(head), size, 0, 0, 360, skin, -1)
    cv2.ellipse(half, _at(head), size, 0, 0, 360, (30, 30, 30), 2)
    for side in (-1, 1):
        eye = (head[0] + side * size[0] * 0.4, head[1] - 4)
        cv2.circle(half, _at(eye), 3, (30, 30, 30), -1)
    cv2.line(
        half, _at((head[0] - 6, head[1] + 18)), _at((head[0] + 6, head[1] + 18)), (40, 40, 160), 2
    )
    spikes = int(rng.integers(3, 6))
    x = np.linspace(middle - size[0] * 1.2, middle + size[0] * 1.2, spikes * 2 + 1)
    y = np.where(np.arange(spikes * 2 + 1) % 2, high * 0.02, high * 0.14)
    crown = np.vstack([np.stack([x, y], 1), [[x[-1], high * 0.2], [x[0], high * 0.2]]])
    _fill(half, crown, (40, 200, 235) if rng.random() < 0.7 else robes[1])
    return half


def _fill(picture: Picture, points: NDArray[np.float64], colour: Colour) -> None:
    drawn = np.round(points).astype(np.int32).reshape(-1, 1, 2)
    cv2.fillPoly(picture, [drawn], colour)
    cv2.polylines(picture, [drawn], isClosed=True, color=(30, 30, 30), thickness=2)


def _at(point: NDArray[np.float64] | tuple[float, float]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def draw_jester(picture: Picture, seed: int, colour: Colour, face: Face) -> None:
    """A Joker's middle: a fool's head, stars, or the word."""
    rng = np.random.default_rng([seed, 10, int(sum(colour))])
    high, wide = picture.shape[:2]
    middle = np.array([wide / 2, high / 2])
    kind = rng.random()
    if kind < 0.3:
        word = face.mask("JOKER", round(high * 0.1))
        limit = round(wide * 0.75)
        if word.shape[1] > limit:
            word = np.asarray(cv2.resize(word, (limit, word.shape[0])), np.uint8)
        turn = cv2.getRotationMatrix2D((wide / 2, high / 2), float(rng.choice([0, 35, 60, 90])), 1)
        sheet = np.zeros((high, wide), np.uint8)
        stamp_y, stamp_x = (high - word.shape[0]) // 2, (wide - word.shape[1]) // 2
        sheet[stamp_y : stamp_y + word.shape[0], stamp_x : stamp_x + word.shape[1]] = word
        ink = np.asarray(cv2.warpAffine(sheet, turn, (wide, high)), np.uint8)
        stamp(picture, ink, colour, 0, 0)
        return
    robe = _ROBES[int(rng.integers(len(_ROBES)))]
    for lean in (-0.9, 0.0, 0.9):
        tip = middle + [np.sin(lean) * wide * 0.33, -np.cos(lean) * high * 0.26]
        base = middle + [lean * wide * 0.1, -high * 0.06]
        points = np.array([base - [26, 0], tip, base + [26, 0]])
        _fill(picture, points, colour if lean else robe)
        cv2.circle(picture, _at(tip), 11, (*colour, 255), -1)
    cv2.circle(picture, _at(middle), round(wide * 0.17), (110, 200, 240, 255), -1)
    cv2.circle(picture, _at(middle), round(wide * 0.17), (30, 30, 30, 255), 2)
    for side in (-1, 1):
        cv2.circle(picture, _at(middle + [side * wide * 0.06, -10]), 5, (30, 30, 30, 255), -1)
    cv2.ellipse(picture, _at(middle + [0, 6]), (26, 18), 0, 20, 160, (30, 30, 160, 255), 3)
    for _ in range(int(rng.integers(0, 6))):
        star = pips.scaled("s", int(rng.integers(99)), 36)
        x, y = rng.uniform([wide * 0.25, high * 0.65], [wide * 0.7, high * 0.8])
        stamp(picture, star, colour, int(x), int(y))
