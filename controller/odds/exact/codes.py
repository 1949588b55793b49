"""Sets of cards, and hands, as numbers: many are then compared at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from controller.odds.exact.shoe import Counts, Ints

Codes = NDArray[np.uint64]


class Coding:
    """A number for each set of cards, and for each hand: that of its cards and its state together.

    Sums of random numbers, one a card of a letter. Who relies on them compares the cards, too.
    """

    def __init__(self, letters: int, states: int) -> None:
        numbers = np.array([_mixed(at + 1) for at in range(letters + states)], dtype=np.uint64)
        self.letter: Codes = numbers[:letters]
        self.state: Codes = numbers[letters:]

    def of_cards(self, cards: Counts) -> Codes:
        """The number of each row."""
        found: Codes = cards.astype(np.uint64) @ self.letter
        return found


def _mixed(number: int) -> int:
    """A number of 64 bits that looks random (SplitMix64, Steele, Lea and Flood 2014)."""
    found = number * 0x9E3779B97F4A7C15 & (2**64 - 1)
    found = (found ^ found >> 30) * 0xBF58476D1CE4E5B9 & (2**64 - 1)
    found = (found ^ found >> 27) * 0x94D049BB133111EB & (2**64 - 1)
    return found ^ found >> 31


class Once(NamedTuple):
    """What several numbers come to, each once, in the order in which they come first.

    `first`: where each comes first, `place`: the place of each among them.
    """

    first: Ints
    place: Ints


def once(codes: Codes) -> Once:
    """Each number once."""
    _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return Once(first[order], rank[place])
