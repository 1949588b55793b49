"""Labelled pictures for the networks, cut by the code that cuts them at the table.

A frame is drawn, the card in it is found and rectified by `drivers/vision`, and its corners and
face are labelled with what can really be read there: an index under a hand, cut off, or blurred
beyond reading is labelled as none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.draw import alphabets, decks, frames, views
from calibration.draw.fonts import DesignSplit
from calibration.draw.frames import DrawnKind, Truth
from calibration.draw.lens import Exposure
from calibration.draw.views import PrintedCard, View
from controller.rules.cards import JOKER, Card
from drivers.vision.finding.rectified_card import HEIGHT, WIDTH, RectifiedCard, find_card
from drivers.vision.index_corner import CORNER_HEIGHT as HIGH
from drivers.vision.index_corner import CORNER_WIDTH as WIDE
from drivers.vision.index_corner import (
    CUT_HEIGHT,
    CUT_WIDTH,
    LARGE_CUT_HEIGHT,
    LARGE_CUT_WIDTH,
    index_corners,
    large_index_corners,
    without_neighbours,
)
from drivers.vision.nets import COUNTS, FACE_HEIGHT, FACE_WIDTH, RANKS, SUITS, face_of

Picture = NDArray[np.uint8]
Label = tuple[int, int]  # rank or count, suit; IGNORE where nobody could say

IGNORE: Final = -1
NONE: Final[Label] = (len(RANKS) - 1, len(SUITS) - 1)
NO_FACE: Final[Label] = (len(COUNTS) - 1, len(SUITS) - 1)
UNSURE: Final[Label] = (IGNORE, IGNORE)

# Of the index' height in the frame: the blur (sigma) and the motion up to which it can be read,
# and from which nobody could. In between it is left out of training.
_BLUR: Final = (0.15, 0.26)
_MOTION: Final = (0.45, 0.85)
_PACKAGED_RANK: Final = 0.09  # the index of packaged art, as a share of the card's height
_FOUND_WITHIN: Final = 0.05  # of the card's height: how well the four corners have to fit
_FAINT: Final = 175  # ink brighter than this on paper of 224 is none


@dataclass(frozen=True, slots=True)
class Samples:
    """Corners (n, 112, 64, 3) and faces (n, 104, 72, 3), BGR of 8 bits; labels are (n, 2)."""

    corners: Picture
    corner_labels: NDArray[np.int8]
    faces: Picture
    face_labels: NDArray[np.int8]


def draw(seeds: range, split: DesignSplit, decks_known: int) -> Samples:
    """The samples of these frames: two corners a frame, at times one more that misleads."""
    cuts: list[tuple[Picture, Label]] = []
    faces: list[tuple[Picture, Label]] = []
    for seed in seeds:
        rng = np.random.default_rng([seed, 3000])
        kind = None if rng.random() < 0.75 else _HARD[int(rng.integers(len(_HARD)))]
        picture, truth = frames.frame(seed, split, kind=kind, decks_known=decks_known)
        sheet = find_card(picture)
        if not isinstance(sheet, RectifiedCard):
            continue
        upper, lower, face = labels(sheet, truth)
        cuts += zip(index_corners(sheet), (upper, lower), strict=True)
        faces.append((face_of(sheet), face))
        if upper[0] not in (IGNORE, NONE[0]) and rng.random() < 0.3:
            cuts.append((_misleading(sheet, truth.index, rng), NONE))
    return _samples(cuts, faces)


def draw_views(
    seeds: range, split: DesignSplit, decks_known: int, painted: bool = False
) -> Samples:
    """Corners and faces of cards close up, each card under several lights, either way round.

    `painted`: some corners once more as the table looks at an index's own sign, what stands beside
    it painted over. A network that never saw that takes the edge of the paint for print.
    """
    cuts: list[tuple[Picture, Label]] = []
    faces: list[tuple[Picture, Label]] = []
    for seed in seeds:
        rng = np.random.default_rng([seed, 6001])
        printed, drawn = views.views(seed, split, decks_known, _VIEWS)
        for view in drawn:
            for cut in index_corners(view.card):
                label = _of_view(printed, view, CUT_WIDTH, CUT_HEIGHT)
                cuts.append((cut, label))
                if painted:
                    alone = without_neighbours(cut)
                    if alone is not cut and rng.random() < _PAINTED:
                        cuts.append((alone, label))
            if rng.random() < (_LARGE if printed.share and printed.share > _LARGE_FROM else 0.1):
                label = _of_view(printed, view, LARGE_CUT_WIDTH, LARGE_CUT_HEIGHT)
                cuts += [(cut, label) for cut in large_index_corners(view.card)]
            if printed.text and rng.random() < 0.2:
                cuts.append((_misleading(view.card, printed.box, rng), NONE))
            if printed.face is not None:
                faces.append((face_of(view.card), _printed_face(printed)))
    return _samples([each for each in cuts if each[1] != UNSURE], faces)


def _samples(cuts: list[tuple[Picture, Label]], faces: list[tuple[Picture, Label]]) -> Samples:
    return Samples(
        np.array([cut for cut, _ in cuts], np.uint8).reshape(-1, HIGH, WIDE, 3),
        np.array([_checked(cut, label) for cut, label in cuts], np.int8).reshape(-1, 2),
        np.array([face for face, _ in faces], np.uint8).reshape(-1, FACE_HEIGHT, FACE_WIDTH, 3),
        np.array([label for _, label in faces], np.int8).reshape(-1, 2),
    )


_VIEWS: Final = 4
#: Of the corners with something beside the index, those that are learned from without it too.
_PAINTED: Final = 0.5
#: Of the views of a card with an index this high (a share of the card's), those whose larger corner
#: is learned from too.
_LARGE_FROM: Final = 0.09
_LARGE: Final = 0.6
#: In the larger corner an index below this is too small for its 112 lines.
_SMALL: Final = 0.085


def _of_view(printed: PrintedCard, view: View, wide: int, high: int) -> Label:
    """What a corner of this size shows: nothing of an index that reaches out of it."""
    if not printed.text:
        return NONE
    suit = SUITS.index(printed.suit) if printed.suit else NONE[1]
    large = wide == LARGE_CUT_WIDTH
    if large and (printed.share or 0.0) < _SMALL:
        return UNSURE
    if printed.box is not None and printed.text != "JOKER":
        beyond = max(printed.box[2] * WIDTH / wide, printed.box[3] * HEIGHT / high)
        if beyond > _CUT_OFF[0]:
            return NONE if beyond > _CUT_OFF[1] else UNSURE
    label = _legible((RANKS.index(printed.text), suit), printed.share, view.high, view.lens)
    if label in (NONE, UNSURE) or printed.sign is None:
        return label
    blurred = max(view.lens.blur, view.lens.motion / 3) / (view.high * printed.sign)
    if blurred > _SIGN_BLUR[1]:
        return label[0], NONE[1]
    return (label[0], IGNORE) if blurred > _SIGN_BLUR[0] else label


#: Of the sign's height, as `_BLUR` is of the rank's.
_SIGN_BLUR: Final = (0.22, 0.36)
#: How far an index may reach out of its corner, as shares of the corner: from the first on nobody
#: can say what is still an index, from the second on it is none.
_CUT_OFF: Final = (0.99, 1.1)


def _printed_face(printed: PrintedCard) -> Label:
    """A court's robes are of every colour: nobody has to say its suit from them."""
    if not printed.face:
        return NO_FACE
    suit = IGNORE if printed.face == "court" else SUITS.index(printed.pips)
    return COUNTS.index(printed.face), suit


# What is drawn more often than chance would have it.
_HARD: Final = (
    DrawnKind.OTHER_INDEX,
    DrawnKind.OTHER_INDEX,
    DrawnKind.BACK,
    DrawnKind.HAND,
    DrawnKind.NO_INDEX,
    DrawnKind.CARD,
)


def labels(sheet: RectifiedCard, truth: Truth) -> tuple[Label, Label, Label]:
    """What the upper left corner, the lower right one and the face say."""
    if truth.quad is None or not _fits(sheet, truth):
        return NONE, NONE, NO_FACE
    card = truth.card or truth.under
    if truth.kind is DrawnKind.OTHER_INDEX or truth.kind is DrawnKind.NO_INDEX:
        # Letters of other countries are learned from cards close up.
        corner = UNSURE if alphabets.shown_as(truth.text) else NONE
        return corner, corner, UNSURE
    if card is None:
        return NONE, NONE, NO_FACE
    index, face = _index(truth, card), _face(card)
    if truth.kind is DrawnKind.BLUR:
        return NONE, NONE, UNSURE
    if truth.kind is DrawnKind.TWO_CARDS:
        return index, UNSURE, UNSURE
    high = float(np.hypot(*(truth.quad[3] - truth.quad[0])))
    index = _legible(index, truth.rank_share, high, truth.lens)
    if truth.kind is DrawnKind.HAND:
        return NONE, index, face
    # A hand on a card lies away from its indices, but hides pips.
    return (
        index,
        UNSURE if truth.hand_at is not None else index,
        (UNSURE if truth.hand_at is not None else face),
    )


def _fits(sheet: RectifiedCard, truth: Truth) -> bool:
    assert truth.quad is not None
    high = float(np.hypot(*(truth.quad[3] - truth.quad[0])))
    return bool(np.abs(sheet.quad - truth.quad).max() < _FOUND_WITHIN * high)


def _index(truth: Truth, card: Card) -> Label:
    if card is JOKER:
        word = truth.text == "JOKER" or truth.deck == "anglo"  # that art prints the word
        return (RANKS.index("JOKER"), NONE[1]) if word else NONE
    _, suit = decks.split_of(card)
    return RANKS.index(truth.text), SUITS.index(suit.lower())


def _face(card: Card) -> Label:
    """A court's robes are of every colour: nobody has to say its suit from them."""
    if card is JOKER:
        return NO_FACE
    rank, suit = decks.split_of(card)
    if rank in ("J", "Q", "K"):
        return COUNTS.index("court"), IGNORE
    return COUNTS.index("1" if rank == "A" else rank), SUITS.index(suit.lower())


def _legible(index: Label, share: float | None, high: float, lens: Exposure) -> Label:
    """The label, or that blur and motion leave it open, or leave nothing.

    `share` is the height of the index' first line as a share of the card's, which is `high` pixels.
    """
    line = high * (_PACKAGED_RANK if share is None else share)
    blur, motion = lens.blur / line, lens.motion / line
    if blur > _BLUR[1] or motion > _MOTION[1]:
        return NONE
    return UNSURE if blur > _BLUR[0] or motion > _MOTION[0] else index


def _checked(cut: Picture, label: Label) -> Label:
    """An index that glare has taken is none."""
    if label in (NONE, UNSURE):
        return label
    dark = np.sort(cut[4:, 4:44].min(axis=2), axis=None)[60]
    return NONE if dark > _FAINT else label


def _misleading(
    sheet: RectifiedCard, index: NDArray[np.float64] | None, rng: np.random.Generator
) -> Picture:
    """A corner that shows part of an index, or none: nothing may be read from it."""
    image = sheet.image if rng.random() < 0.5 else np.ascontiguousarray(sheet.image[::-1, ::-1])
    kind = rng.random()
    box = np.array([0.05, 0.04, 0.2, 0.28]) if index is None else index
    x0, y0, x1, y1 = box * [WIDTH, HEIGHT, WIDTH, HEIGHT]
    if kind < 0.4:
        # The card's edge was taken for one further in: the index is cut through.
        x = int(x0 + (x1 - x0) * rng.uniform(0.3, 0.8)) if rng.random() < 0.6 else 0
        y = int(y0 + (y1 - y0) * rng.uniform(0.2, 0.45)) if x == 0 else int(rng.integers(0, 6))
        cut = image[y : y + CUT_HEIGHT, x : x + CUT_WIDTH]
    elif kind < 0.65:
        x, y = int(rng.integers(30, WIDTH - CUT_WIDTH)), int(rng.integers(80, HEIGHT - CUT_HEIGHT))
        cut = image[y : y + CUT_HEIGHT, x : x + CUT_WIDTH]
    else:
        # Something lies over part of the index, and it can be seen that it does.
        cut = image[:CUT_HEIGHT, :CUT_WIDTH].copy()
        colour = rng.uniform([0, 0, 0], [150, 170, 200])
        middle = (x0 + (x1 - x0) * rng.uniform(0.2, 0.8), y0 + (y1 - y0) * rng.uniform(0.1, 0.5))
        reach = max(8, round((x1 - x0) * float(rng.uniform(0.5, 0.9))))
        end = (middle[0] + rng.choice([-1, 1]) * 90, middle[1] + rng.uniform(-60, 60))
        spots = [(round(float(px)), round(float(py))) for px, py in (middle, end)]
        cv2.line(cut, spots[0], spots[1], colour.tolist(), reach)
        cut = np.asarray(cv2.GaussianBlur(cut, (0, 0), 1.0), np.uint8)
    return np.asarray(cv2.resize(cut, (WIDE, HIGH), interpolation=cv2.INTER_AREA), np.uint8)
