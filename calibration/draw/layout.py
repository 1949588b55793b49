"""Where a deck prints its indices, and in what colours: drawn once for a deck, from its seed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypedDict

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.draw import pips
from calibration.draw.fonts import DesignSplit, Face, Mask

Colour = tuple[float, float, float]  # BGR, 0 to 255

#: Shares of the decks.
_JUMBOS: Final = 0.16
_SUPER_JUMBOS: Final = 0.08
_PEEKS: Final = 0.05
_FOUR_COLOURS: Final = 0.1
#: Larger indices leave no room for the same in all four corners.
_DUAL_MAX: Final = 0.14


class _FourColours(TypedDict):
    """The colours that only a four-colour deck has."""

    blue: Colour | None
    green: Colour | None


class SuitAt(Enum):
    """Where the suit's sign of an index stands."""

    BELOW = "below"
    BESIDE = "beside"
    ABOVE = "above"


@dataclass(frozen=True, slots=True)
class Layout:
    """One deck's index. Lengths are shares of the card's height; `pips` seeds the suits' signs.

    `second` is the height of the rank in the two other corners of four, 0 where they are empty.
    `blue` and `green` are the diamonds and clubs of a four-colour deck, None where those are red
    and black.
    """

    face: Face
    pips: int
    rank: float
    suit: float
    left: float
    top: float
    gap: float
    at: SuitAt
    centred: bool
    boxed: bool
    second: float
    red: Colour
    black: Colour
    blue: Colour | None
    green: Colour | None

    def ink(self, suit: str) -> Colour:
        """The colour of a suit."""
        if suit == "D" and self.blue:
            return self.blue
        if suit == "C" and self.green:
            return self.green
        return self.red if suit in "DH" else self.black


# The index has to fit the corner that the readers look at: of the card's width, and of its height.
_ACROSS: Final = 0.26
_ACROSS_LARGE: Final = 0.43
_CANVAS: Final = (0.56, 0.5)
#: From this height of the rank on an index is sold as jumbo.
JUMBO: Final = 0.125


def choose(rng: np.random.Generator, face: Face, split: DesignSplit) -> Layout:
    """A layout from a seed: regular, or peek (very small), jumbo or super-jumbo."""
    size = float(rng.random())
    jumbo = size < _JUMBOS + _SUPER_JUMBOS
    if size < _SUPER_JUMBOS:
        rank = float(rng.uniform(0.2, 0.29))
    elif jumbo:
        rank = float(rng.uniform(JUMBO, 0.2))
    else:
        rank = float(rng.uniform(*(0.045, 0.062) if size > 1 - _PEEKS else (0.062, JUMBO)))
    at = SuitAt.BELOW
    if not jumbo and (drawn := rng.random()) < 0.1:
        at = SuitAt.BESIDE if drawn < 0.07 else SuitAt.ABOVE
        rank = min(rank, 0.09)
    return Layout(
        face=face,
        # The two sides of the split never share a suit's sign.
        pips=int(rng.integers(1 << 20)) * 2 + _parity(rng, split),
        rank=rank,
        suit=rank * float(rng.uniform(0.5, 0.72) if jumbo else rng.uniform(0.45, 1.0)),
        left=float(rng.uniform(0.014, 0.045)),
        top=float(rng.uniform(0.018, 0.05)),
        gap=float(rng.uniform(0.008, 0.028)),
        at=at,
        centred=bool(rng.random() < 0.8),
        boxed=bool(rng.random() < 0.04),
        second=_second(rng, rank),
        red=_red(rng),
        black=_black(rng),
        **_four_colours(rng),
    )


def _second(rng: np.random.Generator, rank: float) -> float:
    """The other two corners: empty, the same index, or beside a large one a small one (dual)."""
    drawn = rng.random()
    if drawn < 0.06 and rank >= JUMBO:
        return float(rng.uniform(0.05, 0.08))
    return rank if drawn < 0.12 and rank < _DUAL_MAX else 0.0


def _four_colours(rng: np.random.Generator) -> _FourColours:
    """Blue diamonds and green clubs, as poker rooms have them; most decks have neither."""
    drawn = rng.random()
    blue = (float(rng.uniform(130, 235)), float(rng.uniform(40, 120)), float(rng.uniform(0, 60)))
    green = (float(rng.uniform(10, 70)), float(rng.uniform(90, 150)), float(rng.uniform(0, 60)))
    return _FourColours(
        blue=blue if drawn < _FOUR_COLOURS else None,
        green=green if drawn < _FOUR_COLOURS else None,
    )


def _parity(rng: np.random.Generator, split: DesignSplit) -> int:
    return {DesignSplit.TRAIN: 0, DesignSplit.HELD: 1, DesignSplit.ALL: int(rng.integers(2))}[split]


def _red(rng: np.random.Generator) -> Colour:
    """From orange-red to crimson; also the washed-out red of a worn deck."""
    wash = float(rng.uniform(0, 45))
    return (
        float(rng.uniform(0, 70)) + wash,
        float(rng.uniform(0, 45)) + wash,
        float(rng.uniform(170, 255)),
    )


def _black(rng: np.random.Generator) -> Colour:
    grey = float(rng.uniform(0, 60))
    tint = rng.uniform(-8, 12, 3)
    return (max(0.0, grey + tint[0]), max(0.0, grey + tint[1]), max(0.0, grey + tint[2]))


def index(layout: Layout, text: str, suit: str, height: int, width: int) -> Mask:
    """The index as ink coverage of a corner; `text` may be empty (only the suit), so may `suit`."""
    canvas = np.zeros((round(height * _CANVAS[0]), round(width * _CANVAS[1])), np.uint8)
    rank_high = round(layout.rank * height)
    across = _ACROSS_LARGE if layout.rank >= JUMBO else _ACROSS
    rank = _narrowed(layout.face.mask(text, rank_high), across * width, layout, height)
    sign: Mask | None = None
    if suit:
        sign = pips.scaled(suit, layout.pips, max(6, round(layout.suit * height)))
    x, y = round(layout.left * height), round(layout.top * height)
    gap = round(layout.gap * height)
    if sign is None:
        _put(canvas, rank, x, y)
    elif layout.at is SuitAt.BESIDE:
        _put(canvas, rank, x, y)
        _put(canvas, sign, x + rank.shape[1] + gap, y)
    else:
        wide = max(rank.shape[1], sign.shape[1])
        first, second = (sign, rank) if layout.at is SuitAt.ABOVE else (rank, sign)
        _put(canvas, first, x + _indent(wide, first, layout), y)
        _put(canvas, second, x + _indent(wide, second, layout), y + first.shape[0] + gap)
    if layout.boxed:
        _frame(canvas)
    return canvas


def _narrowed(rank: Mask, across: float, layout: Layout, height: int) -> Mask:
    """A rank too wide for its corner is set narrower, as printers do with a 10."""
    room = max(8, int(across - layout.left * height))
    if rank.shape[1] <= room:
        return rank
    return np.asarray(
        cv2.resize(rank, (room, rank.shape[0]), interpolation=cv2.INTER_AREA), np.uint8
    )


def _indent(wide: int, part: Mask, layout: Layout) -> int:
    return (wide - part.shape[1]) // 2 if layout.centred else 0


def _put(canvas: Mask, part: Mask, x: int, y: int) -> None:
    part = part[: canvas.shape[0] - y, : canvas.shape[1] - x]
    spot = canvas[y : y + part.shape[0], x : x + part.shape[1]]
    np.maximum(spot, part, out=spot)


def _frame(canvas: Mask) -> None:
    """A thin box around the index."""
    rows, columns = np.flatnonzero(canvas.max(axis=1)), np.flatnonzero(canvas.max(axis=0))
    margin = 7
    cv2.rectangle(
        canvas,
        (int(columns[0]) - margin, int(rows[0]) - margin),
        (int(columns[-1]) + margin, int(rows[-1]) + margin),
        200,
        2,
    )


def extent(mask: Mask) -> NDArray[np.float64]:
    """The box of the ink: left, top, right, bottom, in pixels."""
    rows, columns = np.flatnonzero(mask.max(axis=1)), np.flatnonzero(mask.max(axis=0))
    return np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1], np.float64)
