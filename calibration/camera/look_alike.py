"""How far apart two cards of a deck are for a camera: which look alike, either way round.

Two prints are laid over each other and compared where they differ. `apart` counts by how many times
the sensor's noise the difference of all those pixels together exceeds it: what stands between two
cards when one of them is read by its picture alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from controller.rules.cards import Card
from drivers.vision.calibrated.template_match import (
    FloatImage,
    PrintTemplate,
    Thumbnail,
    registered,
    thumbnail_of,
)
from drivers.vision.finding.rectified_card import RectifiedCard

#: Two cards that are less apart look alike. The same card laid twice is up to 7 apart, two courts
#: that differ by nothing but their suits' signs 24 (drawn decks, 262 pixels high).
LOOK_ALIKE: Final = 15.0
#: One way round must fit this many times better before it is said that a card lies so.
CLEARLY: Final = 1.5
#: This many of the likeliest other cards are laid over a card.
_RIVALS: Final = 4
#: The window, in pixels of the small picture, in which a difference is compared with the print.
_WINDOW: Final = (9, 9)
#: A difference of less than this share of the print around it is one of focus or light.
_SAME: Final = 0.05
#: Noise of a pixel of the small picture, in levels.
_NOISE: Final = 8.0


@dataclass(frozen=True, slots=True)
class Print:
    """What is printed on one card, for comparison: as it lies, and turned by half a turn."""

    upright: PrintTemplate
    row: FloatImage
    turned_row: FloatImage

    @classmethod
    def of(cls, card: RectifiedCard) -> Print:
        """The print of a card that was found in a frame."""
        upright = thumbnail_of(card)
        image = np.ascontiguousarray(card.image[::-1, ::-1])
        turned: Thumbnail = thumbnail_of(replace(card, image=image))
        return cls(upright.template(), upright.row(), turned.row())

    @property
    def turned(self) -> PrintTemplate:
        """The same print, the other way round."""
        return self.upright.turned()


@dataclass(frozen=True, slots=True)
class Nearest:
    """The other card that is most like `card`, and how far apart they are, in sigmas of noise."""

    card: Card
    other: Card
    apart: float


def apart(one: PrintTemplate, other: PrintTemplate) -> float:
    """By how many sigmas of noise two prints differ that lie as they are."""
    laid = registered(other, one)
    differ = laid.levels - one.levels
    power = np.maximum(one.power + laid.power, 1.0)
    share = np.asarray(cv2.blur(differ * differ, _WINDOW), np.float32) / power
    weight = np.clip((share - _SAME) / _SAME, 0, 1) * laid.visible * one.visible
    return float(np.linalg.norm(differ * weight)) / (2 * _NOISE)


def apart_either_way(one: Print, other: Print) -> float:
    """By how many sigmas two cards differ in the orientation in which they differ least."""
    return min(apart(one.upright, other.upright), apart(one.upright, other.turned))


def likeness(one: Print, other: Print) -> float:
    """The correlation of two prints in the orientation in which they are most alike, unaligned."""
    return max(float(one.row @ other.row), float(one.row @ other.turned_row))


def lies_turned(card: Print, captured: Print) -> bool | None:
    """Whether a card lies the other way round than its capture; None: it looks the same so."""
    upright = apart(captured.upright, card.upright)
    turned = apart(captured.upright, card.turned)
    if min(upright, turned) * CLEARLY > max(upright, turned):
        return None
    return turned < upright


def nearest(card: Print, others: Mapping[Card, Print]) -> Nearest | None:
    """Which of `others` a card is most like; `card` of the answer is that one too."""
    likeliest = sorted(others, key=lambda kind: -likeness(card, others[kind]))[:_RIVALS]
    found = [Nearest(kind, kind, apart_either_way(card, others[kind])) for kind in likeliest]
    return min(found, key=lambda each: each.apart, default=None)


def nearest_pairs(prints: Mapping[Card, Print]) -> list[Nearest]:
    """For each card the other one that is most like it, each pair once, the most alike first."""
    pairs: dict[frozenset[Card], Nearest] = {}
    for kind, own in prints.items():
        found = nearest(own, {other: prints[other] for other in prints if other is not kind})
        if found is not None:
            pairs[frozenset((kind, found.card))] = Nearest(kind, found.card, found.apart)
    return sorted(pairs.values(), key=lambda each: each.apart)


def prints_of(cards: Sequence[tuple[Card, RectifiedCard]]) -> dict[Card, Print]:
    """The print of the first capture of each card."""
    return {kind: Print.of(card) for kind, card in reversed(cards)}
