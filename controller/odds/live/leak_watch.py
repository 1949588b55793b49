"""One sequential test of a table's rounds: do the players win, or lose, more than they can by luck?

A test by betting (Waudby-Smith and Ramdas, JRSS B 2024): whoever bets a share of what he has on the
players' excess gains nothing on average while the table is fair, whatever the excess is distributed
like, since its mean is zero and it has a bound. The bets run as a Shiryaev-Roberts sum, an
e-detector (Shin, Ramdas and Rinaldo, NEJSDS 2023): each round may be the one in which a leak began.
While the table is fair, the mean of the sum less the number of rounds is a supermartingale, so that
between two false alarms there are `ALARM` rounds or more on average, though somebody looks after
each of them. No variance is assumed, nor that the seats of a round are independent.

One test for all: half of its weight is the table's own, half the dealers', each with the rounds
that they dealt. The first to deal weigh most.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final

from controller.odds.live.held import HeldRound
from controller.rules.frozen import frozen

#: Ten years of a table that deals a round a minute, day and night.
ALARM: Final = 10.0 * 365.0 * 24.0 * 60.0
#: Shares that are bet, in first wagers of the round: leaks of 0.3 % to 10 % are found best.
SHARES: Final = (0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128)
#: Of what would lose all, this much is bet at most.
MOST: Final = 0.75
#: The name of the table's own sum; dealers have theirs.
TABLE: Final = ""

Sums = tuple[float, ...]
_NOTHING: Final[Sums] = (0.0,) * (2 * len(SHARES))


@frozen
class LeakWatch:
    """The sums after `rounds` rounds: of the table, and of each dealer in order of appearance.

    First those that bet on the players, then those that bet on the house.
    """

    rounds: int = 0
    sums: Mapping[str, Sums] = field(default_factory=dict)

    def after(self, held: HeldRound, dealer: str = "") -> LeakWatch:
        """After one more round, that `dealer` (empty: nobody known) dealt."""
        sums = dict(self.sums)
        for name in dict.fromkeys((TABLE, dealer)):
            sums[name] = _after(sums.get(name, _NOTHING), held)
        return LeakWatch(self.rounds + 1, sums)

    @property
    def levels(self) -> dict[str, float]:
        """What the table and each dealer add to `level`."""
        dealers = [name for name in self.sums if name != TABLE]
        found = {
            name: 0.5 * 6.0 / (math.pi * (at + 1)) ** 2 * _mean(self.sums[name])
            for at, name in enumerate(dealers)
        }
        return {TABLE: 0.5 * _mean(self.sums.get(TABLE, _NOTHING)), **found}

    @property
    def level(self) -> float:
        """What the test found so far: a warning from `ALARM` on."""
        return sum(self.levels.values())

    @property
    def about(self) -> str:
        """Whose rounds say most, whatever weight they have: a dealer, or the table (empty)."""
        return max(self.sums, key=lambda name: _mean(self.sums[name]), default=TABLE)

    @property
    def for_players(self) -> bool:
        """Whether it is the players who win too much, not the house."""
        half = len(SHARES)
        sums = self.sums.get(self.about, _NOTHING)
        return sum(sums[:half]) >= sum(sums[half:])

    def as_data(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "rounds": self.rounds,
            "sums": {name: list(each) for name, each in self.sums.items()},
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> LeakWatch:
        """The same back. Raises `LookupError`, `TypeError`, `ValueError`."""
        sums = {str(name): tuple(map(float, each)) for name, each in data["sums"].items()}
        if any(len(each) != len(_NOTHING) for each in sums.values()):
            raise ValueError("sums of another test")
        return cls(int(data["rounds"]), sums)


def _mean(sums: Sums) -> float:
    return sum(sums) / len(sums)


def _after(sums: Sums, held: HeldRound) -> Sums:
    """The sums after one more round: what was bet on, multiplied; and a bet that begins with it."""
    excess, half = held.excess, len(SHARES)
    players = (
        (before + 1.0) * (1.0 + min(share, MOST / held.loss) * excess)
        for share, before in zip(SHARES, sums[:half], strict=True)
    )
    house = (
        (before + 1.0) * (1.0 - min(share, MOST / held.gain) * excess)
        for share, before in zip(SHARES, sums[half:], strict=True)
    )
    return (*players, *house)
