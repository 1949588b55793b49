"""Cards drawn close up: as a frame's would be rectified, without drawing the frame around them.

A network needs more pictures than frames can be drawn in an hour. One card of one deck is drawn
and viewed under several lights, either way round; only the part of the frame that it covers is
warped, exposed, and rectified as `drivers/vision` does it, the card's edges a little missed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.draw import alphabets, decks, fonts, frames, lens, paper
from calibration.draw.alphabets import DrawnStyle
from calibration.draw.deck_design import DrawnDeck
from calibration.draw.fonts import DesignSplit
from calibration.draw.frames import DrawnKind
from calibration.draw.ground import HIGH, WIDE
from calibration.draw.lens import Distortion, Exposure, Picture
from calibration.draw.placing import Points
from controller.rules.cards import DECK_52, Card
from drivers.vision.finding.card_edges import CardEdges
from drivers.vision.finding.rectified_card import RectifiedCard, rectified

#: What stands where a suit should: acorn, bell, coin, star.
_OTHER_SUITS: Final = "abns"
#: In pixels of the frame: how far the card's corners are missed (mean inward, and spread).
_MISSED: Final = (0.5, 0.6)
#: Of the card's height: a letter of a Joker's word.
_LETTER: Final = 0.042
#: Pixels of ground around the card.
_RIM: Final = 12


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """What is printed on a card.

    `text` is what its index says, "" without one of ours; `suit` its suit in small, "" without one
    of ours; `face` what stands between the indices (`Label` of the face), a count of pips, court,
    "" for nothing of ours, None where nobody could say, `pips` their suit; `box` where its upper
    left index stands, as shares of the card (None: art as it was packaged, or none); `share` and
    `sign` the heights of the index' first line and of its suit as shares of the card's.
    """

    picture: Picture
    text: str
    suit: str
    face: str | None
    pips: str
    box: Points | None
    share: float | None
    sign: float | None


@dataclass(frozen=True, slots=True)
class View:
    """One card rectified, the exposure, and the card's height in the frame in pixels."""

    card: RectifiedCard
    lens: Exposure
    high: float


def views(
    seed: int, split: DesignSplit, decks_known: int, count: int
) -> tuple[PrintedCard, Iterator[View]]:
    """A card, and `count` views of it at most, the same every time.

    Raises:
        MissingPackage: Fonts or art are not installed.
    """
    rng = np.random.default_rng([seed, 6000])
    deck = frames.deck(int(rng.integers(decks_known)), split)
    printed = _printed(deck, rng)
    return printed, views_of(printed.picture, count, rng)


def views_of(card: Picture, count: int, rng: np.random.Generator) -> Iterator[View]:
    """`count` views at most of this card, either way round."""
    for _ in range(count):
        picture = card if rng.random() < 0.5 else card[::-1, ::-1]
        exposure = lens.choose(rng, list(Distortion)[int(rng.choice(3, p=[0.3, 0.4, 0.3]))])
        high = float(rng.uniform(0.345, 0.705)) * HIGH
        captured = _captured(np.ascontiguousarray(picture), high, exposure, rng)
        if isinstance(captured, RectifiedCard):
            yield View(captured, exposure, high)


def _printed(deck: DrawnDeck, rng: np.random.Generator) -> PrintedCard:
    """A card of the deck; some that mislead, and Jokers with the word."""
    of: Card = DECK_52[int(rng.integers(52))]
    if rng.random() < _ABROAD:
        deck, of = _abroad(deck, rng)
    rank, suit = decks.split_of(of)
    kind = float(rng.random())
    black_or_red = "CH"[int(rng.integers(2))]
    if kind < 0.05:
        drawn = decks.draw(deck, "JOKER", black_or_red, "JOKER")
        return _labelled(drawn, "JOKER", "", "", _LETTER)
    if kind < 0.15:
        drawn, says = frames.face_of(deck, of, DrawnKind.OTHER_INDEX, rng)
        read = alphabets.shown_as(says)
        if not read:
            return _labelled(drawn, "", "", None, None)
        return _labelled(drawn, read, suit.lower(), None, deck.look.rank, deck.look.suit)
    if kind < 0.17:
        drawn, _ = frames.face_of(deck, of, DrawnKind.NO_INDEX, rng)
        return _labelled(drawn, "", "", None, None)
    if kind < 0.19:
        return _labelled(decks.Drawn(paper.back(deck), None), "", "", "", None)
    if kind < 0.21 and not decks.has_word(deck) and deck.art != "anglo":  # that one has the word
        return _labelled(decks.draw(deck, "JOKER", black_or_red), "", "", "", None)
    face = "court" if rank in ("J", "Q", "K") else "1" if rank == "A" else rank
    share = None if deck.layout is None else deck.look.rank
    if kind < 0.24:
        other = _OTHER_SUITS[int(rng.integers(len(_OTHER_SUITS)))]
        own = replace(deck, art=None, layout=deck.look)
        text = alphabets.shown_as(deck.text(rank))
        return _labelled(decks.draw(own, rank, other), text, "", face, deck.look.rank)
    if kind < 0.36 and face != "court":
        # The index' own sign is to be read, not the pips beside it.
        signed = "CDHS"[int(rng.integers(4))]
        own = replace(deck, art=None, layout=deck.look)
        drawn = decks.draw(own, rank, suit, deck.text(rank), signed)
        text = alphabets.shown_as(deck.text(rank))
        made = _labelled(drawn, text, signed.lower(), face, deck.look.rank, deck.look.suit)
        return replace(made, pips=suit.lower())
    sign = None if share is None else deck.look.suit
    text = alphabets.shown_as(deck.text(rank))
    return _labelled(decks.draw(deck, rank, suit), text, suit.lower(), face, share, sign)


#: Cards with the letters of another country, and of those the ones that have such letters.
_ABROAD: Final = 0.22
_LETTERED: Final = 0.85
_COUNTRIES: Final = (
    DrawnStyle.NORDIC, DrawnStyle.GERMAN, DrawnStyle.FRENCH, DrawnStyle.RUSSIAN,
)  # fmt: skip


def _abroad(deck: DrawnDeck, rng: np.random.Generator) -> tuple[DrawnDeck, Card]:
    """The deck as another country prints it, and a card of it, mostly one with a letter."""
    country = _COUNTRIES[int(rng.integers(len(_COUNTRIES)))]
    face = deck.look.face
    if face.font is None:  # strokes know no other letters
        several = fonts.designs(DesignSplit.ALL)
        cuts = several[int(rng.integers(len(several)))]
        face = replace(face, font=cuts[int(rng.integers(len(cuts)))])
    look = replace(deck.look, face=face)
    lettered = rng.random() < _LETTERED
    ranks = (1, 11, 12, 13) if lettered else tuple(range(1, 14))
    wanted = [each for each in DECK_52 if each.rank in ranks]
    made = replace(deck, style=country, look=look, layout=look)
    return made, wanted[int(rng.integers(len(wanted)))]


def _labelled(
    drawn: decks.Drawn,
    text: str,
    suit: str,
    face: str | None,
    share: float | None,
    sign: float | None = None,
) -> PrintedCard:
    box = drawn.index
    if box is not None:
        high, wide = drawn.picture.shape[:2]
        box = box / [wide, high, wide, high]
    return PrintedCard(drawn.picture, text, suit, face, suit, box, share, sign)


def _captured(
    card: Picture, high: float, exposure: Exposure, rng: np.random.Generator
) -> RectifiedCard | None:
    """A card that is `high` pixels high in the frame, rectified; None where its paper is not."""
    aspect = card.shape[1] / card.shape[0]
    wide = high * aspect
    turn = np.radians(rng.uniform(-8.2, 8.2))
    quad = np.array([[0, 0], [wide, 0], [wide, high], [0, high]])
    quad = quad @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    quad = quad + rng.uniform(-exposure.persp, exposure.persp, (4, 2)) * high
    quad = quad - quad.min(axis=0) + _RIM + rng.uniform(0, 1, 2)
    reach = tuple(int(each) for each in np.ceil(quad.max(axis=0)) + _RIM)
    patch = _laid(card, quad, (reach[0], reach[1]), high, rng)
    patch = lens.expose(patch, _near(exposure, (reach[0], reach[1]), rng), rng)
    inward = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * _MISSED[0]
    found = (quad + inward + rng.normal(0, _MISSED[1], (4, 2))).astype(np.float32)
    made = rectified(patch, CardEdges(found, (1.0, 1.0, 1.0, 1.0)))
    return made if isinstance(made, RectifiedCard) else None


def _laid(
    card: Picture, quad: Points, reach: tuple[int, int], high: float, rng: np.random.Generator
) -> Picture:
    """The card on a piece of ground."""
    scale = min(1.0, 1.15 * high / card.shape[0])
    part = np.asarray(
        cv2.resize(card, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
    )
    ends = [[0, 0], [part.shape[1], 0], [part.shape[1], part.shape[0]], [0, part.shape[0]]]
    source = np.array(ends, np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
    share = cv2.merge([part[..., 3]] * 3)
    whole = cv2.merge([cv2.multiply(part[..., :3], share, scale=1 / 255), part[..., 3]])
    laid = np.asarray(cv2.warpPerspective(whole, matrix, reach), np.uint8)
    green = rng.random() < 0.6
    base = rng.uniform([20, 55, 5], [110, 135, 60]) if green else np.full(3, rng.uniform(6, 55))
    ground = np.broadcast_to(np.asarray(base, np.uint8), laid[..., :3].shape)
    around = cv2.multiply(
        np.ascontiguousarray(ground), cv2.merge([255 - laid[..., 3]] * 3), scale=1 / 255
    )
    return np.asarray(cv2.add(around, np.ascontiguousarray(laid[..., :3])), np.uint8)


def _near(exposure: Exposure, reach: tuple[int, int], rng: np.random.Generator) -> Exposure:
    """The frame's exposure for a piece of it: glare is as large, and seldom just here."""
    closer: NDArray[np.float64] = np.array([WIDE, HIGH]) / reach
    size = (exposure.glare_size[0] * closer[0], exposure.glare_size[1] * closer[1])
    there = rng.random() < 0.6
    return replace(
        exposure,
        glare=exposure.glare if there else 0.0,
        glare_size=(float(size[0]), float(size[1])),
        shading=exposure.shading * 0.5,
    )
