"""The game server's own account: who bet what on which hand, and what each has won. Pure.

A bet lies on a seat: its player's own, or behind it. A hand's outcome says what it won for each
unit of its wager, and its wager in units of the seat's first bet; whoever bet behind plays the same
with the own stake, but for side bets and fixed bonuses, which are the seat's player's alone.
Nothing is rounded: what cannot be paid exactly is an error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple


class NotPayable(ValueError):
    """An amount that is no whole number of minor units."""


@dataclass(frozen=True, slots=True)
class Stake:
    """A bet of a player on the hands of a seat, in minor units; `behind`: on another's."""

    player: str
    seat: int
    amount: int
    behind: bool = False


class SettledBet(NamedTuple):
    """A bet, what it won (below zero: lost), and the fact that ended its round; minor units."""

    seq: int
    round: int
    player: str
    seat: int
    amount: int
    behind: bool
    won: int


@dataclass(slots=True)
class Account:
    """What everybody has won so far (below zero: lost), in minor units."""

    balances: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    settled: int = 0

    def settle(self, stakes: Iterable[Stake], outcomes: Mapping[str, Any]) -> dict[int, int]:
        """Pay a round by its outcomes; what the seats' own players won, by seat.

        Raises `NotPayable`.
        """
        own: dict[int, int] = {}
        for stake in stakes:
            won = gain(stake, outcomes)
            self.balances[stake.player] += won
            if not stake.behind:
                own[stake.seat] = won
        self.settled += 1
        return own


def gain(stake: Stake, outcomes: Mapping[str, Any]) -> int:
    """What a stake won in a round, by all hands of its seat. Raises `NotPayable`."""
    if outcomes["void"]:
        return 0
    won = Fraction(0)
    for hand in outcomes["hands"]:
        if hand["seat"] != stake.seat or hand["pays"] is None or hand["stake"] is None:
            continue
        if stake.behind and not hand["hand"]:
            continue
        wager = Fraction(hand["stake"]) * stake.amount
        won += wager * Fraction(hand["pays"])
        bonus = hand["bonus"]
        if bonus is not None:
            fixed = 0 if stake.behind else bonus["amount"]
            won += wager * Fraction(bonus["pays"]) if bonus["pays"] else fixed
    if won.denominator != 1:
        raise NotPayable(f"{stake} won {won}")
    return int(won)
