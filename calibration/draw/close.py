"""Index corners drawn close up: as a frame's would be cut, without drawing the frame around them.

A network needs more corners than frames can be drawn in an hour. One card of one deck is drawn and
seen under several lights, from either end; only the part of the frame that its corner covers is
warped, exposed, and cut as `drivers/vision` cuts it, the card's edges a little missed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.draw import decks, frames, lens
from calibration.draw.art import HEIGHT as DRAWN
from calibration.draw.decks import DrawnDeck
from calibration.draw.fonts import Split
from calibration.draw.frames import DrawnKind, Points
from calibration.draw.ground import HIGH, WIDE
from calibration.draw.lens import Distortion, Exposure, Picture
from controller.rules.cards import DECK_52, Card
from drivers.vision.index_corner import CORNER_HEIGHT, CORNER_WIDTH, CUT_HEIGHT, CUT_WIDTH
from drivers.vision.rectified_card import HEIGHT, WHITE, WIDTH

#: What stands where a suit should: acorn, bell, coin, star.
_OTHER_SUITS: Final = "abns"  # acorn, bell, coin, star
#: Of the card: what is warped into the patch, enough for every corner that is cut from it.
_ACROSS: Final = 0.42
_DOWN: Final = 0.46
#: Of the rectified card, in pixels: how far its corners are missed (mean, and spread of each).
_MISSED: Final = (1.25, 1.15)
#: Of the card's height: a letter of a Joker's word.
_LETTER: Final = 0.042
#: By how much the paper's white is misjudged, as a share.
_WHITE_OFF: Final = 0.015


@dataclass(frozen=True, slots=True)
class Corner:
    """One corner, BGR, 112 high and 64 wide, and what can be read in it.

    `text` is "" without an index of ours; `suit` "" without a suit of ours. `share` is the height
    of the index' first line as a share of the card's (None: art as it was packaged), `high` the
    card's height in the frame in pixels.
    """

    picture: Picture
    text: str
    suit: str
    lens: Exposure
    share: float | None
    high: float


def corners(seed: int, split: Split, decks_known: int, views: int) -> Iterator[Corner]:
    """`views` corners of one card, the same every time.

    Raises:
        MissingPackage: Fonts or art are not installed.
    """
    rng = np.random.default_rng([seed, 6000])
    deck = frames.deck(int(rng.integers(decks_known)), split)
    drawn, text, suit = _card(deck, rng)
    for _ in range(views):
        picture = drawn.picture if rng.random() < 0.5 else drawn.picture[::-1, ::-1]
        exposure = lens.choose(rng, list(Distortion)[int(rng.choice(3, p=[0.3, 0.4, 0.3]))])
        high = float(rng.uniform(0.345, 0.705)) * HIGH
        seen = _seen(np.ascontiguousarray(picture), high, exposure, rng)
        yield Corner(seen, text, suit, exposure, _share(deck, text), high)


def _share(deck: DrawnDeck, text: str) -> float | None:
    if text == "JOKER":
        return _LETTER
    return None if deck.layout is None else deck.look.rank


def _card(deck: DrawnDeck, rng: np.random.Generator) -> tuple[decks.Drawn, str, str]:
    """A card of the deck, its index' text and suit; some that mislead, and Jokers with the word."""
    of: Card = DECK_52[int(rng.integers(52))]
    rank, suit = decks.split_of(of)
    kind = float(rng.random())
    if kind < 0.06:
        return decks.draw(deck, "JOKER", "CH"[int(rng.integers(2))], "JOKER"), "JOKER", ""
    if kind < 0.13:
        return frames.face_of(deck, of, DrawnKind.OTHER_INDEX, rng)[0], "", ""
    if kind < 0.15:
        return frames.face_of(deck, of, DrawnKind.NO_INDEX, rng)[0], "", ""
    if kind < 0.17:
        return decks.Drawn(decks.back(deck), None), "", ""
    if kind < 0.19 and not decks.has_word(deck) and deck.art != "anglo":  # that one has the word
        return decks.draw(deck, "JOKER", "CH"[int(rng.integers(2))]), "", ""
    if kind < 0.22:
        other = _OTHER_SUITS[int(rng.integers(len(_OTHER_SUITS)))]
        own = replace(deck, art=None, layout=deck.look)
        return decks.draw(own, rank, other), deck.text(rank), ""
    return decks.draw(deck, rank, suit), deck.text(rank), suit.lower()


def _seen(card: Picture, high: float, exposure: Exposure, rng: np.random.Generator) -> Picture:
    """The upper left corner of a card that is `high` pixels high in the frame."""
    aspect = card.shape[1] / card.shape[0]
    wide = high * aspect
    turn = np.radians(rng.uniform(-8.2, 8.2))
    quad = np.array([[0, 0], [wide, 0], [wide, high], [0, high]])
    quad = quad @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    quad = quad + rng.uniform(-exposure.persp, exposure.persp, (4, 2)) * high
    part = card[: round(DRAWN * _DOWN), : round(DRAWN * aspect * _ACROSS)]
    scale = min(1.0, 1.15 * high / card.shape[0])
    part = np.asarray(
        cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
    )
    size = np.array([card.shape[1], card.shape[0]]) * scale
    source = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32) - 0.5
    to_frame = _through(source, quad)
    low, reach = _window(to_frame, part)
    patch = _laid(part, _through(source, quad - low), reach, rng)
    patch = lens.expose(patch, _near(exposure, reach, rng), rng)
    return _cut(patch, quad - low, rng)


def _through(source: NDArray[np.float32], quad: Points) -> NDArray[np.float64]:
    return np.asarray(cv2.getPerspectiveTransform(source, quad.astype(np.float32)), np.float64)


def _window(to_frame: NDArray[np.float64], part: Picture) -> tuple[Points, tuple[int, int]]:
    """Where in the frame the part lies, with a rim of ground: its low corner, width and height."""
    high, wide = part.shape[:2]
    ends = np.array([[[0, 0], [wide, 0], [wide, high], [0, high]]], np.float32)
    spots = cv2.perspectiveTransform(ends, to_frame)[0]
    low = np.floor(spots.min(axis=0)) - 8
    reach = np.ceil(spots.max(axis=0)) - low
    return np.asarray(low, np.float64), (int(reach[0]), int(reach[1]))


def _laid(
    part: Picture, matrix: NDArray[np.float64], reach: tuple[int, int], rng: np.random.Generator
) -> Picture:
    """The part of the card on a piece of ground."""
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
    closer = np.array([WIDE, HIGH]) / reach
    size = (exposure.glare_size[0] * closer[0], exposure.glare_size[1] * closer[1])
    there = rng.random() < 0.4
    return replace(
        exposure,
        glare=exposure.glare if there else 0.0,
        glare_size=(float(size[0]), float(size[1])),
        shading=exposure.shading * 0.3,
    )


def _cut(patch: Picture, quad: Points, rng: np.random.Generator) -> Picture:
    """The corner as the table cuts it: edges a little missed, paper made white, shrunk."""
    inward = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * _MISSED[0]
    missed = inward + rng.normal(0, _MISSED[1], (4, 2))
    ends = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]]) - 0.5
    to_sheet = cv2.getPerspectiveTransform(
        quad.astype(np.float32), (ends - missed).astype(np.float32)
    )
    cut = np.asarray(
        cv2.warpPerspective(
            patch, to_sheet, (CUT_WIDTH, CUT_HEIGHT), borderMode=cv2.BORDER_REPLICATE
        ),
        np.uint8,
    )
    white = _paper(cut) * rng.normal(1, _WHITE_OFF, 3)
    ramp = np.arange(256)[None, :, None] * (WHITE / white[None, None, :])
    whitened = cv2.LUT(cut, np.minimum(np.rint(ramp), 255).astype(np.uint8))
    small = cv2.resize(whitened, (CORNER_WIDTH, CORNER_HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _paper(cut: Picture) -> NDArray[np.float64]:
    """The paper's colour in a corner: what is brightest but for glare."""
    pixels = cut[6::3, 6::3].reshape(-1, 3)
    order = pixels.min(axis=1).argsort()
    bright = pixels[order[len(order) * 6 // 10 : len(order) * 9 // 10]]
    return np.asarray(np.maximum(np.median(bright, axis=0), 1.0), np.float64)
