"""Hand totals: points per rank, high and low aces, hard and soft, and the ranges rules speak of.

"Hard and Soft" in the 27 rule books; "Values of cards" in blackjack. A `Scale` says what the ranks
count; a `Total` is a number with hard or soft; a `Range` is the part of a rule like "less than
hard fifteen". `TotalParts` is any game's total as data, for records and displays.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple, Protocol, TypeAlias

from controller.rules.cards import DECK_52, JOKER, Card, Rank


class TotalKind(Enum):
    """What a number of a total is; the English words are in `controller.rules.english`."""

    HARD = "hard"
    SOFT = "soft"
    BUST = "bust"
    LOW = "low"
    HIGH = "high"
    HIGH_BUST = "high-bust"
    #: The dealer's first card passes the low target: a part without a number.
    NO_LOW = "no-low"
    #: The number alone is announced.
    ANNOUNCED = "announced"
    ANNOUNCED_BUST = "announced-bust"
    #: A number in halves of a point, without a word.
    HALVES = "halves"


class TotalPart(NamedTuple):
    """One number of a total: points, or halves of a point where its kind says so."""

    kind: TotalKind
    number: int | None = None


TotalParts: TypeAlias = tuple[TotalPart, ...]
"""A total as it is recorded and displayed, in the order in which it is announced."""


class Counted(Protocol):
    """What a hand counts, in the type of its game. As text it is as reports have it."""

    @property
    def parts(self) -> TotalParts:
        """The same as data, for records and displays."""
        ...


class Total(NamedTuple):
    """What a hand counts: its `points`, and `soft` while an ace counts high.

    `limit` is the number that must not be passed (27, 21).
    """

    points: int
    soft: bool = False
    limit: int = 27

    @property
    def bust(self) -> bool:
        """Whether the limit is passed."""
        return self.points > self.limit

    @property
    def parts(self) -> TotalParts:
        """Bust, soft or hard, and the points."""
        return _total_parts(self)

    def __str__(self) -> str:
        if self.bust:
            return f"bust {self.points}"
        return f"{'soft' if self.soft else 'hard'} {self.points}"


@lru_cache(maxsize=1024)
def _total_parts(total: Total) -> TotalParts:
    if total.bust:
        return (TotalPart(TotalKind.BUST, total.points),)
    return (TotalPart(TotalKind.SOFT if total.soft else TotalKind.HARD, total.points),)


#: What a wild card counts inside a sum: more than any hand of others.
_WILD: Final = 10_000
#: What an ace counts inside a sum beside its points: more than any pack of the others.
_ACE: Final = 100_000_000


class Scale:
    """What each rank counts: `points[rank]` with the ace low, and what a high ace adds.

    At most one ace is high: a second one would pass the limit in every game that uses a scale.
    `wild`: a hand with a Joker totals the limit, whatever else it holds.
    """

    __slots__ = ("_totals", "_values", "ace_gain", "limit")

    def __init__(
        self, points: tuple[int, ...], ace_gain: int, limit: int, *, wild: bool = False
    ) -> None:
        self.ace_gain = ace_gain
        self.limit = limit
        # By card, not by rank, and an ace in the same number: totals are counted several times a
        # round, of a few hundred different sums.
        self._values = {each: points[each.rank] for each in (*DECK_52, JOKER)}
        for each in DECK_52:
            if each.rank is Rank.ACE:
                self._values[each] += _ACE
        if wild:
            self._values[JOKER] = _WILD
        self._totals: dict[int, Total] = {}

    def total(self, cards: Iterable[Card]) -> Total:
        """The best total of `cards`: an ace counts high where that does not pass the limit."""
        values = self._values
        summed = 0
        for each in cards:
            summed += values[each]
        try:
            return self._totals[summed]
        except KeyError:
            found = self._totals[summed] = self._best(summed % _ACE, summed >= _ACE)
            return found

    def _best(self, low: int, has_ace: bool) -> Total:
        gain, limit = self.ace_gain, self.limit
        if low >= _WILD:
            # Wild cards fill up to the limit; soft if an ace among the others can be high.
            return Total(limit, has_ace and low % _WILD + gain <= limit, limit)
        if has_ace and low + gain <= limit:
            return Total(low + gain, True, limit)
        return Total(low, False, limit)


#: 27 games: J 11, Q 12, K 13, ace 14 or 1, Joker 0 ("Scoring").
SCALE_27: Final = Scale(tuple(range(14)), 13, 27)
#: The same with wild Jokers: "A hand includes a Joker. In that event, the hand has a value of
#: twenty-seven" (F27-A6); such a hand is called soft if an ace in it can be 14 (F27-A10).
SCALE_27_WILD: Final = Scale(tuple(range(14)), 13, 27, wild=True)


#: Where a range has no upper end: no hand counts this much.
NO_END: Final = 99


class Range(NamedTuple):
    """A range of totals as a rule book names it: hard or soft, from `low` to `high` inclusive."""

    soft: bool
    low: int = 0
    high: int = NO_END

    def holds(self, total: Total) -> bool:
        """Whether `total` is in this range."""
        return total.soft is self.soft and self.low <= total.points <= self.high

    def __str__(self) -> str:
        kind = "soft" if self.soft else "hard"
        if self.low and self.high < NO_END:
            return f"{kind} {self.low} to {self.high}"
        return f"{kind} {self.low} or more" if self.low else f"under {kind} {self.high + 1}"


def hard_under(points: int) -> Range:
    """Give the range "less than hard N"."""
    return Range(False, 0, points - 1)


def soft_under(points: int) -> Range:
    """Give the range "less than soft N"."""
    return Range(True, 0, points - 1)


def hard_from(points: int) -> Range:
    """Give the range "at least hard N"."""
    return Range(False, points)


def soft_from(points: int) -> Range:
    """Give the range "at least soft N"."""
    return Range(True, points)


def first_holding(ranges: Iterable[Range], total: Total) -> Range | None:
    """The first of `ranges` that `total` is in."""
    for each in ranges:
        if each.holds(total):
            return each
    return None
