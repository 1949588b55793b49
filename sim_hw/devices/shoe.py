"""The physical shoe: cards as objects, each with a serial number, in an order that a seed fixes.

The order of the n-th shoe comes from `Random(f"{seed}/shoe/{n}")` and the place of its cut from
`Random(f"{seed}/cut/{n}")`, so that nothing that people or devices do can change the cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Final

from controller.rules.cards import Card, Pack

SERIAL_DIGITS: Final = 6
#: The player cuts at least this many cards from either end.
LEAST_CUT: Final = 10


@dataclass(frozen=True, slots=True)
class PhysicalCard:
    """One card of cardboard: its kind, and a serial number that no other card of the pack has.

    Its repr tells neither: it may lie face down.
    """

    kind: Card = field(repr=False)
    serial: int = field(repr=False)


class ShoeState(Enum):
    """What was last done to the shoe."""

    EMPTY = "no pack loaded"
    LOADED = "pack loaded, not cut"
    CUT = "cut"


class ShoeError(Exception):
    """Something that hands cannot do to the shoe as it stands."""


class PhysicalShoe:
    """A shoe and its pack. `number` counts the packs that were loaded."""

    def __init__(self, pack: Pack, seed: int) -> None:
        self.pack = pack
        self.number = 0
        self.state = ShoeState.EMPTY
        self._seed = seed
        self._refills = 0
        serials = Random(f"{seed}/serials").sample(range(10**SERIAL_DIGITS), pack.size)
        self._pack = [
            PhysicalCard(kind, serial) for kind, serial in zip(pack.cards(), serials, strict=True)
        ]
        self._cards: list[PhysicalCard] = []
        self.gone = 0

    @property
    def left(self) -> int:
        """Number of cards in the shoe."""
        return len(self._cards)

    @property
    def front(self) -> PhysicalCard | None:
        """The card that is drawn next, if there is one."""
        return self._cards[0] if self._cards else None

    def load(self) -> None:
        """Shuffle the whole pack and put it in the shoe: the next shoe of the seed."""
        self.number += 1
        self._refills = 0
        self._cards = list(self._pack)
        Random(f"{self._seed}/shoe/{self.number}").shuffle(self._cards)
        self.gone = 0
        self.state = ShoeState.LOADED

    def cut(self) -> int:
        """Cut the pack; returns where, in cards from the front. Raises `ShoeError`."""
        if self.state is not ShoeState.LOADED:
            raise ShoeError(f"only a pack just loaded is cut (the shoe: {self.state.value})")
        last = len(self._cards) - LEAST_CUT
        at = Random(f"{self._seed}/cut/{self.number}").randint(LEAST_CUT, last)
        self._cards = self._cards[at:] + self._cards[:at]
        self.state = ShoeState.CUT
        return at

    def draw(self) -> PhysicalCard:
        """Take the next card out. Raises `ShoeError` if there is none."""
        if not self._cards:
            raise ShoeError("the shoe is empty: load a pack, or the discards if a round is open")
        self.gone += 1
        return self._cards.pop(0)

    def refill(self, discards: Iterable[PhysicalCard], on_felt: int) -> None:
        """Shuffle the discards and put them in: what is gone is what lies on the felt."""
        self._refills += 1
        added = sorted(discards, key=lambda each: each.serial)
        Random(f"{self._seed}/shoe/{self.number}/refill/{self._refills}").shuffle(added)
        self._cards += added
        self.gone = on_felt
