"""The two index corners of a card, and measurements that need no network.

They are the colour of the ink, of the index and of the pips, and whether a 1 stands alone.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from drivers.vision.finding.card_edges import Floats, Image, darkest_channel, image_of
from drivers.vision.finding.rectified_card import HEIGHT, WHITE, WIDTH, RectifiedCard

#: Of the rectified card: wide enough for a two-digit index and what stands to its right.
CUT_WIDTH: Final = 80
CUT_HEIGHT: Final = 140
#: And wide enough for a jumbo or super-jumbo index.
LARGE_CUT_WIDTH: Final = 128
LARGE_CUT_HEIGHT: Final = 224
CORNER_WIDTH: Final = 64
CORNER_HEIGHT: Final = 112
#: Of a corner: where the index stands and court art hardly ever does.
_INDEX_WIDTH: Final = 32
_INDEX_HEIGHT: Final = 90
#: Channels of a picture.
_BLUE: Final = 0
_RED: Final = 2
#: By how many levels ink is darker than paper, in the darkest channel.
_INK: Final = 60
#: Of a row's pixels this one of the brightest is its paper: brighter ones are noise or glare.
_BRIGHTEST: Final = 12
#: Less ink than this, in pixels of a corner, says nothing.
_INK_PIXELS: Final = 25
#: Glare makes paper brighter by so many levels or more; in a slight shadow it is so much darker at
#: the most.
_PLAIN_BY: Final = 12
_SHADED: Final = -24
_BORDER: Final = 3
#: A card's own corner is round: nearer to it than this, in pixels across and down, lies the ground.
_ROUND_CORNER: Final = 14
_INSIDE_CORNER: Final = (
    np.add.outer(np.arange(_BORDER, _INDEX_HEIGHT), np.arange(_BORDER, _INDEX_WIDTH))
    >= _ROUND_CORNER
)
_BEYOND_ROUND_CORNER: Final = (
    np.add.outer(np.arange(CORNER_HEIGHT), np.arange(CORNER_WIDTH)) >= _ROUND_CORNER
)
#: Where pips are and the two indices are not, of the card at half its size: the middle, and the
#: two corners without an index; of an index in four corners it is the same ink.
_PIPS: Final = np.zeros((HEIGHT // 2, WIDTH // 2), np.bool_)
_PIPS[10:190, 59:81] = True
_PIPS[10:90, 77:131] = True
_PIPS[110:190, 9:63] = True
#: The darkest channel of ink: paper in a deep shadow is brighter.
_PIPS_INK: Final = 120
#: Less ink than this, in pixels, says nothing.
_PIPS_MIN: Final = 30
#: In a larger corner an index may be so wide.
LARGE_INDEX_WIDTH: Final = 60
#: A 1 is at least so high, in pixels of a corner, and so much narrower than high.
_STROKE_MIN: Final = 12
_SLENDER: Final = 0.76
#: Of the darkest ink: what belongs to a stroke, and what stands beside one.
_STROKE: Final = 0.45
_BESIDE: Final = 0.3
#: The darkest ink of an index is its sign's: a thin 1 above it may be so much paler under blur.
_PALER: Final = (0.73, 0.55)
#: Such a 1 is narrower than this share of where an index stands: a frame around one is not.
_NARROW: Final = 0.5
#: Pixels of a corner over which a stroke is blurred.
_FRINGE: Final = 3
#: Pixels beside it that noise may darken.
_SPECKS: Final = 4


def index_corners(card: RectifiedCard) -> tuple[Image, Image]:
    """The upper left and the lower right corner, that one turned: BGR, 64 wide and 112 high."""
    return _corners(card, CUT_WIDTH, CUT_HEIGHT)


def large_index_corners(card: RectifiedCard) -> tuple[Image, Image]:
    """The same of a larger part of the card, where a jumbo index has room."""
    return _corners(card, LARGE_CUT_WIDTH, LARGE_CUT_HEIGHT)


def _corners(card: RectifiedCard, wide: int, high: int) -> tuple[Image, Image]:
    upper = card.image[:high, :wide]
    lower = card.image[HEIGHT - high :, WIDTH - wide :]
    return _shrunk(upper), _shrunk(image_of(cv2.rotate(lower, cv2.ROTATE_180)))


def _shrunk(cut: Image) -> Image:
    size = (CORNER_WIDTH, CORNER_HEIGHT)
    return image_of(cv2.resize(cut, size, interpolation=cv2.INTER_AREA))


#: How much less ink takes from red light than from the rest (black 0, red towards 1), and how much
#: less from blue light (blue towards 1).
Ink = tuple[float, float]
#: Left, top, width and height in pixels of a corner.
Box = tuple[int, int, int, int]


def redness(corner: Image) -> float | None:
    """How much less the ink takes from red light than from the rest: black 0, red towards 1."""
    ink = index_ink(corner)
    return None if ink is None else ink[0]


def index_ink(corner: Image) -> Ink | None:
    """The redness and the blueness of the index's ink; None where there is hardly any.

    The ratio is the same for sharp and for blurred ink. Ink is darker than the paper of its own
    row, so that a shadow is none; what reaches out of the corner is a pip or court art, and counts
    only where nothing else is there.
    """
    return _ink_of(_taken_by_index(corner))


def _ink_of(taken: Floats | None) -> Ink | None:
    return None if taken is None else (_less(taken, _RED), _less(taken, _BLUE))


def _less(taken: Floats, channel: int) -> float:
    """How much less is taken from this channel than from the other two, as a share."""
    others = (float(taken.sum()) - float(taken[channel])) / 2
    return 1 - float(taken[channel]) / max(others, 1.0)


def _taken_by_index(corner: Image) -> Floats | None:
    """What the index's ink takes from the paper's blue, green and red; None of hardly any ink."""
    dark = darkest_channel(corner)
    paper = np.minimum(np.partition(dark[:, _BORDER:], -_BRIGHTEST, axis=1)[:, -_BRIGHTEST], WHITE)
    inked = (dark < np.maximum(paper, _INK)[:, None] - _INK).astype(np.uint8)
    inked[:_BORDER], inked[:, :_BORDER] = 0, 0
    _, labels, stats, _ = cv2.connectedComponentsWithStats(inked, connectivity=8, ltype=cv2.CV_16U)
    left, top, wide, high, _ = np.asarray(stats).T
    near = (left < _INDEX_WIDTH) & (top < _INDEX_HEIGHT)
    near[0] = False
    whole = near & (left + wide < CORNER_WIDTH - 1) & (top + high < CORNER_HEIGHT - 1)
    for some in (whole, near):
        ink = some[labels].view(np.uint8)
        if cv2.countNonZero(ink) >= _INK_PIXELS:
            rows = np.ascontiguousarray(np.broadcast_to(paper[:, None, None], corner.shape))
            taken = cv2.sumElems(cv2.subtract(rows, corner, mask=ink))
            return np.array(taken[:3])
    return None


def pips_ink(card: RectifiedCard) -> Ink | None:
    """The same of what is printed between the indices: the pips of a number card.

    None where hardly anything is.
    """
    return _ink_of(_taken_by_pips(card))


def _taken_by_pips(card: RectifiedCard) -> Floats | None:
    size = (WIDTH // 2, HEIGHT // 2)
    small = image_of(cv2.resize(card.image, size, interpolation=cv2.INTER_AREA))
    inked = _PIPS & (darkest_channel(small) < _PIPS_INK)
    if int(np.count_nonzero(inked)) < _PIPS_MIN:
        return None
    return np.asarray(np.maximum(np.float64(WHITE) - small[inked], 0).sum(axis=0), np.float64)


def without_neighbours(corner: Image) -> Image:
    """The corner without the pips and the art beside its index, painted over with paper.

    They are no part of what the index says, and a network sees them all the same.
    """
    inked = (darkest_channel(corner) < WHITE - _INK // 2).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(inked, connectivity=8, ltype=cv2.CV_16U)
    left, top, wide, high, _ = np.asarray(stats).T
    outside = (left >= _INDEX_WIDTH - 2) & (
        (left + wide >= CORNER_WIDTH - 1) | (top + high >= CORNER_HEIGHT - 1)
    )
    outside[0] = False
    if not outside.any():
        return corner
    over = cv2.dilate(outside[labels].astype(np.uint8), np.ones((5, 5), np.uint8))
    alone = corner.copy()
    alone[over > 0] = WHITE
    return alone


def is_plain(corner: Image) -> bool:
    """True where an index should stand and there is only paper: no ink, no glare, no hand."""
    dark = darkest_channel(corner[_BORDER:_INDEX_HEIGHT, _BORDER:_INDEX_WIDTH])
    # Noise in dim light darkens single pixels of paper; ink is wider.
    cut = image_of(cv2.blur(dark, (3, 3)))[_INSIDE_CORNER]
    inked = int(np.count_nonzero(cut < WHITE - _INK // 2))
    return inked < _INK_PIXELS and _SHADED < float(cut.mean()) - WHITE < _PLAIN_BY


def stands_alone(corner: Image, wide: int = _INDEX_WIDTH) -> bool:
    """True when the index's first line is one stroke with nothing but paper to its right.

    The index stands within `wide` pixels of the corner, which is wider for a jumbo index.
    The hazard of the Finnish style: an 11 of which only the first digit can be read is a Jack,
    not an Ace.
    """
    dark = _ink(corner)
    deep = float(dark[:, _BORDER:wide].max())
    if deep < _INK / 2:
        return False
    if stroke := _first_stroke(dark, deep):
        return _nothing_beside(dark, stroke, deep)
    for paler in _PALER:
        stroke = _first_stroke(dark, paler * deep)
        # What stands beside a pale digit may be paler still: it is measured by that digit.
        if stroke and stroke[2] < wide * _NARROW:
            x, y, w, h = stroke
            return _nothing_beside(dark, stroke, float(dark[y : y + h, x : x + w].max()))
    return False


def _first_stroke(dark: Floats, deep: float) -> Box | None:
    """The first line of an index whose ink is so deep, if it is one slender stroke."""
    inked = (dark > _STROKE * deep).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(inked, connectivity=8, ltype=cv2.CV_16U)
    strokes = [
        (int(x), int(y), int(w), int(h))
        for x, y, w, h, _ in np.asarray(stats)[1:count]
        if h >= _STROKE_MIN and min(x, y) > _BORDER
    ]
    if not strokes:
        return None
    stroke = min(strokes, key=lambda box: box[1])
    _, _, w, h = stroke
    return None if w > _SLENDER * h or _inked_above(dark, stroke, deep) else stroke


def _inked_above(dark: Floats, box: Box, deep: float) -> bool:
    """Whether something paler stands above this box: it is no text, but the sign below one."""
    x, y, w, _ = box
    part = slice(0, max(y - _FRINGE, 0)), slice(x, x + w)
    above = (dark[part] > _BESIDE * deep) & _BEYOND_ROUND_CORNER[part]
    return int(above.sum()) > _SPECKS


def _nothing_beside(dark: Floats, stroke: Box, deep: float) -> bool:
    """Whether there is nothing but paper to the left and to the right of a stroke."""
    x, y, w, h = stroke
    rows = dark[y : y + h]
    # Next to the stroke blur is its own; a second digit begins there at the latest.
    close = np.concatenate([rows[:, _BORDER:x], rows[:, x + w :]], 1) > _STROKE * deep
    far = np.concatenate(
        [rows[:, _BORDER : max(x - _FRINGE, _BORDER)], rows[:, x + w + _FRINGE :]], 1
    )
    return max(int(close.sum()), int((far > _BESIDE * deep).sum())) <= _SPECKS


def _ink(corner: Image) -> Floats:
    """By how many levels each pixel is darker than the paper around it, its rim left out."""
    dark = darkest_channel(corner)
    paper = image_of(cv2.morphologyEx(dark, cv2.MORPH_CLOSE, np.ones((29, 29), np.uint8)))
    taken = paper.astype(np.float64) - dark
    taken[:_BORDER], taken[:, :_BORDER] = 0, 0
    taken[: 2 * _BORDER, : 2 * _BORDER] = 0
    return taken
