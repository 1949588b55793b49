"""What the cards of a deck look like: several drawn decks, in both styles of index, and a back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.rules.cards import JOKER, Card, card
from sim_hw.devices.glyphs import Picture, suit_mask, text_mask

#: Pixels; a card is 63 by 88 mm.
WIDTH: Final = 400
HEIGHT: Final = 560

_FINNISH: Final = {"A": "1", "J": "11", "Q": "12", "K": "13", "T": "10"}
_ANGLO: Final = {"T": "10"}
_COURT: Final = "JQK"
#: This many figures a pack has.
_FIGURES: Final = 12
_RED: Final = "dh"


@dataclass(frozen=True, slots=True)
class DeckDesign:
    """How a deck is printed. Heights are shares of the card's; `red` and `paper` are BGR.

    `one_way`: its courts have one figure that stands upright; `alike`: the courts of a rank have
    the same figure in all suits, and differ by the suit's sign alone.
    """

    name: str
    finnish: bool
    weight: float
    narrow: float
    serif: bool
    rank_high: float
    suit_high: float
    red: tuple[int, int, int]
    paper: tuple[int, int, int]
    one_way: bool = False
    alike: bool = False


#: The decks that there are, by name.
DECKS: Final = {
    each.name: each
    for each in (
        DeckDesign("kotka", True, 0.15, 0.55, False, 0.098, 0.066, (38, 30, 200), (246, 250, 250)),
        DeckDesign("hamina", True, 0.12, 0.5, True, 0.105, 0.07, (40, 20, 175), (236, 244, 247)),
        DeckDesign("oulu", True, 0.18, 0.52, False, 0.088, 0.07, (50, 45, 215), (250, 250, 248)),
        DeckDesign("bristol", False, 0.15, 0.56, False, 0.1, 0.066, (36, 28, 205), (248, 250, 250)),
        DeckDesign("dover", False, 0.12, 0.54, True, 0.102, 0.07, (35, 18, 180), (238, 246, 248)),
    )
}

#: Decks that are hard to read: one-way courts, courts that differ by their signs alone, large
#: indices. Shops sell their like; no table is dealt with them unless it is asked for.
HARD_DECKS: Final = {
    each.name: each
    for each in (
        replace(DECKS["kotka"], name="lahti", one_way=True, alike=True),
        replace(DECKS["dover"], name="leeds", one_way=True, alike=True),
        replace(
            DECKS["bristol"], name="whitby", rank_high=0.15, suit_high=0.105, one_way=True,
            alike=True,
        ),
        replace(DECKS["oulu"], name="vaasa", one_way=True),
    )
}  # fmt: skip

#: Where the pips of a number card lie: columns and rows as shares of the card.
_L, _M, _R = 0.3, 0.5, 0.7
_ROWS: Final = (0.2, 0.4, 0.6, 0.8)
_PIPS: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    1: ((_M, 0.5),),
    2: ((_M, 0.2), (_M, 0.8)),
    3: ((_M, 0.2), (_M, 0.5), (_M, 0.8)),
    4: ((_L, 0.2), (_R, 0.2), (_L, 0.8), (_R, 0.8)),
    5: ((_L, 0.2), (_R, 0.2), (_L, 0.8), (_R, 0.8), (_M, 0.5)),
    6: tuple((x, y) for x in (_L, _R) for y in (0.2, 0.5, 0.8)),
    7: (*((x, y) for x in (_L, _R) for y in (0.2, 0.5, 0.8)), (_M, 0.35)),
    8: (*((x, y) for x in (_L, _R) for y in (0.2, 0.5, 0.8)), (_M, 0.35), (_M, 0.65)),
    9: (*((x, y) for x in (_L, _R) for y in _ROWS), (_M, 0.5)),
    10: (*((x, y) for x in (_L, _R) for y in _ROWS), (_M, 0.3), (_M, 0.7)),
}
_PIP_HIGH: Final = 0.125
_NUMBERS: Final = {"A": 1, "T": 10} | {str(each): each for each in range(2, 10)}


def index_text(kind: Card, *, finnish: bool) -> str:
    """What stands in the corner of a card; a Finnish Joker has no index."""
    if kind is JOKER:
        return "" if finnish else "JOKER"
    rank = kind.code[0]
    return (_FINNISH if finnish else _ANGLO).get(rank, rank)


@lru_cache(maxsize=64)
def face(deck: DeckDesign, kind: Card) -> Picture:
    """The face of a card, BGR. The picture is shared: nobody may write on it."""
    sheet = np.full((HEIGHT, WIDTH, 3), deck.paper, np.uint8)
    if kind is JOKER:
        _jester(sheet, deck)
    elif kind.code[0] in _COURT:
        _court(sheet, deck, kind, _figure(kind) // 4 * 4 if deck.alike else _figure(kind))
    else:
        pip = suit_mask(kind.code[1], round(HEIGHT * _PIP_HIGH))
        big = suit_mask(kind.code[1], round(HEIGHT * 0.22)) if kind.code[0] == "A" else pip
        for x, y in _PIPS[_NUMBERS[kind.code[0]]]:
            mask = big if y <= 0.5 else pip[::-1, ::-1]
            _ink(sheet, mask, x * WIDTH, y * HEIGHT, _colour(deck, kind))
    for _ in range(2):
        _index(sheet, deck, kind)
        sheet = np.ascontiguousarray(sheet[::-1, ::-1])
    sheet.flags.writeable = False
    return sheet


@lru_cache(maxsize=8)
def stranger(deck: DeckDesign) -> Picture:
    """A card of a pack from abroad, on this deck's paper: its King of hearts, whose index is R."""
    sheet = np.full((HEIGHT, WIDTH, 3), deck.paper, np.uint8)
    king = card("Kh")
    _court(sheet, deck, king, _FIGURES)
    for _ in range(2):
        _corner(sheet, deck, king, "R")
        sheet = np.ascontiguousarray(sheet[::-1, ::-1])
    sheet.flags.writeable = False
    return sheet


@lru_cache(maxsize=1)
def back() -> Picture:
    """The back of every card."""
    sheet = np.full((HEIGHT, WIDTH, 3), (245, 248, 248), np.uint8)
    sheet[24:-24, 24:-24] = (120, 60, 30)
    for at in range(-HEIGHT, WIDTH, 28):
        for slant in (1, -1):
            begin = (at, 0) if slant > 0 else (at + HEIGHT, 0)
            end = (at + HEIGHT, HEIGHT) if slant > 0 else (at, HEIGHT)
            cv2.line(sheet[24:-24, 24:-24], begin, end, (235, 235, 235), 4, cv2.LINE_AA)
    sheet.flags.writeable = False
    return sheet


@lru_cache(maxsize=1)
def shape() -> Picture:
    """Where the card is (255) within its rectangle: its corners are round."""
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    radius = round(WIDTH * 0.055)
    cv2.rectangle(mask, (radius, 0), (WIDTH - radius - 1, HEIGHT), 255, -1)
    cv2.rectangle(mask, (0, radius), (WIDTH, HEIGHT - radius - 1), 255, -1)
    for x in (radius, WIDTH - radius - 1):
        for y in (radius, HEIGHT - radius - 1):
            cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    return mask


def _colour(deck: DeckDesign, kind: Card) -> tuple[int, int, int]:
    return deck.red if kind.code[1] in _RED else (24, 22, 22)


def _ink(sheet: Picture, mask: Picture, x: float, y: float, colour: tuple[int, int, int]) -> None:
    """Print a mask with its middle at x, y."""
    high, wide = mask.shape
    top, left = round(y - high / 2), round(x - wide / 2)
    part = sheet[top : top + high, left : left + wide]
    cover = mask[:, :, None].astype(np.float32) / 255
    part[:] = np.round(part * (1 - cover) + np.array(colour, np.float32) * cover)


def _index(sheet: Picture, deck: DeckDesign, kind: Card) -> None:
    """The index in the upper left corner."""
    text = index_text(kind, finnish=deck.finnish)
    if kind is JOKER:
        for row, letter in enumerate(text):
            mask = text_mask(letter, round(HEIGHT * 0.045), 0.15, 0.6, serif=False)
            _ink(sheet, mask, WIDTH * 0.075, HEIGHT * (0.07 + 0.06 * row), (24, 22, 22))
        return
    _corner(sheet, deck, kind, text)


def _corner(sheet: Picture, deck: DeckDesign, kind: Card, text: str) -> None:
    """A rank's text above its suit, in the upper left corner."""
    middle = WIDTH * 0.105
    narrow = deck.narrow if len(text) == 1 else deck.narrow * 0.62
    rank = text_mask(text, round(HEIGHT * deck.rank_high), deck.weight, narrow, serif=deck.serif)
    top = HEIGHT * 0.035
    _ink(sheet, rank, middle, top + rank.shape[0] / 2, _colour(deck, kind))
    suit = suit_mask(kind.code[1], round(HEIGHT * deck.suit_high))
    below = top + rank.shape[0] + HEIGHT * 0.016 + suit.shape[0] / 2
    _ink(sheet, suit, middle, below, _colour(deck, kind))


_CLOTHES: Final = ((40, 40, 200), (40, 190, 230), (150, 70, 30), (30, 30, 30), (60, 140, 50))


def _figure(kind: Card) -> int:
    return "JQK".index(kind.code[0]) * 4 + "cdhs".index(kind.code[1])


def _court(sheet: Picture, deck: DeckDesign, kind: Card, figure: int) -> None:
    """A figure of two halves in a frame: enough to be no number card, another one for each."""
    left, top, right = round(WIDTH * 0.21), round(HEIGHT * 0.09), round(WIDTH * 0.79)
    middle = HEIGHT // 2
    rng = np.random.default_rng(1_000 + figure)
    half = np.full((middle - top, right - left, 3), deck.paper, np.uint8)
    high, wide = half.shape[:2]
    order = rng.permutation(len(_CLOTHES))
    for row in range(5):
        y = int(high * (0.55 + 0.1 * row))
        spread = int(wide * (0.2 + 0.09 * row))
        points = [
            (wide // 2 - spread, high), (wide // 2, y), (wide // 2 + spread, high),
        ]  # fmt: skip
        cv2.fillPoly(half, [np.array(points, np.int32)], _CLOTHES[order[row]], cv2.LINE_AA)
    head = (wide // 2 + int(rng.integers(-8, 9)), int(high * 0.42))
    cv2.circle(half, head, int(wide * 0.15), (190, 215, 240), -1, cv2.LINE_AA)
    cv2.circle(half, head, int(wide * 0.15), (20, 20, 20), 3, cv2.LINE_AA)
    crown = [
        (head[0] + dx, head[1] + dy)
        for dx, dy in (
            (-42, -30),
            (-46, -78),
            (-20, -52),
            (0, -86),
            (20, -52),
            (46, -78),
            (42, -30),
        )
    ]
    cv2.fillPoly(half, [np.array(crown, np.int32)], (40, 190, 230), cv2.LINE_AA)
    cv2.polylines(half, [np.array(crown, np.int32)], True, (20, 20, 20), 3, cv2.LINE_AA)
    pip = suit_mask(kind.code[1], round(HEIGHT * 0.09))
    _ink(half, pip, wide * 0.14, high * 0.17, _colour(deck, kind))
    sheet[top:middle, left:right] = half
    turned = _legs(half.shape, order) if deck.one_way else half[::-1, ::-1]
    sheet[middle : middle + turned.shape[0], left:right] = turned
    cv2.rectangle(sheet, (left, top), (right, HEIGHT - top), (150, 60, 20), 3, cv2.LINE_AA)


def _legs(shape: tuple[int, ...], order: NDArray[np.int64]) -> Picture:
    """The lower half of a figure that stands upright."""
    high, wide = shape[:2]
    half = np.full((high, wide, 3), _CLOTHES[order[0]], np.uint8)
    for at, share in enumerate((0.3, 0.7)):
        left, right = int(wide * (share - 0.12)), int(wide * (share + 0.12))
        foot = int(high * 0.82)
        cv2.rectangle(half, (left, 0), (right, foot), _CLOTHES[order[1 + at]], -1)
        cv2.ellipse(half, ((left + right) // 2, foot), (int(wide * 0.16), 18), 0, 0, 360, 0, -1)
    return half


def _jester(sheet: Picture, deck: DeckDesign) -> None:
    """The picture of a Joker."""
    middle = np.array([WIDTH / 2, HEIGHT / 2])
    for number, colour in enumerate(((40, 40, 200), (60, 140, 50), (40, 190, 230))):
        size = WIDTH * (0.32 - 0.08 * number)
        angles = np.linspace(0, 2 * np.pi, 15) + 0.3 * number
        reach = np.where(np.arange(15) % 2, size * 0.45, size)
        star = middle + np.stack([np.cos(angles) * reach, np.sin(angles) * reach], axis=1)
        cv2.fillPoly(sheet, [np.round(star).astype(np.int32)], colour, cv2.LINE_AA)
        cv2.polylines(sheet, [np.round(star).astype(np.int32)], True, (20, 20, 20), 3, cv2.LINE_AA)
