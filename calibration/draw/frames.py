"""Frames: 640x480 pictures of one card, or of what is none, as the shoe's camera would take them.

The card stands upright within 8 degrees, its height is 35 to 70 % of the frame, and its upper left
index can be seen. `frame(seed, ...)` gives the same picture every time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.draw import alphabets, deck_design, decks, ground, lens, paper
from calibration.draw.alphabets import DrawnStyle
from calibration.draw.deck_design import DrawnDeck
from calibration.draw.decks import Drawn
from calibration.draw.fonts import DesignSplit
from calibration.draw.ground import HIGH, WIDE
from calibration.draw.lens import Distortion, Exposure
from calibration.draw.placing import Points, place, warp
from controller.rules.cards import DECK_52, JOKER, Card

Picture = NDArray[np.uint8]


class DrawnKind(Enum):
    """What a frame shows."""

    CARD = "card"
    NO_CARD = "no_card"
    BACK = "card_back"
    HALF = "half_card"
    HAND = "hand_over_index"
    BLUR = "blur_too_strong"
    CUT_CARD = "cut_card"
    BLANK = "blank_white"
    OTHER_INDEX = "foreign_index"
    TWO_CARDS = "two_cards"
    NO_INDEX = "no_index"
    # Drawn only where they are asked for: what is made to be taken for a card that it is not.
    FORGED_SUIT = "forged_suit"
    FORGED_RANK = "forged_rank"
    ONE_INDEX = "one_index"
    RUSSIAN = "russian_letter"
    DOUBLE_FEED = "double_feed"
    MADE_UP = "made_up_index"
    ASKEW_FEED = "askew_double_feed"


_BY_CHANCE: Final = tuple(DrawnKind)[1:11]
#: What their index says instead.
_TEXTS: Final = {
    DrawnKind.OTHER_INDEX: alphabets.OTHER_RANKS,
    DrawnKind.MADE_UP: alphabets.MADE_UP,
}
#: Their index says one card, the rest of the card another one or none.
_FORGED: Final = (DrawnKind.FORGED_SUIT, DrawnKind.FORGED_RANK, DrawnKind.ONE_INDEX)


#: In a shuffled shoe half of all cards lie the other way round.
_TURNED: Final = 0.5

# What a reader may answer with the true card without harm: it is there, only badly seen.
_WITH_CARD: Final = (
    DrawnKind.CARD, DrawnKind.HALF, DrawnKind.HAND,
    DrawnKind.BLUR, DrawnKind.TWO_CARDS, DrawnKind.NO_INDEX,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Truth:
    """What is really in a frame.

    `card` is what a reader should say, None on a negative; `under` the card that a negative was
    made of. `quad` are the card's corners in the frame (upper left first, clockwise), `index` the
    box of its upper left index as shares of the card's width and height, where it was drawn by us,
    and `rank_share` the height of that index' first line as a share of the card's. `beneath` are
    the corners of the lower card of a double feed.
    """

    kind: DrawnKind
    level: Distortion
    card: Card | None
    under: Card | None
    style: DrawnStyle | None
    deck: str
    text: str
    quad: Points | None
    index: Points | None
    rank_share: float | None
    lens: Exposure
    hand_at: Points | None = None
    beneath: Points | None = None


@lru_cache(maxsize=512)
def deck(number: int, split: DesignSplit = DesignSplit.ALL) -> DrawnDeck:
    """The deck of this number: drawn once, the same every time."""
    return deck_design.choose(np.random.default_rng([number, 1000]), split)


def frame(
    seed: int,
    split: DesignSplit = DesignSplit.ALL,
    *,
    kind: DrawnKind | None = None,
    level: Distortion | None = None,
    of: Card | None = None,
    from_deck: DrawnDeck | None = None,
    decks_known: int = 400,
    busy: bool = False,
) -> tuple[Picture, Truth]:
    """One frame and its truth.

    Args:
        seed: Everything that is not given is chosen from it.
        split: Which fonts and art may be used.
        kind: What the frame shows; by default a card, or once in seven a negative.
        level: How much light and lens distort.
        of: The card; by default any of the 52, once in twenty the Joker.
        from_deck: The deck; by default one of `decks_known` of this split.
        decks_known: How many decks of the split there are to choose from.
        busy: Around the card is what may be taken for a second one.

    Raises:
        MissingPackage: Fonts or art are not installed.
    """
    rng = np.random.default_rng([seed, 2000])
    level = level or list(Distortion)[int(rng.choice(3, p=[0.38, 0.38, 0.24]))]
    if kind is None:
        kind = (
            DrawnKind.CARD
            if rng.random() < 6 / 7
            else _BY_CHANCE[int(rng.integers(len(_BY_CHANCE)))]
        )
    chosen = from_deck or deck(int(rng.integers(decks_known)), split)
    if of is None:
        of = JOKER if rng.random() < 0.05 else DECK_52[int(rng.integers(52))]
    if kind in (*_TEXTS, DrawnKind.NO_INDEX) and of is JOKER:
        of = DECK_52[int(rng.integers(52))]
    if kind in (*_FORGED, DrawnKind.RUSSIAN):
        of = _misleading(kind, rng)
    exposure = lens.choose(rng, level)
    if kind is DrawnKind.BLUR:
        exposure = lens.smear(rng, exposure)
    picture = ground.draw(rng)
    truth = Truth(kind, level, None, None, None, chosen.name, "", None, None, None, exposure)
    if kind is not DrawnKind.NO_CARD:
        truth = _lay(picture, truth, chosen, of, rng, seed, busy=busy)
    elif rng.random() < 0.3:
        ground.hand(picture, rng.uniform([0, 0], [WIDE, HIGH]), rng, float(rng.uniform(20, 50)))
    if rng.random() < 0.15:
        ground.long_shadow(picture, rng)
    return lens.expose(picture, exposure, rng), truth


def _lay(
    picture: Picture,
    truth: Truth,
    chosen: DrawnDeck,
    of: Card,
    rng: np.random.Generator,
    seed: int,
    *,
    busy: bool,
) -> Truth:
    """Put the card on the ground, either way round, and the hand where one belongs."""
    kind = truth.kind
    drawn, text = face_of(chosen, of, kind, rng)
    if np.random.default_rng([seed, 2001]).random() < _TURNED:
        drawn = replace(drawn, picture=np.ascontiguousarray(drawn.picture[::-1, ::-1]))
    aspect = drawn.picture.shape[1] / drawn.picture.shape[0]
    quad = place(rng, aspect, truth.lens.persp, half=kind is DrawnKind.HALF)
    if busy:
        ground.busy(picture, quad, np.random.default_rng([seed, 2002]))
    if kind is DrawnKind.TWO_CARDS:
        beside = quad + rng.uniform([-0.7, -0.5], [0.7, 0.5]) * (quad[2] - quad[0])
        other, _ = face_of(chosen, DECK_52[int(rng.integers(52))], DrawnKind.CARD, rng)
        warp(picture, other.picture, beside, rng)
    beneath = None
    if kind in (DrawnKind.DOUBLE_FEED, DrawnKind.ASKEW_FEED):
        askew = np.random.default_rng([seed, 2003]).uniform(-_ASKEW, _ASKEW)
        turn = askew if kind is DrawnKind.ASKEW_FEED else 0.0
        beneath = _lay_beneath(picture, chosen, quad, rng, turn)
    warp(picture, drawn.picture, quad, rng)
    hand_at = _hands(picture, quad, kind, rng)
    box = drawn.index
    if box is not None:
        high, wide = drawn.picture.shape[:2]
        box = box / [wide, high, wide, high]
    shows = kind in _WITH_CARD
    return replace(
        truth,
        card=of if kind is DrawnKind.CARD else None,
        under=of if shows and kind is not DrawnKind.CARD else None,
        style=chosen.style if shows else None,
        text=text,
        quad=quad,
        index=box,
        rank_share=None if box is None else chosen.look.rank,
        hand_at=hand_at,
        beneath=beneath,
    )


def face_of(
    chosen: DrawnDeck, of: Card, kind: DrawnKind, rng: np.random.Generator
) -> tuple[decks.Drawn, str]:
    """What is printed on the card of this frame, and its index' text."""
    rank, suit = decks.split_of(of)
    if kind is DrawnKind.BACK:
        return decks.Drawn(paper.back(chosen), None), ""
    if kind in (DrawnKind.CUT_CARD, DrawnKind.BLANK):
        plain = paper.blank(chosen)
        if kind is DrawnKind.CUT_CARD:
            plain[..., :3] = rng.uniform([0, 0, 0], [255, 255, 255])
        return decks.Drawn(plain, None), ""
    if texts := _TEXTS.get(kind):
        says = texts[int(rng.integers(len(texts)))]
        drawn_rank = "JQK"[int(rng.integers(3))] if rng.random() < 0.7 else rank
        return decks.draw(chosen, drawn_rank, suit, says), says
    if kind is DrawnKind.RUSSIAN:
        letter = alphabets.RUSSIAN[rank]
        return decks.draw(chosen, rank, suit, letter), letter
    if kind in _FORGED:
        return _forged(chosen, of, kind, rng), ""
    if kind is DrawnKind.NO_INDEX:
        return decks.draw(chosen, rank, suit, ""), ""
    if of is JOKER:
        word = "JOKER" if decks.has_word(chosen) else ""
        return decks.draw(chosen, "JOKER", "CH"[int(rng.integers(2))]), word
    return decks.draw(chosen, rank, suit), chosen.text(rank)


def _misleading(kind: DrawnKind, rng: np.random.Generator) -> Card:
    """A card of which one that misleads can be made: a number card to forge, a court in Russian."""
    courts = kind is DrawnKind.RUSSIAN
    wanted = [each for each in DECK_52 if (each.rank > 10) is courts and each.rank > 1]
    return wanted[int(rng.integers(len(wanted)))]


def _forged(chosen: DrawnDeck, of: Card, kind: DrawnKind, rng: np.random.Generator) -> Drawn:
    """A number card whose index says another suit or rank; or a card for something else, with the
    index of a card in one corner.
    """
    rank, suit = decks.split_of(of)
    own = replace(chosen, art=None, layout=chosen.look)  # packaged art keeps its indices
    if kind is DrawnKind.ONE_INDEX:
        return decks.with_one_index(own, chosen.text(rank if rng.random() < 0.6 else "A"), suit)
    if kind is DrawnKind.FORGED_SUIT:
        others = [each for each in "CDHS" if each != suit]
        return decks.draw(own, rank, suit, chosen.text(rank), others[int(rng.integers(3))])
    ranks = [str(each) for each in range(2, 11) if str(each) != rank]
    return decks.draw(own, rank, suit, ranks[int(rng.integers(len(ranks)))])


#: How far the lower card of a double feed looks out, as a share of the upper one.
_LOOKS_OUT: Final = (0.03, 0.6)
#: Its paper's brightness by the upper one's, by turns: the same, darker, lighter.
_BENEATH: Final = ((1.0, 1.0), (0.4, 0.85), (1.05, 1.3))

#: And by how many degrees it may be turned against it, where it lies askew.
_ASKEW: Final = 8.0


def _lay_beneath(
    picture: Picture, chosen: DrawnDeck, quad: Points, rng: np.random.Generator, turn: float
) -> Points:
    """The second card of a double feed: beneath the first, moved along one side or both."""
    other, _ = face_of(chosen, DECK_52[int(rng.integers(52))], DrawnKind.CARD, rng)
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    both = rng.uniform(-1, 1, 2) if rng.random() < 0.5 else np.eye(2)[int(rng.integers(2))]
    least, most = _LOOKS_OUT
    far = least * (most / least) ** rng.random()  # small shifts as often as large ones
    by = both / np.abs(both).max() * far * rng.choice([-1, 1])
    light = rng.uniform(*_BENEATH[int(rng.integers(len(_BENEATH)))])
    card = other.picture.copy()
    card[..., :3] = np.clip(card[..., :3] * light, 0, 255).astype(np.uint8)
    middle, angle = quad.mean(axis=0), np.radians(turn)
    way = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    under = (quad - middle) @ way + middle if turn else quad
    lies = np.asarray(under + by[0] * across + by[1] * down, np.float64)
    warp(picture, card, lies, rng)
    return lies


def _hands(
    picture: Picture, quad: Points, kind: DrawnKind, rng: np.random.Generator
) -> Points | None:
    """A hand over the index, or, on one card in nine, over an edge away from both indices."""
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    width = float(np.hypot(*across)) * float(rng.uniform(0.14, 0.24))
    if kind is DrawnKind.HAND:
        at = quad[0] + across * rng.uniform(0.02, 0.16) + down * rng.uniform(0.02, 0.18)
        ground.hand(picture, at, rng, width * 1.2)
        return np.asarray(at, np.float64)
    if kind is DrawnKind.CARD and rng.random() < 0.11:
        side = rng.uniform(0.3, 0.7)
        at = quad[1] + (quad[2] - quad[1]) * side + across * rng.uniform(-0.1, 0.1)
        ground.hand(picture, at, rng, width, from_right=True)
        return np.asarray(at, np.float64)
    return None
