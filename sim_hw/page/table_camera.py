"""The camera above the table, as a studio has one: JPEG pictures of what lies on the felt.

A card that lies face down is a back, and what is still in the shoe is not in the picture: this
stream, unlike that of the shoe's camera, may be shown to players.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin
from typing import Final

import cv2
import numpy as np

from controller.rules.cards import card
from sim_hw.devices import deck_art
from sim_hw.devices.deck_art import DECKS, DeckDesign
from sim_hw.devices.glyphs import Picture
from sim_hw.table.felt import FACE_DOWN
from sim_hw.table.world_view import LightView, SeatView, WorldView

WIDTH: Final = 960
HEIGHT: Final = 540
QUALITY: Final = 80
#: The width of a card in pixels, and the shares of it by which cards and hands lie beside another.
CARD: Final = 46
_CARD_STEP: Final = 0.42
_HAND_STEP: Final = 1.9
#: The table's edge: an ellipse around the dealer, on which the spots lie (BGR everywhere).
_MIDDLE: Final = (WIDTH // 2, 96)
_REACH: Final = (400, 330)
_FELT: Final = (58, 74, 13)
_LINE: Final = (138, 198, 217)
_ROOM: Final = (14, 12, 9)
_CHIP: Final = (44, 60, 190)
_CHIP_EDGE: Final = (235, 240, 240)
_EDGE: Final = (120, 120, 120)


class TableCamera:
    """Pictures of a table whose cards are printed as `deck` is (see `deck_art.DECKS`)."""

    def __init__(self, deck: str) -> None:
        self._deck = DECKS[deck]

    def jpeg(self, view: WorldView) -> bytes:
        """What the camera sees of the table as it lies there."""
        picture = _empty_table().copy()
        seats = view["seats"]
        for seat in seats:
            self._draw_seat(picture, seat, _place(seat["seat"], len(seats)))
        self._draw_cards(picture, view["dealer_cards"], (_MIDDLE[0], 120), view["low_cards"])
        done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        assert done, "OpenCV writes JPEG"
        return coded.tobytes()

    def _draw_seat(self, picture: Picture, seat: SeatView, at: tuple[int, int]) -> None:
        x, y = at
        cv2.circle(picture, at, 30, _LINE, 2, cv2.LINE_AA)
        if any(seat["light"].values()):
            cv2.circle(picture, at, 36, _lamp(seat["light"]), 5, cv2.LINE_AA)
        hands = [each for each in seat["hands"] if each["cards"] or each["bet"]]
        chips = [(each["bet"], each["doubled"]) for each in hands]
        if not hands and seat["bet"]:
            chips = [(seat["bet"], False)]
        for number, (bet, doubled) in enumerate(chips):
            left = x + round((number - (len(chips) - 1) / 2) * 26)
            if bet:
                _draw_chips(picture, (left, y), 2 if doubled else 1)
        for number, hand in enumerate(hands):
            step = _HAND_STEP * CARD
            left = x + round((number - (len(hands) - 1) / 2) * step)
            self._draw_cards(picture, hand["cards"], (left, y - 84), 0)

    def _draw_cards(
        self, picture: Picture, cards: list[str], at: tuple[int, int], raised: int
    ) -> None:
        """Cards beside each other, their middle at `at`; the first `raised` are pushed up."""
        middle, y = at
        for number, code in enumerate(cards):
            x = middle + round((number - (len(cards) - 1) / 2) * _CARD_STEP * CARD)
            _lay(picture, _card_picture(self._deck, code), x, y - 10 * (number < raised))


def _place(seat: int, seats: int) -> tuple[int, int]:
    """Where a seat's spot is: seat 1 on the dealer's left, which a camera opposite sees right."""
    angle = pi * (0.14 + 0.72 * (seat - 0.5) / seats)
    return (
        round(_MIDDLE[0] + _REACH[0] * cos(angle)),
        round(_MIDDLE[1] + _REACH[1] * sin(angle)),
    )


def _lamp(light: LightView) -> tuple[int, int, int]:
    blue, green, red = (255 if on else 40 for on in (light["blue"], light["green"], light["red"]))
    return blue, green, red


@lru_cache(maxsize=1)
def _empty_table() -> Picture:
    """The table without anything on it."""
    picture = np.full((HEIGHT, WIDTH, 3), _ROOM, np.uint8)
    edge = (_REACH[0] + 76, _REACH[1] + 92)
    cv2.ellipse(picture, _MIDDLE, edge, 0, 0, 180, _FELT, -1, cv2.LINE_AA)
    cv2.rectangle(picture, (_MIDDLE[0] - edge[0], 20), (_MIDDLE[0] + edge[0], 96), _FELT, -1)
    cv2.ellipse(picture, _MIDDLE, edge, 0, 0, 180, _LINE, 3, cv2.LINE_AA)
    cv2.ellipse(picture, _MIDDLE, (240, 150), 0, 20, 160, _LINE, 1, cv2.LINE_AA)
    picture.flags.writeable = False
    return picture


def _draw_chips(picture: Picture, at: tuple[int, int], stacks: int) -> None:
    for number in range(stacks):
        x = at[0] + 12 * number
        for high in range(3):
            where = (x, at[1] - 4 * high)
            cv2.circle(picture, where, 11, _CHIP, -1, cv2.LINE_AA)
            cv2.circle(picture, where, 11, _CHIP_EDGE, 2, cv2.LINE_AA)


@lru_cache(maxsize=64)
def _card_picture(deck: DeckDesign, code: str) -> Picture:
    sheet = deck_art.back() if code == FACE_DOWN else deck_art.face(deck, card(code))
    small = np.asarray(cv2.resize(sheet, _size(), interpolation=cv2.INTER_AREA), np.uint8)
    wide, high = _size()
    cv2.rectangle(small, (0, 0), (wide - 1, high - 1), _EDGE, 1)
    return small


@lru_cache(maxsize=1)
def _card_shape() -> Picture:
    mask = cv2.resize(deck_art.shape(), _size(), interpolation=cv2.INTER_AREA)
    return np.asarray(mask, np.uint8) // 128 * 255


def _size() -> tuple[int, int]:
    return CARD, round(CARD * deck_art.HEIGHT / deck_art.WIDTH)


def _lay(picture: Picture, laid: Picture, x: int, y: int) -> None:
    """Put a card into the picture, its middle at `x` and `y`, as far as it is in the picture."""
    high, wide = laid.shape[:2]
    left, top = x - wide // 2, y - high // 2
    first = (max(0, -left), max(0, -top))
    last = (min(wide, WIDTH - left), min(high, HEIGHT - top))
    if first[0] >= last[0] or first[1] >= last[1]:
        return
    part = picture[top + first[1] : top + last[1], left + first[0] : left + last[0]]
    shape = _card_shape()[first[1] : last[1], first[0] : last[0]]
    cv2.copyTo(laid[first[1] : last[1], first[0] : last[0]], shape, part)
