"""The four edges of the card in a frame.

The search works on a picture of a quarter of the pixels: paper is what is bright in every
channel, and of each row and column of it the outermost points vote for the four edges, so that
glare beside the card or a finger over an edge are outvoted. The edges are then fitted again, to a
fraction of a pixel, along profiles across them in the full picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.devices.inputs import Doubt
from drivers.vision.finding.line_fit import NEAR, corners_of, lines_of, through
from drivers.vision.order import median

Image = NDArray[np.uint8]
Points = NDArray[np.float32]
Floats = NDArray[np.float64]

_SEARCH_SIDE: Final = 320
#: Width over height of a card as seen: 57 x 88 mm to 64 x 88 mm, and a slant of the camera.
_ASPECT: Final = (0.595, 0.81)
#: An edge by the one opposite it, at the most that a camera slants.
_SLANT: Final = 0.75
_HEIGHT_SHARE: Final = (0.25, 0.98)
_SLOPES: Final = np.linspace(-0.25, 0.25, 51)
#: Of the fine fit: steps across the edge over the whole edge.
_SLOPES_FINE: Final = np.linspace(-8.0, 8.0, 33)
_REACH: Final = 7
#: Points of an edge that are looked at in the small picture.
_POINTS: Final = 72
_ALONG: Final = np.linspace(0.05, 0.95, 48)
_EDGE_SUPPORT: Final = 0.4
#: Grey levels of 255 by which paper is brighter than the ground, at least.
_RISE_MIN: Final = 6.0
#: Brightness of paper over that of the ground, at least.
_CONTRAST_MIN: Final = 1.25
#: Smallest area of a card, in squares of the picture's height.
_AREA_MIN: Final = 0.04
#: Of the box around it that is paper, at least: the rest is art, fingers or a slant.
_FILLED_MIN: Final = 0.3
#: Of the largest piece of paper, at least, for another to be part of the card or another card.
_PIECE_MIN: Final = 0.4
#: Of a card's shorter side, at most, along the rim of the picture: more is cut off.
_RIM_MAX: Final = 0.2
#: Of the usual rise of brightness along an edge, at least, where the edge counts as seen.
_RISE_SHARE: Final = 0.3
_CLOSE: Final = np.ones((5, 5), np.uint8)
#: So many profiles at either end of an edge tell whether the card reaches into its corner.
_END: Final = 6
#: The ends of the edges (left, right, top, bottom; first 0, last 1) that meet in each corner.
_MEETING: Final = (((0, 0), (2, 0)), ((1, 0), (2, 1)), ((1, 1), (3, 1)), ((0, 1), (3, 0)))
#: So many profiles at an end of an edge, without paper so many steps inside of it, are a notch:
#: what there is is brighter than the ground by less than this share of what paper is brighter.
_NOTCH: Final = 2
_NOTCH_STEPS: Final = 3
_NOTCH_SHARE: Final = 0.25


def image_of(made: Any) -> Image:
    """What OpenCV made, by its own stubs of an unknown depth, as what it is."""
    return np.asarray(made, np.uint8)


def darkest_channel(picture: Image) -> Image:
    """The least of blue, green and red: paper is bright in it, red ink as dark as black."""
    blue, green, red = cv2.split(picture)
    return image_of(cv2.min(cv2.min(blue, green), red))


@dataclass(frozen=True, slots=True)
class CardEdges:
    """The corners of a card in the frame, in pixels: upper left, upper right, lower right, lower
    left; and the share of each edge (left, right, top, bottom) that was seen where it was fitted.
    """

    quad: Points
    support: tuple[float, float, float, float]


def find_card_edges(frame: Image) -> CardEdges | Doubt:
    """The edges of the one card in `frame` (BGR, 8 bits, 64 to 4096 pixels a side)."""
    found = Doubt.NO_CARD
    scale = max(frame.shape[:2]) / _SEARCH_SIDE
    size = (max(round(frame.shape[1] / scale), 1), max(round(frame.shape[0] / scale), 1))
    dim = darkest_channel(image_of(cv2.resize(frame, size, interpolation=cv2.INTER_AREA)))
    small = image_of(cv2.GaussianBlur(dim, (3, 3), 0))
    for mask in _masks(small):
        tried = _tried(frame, mask, scale)
        if isinstance(tried, CardEdges):
            return tried
        if found is Doubt.NO_CARD:
            found = tried
    return found


def _tried(frame: Image, mask: Image, scale: float) -> CardEdges | Doubt:
    quad = _edges(mask)
    if isinstance(quad, Doubt):
        return quad
    return _refined(frame, (quad + 0.5) * scale - 0.5, scale / 2)


def _masks(small: Image) -> Iterator[Image]:
    """What is bright, by a few thresholds, likeliest first; none where all is about as bright."""
    first, made = cv2.threshold(small, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    mask = image_of(made)
    count = cv2.countNonZero(mask)
    paper = cv2.sumElems(cv2.bitwise_and(small, mask))[0]
    bright = paper / max(count, 1)
    dim = (cv2.sumElems(small)[0] - paper) / max(mask.size - count, 1)
    if count == mask.size or bright < _CONTRAST_MIN * dim + _RISE_MIN:
        return
    yield mask
    above = small[mask > 0]
    if int(above.max()) > int(above.min()):
        second, _ = cv2.threshold(above, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        yield image_of(cv2.threshold(small, second, 255, cv2.THRESH_BINARY)[1])
    yield image_of(cv2.threshold(small, (first + dim) / 2, 255, cv2.THRESH_BINARY)[1])
    # Half in the shadow: between the ground and the paper there.
    below = small[mask == 0]
    if int(below.max()) > int(below.min()):
        third, _ = cv2.threshold(below, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        yield image_of(cv2.threshold(small, third, 255, cv2.THRESH_BINARY)[1])


def _edges(mask: Image) -> Points | Doubt:
    """The corners of the one card in a mask: where its four edges, voted for, meet."""
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _CLOSE)
    count, labels = cv2.connectedComponents(joined, connectivity=8, ltype=cv2.CV_16U)
    if count < 2:
        return Doubt.NO_CARD
    # Boxes of every piece would take four times as long as the pieces themselves.
    counted = cv2.calcHist([labels], [0], None, [count], [0, count])
    areas = np.asarray(counted, np.float32).ravel()[1:]
    large = _large(areas)
    # By a number of Python's own: one of numpy's would make 16 bits 64 before it compares.
    paper = labels == int(large[0]) if len(large) == 1 else np.isin(labels, large)
    x, y, w, h = cv2.boundingRect(paper.view(np.uint8))
    area = int(areas[large - 1].sum())
    if area < _AREA_MIN * mask.shape[0] ** 2 or area < _FILLED_MIN * w * h:
        return Doubt.NO_CARD
    # Art across a card may part its paper in two; two cards are wider or higher than one.
    if len(large) > 1 and not _ASPECT[0] * 0.9 < w / h < _ASPECT[1] * 1.1:
        return Doubt.SEVERAL
    if _touching(paper) > _RIM_MAX * min(w, h):
        return Doubt.CUT_OFF
    inside = paper[y : y + h, x : x + w]
    rows, columns = _spaced(h), _spaced(w)
    across = np.stack(
        [
            inside[rows].argmax(axis=1) - 0.5,
            w - 0.5 - inside[rows, ::-1].argmax(axis=1),
            inside[:, columns].argmax(axis=0) - 0.5,
            h - 0.5 - inside[::-1, columns].argmax(axis=0),
        ]
    )
    along = np.stack([rows, rows, columns, columns]).astype(np.float64)
    lines, _ = lines_of(along, across, _SLOPES)
    return corners_of(lines) + np.array([x, y], np.float32)


def _spaced(length: int) -> NDArray[np.intp]:
    """Rows or columns at which an edge is looked for."""
    return np.linspace(0, length - 1, _POINTS).astype(np.intp)


def _large(areas: NDArray[np.float32]) -> NDArray[np.intp]:
    """The largest component, and those that are not much smaller, by the labels they have."""
    return np.flatnonzero(areas > _PIECE_MIN * areas.max()) + 1


def _touching(inside: NDArray[np.bool_]) -> int:
    """How many pixels of the picture's rim are inside."""
    rims = (inside[0], inside[-1], inside[:, 0], inside[:, -1])
    return max(int(np.count_nonzero(rim)) for rim in rims)


def _plausible(quad: Points, width: int, height: int) -> Doubt | None:
    """Why these four corners are not those of one whole card."""
    tops = np.linalg.norm(quad - quad[[1, 2, 3, 0]], axis=1)
    wide, high = (tops[0] + tops[2]) / 2, (tops[1] + tops[3]) / 2
    inside = (quad > -1.5).all() and (quad < [width + 0.5, height + 0.5]).all()
    if not inside:
        return Doubt.CUT_OFF
    if _ASPECT[1] < wide / high < 2 * _ASPECT[1]:
        return Doubt.SEVERAL
    shares = np.array([tops[0] / tops[2], tops[1] / tops[3]])
    if not (
        _ASPECT[0] <= wide / high <= _ASPECT[1]
        and _HEIGHT_SHARE[0] <= high / height <= _HEIGHT_SHARE[1]
        and (shares > _SLANT).all()
        and (shares < 1 / _SLANT).all()
    ):
        return Doubt.NO_CARD
    return None


def _refined(frame: Image, quad: Points, unit: float) -> CardEdges | Doubt:
    """The corners to a fraction of a pixel, and the share of each edge that was seen there.

    They are looked for within seven steps of `unit` pixels.
    """
    height, width = frame.shape[:2]
    if doubt := _plausible(quad, width, height):
        return doubt
    starts = quad[[0, 1, 0, 3]].astype(np.float64)
    ways = quad[[3, 2, 1, 2]] - starts
    lengths = np.sqrt((ways**2).sum(axis=1))
    inward = np.stack([ways[:, 1], -ways[:, 0]], axis=1) / lengths[:, None]
    inward[[1, 2]] *= -1
    value = _profiles(frame, starts, ways, inward * unit)
    offsets, clear = _rises(value)
    if not clear.any(axis=1).all():
        return Doubt.NO_CARD
    along = np.broadcast_to(_ALONG, clear.shape)
    lines, off = lines_of(along, np.where(clear, offsets, np.nan), _SLOPES_FINE)
    held = off <= NEAR
    first = starts + inward * unit * lines[:, :1]
    ends = np.stack([first, first + ways + inward * unit * lines[:, 1:]], axis=1)
    support = held.mean(axis=1)
    if np.count_nonzero(support > _EDGE_SUPPORT) < 3:
        return Doubt.NO_CARD
    if support.min() < _EDGE_SUPPORT:
        return Doubt.COVERED
    if _empty_corner(held) or _notched(value, lines):
        return Doubt.SEVERAL
    swapped = ends[2:, :, ::-1]
    quad = corners_of(through(np.concatenate([ends[:2], swapped])))
    if doubt := _plausible(quad, width, height):
        return doubt
    left, right, top, bottom = (float(value) for value in support)
    return CardEdges(quad, (left, right, top, bottom))


def _empty_corner(held: NDArray[np.bool_]) -> bool:
    """Whether two edges end before they meet: under fingers, or where two cards overlap."""
    ends = np.stack([held[:, :_END].sum(axis=1), held[:, -_END:].sum(axis=1)], axis=1)
    return any(ends[one] <= 1 and ends[other] <= 1 for one, other in _MEETING)


def _notched(value: Floats, lines: Floats) -> bool:
    """Whether an edge ends before its corner, as the edges of two cards that overlap do."""
    at = np.rint(lines[:, :1] + lines[:, 1:] * _ALONG).astype(np.intp) + _REACH
    edge, along = np.ogrid[: len(at), : at.shape[1]]
    inner, outer = (
        value[edge, along, (at + steps).clip(0, 2 * _REACH)]
        for steps in (_NOTCH_STEPS, -_NOTCH_STEPS)
    )
    paper, ground = median(np.stack([inner, outer]))[:, :, None]
    empty = inner < ground + _NOTCH_SHARE * (paper - ground)
    return bool((empty[:, :_NOTCH].all(axis=1) | empty[:, -_NOTCH:].all(axis=1)).any())


def _profiles(frame: Image, starts: Floats, ways: Floats, inward: Floats) -> Floats:
    """How bright (0 to 255, of the darkest channel) it is across each edge, step by step."""
    reach = np.arange(-_REACH, _REACH + 1, dtype=np.float64)
    across, down = (
        (starts[:, k, None] + ways[:, k, None] * _ALONG)[:, :, None]
        + inward[:, k, None, None] * reach
        for k in (0, 1)
    )
    x, y = (each.astype(np.float32).reshape(-1, len(reach)) for each in (across, down))
    sampled = cv2.remap(frame, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return darkest_channel(image_of(sampled)).reshape(4, len(_ALONG), len(reach)).astype(np.float64)


def _rises(value: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Where along each edge's profiles it becomes bright, in steps, and where that is clear."""
    value = value.reshape(-1, value.shape[2])
    rise = value[:, 2:] - value[:, :-2]
    rise = (rise[:, :-2] + 2 * rise[:, 1:-1] + rise[:, 2:]) / 4
    best = rise[:, 1:-1].argmax(axis=1) + 1
    every = np.arange(len(rise))
    before, peak, after = (rise[every, best + k] for k in (-1, 0, 1))
    bend = np.minimum(before - 2 * peak + after, -1e-6)
    offsets = best + 2 - _REACH + np.clip((before - after) / (2 * bend), -0.5, 0.5)
    peaks = peak.reshape(4, -1)
    clear = peaks >= np.maximum(_RISE_SHARE * median(peaks)[:, None], _RISE_MIN)
    return offsets.reshape(4, -1), clear
