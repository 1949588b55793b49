"""Are the pips of a black number card clubs or spades: their outline, averaged, by a linear rule.

A witness beside the networks, which all see texture and learn the same mistakes from the same
designs: six pips blurred each by its own noise give one clean outline, and half of it says whether
the flank has the notch of a club or runs straight like a spade's. The rule is 129 numbers, found by
least squares: `python -m calibration.train.pip_shape` draws, fits, measures and writes them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from drivers.vision.finding.card_edges import Floats, darkest_channel
from drivers.vision.finding.rectified_card import HEIGHT, WIDTH, RectifiedCard
from drivers.vision.order import median

#: The outline, mirrored upon itself: rows, and columns of its left half.
ROWS: Final = 16
COLUMNS: Final = 8

#: Darker than this is ink: half-way from the paper, so that blur moves no outline.
_INK: Final = 130
#: Of the rectified card, in pixels: what is no pip touches the border, is an index or is too small.
_BORDER: Final = 4
_SIDE_MIN: Final = 24
_WIDE_MAX: Final = 110
_HIGH_MAX: Final = 130
_INDEX_WIDE: Final = 52
_INDEX_HIGH: Final = 110
#: Height to width of a pip, and how much of its box it fills at the least.
_SLENDER: Final = (0.6, 1.7)
_FILLED: Final = 0.3
#: Of what OpenCV says of an outline: which one it is a hole in.
_WITHIN: Final = 3
#: Pips of one card differ in size by no more: what does has grown together with something.
_ALIKE: Final = 0.18
#: A pip in the middle of the card may stand on either end.
_MIDDLE: Final = 14
_PIPS_MIN: Final = 2

#: Left, top, width and height in pixels of the rectified card.
Box = tuple[int, int, int, int]


class PipShape:
    """The rule, as training wrote it."""

    def __init__(self, file: Path) -> None:
        """Load it. Raises `KeyError`, `OSError`, `TypeError` or `ValueError` for what is none."""
        rule = json.loads(file.read_text(encoding="utf-8"))
        self._weights = np.asarray(rule["weights"], np.float64).reshape(ROWS, COLUMNS)
        self._bias = float(rule["bias"])

    def spades(self, card: RectifiedCard) -> float | None:
        """About 1 for spades, about -1 for clubs; None where too few pips can be outlined."""
        outline = pip_outline(card)
        return None if outline is None else self.of_outline(outline)

    def of_outline(self, outline: Floats) -> float:
        """The same of an outline, 16 x 8, which may be that of an index's sign."""
        return float((self._weights * outline).sum() + self._bias)


def pip_outline(card: RectifiedCard) -> Floats | None:
    """The mean outline of the card's pips, 16 x 8, all upright; None where fewer than two are seen.

    In a number card the pips of the lower half stand on their heads, whichever way the card lies.
    """
    pips = _pips(card)
    if len(pips) < _PIPS_MIN:
        return None
    size = median(np.array([each.shape for each in pips]).T)
    alike = [each for each in pips if (np.abs(each.shape - size) < _ALIKE * size).all()]
    if len(alike) < _PIPS_MIN:
        return None
    boxes = [cv2.resize(each, (2 * COLUMNS, ROWS), interpolation=cv2.INTER_AREA) for each in alike]
    mean = np.stack(boxes).mean(axis=0, dtype=np.float64)
    outline: Floats = (mean + mean[:, ::-1])[:, :COLUMNS] / 2
    return outline


def _pips(card: RectifiedCard) -> list[NDArray[np.float32]]:
    """Each pip cut out, upright: 1 where there is ink."""
    return [pip[::-1] if stands_on_its_head(box) else pip for box, pip in pips_of(card)]


def pips_of(
    card: RectifiedCard, side_min: int = _SIDE_MIN
) -> list[tuple[Box, NDArray[np.float32]]]:
    """What may be a pip, of `side_min` pixels a side at least: where it is on the card, and its
    piece as it lies there, 1 where there is ink.
    """
    inked = (darkest_channel(card.image) < _INK).astype(np.uint8)
    # Boxes and areas of every piece would take five times as long as the pieces and their outlines.
    _, labels = cv2.connectedComponents(inked, connectivity=8, ltype=cv2.CV_16U)
    lines, nested = cv2.findContours(inked, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    # What is so long on both sides has an outline of so many pixels.
    line_min = 4 * (side_min - 1) // 2
    found: dict[int, tuple[Box, NDArray[np.float32]]] = {}
    for line, at in zip(lines, nested[0] if lines else (), strict=True):
        if len(line) < line_min or at[_WITHIN] >= 0:
            continue
        x, y, wide, high = cv2.boundingRect(line)
        if not _is_pip(x, y, wide, high, side_min):
            continue
        across, down = line[0, 0]
        label = int(labels[down, across])
        pip = (labels[y : y + high, x : x + wide] == label).astype(np.float32)
        if int(np.count_nonzero(pip)) >= _FILLED * wide * high:
            found[label] = (x, y, wide, high), pip
    return [found[label] for label in sorted(found)]


def stands_on_its_head(box: Box) -> bool:
    """Whether a pip of this box lies in the lower half of the card."""
    return box[1] + box[3] / 2 > HEIGHT / 2


def of_one_size(boxes: list[Box]) -> list[Box]:
    """Those that are about as large as most: what is not has grown together with something."""
    sizes = np.array([box[3:1:-1] for box in boxes])
    size = median(sizes.T)
    return [
        box
        for box, each in zip(boxes, sizes, strict=True)
        if (np.abs(each - size) < _ALIKE * size).all()
    ]


def _is_pip(x: int, y: int, wide: int, high: int, side_min: int) -> bool:
    """Whether a box of this place and size may be a pip's."""
    right, below = WIDTH - x - wide, HEIGHT - y - high
    if min(x, y, right, below) < _BORDER or min(wide, high) < side_min:
        return False
    if wide > _WIDE_MAX or high > _HIGH_MAX or not _SLENDER[0] < high / wide < _SLENDER[1]:
        return False
    across, down = x + wide / 2, y + high / 2
    index = (across < _INDEX_WIDE and down < _INDEX_HIGH) or (
        across > WIDTH - _INDEX_WIDE and down > HEIGHT - _INDEX_HIGH
    )
    return not index and abs(down - HEIGHT / 2) > _MIDDLE
