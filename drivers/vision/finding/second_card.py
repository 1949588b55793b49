"""Whether a second card lies under the one that was found, however little of it looks out.

Either its paper shows beside an edge of the upper card, or its own edge was taken for one of the
upper card's, whose print is then off the middle of what was found, and whose edge is a line along
the inside. What is printed along an edge is printed along the opposite one too; a card's edge is
not. Or the lower one's edges go on where the upper one's end.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from drivers.vision.finding.card_edges import Floats, Image, darkest_channel
from drivers.vision.finding.card_surround import CardSurround, sampled
from drivers.vision.finding.print_symmetry import OFF_MIDDLE, print_offset
from drivers.vision.finding.rectified_card import HEIGHT, WHITE, WIDTH
from drivers.vision.order import median, median_over, percentile

#: The brightness of the lower card's paper by the upper one's, in its shadow.
_PAPER_MIN: Final = 0.3
#: By how much it is brighter than the ground: a factor, and a share of the upper card's paper.
_OVER_GROUND: Final = (2.2, 0.05)
#: How little its channels differ, as a share.
_HUE_BY: Final = 0.24
#: And how little from step to step: what lies on a table is coarser than paper.
_EVEN: Final = 0.08
#: Nor from one distance to the next: the blur of the upper card's edge fades.
_FADES: Final = 0.12
#: Of an edge, so many steps one after the other: a finger is narrower.
_STRETCH: Final = 9

#: The same paper in less light has the upper card's colour, whatever the ground's: over so many
#: steps of an edge, at these distances, its channels differ by so little, and it is so even.
_LONG: Final = 30
_DISTANCES: Final = ((1, 3), (2, 4))
_SAME_HUE: Final = 0.07
_GRAIN: Final = 0.12
_LIT: Final = 0.18
#: Over the ground of the other edges: a factor and a share; less where that is clearly coloured.
_LIGHTER: Final = (1.7, 0.06)
_COLOURED: Final = 0.4
_LIGHTER_THAN_COLOUR: Final = 1.15

#: A band of the lower card's paper, too narrow for the above: at these distances its channels
#: differ by so little, and over the ground beyond it and what is opposite it is brighter by this
#: share of the upper card's paper, along three quarters of an edge. Of 1,000 cards alone (either
#: way round) whose network is in doubt one is brighter by more, the next by 0.044.
_NARROW: Final = 2
_BAND_HUE: Final = 0.18
_BAND_OVER: Final = 0.14
_BAND_STEPS: Final = 25.0
_OPPOSITE_STEPS: Final = 60.0

#: Close beside an edge channels differ by so much less, as a share and in three quarters of the
#: steps, than close beside the opposite one and than those of the ground beyond, in three quarters
#: of theirs. Of 680 cards alone beside whose edge the network sees anything none is paler by half.
_PALER: Final = 0.2
_PALE_STEPS: Final = 75.0
_COLOURED_STEPS: Final = 25.0

#: From this distance on, beyond the blur of the card's own edge, channels differ by another share
#: of paper from step to step along an edge: spread by so much, and by so many times as much as
#: along any other edge, a court's picture lies there. A seam in the cloth does it beside three
#: cards alone of a hundred; the network has -2.2 nats at the most there, of 75, and -1.2 at the
#: least beside those of 54 double feeds.
_BEYOND_BLUR: Final = 2
_MANY_COLOURS: Final = 0.08
_ELSEWHERE: Final = 4.0
_EVEN_GROUND: Final = 0.01

#: Steps beyond a corner, as shares of the edge; how far inside and outside of the line through it,
#: as shares of the card's height; and by how much it is brighter inside, as a share of the paper,
#: in more than two thirds of the steps. Of 2,190 readings of one card 0.043 is the most.
_BEYOND: Final = np.linspace(0.07, 0.17, 9)
_ACROSS_LINE: Final = np.array([-0.022, -0.016, 0.016, 0.022])
_GOES_ON: Final = 0.07
_BEYOND_STEPS: Final = 30.0

#: Rows (or columns) that are looked at as one, against noise.
_BLOCK: Final = 8
#: Levels by which a line stands out.
_LINE: Final = 7.0
#: Blocks at the ends of an edge, where corners are round.
_ENDS: Final = 2
#: Of the blocks of three quarters of an edge, from either end, those that show a line; and those
#: that show one opposite.
_COVERED: Final = 0.84
_ALSO: Final = 0.64
#: A line over the whole edge, so many pixels inside or deeper, where print opposite is a line over
#: a part of it: the frame of a court's picture does not reach the card's sides, an edge does.
_WHOLE: Final = 0.97
_PART: Final = 0.85
_WHOLE_DEEP: Final = 20.0
#: Pixels by which the line opposite may be nearer or farther.
_OPPOSITE: Final = 5
#: How far inside an edge a line is looked for, as a share of the card's width or height; from how
#: many pixels on, and from how many times an edge's own blur.
_INSIDE: Final = 0.2
_DEEP: Final = 8.0
_DEEPER: Final = 2.0


def has_edges_of_another(image: Image) -> bool:
    """Whether one of the edges that this rectified card was found by is another card's."""
    off = print_offset(image)
    # Print in the middle of the edges shows that they are this card's, whatever lines it has.
    return _edge_inside(image) if off is None else off > OFF_MIDDLE


def paper_looks_out(around: CardSurround) -> bool:
    """Whether paper lies beside an edge of a card; glare may look like it."""
    shares = around.ground
    return _paper_beside(shares) or _same_paper_beside(shares)


def band_looks_out(around: CardSurround) -> bool:
    """Whether a narrow band of paper lies along one edge of a card.

    The blur of an edge is the same opposite, and what is laid along all four is no card.
    """
    shares = around.ground
    dim = shares.min(axis=3)
    alike = shares.max(axis=3) - dim <= _BAND_HUE * np.maximum(shares.mean(axis=3), 0.02)
    over = dim[:, :, :_NARROW] - dim[:, :, -1:]
    along = over.transpose(0, 2, 1)
    paper = np.where(alike[:, :, :_NARROW].transpose(0, 2, 1), along, -1.0)
    opposite = percentile(along, _OPPOSITE_STEPS)[OTHER_EDGE]
    return bool((percentile(paper, _BAND_STEPS) - opposite).max() > _BAND_OVER)


def is_paler_beside(around: CardSurround) -> NDArray[np.bool_]:
    """Beside which edges lies what is paler than the coloured ground: paper, however dark.

    The blur of the card's own edge is as pale opposite, and a shadow is no paler than the ground.
    """
    _, hue = _dim_and_hue(around.ground)
    close, beyond = hue[:, :, 0], hue[:, :, -1]
    coloured = np.minimum(
        percentile(close, _COLOURED_STEPS)[OTHER_EDGE], percentile(beyond, _COLOURED_STEPS)
    )
    return np.asarray(coloured - percentile(close, _PALE_STEPS) > _PALER)


def is_picture_beside(around: CardSurround) -> NDArray[np.bool_]:
    """Beside which edge lies what changes its colour as a picture does, and nothing else beside any
    other: a ground of many colours is so beside all of them.
    """
    beyond = around.ground[:, :, _BEYOND_BLUR:]
    colour = beyond.max(axis=3) - beyond.min(axis=3)
    changes = colour.std(axis=1).mean(axis=1)
    elsewhere = max(float(np.sort(changes)[-2]), _EVEN_GROUND)
    return np.asarray(changes >= max(_MANY_COLOURS, _ELSEWHERE * elsewhere))


def edges_go_on(around: CardSurround) -> bool:
    """Whether two opposite edges of a card go on beyond where they end: another card's edges do,
    which lies beneath and was moved along them.
    """
    starts, ways, outward = around.starts, around.ways, around.outward
    high = float(around.lengths[0])
    along = np.stack([-_BEYOND, 1 + _BEYOND])
    points = (
        starts[:, None, None, None]
        + ways[:, None, None, None] * along[None, :, :, None, None]
        + outward[:, None, None, None] * (_ACROSS_LINE * high)[None, None, None, :, None]
    )
    dim = (sampled(around.soft, points) / np.maximum(around.card.white, 1.0)).min(axis=-1)
    step = dim[..., :2].min(axis=-1) - dim[..., 2:].max(axis=-1)
    in_frame = ((points >= 0) & (points < np.array(around.frame.shape[1::-1]))).all(axis=(3, 4))
    shown = percentile(np.where(in_frame, step, 0.0), _BEYOND_STEPS)
    return bool(max(shown[:2].min(axis=0).max(), shown[2:].min(axis=0).max()) > _GOES_ON)


def _same_paper_beside(shares: Floats) -> bool:
    """Whether along most of an edge lies what has the colour of the card's own paper."""
    near = shares[:, :, 1:3].reshape(len(shares), -1, shares.shape[3])
    edge_dim, edge_hue = _dim_and_hue(median(near.transpose(0, 2, 1)))
    if not ((edge_hue < 2 * _SAME_HUE) & (edge_dim > _LIT / 1.5)).any():
        return False
    parts = np.stack([shares[:, :, first:end] for first, end in _DISTANCES], axis=1)
    stretches = np.lib.stride_tricks.sliding_window_view(parts, _LONG, axis=2)[:, :, ::3]
    dim, hue = _dim_and_hue(median_over(stretches, 3, 5))
    darkest = stretches.min(axis=4)
    middle = median_over(darkest, 3, 4)[..., None, None]
    grain = median_over(np.abs(darkest - middle), 3, 4) / np.maximum(dim, _HARDLY)
    paper = (hue <= _SAME_HUE) & (dim >= _LIT) & (grain <= _GRAIN)
    for edge in np.flatnonzero(paper.any(axis=(1, 2))):
        ground = float(np.sort(np.delete(edge_dim, edge))[:2].mean())
        coloured = float(median(np.delete(edge_hue, edge))) > _COLOURED
        least = ground * _LIGHTER[0] + _LIGHTER[1]
        if coloured:
            least = min(least, ground * _LIGHTER_THAN_COLOUR)
        if float(dim[edge][paper[edge]].max()) > least:
            return True
    return False


#: Ground darker than this has no colour of its own.
_HARDLY: Final = 0.05


def _dim_and_hue(strip: Floats) -> tuple[Floats, Floats]:
    """The darkest channel of each, and by how much its channels differ, as a share."""
    dim, mean = strip.min(axis=-1), np.maximum(strip.mean(axis=-1), 0.02)
    return dim, (strip.max(axis=-1) - dim) / mean


def _paper_beside(shares: Floats) -> bool:
    """Whether paper looks out at one edge, and not at all four: that would be a bright ground."""
    dim = shares.min(axis=3)
    alike = (shares.max(axis=3) - dim) <= _HUE_BY * shares.mean(axis=3)
    # Of the ground the edge where least looks out tells most.
    ground = float(np.sort(median(dim.reshape(len(dim), -1)))[:2].mean())
    paper = alike & (dim > max(_PAPER_MIN, ground * _OVER_GROUND[0] + _OVER_GROUND[1]))
    if not paper.any():
        return False
    paper[:, 1:] &= np.abs(np.diff(dim, axis=1)) < _EVEN
    paper = paper[:, :, :-1] & paper[:, :, 1:] & (np.abs(np.diff(dim, axis=2)) < _FADES)
    runs = paper[:, : 1 - _STRETCH]
    for step in range(1, _STRETCH):
        runs = runs & paper[:, step : step + runs.shape[1]]
    return bool(runs.any())


#: Of the left, right, top and bottom edge the one opposite.
OTHER_EDGE: Final = [1, 0, 3, 2]


def _edge_inside(image: Image) -> bool:
    """Whether a line runs along one edge, from end to end or nearly, and none as long opposite."""
    dark = np.minimum(darkest_channel(image), WHITE).astype(np.float64)
    upright = _stands_out(dark.reshape(HEIGHT // _BLOCK, _BLOCK, WIDTH).mean(axis=1))
    level = _stands_out(dark.reshape(HEIGHT, WIDTH // _BLOCK, _BLOCK).mean(axis=2).T)
    parts = [_inward(_covered(near)) for near in (upright, level)]
    # Every edge is a line as wide as it is blurred.
    blurred = sorted(int(np.argmax(side[1:] < _COVERED)) for pair in parts for side in pair)
    least = max(_DEEP, _DEEPER * blurred[1])
    wholes = [_inward(near.mean(axis=0)) for near in (upright, level)]
    return any(
        _one_sided(one, other, least) for pair in parts for one, other in (pair, pair[::-1])
    ) or any(
        _longer(one, other, max(least, _WHOLE_DEEP))
        for pair in wholes
        for one, other in (pair, pair[::-1])
    )


def _stands_out(blocks: Floats) -> Floats:
    """Where a line runs along the columns of these blocks, their ends left out: 1, elsewhere 0."""
    step = np.abs(blocks[:, 2:] - blocks[:, :-2])
    # A line that leans by a pixel is one line.
    near = cv2.dilate((step > _LINE).astype(np.uint8), np.ones((1, 3), np.uint8))
    return np.asarray(near[_ENDS:-_ENDS], np.float64)


def _covered(near: Floats) -> Floats:
    """How much of each column shows a line, of three quarters of it from the better end."""
    part = near.shape[0] * 3 // 4
    covered: Floats = np.maximum(near[:part].mean(axis=0), near[-part:].mean(axis=0))
    return covered


def _inward(columns: Floats) -> tuple[Floats, Floats]:
    """The same from the left and from the right inward, as far as an edge is looked for."""
    padded = np.pad(columns, 1)
    most = round(_INSIDE * len(padded))
    return padded[:most], padded[::-1][:most]


def _one_sided(one: Floats, other: Floats, least: float) -> bool:
    """Whether there is a line deeper inside than `least` pixels, and none opposite."""
    found = np.flatnonzero(one >= _COVERED)
    if not len(found) or found[-1] < least:
        return False
    return _opposite(other, int(found[-1])) < _ALSO


def _longer(one: Floats, other: Floats, least: float) -> bool:
    """Whether a line is deeper inside than `least` pixels and whole, and those opposite are not."""
    whole = np.flatnonzero(one >= _WHOLE)
    return any(_opposite(other, int(at)) < _PART for at in whole if at > least)


def _opposite(other: Floats, at: int) -> float:
    """How much of a line there is about as deep inside, opposite."""
    return float(other[max(at - _OPPOSITE, 0) : at + _OPPOSITE + 1].max())
