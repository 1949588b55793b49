"""Cards of a deck, drawn: each with its index, a Joker, or what is only made to look like one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.draw import art, centre, fonts, layout, pips
from calibration.draw.art import HEIGHT, Picture
from calibration.draw.deck_design import DrawnDeck
from calibration.draw.fonts import Face
from calibration.draw.layout import Layout
from calibration.draw.paper import blank, papered
from controller.rules.cards import Card, IndexStyle

#: Fonts with Russian letters.
_RUSSIAN: Final = (
    "DejaVuSans-Bold.ttf", "DejaVuSans.ttf", "LiberationSans-Bold.ttf", "FreeSansBold.ttf",
    "LiberationSerif-Bold.ttf", "FreeSerifBold.ttf", "NotoSans-Bold.ttf", "Roboto-Bold.ttf",
    "NotoSerifDisplay-Bold.ttf", "DejaVuSansCondensed-Bold.ttf",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Drawn:
    """One drawn card: BGRA, and the box of its upper left index in pixels (None without one)."""

    picture: Picture
    index: NDArray[np.float64] | None


def split_of(card: Card) -> tuple[str, str]:
    """A card's rank as the Anglo index prints it, and its suit's letter."""
    rank = card.index(IndexStyle.ANGLO) if card.suit else "JOKER"
    return rank, (card.suit.value.upper() if card.suit else "")


@lru_cache(maxsize=256)
def draw(deck: DrawnDeck, rank: str, suit: str, says: str | None = None, signed: str = "") -> Drawn:
    """One card of a deck; `rank` JOKER has no suit.

    `says` puts another text into its index: an alphabet that is not ours, or "" for none; `signed`
    another suit. A Joker has what its deck gives it, or the word, if that is what it shall say.
    """
    text = deck.text(rank) if says is None else says
    if rank == "JOKER":
        return _joker(deck, suit, worded=says is not None)
    packaged = art.card(deck.art, rank, suit) if deck.art else None
    if packaged is not None and deck.layout is None and says is None:
        return Drawn(papered(packaged, deck), None)
    if packaged is not None:
        picture = art.without_indices(packaged)
    else:
        picture = blank(deck)
        colour = deck.look.ink(suit)
        if rank in ("J", "Q", "K"):
            centre.draw_court(picture, rank, suit, deck.seed, colour, deck.look.face)
        else:
            count = 1 if rank == "A" else int(rank)
            large = deck.look.rank >= layout.JUMBO
            centre.draw_pips(picture, count, suit, deck.look.pips, colour, large_index=large)
            if count == 1 and suit == "S" and deck.seed % 3 != 0:
                centre.draw_ornament(picture, deck.seed, colour, deck.look.face)
    if not text:
        return Drawn(papered(picture, deck), None)
    return _indexed(picture, deck, text, signed or suit)


def with_one_index(deck: DrawnDeck, text: str, suit: str) -> Drawn:
    """A shop's or a club's own card, with the index of a card in one corner for an ornament."""
    rng = np.random.default_rng([deck.seed, 14])
    picture = blank(deck)
    high, wide = picture.shape[:2]
    face = replace(deck.look.face, font=deck.look.face.font or "DejaVuSans-Bold.ttf")
    for word, down in (("Loyalty", 0.45), ("Member", 0.56)):
        ink = face.mask(word, round(high * float(rng.uniform(0.05, 0.08))))
        limit = min(round(wide * 0.8), ink.shape[1])
        ink = np.asarray(cv2.resize(ink, (limit, ink.shape[0])), np.uint8)
        centre.stamp(picture, ink, deck.look.black, (wide - limit) // 2, round(high * down))
    ink = layout.index(deck.look, text, suit, high, wide)
    x0, y0, x1, y1 = (round(float(v)) for v in layout.extent(ink))
    centre.stamp(picture, ink[y0:y1, x0:x1], deck.look.ink(suit), x0, y0)
    return Drawn(papered(picture, deck), None)


def _indexed(picture: Picture, deck: DrawnDeck, text: str, suit: str) -> Drawn:
    look = deck.look if text.isascii() else _russian(deck)
    ink = layout.index(look, text, suit, *picture.shape[:2])
    colour = look.ink(suit)
    box = layout.extent(ink)
    _print_index(picture, ink, colour, box)
    if look.second:
        share = look.second / look.rank
        other = replace(look, rank=look.second, suit=look.suit * share)
        small = layout.index(other, text, suit, *picture.shape[:2])
        _print_index(picture, small, colour, layout.extent(small), right=True)
    return Drawn(papered(picture, deck), box)


def _russian(deck: DrawnDeck) -> Layout:
    """The deck's layout in a font that has Russian letters."""
    font = _RUSSIAN[deck.seed % len(_RUSSIAN)]
    return replace(deck.look, face=replace(deck.look.face, font=font))


def _print_index(
    picture: Picture,
    ink: fonts.Mask,
    colour: layout.Colour,
    box: NDArray[np.float64],
    *,
    right: bool = False,
) -> None:
    """In the upper left and the lower right corner, or in the two others; paper lies behind it."""
    x0, y0, x1, y1 = (round(float(v)) for v in box)
    cut = ink[y0:y1, x0:x1]
    wide = picture.shape[1]
    x = wide - x1 if right else x0
    for _ in range(2):
        margin = 5
        spot = picture[max(0, y0 - margin) : y1 + margin, max(0, x - margin) : x + x1 - x0 + margin]
        spot[spot[..., 3] > 128] = 255
        centre.stamp(picture, cut, colour, x, y0)
        picture[:] = picture[::-1, ::-1].copy()


def _joker(deck: DrawnDeck, suit: str, *, worded: bool) -> Drawn:
    """A Joker: the art's own, or drawn, with the word in its corners, a star, or nothing."""
    packaged = art.jokers(deck.art) if deck.art else ()
    if packaged and not worded:
        return Drawn(papered(packaged[suit == "H"], deck), None)
    rng = np.random.default_rng([deck.seed, 11])
    ink: fonts.Mask
    colour = deck.look.red if suit == "H" else deck.look.black
    if packaged:
        picture = art.without_indices(packaged[suit == "H"])
    else:
        picture = blank(deck)
        centre.draw_jester(picture, deck.seed, colour, deck.look.face)
    kind = float(rng.random())
    canvas = np.zeros((round(HEIGHT * 0.36), picture.shape[1] // 2), np.uint8)
    y, x = round(deck.look.top * HEIGHT), round(deck.look.left * HEIGHT)
    if kind < _WORDS or worded:
        ink = _joker_word(deck, rng)
    elif kind < 0.65:
        ink = pips.scaled("sn"[kind < 0.5], deck.look.pips, round(HEIGHT * deck.look.suit))
    else:
        return Drawn(papered(picture, deck), None)
    ink = ink[: canvas.shape[0] - y, : canvas.shape[1] - x]
    canvas[y : y + ink.shape[0], x : x + ink.shape[1]] = ink
    _print_index(picture, canvas, colour, layout.extent(canvas))
    return Drawn(papered(picture, deck), layout.extent(canvas))


_WORDS: Final = 0.4  # of the decks whose Joker is drawn here


def has_word(deck: DrawnDeck) -> bool:
    """Whether this deck's Joker carries the word JOKER in its corners."""
    if deck.art and art.jokers(deck.art):
        return False
    return float(np.random.default_rng([deck.seed, 11]).random()) < _WORDS


def _joker_word(deck: DrawnDeck, rng: np.random.Generator) -> fonts.Mask:
    """JOKER in a corner: letter below letter, turned by a quarter either way, or across."""
    font = deck.look.face.font or "DejaVuSans-Bold.ttf"  # strokes know no O, E and R
    face = replace(deck.look.face, font=font, tracking=float(rng.uniform(0.02, 0.12)))
    text = "JOKER" if rng.random() < 0.7 else "Joker"
    kind, high = rng.random(), float(rng.uniform(0.032, 0.06))
    if kind < 0.6:
        return _stacked(face, text, min(high, 0.05))
    word = face.mask(text, round(HEIGHT * high))
    limit = round(HEIGHT * (rng.uniform(0.14, 0.19) if kind > 0.85 else rng.uniform(0.18, 0.3)))
    word = np.asarray(cv2.resize(word, (min(limit, word.shape[1]), word.shape[0])), np.uint8)
    if kind > 0.85:
        return word
    return np.ascontiguousarray(np.rot90(word, k=-1 if kind < 0.78 else 1))


def _stacked(face: Face, text: str, high: float) -> fonts.Mask:
    """Letters one below the other; small ones are lower than capitals."""
    letters = []
    for letter in text:
        share = 0.72 if letter in "oer" else 1.0
        letters.append(face.mask(letter, round(HEIGHT * high * share)))
    wide = max(each.shape[1] for each in letters)
    rows = []
    for each in letters:
        left = (wide - each.shape[1]) // 2
        rows.append(np.pad(each, ((0, 3), (left, wide - each.shape[1] - left))))
    return np.vstack(rows)
