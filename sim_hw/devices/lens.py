"""What the shoe's camera sees: the ground, the card that slides by, light that changes, hands.

The way of a card: it lies in the picture at rest (the next card of the shoe), is pulled upwards
out of it, and after a while the next one comes down to rest. Time is given, in seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from random import Random
from typing import Final

import cv2
import numpy as np

from sim_hw.devices.deck_art import HEIGHT as CARD_HIGH
from sim_hw.devices.deck_art import WIDTH as CARD_WIDE
from sim_hw.devices.deck_art import shape
from sim_hw.devices.glyphs import Picture

WIDTH: Final = 640
HEIGHT: Final = 480
#: Where the middle of a card is at rest, and where it is once it is out of sight.
REST_Y: Final = 330.0
GONE_Y: Final = -180.0
#: How far to either side of the middle a card may lie, its height, and by how much that differs.
ASIDE: Final = 70
CARD_PX: Final = 262
CARD_PX_BY: Final = 8
#: How the speed of a pulled card grows: its way goes with this power of the time.
PULL_POWER: Final = 1.7
#: Frames are exposed this long; what moves is smeared by it.
EXPOSED_S: Final = 0.002
#: This many noises that brighten and that darken: a pair comes again after 42 frames.
NOISE_PICTURES: Final = (7, 6)
_SMALL: Final = (CARD_WIDE * 5 // 8, CARD_HIGH * 5 // 8)


class Mishap(Enum):
    """What may be in the way of a good picture while one card passes."""

    HAND = "hand"
    BLUR = "blur"
    BACK = "back"
    TWO = "two"


@dataclass(frozen=True, slots=True)
class Slide:
    """How one card lies and slides: sideways offset in pixels, angle in degrees, its height, and
    whether it lies the other way round.
    """

    x: float
    angle: float
    high: float
    mishaps: frozenset[Mishap] = frozenset()
    turned: bool = False


def slide(seed: int, number: int, mishaps: frozenset[Mishap] = frozenset()) -> Slide:
    """How the n-th card that passes lies: half of a shuffled shoe the other way round."""
    chance = Random(f"{seed}/slide/{number}")
    return Slide(
        x=WIDTH / 2 + chance.uniform(-ASIDE, ASIDE),
        angle=chance.gauss(0, 1.6),
        high=CARD_PX + chance.uniform(-CARD_PX_BY, CARD_PX_BY),
        mishaps=mishaps,
        turned=chance.random() < 0.5,
    )


def way(share: float) -> float:
    """Where the middle of a pulled card is after that share of its time, from rest to gone."""
    part: float = min(max(share, 0.0), 1.0) ** PULL_POWER
    return REST_Y + (GONE_Y - REST_Y) * part


class Lens:
    """Makes pictures. `light` goes up and down slowly, by the seed."""

    def __init__(self, seed: int) -> None:
        self._ground, (self._brighter, self._darker), self._phase = _sensor(seed)
        self._count = 0

    def picture(
        self, at_s: float, card: Picture | None, how: Slide, share: float, second: Picture | None
    ) -> Picture:
        """The picture at a time: a card (None: no card) that has gone `share` of its way.

        `second` follows it where two cards are pulled at once. Cards are as `small` makes them.
        """
        frame = self._ground.copy()
        if card is not None:
            middle = way(share)
            if second is not None:
                _lay(frame, second, replace(how, x=how.x + 90), middle + 70)
            _lay(frame, card, how, middle)
            if Mishap.HAND in how.mishaps:
                _hand(frame, how, middle)
            step = (way(share) - way(share + 0.01)) / 0.01  # pixels in the time of the whole way
            smear = round(step * EXPOSED_S / 0.2)
            if smear > 1:
                frame = np.asarray(cv2.blur(frame, (1, smear)), dtype=np.uint8)
            if Mishap.BLUR in how.mishaps:
                frame = np.asarray(cv2.GaussianBlur(frame, (0, 0), 7), dtype=np.uint8)
        return self._exposed(frame, at_s)

    def _exposed(self, frame: Picture, at_s: float) -> Picture:
        """What the sensor makes of it: light, its colour, noise."""
        slow = at_s + self._phase
        gain = 0.92 + 0.1 * math.sin(slow / 7)
        warm = 0.04 * math.sin(slow / 11)
        light = np.array([gain * (1 - warm), gain, gain * (1 + warm)])
        curve = np.clip(np.arange(256)[:, None] * light, 0, 255).astype(np.uint8)[:, None, :]
        lit = cv2.LUT(frame, curve)
        self._count += 1
        brighter = self._brighter[self._count % len(self._brighter)]
        darker = self._darker[self._count % len(self._darker)]
        return np.asarray(cv2.subtract(cv2.add(lit, brighter), darker), dtype=np.uint8)


@lru_cache(maxsize=4)
def _sensor(seed: int) -> tuple[Picture, tuple[list[Picture], list[Picture]], float]:
    """What a seed says of a camera: the ground, the noise that is added and taken off, the phase.

    Kept, since to draw the noise takes a tenth of a second: nobody changes these pictures.
    """
    chance = np.random.default_rng(seed)
    size = (HEIGHT, WIDTH, 3)
    ground = _felt(chance)
    brighter, darker = (
        [np.clip(chance.normal(0, 3, size), 0, 255).round().astype(np.uint8) for _ in range(n)]
        for n in NOISE_PICTURES
    )
    return ground, (brighter, darker), float(chance.uniform(0, 6))


def _felt(chance: np.random.Generator) -> Picture:
    """The ground under the camera: green felt, a little uneven."""
    rough = chance.normal(0, 9, (HEIGHT // 4, WIDTH // 4, 1))
    uneven = cv2.resize(rough, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    ground = np.array([52, 84, 38], np.float64) + cv2.GaussianBlur(uneven, (0, 0), 2)[:, :, None]
    falloff = np.linspace(1.08, 0.9, WIDTH)[None, :, None]
    return np.clip(ground * falloff, 0, 255).astype(np.uint8)


def _lay(frame: Picture, card: Picture, how: Slide, y: float) -> None:
    """Put a card into the picture, its middle at `how.x` and `y`."""
    if how.turned:
        card = np.ascontiguousarray(card[::-1, ::-1])
    scale = how.high / CARD_HIGH
    turn = cv2.getRotationMatrix2D((CARD_WIDE / 2, CARD_HIGH / 2), how.angle, scale)
    reach = 0.55 * how.high
    top, bottom = max(round(y - reach), 0), min(round(y + reach), HEIGHT)
    left, right = max(round(how.x - reach), 0), min(round(how.x + reach), WIDTH)
    if top >= bottom or left >= right:
        return
    turn[0, 2] += how.x - CARD_WIDE / 2 - left
    turn[1, 2] += y - CARD_HIGH / 2 - top
    size = (right - left, bottom - top)
    turn[:, :2] *= CARD_WIDE / card.shape[1]
    laid = cv2.warpAffine(card, turn, size, flags=cv2.INTER_LINEAR)
    mask = small_shape()
    where = cv2.warpAffine(mask, turn, size, flags=cv2.INTER_LINEAR)
    part = frame[top:bottom, left:right]
    cv2.copyTo(laid, where, part)


def small(card: Picture) -> Picture:
    """A card as large as it is ever seen: made once, laid into many pictures."""
    return np.asarray(cv2.resize(card, _SMALL, interpolation=cv2.INTER_AREA), np.uint8)


@lru_cache(maxsize=1)
def small_shape() -> Picture:
    """Where such a card is."""
    return small(shape()) // 128 * 255


def _hand(frame: Picture, how: Slide, y: float) -> None:
    """Fingers that hold the card by its lower right corner, over an edge of it."""
    skin = (110, 140, 190)
    for finger in range(3):
        tip = (round(how.x + 30 + 26 * finger), round(y + how.high * 0.36))
        end = (tip[0] + 150, tip[1] + 260)
        cv2.line(frame, tip, end, skin, 34, cv2.LINE_AA)
        cv2.line(frame, tip, end, (90, 118, 165), 3, cv2.LINE_AA)
