"""Decks: what every card of one deck looks like, from a seed.

Three kinds: drawn here from nothing; packaged art as it is (Anglo indices); packaged art with its
indices replaced, which is how a deck with Finnish indices is made of it (no photograph of one
could be found).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.draw import art, centre, fonts, layout, pips
from calibration.draw.art import HEIGHT, Picture
from calibration.draw.fonts import DesignSplit, Face
from calibration.draw.layout import Layout
from controller.rules.cards import Card, IndexStyle
from drivers.vision.nets import RANKS

FINNISH: Final = {"A": "1", "J": "11", "Q": "12", "K": "13"}
OTHER_RANKS: Final = (
    "B", "D", "V", "R", "H", "L", "T", "P", "C", "F", "S", "E", "G", "M", "N", "U", "X", "0", "O",
    "14", "15", "18", "20", "21", "16", "19", "VI", "IV", "XII", "IX", "KA", "AS", "KN", "Kn",
    # Russian: Dama, Valet and Tuz; the other letters of that alphabet that Latin has not.
    *(("\u0414",) * 5), "\u0412", "\u0422", "\u0424", "\u0428", "\u041b", "\u041f", "\u0416",
    # Nordic and German: Dame, Bube, Ess, Knekt, Dronning, Konge, Kuningas.
    *("DBEN" * 2), "Es", "Kg", "Kk", "Dr",
)  # fmt: skip
#: The Russian court, but for the King, whose letter is ours: Valet and Dama.
RUSSIAN: Final = {"J": "\u0412", "Q": "\u0414", "K": "\u0424"}
#: What other countries print, by the rank as the Anglo index prints it: Knekt, Dam, Kung, Ess;
#: Bube, Dame; Valet, Dame, Roi; Valet, Dama, Korol, Tuz.
LETTERS: Final = {
    "nordic": {"J": "Kn", "Q": "D", "A": "E"},
    "german": {"J": "B", "Q": "D"},
    "french": {"J": "V", "Q": "D", "K": "R"},
    "russian": {"J": "\u0412", "Q": "\u0414", "K": "\u041a", "A": "\u0422"},
}
#: The class of an index that shows these letters: glyphs that are alike in both alphabets are one.
_LIKE_LATIN: Final = {"\u0412": "B", "\u041a": "K", "\u0422": "T", "KN": "Kn"}
#: Fonts with Russian letters.
_RUSSIAN: Final = (
    "DejaVuSans-Bold.ttf", "DejaVuSans.ttf", "LiberationSans-Bold.ttf", "FreeSansBold.ttf",
    "LiberationSerif-Bold.ttf", "FreeSerifBold.ttf", "NotoSans-Bold.ttf", "Roboto-Bold.ttf",
    "NotoSerifDisplay-Bold.ttf", "DejaVuSansCondensed-Bold.ttf",
)  # fmt: skip


class DrawnStyle(Enum):
    """The alphabet of the indices."""

    ANGLO = "standard"
    FINNISH = "finnish"
    NORDIC = "nordic"
    GERMAN = "german"
    FRENCH = "french"
    RUSSIAN = "russian"


def shown_as(text: str) -> str:
    """The class of an index that says `text`; "" where no reader knows it."""
    text = _LIKE_LATIN.get(text, text)
    return text if text in RANKS else ""


@dataclass(frozen=True, slots=True)
class Drawn:
    """One drawn card: BGRA, and the box of its upper left index in pixels (None without one)."""

    picture: Picture
    index: NDArray[np.float64] | None


@dataclass(frozen=True, slots=True)
class DrawnDeck:
    """One deck. `art` is None for a drawn one; `layout` is None where the art keeps its indices."""

    name: str
    style: DrawnStyle
    seed: int
    art: str | None
    layout: Layout | None
    look: Layout
    aspect: float
    radius: float
    paper: tuple[float, float, float]
    outline: float

    @property
    def relabelled(self) -> bool:
        """Whether packaged art carries indices of ours."""
        return self.art is not None and self.layout is not None

    def text(self, rank: str) -> str:
        """What the index of a rank says in this deck."""
        letters = FINNISH if self.style is DrawnStyle.FINNISH else LETTERS.get(self.style.value, {})
        return letters.get(rank, rank)


def split_of(card: Card) -> tuple[str, str]:
    """A card's rank as the Anglo index prints it, and its suit's letter."""
    rank = card.index(IndexStyle.ANGLO) if card.suit else "JOKER"
    return rank, (card.suit.value.upper() if card.suit else "")


def choose(rng: np.random.Generator, split: DesignSplit = DesignSplit.ALL) -> DrawnDeck:
    """A deck: half are drawn, one in five is art as packaged, the rest is art relabelled."""
    seed = int(rng.integers(1 << 31))
    kind = float(rng.random())
    face = fonts.choose(rng, split)
    look = layout.choose(rng, face, split)
    name = None if kind < 0.5 else str(rng.choice(np.array(art.names(split))))
    if name is not None:
        look = replace(look, blue=None, green=None)  # its pips are red and black
    packaged = 0.5 <= kind < 0.7
    style = DrawnStyle.ANGLO if packaged or rng.random() < 0.45 else DrawnStyle.FINNISH
    tint = rng.uniform(0.0, 1.0)
    paper = (255 - 34 * tint * float(rng.random()), 255 - 14 * tint, 255 - 6 * tint)
    return DrawnDeck(
        name=_name(name, face, packaged=packaged),
        style=style,
        seed=seed,
        art=name,
        layout=None if packaged else look,
        look=look,
        aspect=float(rng.uniform(0.625, 0.72)),
        radius=float(rng.uniform(0.02, 0.06)),
        paper=paper,
        outline=float(rng.random()),
    )


def _name(packaged_art: str | None, face: Face, *, packaged: bool) -> str:
    if packaged_art is None:
        return f"drawn:{face.name}"
    return packaged_art if packaged else f"{packaged_art}+{face.name}"


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
        return Drawn(_papered(packaged, deck), None)
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
        return Drawn(_papered(picture, deck), None)
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
    return Drawn(_papered(picture, deck), None)


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
    return Drawn(_papered(picture, deck), box)


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
        return Drawn(_papered(packaged[suit == "H"], deck), None)
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
        return Drawn(_papered(picture, deck), None)
    ink = ink[: canvas.shape[0] - y, : canvas.shape[1] - x]
    canvas[y : y + ink.shape[0], x : x + ink.shape[1]] = ink
    _print_index(picture, canvas, colour, layout.extent(canvas))
    return Drawn(_papered(picture, deck), layout.extent(canvas))


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


def blank(deck: DrawnDeck) -> Picture:
    """A card of this deck's form with nothing on it: BGRA, white, with rounded corners."""
    wide = round(HEIGHT * deck.aspect)
    picture = np.full((HEIGHT, wide, 4), 255, np.uint8)
    picture[..., 3] = _rounded(HEIGHT, wide, deck.radius)
    return picture


@lru_cache(maxsize=64)
def _rounded(high: int, wide: int, radius: float) -> fonts.Mask:
    r = round(radius * high)
    mask = np.zeros((high, wide), np.uint8)
    cv2.rectangle(mask, (r, 0), (wide - 1 - r, high - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (wide - 1, high - 1 - r), 255, -1)
    for x in (r, wide - 1 - r):
        for y in (r, high - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return mask


def _papered(picture: Picture, deck: DrawnDeck) -> Picture:
    """The deck's paper in place of pure white, and its printed edge where it has one."""
    tint = np.arange(256)[:, None] * np.array([*deck.paper, 255.0]) / 255
    done = np.asarray(cv2.LUT(picture, np.rint(tint).astype(np.uint8)[:, None, :]), np.uint8)
    if deck.art is None and deck.outline < 0.3:
        edge = cv2.morphologyEx(
            np.pad(done[..., 3], 3), cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8)
        )[3:-3, 3:-3]
        grey = 60 if deck.outline < 0.15 else 170
        done[..., :3][edge > 128] = grey
    return done


def back(deck: DrawnDeck) -> Picture:
    """The back of this deck's cards: the art's own, or a drawn lattice, stripes or discs."""
    if deck.art:
        return art.back(deck.art)
    rng = np.random.default_rng([deck.seed, 12])
    picture = blank(deck)
    high, wide = picture.shape[:2]
    border = int(rng.choice([0, round(high * float(rng.uniform(0.02, 0.08)))]))
    inner = picture[border : high - border, border : wide - border]
    colour = rng.uniform(0, 200, 3)
    inner[..., :3] = colour
    light = colour + (255 - colour) * rng.uniform(0.3, 1.0)
    step, kind = int(rng.integers(8, 34)), int(rng.integers(4))
    for k in range(-high, high + wide, step):
        if kind in (0, 1):
            cv2.line(inner, (k, 0), (k + high, high), (*light.tolist(), 255), step // 4 + 1)
        if kind == 1:
            cv2.line(inner, (k + high, 0), (k, high), (*light.tolist(), 255), step // 4 + 1)
        if kind == 2:
            cv2.line(inner, (0, k), (wide, k), (*light.tolist(), 255), step // 3 + 1)
        if kind == 3:
            for y in range(0, high, step):
                cv2.circle(inner, (k, y), step // 3, (*light.tolist(), 255), -1)
    if rng.random() < 0.3:
        for turned in range(2):
            ornament = pips.scaled("CDHSns"[int(rng.integers(6))], deck.seed % 997, high // 9)
            centre.stamp(picture, ornament, tuple(light.tolist()), border + 12, border + 12)
            picture = np.ascontiguousarray(picture[::-1, ::-1]) if turned < 2 else picture
    picture[..., 3] = _rounded(high, wide, deck.radius)
    return picture
