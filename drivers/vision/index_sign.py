"""Where the index stands on a card, by its ink alone: a text and below it a sign, each whole.

No network is asked. Three things follow: an index that lies whole in the small corner is no jumbo
index, and is not read again in the larger corner, where it is half as large; the outline of the
sign is a witness for clubs or spades on a court card, whose face is none; and the letters or digits
of the text can be counted, of which the networks see the one they know in JJ, K1 or 113.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from drivers.vision.finding.card_edges import Floats, Image, darkest_channel, image_of
from drivers.vision.finding.rectified_card import HEIGHT, WIDTH, RectifiedCard
from drivers.vision.index_corner import CUT_HEIGHT, CUT_WIDTH, LARGE_CUT_HEIGHT, LARGE_CUT_WIDTH
from drivers.vision.pip_shape import COLUMNS, ROWS

#: Darker than this is ink; under blur text and sign grow together, and part only where it is
#: darker. A second digit that is paler than the first is lost there, so that only an index of one
#: letter or digit is looked for in darker ink.
_INK: Final = 150
_DARKER_INK: Final = 110
#: As of the pips: half-way from the paper, so that blur moves no outline.
_OUTLINE_INK: Final = 130
#: Of the rectified card, in pixels: nearer to the card's edge is no print of its own, and what is
#: lower than a text or has less ink is a speck.
_RIM: Final = 2
_LOW: Final = 8
_SPECK: Final = 20
#: A sign stands below its text, which may reach this share of its own height into it.
_BELOW: Final = 0.8
#: What stands beside a text, beginning at its height and no higher, to this share of it, is its
#: next digit.
_LINE: Final = 0.25
#: A sign whose outline can be judged is at least so large, in pixels, and so much higher than wide.
_SIGN_MIN: Final = 12
_SIGN_SHAPE: Final = (0.6, 1.7)

#: Letters are looked for in ink of each of these: two that have grown together under blur part in
#: darker ink. Of those that are thin above and below dark ink leaves two halves, as tall as a
#: letter each: they are looked for in light ink alone.
_LETTERS_INK: Final = (110, 130, 150)
_ROUND_INK: Final = (165,)
_ROUND: Final = frozenset("08DQ")
#: Letters of one text end above and below at the same height, to a share of it, and one begins so
#: far behind the other at the most. Pips beside an index do neither.
_ALIGNED: Final = 0.1
_SPACED: Final = 0.45
#: Their sign begins so much below them at the most: a share of their height, and pixels.
_SIGN_BELOW: Final = (1.9, 6)
#: Two digits on one grid cover each other by this share at the least if they are the same, at the
#: most if they are not; those of other widths are not the same in any case.
_SAME_DIGIT: Final = 0.45
_OTHER_DIGIT: Final = 0.65
_AS_WIDE: Final = 0.8
_GRID: Final = (12, 20)

#: A text and its sign are looked for in ink of each of these, likeliest first.
_TEXT_INK: Final = (150, 130, 110, 165)

#: Left, top, width and height in pixels of a cut.
Box = tuple[int, int, int, int]
#: The same of a piece of ink, and its label.
_Box = tuple[int, int, int, int, int]


def index_is_small(card: RectifiedCard, *, one_glyph: bool) -> bool:
    """Whether some small corner holds a whole index, so that none is a jumbo index.

    `one_glyph` says that the index is of one letter or digit.
    """
    inks = (_INK, _DARKER_INK) if one_glyph else (_INK,)
    cuts = cuts_of(card, CUT_WIDTH, CUT_HEIGHT)
    return any(_Pieces.of(cut, ink).sign() is not None for cut in cuts for ink in inks)


def says_another_text(card: RectifiedCard, text: str, *, large: bool) -> bool:
    """Whether the index has more letters or digits than `text`, or digits that it has not.

    Both corners must show it. `large`: the index is in the larger corners.
    """
    size = (LARGE_CUT_WIDTH, LARGE_CUT_HEIGHT) if large else (CUT_WIDTH, CUT_HEIGHT)
    inks = _ROUND_INK if _ROUND & set(text) else _LETTERS_INK
    return all(any(_is_another(cut, ink, text) for ink in inks) for cut in cuts_of(card, *size))


def _is_another(cut: Image, ink: int, text: str) -> bool:
    """Whether a cut shows another text than this one above its sign; in doubt it does not."""
    pieces = _Pieces.of(cut, ink)
    letters = pieces.letters()
    if len(letters) > len(text):
        return True
    if len(letters) != len(text) or len(text) == 1:
        return False
    one, other = letters
    covered = pieces.common(one, other)
    if text[0] == text[1]:
        return covered < _SAME_DIGIT
    as_wide = min(one[2], other[2]) > _AS_WIDE * max(one[2], other[2])
    return as_wide and covered > _OTHER_DIGIT


def texts_and_signs(cut: Image) -> Iterator[tuple[Box, Box, int]]:
    """The text of an index and the sign below it in a cut of the card, by each ink that shows them,
    likeliest first; and of how many letters or digits the text is.
    """
    for ink in _TEXT_INK:
        if found := _Pieces.of(cut, ink).text_above_sign():
            line, sign = found
            left, top = line[0][0], min(box[1] for box in line)
            right = max(_right(box) for box in line)
            below = max(box[1] + box[3] for box in line)
            yield (left, top, right - left, below - top), sign[:4], len(line)


def text_and_sign(cut: Image) -> tuple[Box, Box] | None:
    """The likeliest text of an index and the sign below it; None where none is found."""
    return next(((text, sign) for text, sign, _ in texts_and_signs(cut)), None)


def sign_outline(card: RectifiedCard, *, large: bool) -> Floats | None:
    """The mean outline of the index's signs, 16 x 8, as `pip_outline` has that of the pips.

    `large`: of an index in the larger corners. None where no sign stands free.
    """
    size = (LARGE_CUT_WIDTH, LARGE_CUT_HEIGHT) if large else (CUT_WIDTH, CUT_HEIGHT)
    found = []
    for cut in cuts_of(card, *size):
        pieces = _Pieces.of(cut, _OUTLINE_INK)
        sign = pieces.sign()
        if sign is None or min(sign[2:4]) < _SIGN_MIN or not _has_shape_of_sign(sign):
            continue
        found.append(pieces.outline(sign, (2 * COLUMNS, ROWS)))
    if not found:
        return None
    mean = np.stack(found).mean(axis=0, dtype=np.float64)
    outline: Floats = (mean + mean[:, ::-1])[:, :COLUMNS] / 2
    return outline


def cuts_of(card: RectifiedCard, wide: int, high: int) -> tuple[Image, Image]:
    """The upper left corner of a card, and the lower right one, turned."""
    lower = card.image[HEIGHT - high :, WIDTH - wide :]
    return card.image[:high, :wide], image_of(cv2.rotate(lower, cv2.ROTATE_180))


@dataclass(frozen=True, slots=True)
class _Pieces:
    """The pieces of ink in a cut: their labels, pixel by pixel, all that are no specks, and those
    that lie in it whole.
    """

    labels: NDArray[np.uint16]
    every: list[_Box]
    whole: list[_Box]

    @classmethod
    def of(cls, cut: Image, ink: int) -> _Pieces:
        """Those that are darker than `ink`."""
        high, wide = cut.shape[:2]
        inked = (darkest_channel(cut) < ink).astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(
            inked, connectivity=8, ltype=cv2.CV_16U
        )
        every = [
            (int(x), int(y), int(w), int(h), at)
            for at, (x, y, w, h, area) in enumerate(np.asarray(stats)[1:count], start=1)
            if area >= _SPECK and h >= _LOW
        ]
        whole = [
            box
            for box in every
            if min(box[0], box[1]) >= _RIM
            and box[0] + box[2] < wide - 1
            and box[1] + box[3] < high - 1
        ]
        return cls(np.asarray(labels, np.uint16), every, whole)

    def _beginnings(self) -> list[_Box]:
        """What a text may begin with."""
        half = self.labels.shape[1] // 2 - 2
        return [box for box in self.whole if box[0] < half]

    def sign(self) -> _Box | None:
        """The sign below a text, both whole."""
        beginnings = self._beginnings()
        for text in beginnings:
            if any(_goes_on(text, box, self.labels.shape[1]) for box in self.every):
                continue
            for sign in beginnings:
                if sign[1] >= text[1] + _BELOW * text[3] and _above_each_other(text, sign):
                    return sign
        return None

    def letters(self) -> list[_Box]:
        """The letters or digits of the highest text that has a sign below it; none without one."""
        found = self.text_above_sign()
        return found[0] if found else []

    def text_above_sign(self) -> tuple[list[_Box], _Box] | None:
        """The letters or digits of the highest text that has a sign below it, and that sign."""
        for first in sorted(self._beginnings(), key=lambda box: box[1] + box[3]):
            line = self._line_of(first)
            end = max(_right(box) for box in line)
            all_of_it = (line[0][0], first[1], end - line[0][0], first[3], 0)
            for box in self.whole:
                below = box[1] - first[1]
                if (
                    box not in line
                    and _has_shape_of_sign(box)
                    and _BELOW * first[3] <= below <= _SIGN_BELOW[0] * first[3] + _SIGN_BELOW[1]
                    and _above_each_other(all_of_it, box)
                ):
                    return line, box
        return None

    def _line_of(self, one: _Box) -> list[_Box]:
        """This piece and those beside it that end at its height above and below, from the left."""
        near = _ALIGNED * one[3]
        aligned = sorted(
            box
            for box in self.every
            if abs(box[1] - one[1]) <= near and abs(box[1] + box[3] - one[1] - one[3]) <= near
        )
        begin = end = aligned.index(one)
        gap = _SPACED * one[3]
        while begin and aligned[begin][0] - _right(aligned[begin - 1]) <= gap:
            begin -= 1
        while end + 1 < len(aligned) and aligned[end + 1][0] - _right(aligned[end]) <= gap:
            end += 1
        return aligned[begin : end + 1]

    def outline(self, box: _Box, size: tuple[int, int]) -> NDArray[np.float32]:
        """A piece alone, brought to this size: 1 where there is ink."""
        left, top, wide, high, label = box
        inked = (self.labels[top : top + high, left : left + wide] == label).astype(np.float32)
        return np.asarray(cv2.resize(inked, size, interpolation=cv2.INTER_AREA), np.float32)

    def common(self, one: _Box, other: _Box) -> float:
        """By which share two pieces cover each other, of what both of them cover."""
        a, b = self.outline(one, _GRID), self.outline(other, _GRID)
        return float(np.minimum(a, b).sum() / np.maximum(a, b).sum())


def _right(box: _Box) -> int:
    return box[0] + box[2]


def _has_shape_of_sign(box: _Box) -> bool:
    least, most = _SIGN_SHAPE
    return least < box[3] / box[2] < most


def _goes_on(text: _Box, other: _Box, wide: int) -> bool:
    """Whether the other is the text's next digit, cut off by the corner's end: of a 1 its flag may
    be all that lies before that, which is not as high.
    """
    near = _LINE * text[3]
    return (
        other[0] > text[0]
        and other[0] + other[2] >= wide - 1
        and abs(other[1] - text[1]) <= near
        and other[3] <= text[3] + near
    )


def _above_each_other(one: _Box, other: _Box) -> bool:
    return min(one[0] + one[2], other[0] + other[2]) > max(one[0], other[0])
