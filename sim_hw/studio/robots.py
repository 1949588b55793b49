"""What the robots of a game server do (pure): bet, bet behind, decide, drop out, come too late.

What happens at random has a generator of its own, so that the same seed bets alike.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from sim_hw.studio.account import Stake

#: How likely a seated player does not bet, does not answer, or has lost the connection.
SITS_OUT: Final = 1 / 10
SILENT: Final = 1 / 6
DROPS_OUT: Final = 1 / 12
#: How likely a further bet is sent after bets have closed, to see it refused.
COMES_LATE: Final = 1 / 3
UNITS: Final = (1, 1, 2, 3, 5)


class RoundPlan(NamedTuple):
    """What the robots want in one round: who loses or finds the line (seat, whether away), and the
    bets of those who sit (seat, amount in minor units). `chance` is for those behind.
    """

    lines: list[tuple[int, bool]]
    bets: list[tuple[int, int]]
    chance: Random


class Robots:
    """Robots for `seats` seats and `behind` more behind them.

    `least` is the smallest bet in minor units, of which every bet is a whole number.
    """

    def __init__(self, seed: int, seats: int, behind: int, least: int) -> None:
        self.seed = seed
        self._seats = seats
        self._behind = behind
        self._least = least

    def player(self, seat: int) -> str:
        """The id of the robot at a seat."""
        return f"robot-{self.seed}-{seat}"

    def sits(self, stake: Stake) -> bool:
        """Whether that is the bet of a robot at its seat."""
        return stake.player == self.player(stake.seat)

    def stands_behind(self, stake: Stake) -> bool:
        """Whether that is the bet of a robot behind a seat."""
        return stake.player.startswith(f"behind-{self.seed}-")

    def round(self, seq: int, people: Collection[int], away: Collection[int]) -> RoundPlan:
        """The plan for the window that fact `seq` opened; the seats of `people` are not theirs."""
        chance = Random(f"{self.seed}/bets/{seq}")
        plan = RoundPlan([], [], chance)
        for seat in range(1, self._seats + 1):
            if seat in people:
                continue
            gone = chance.random() < DROPS_OUT
            if gone is not (seat in away):
                plan.lines.append((seat, gone))
            if gone or chance.random() < SITS_OUT:
                continue
            plan.bets.append((seat, self._least * chance.choice(UNITS)))
        return plan

    def behind(self, plan: RoundPlan, seats: Sequence[int]) -> list[Stake]:
        """What is bet behind those seats; nothing where nobody has bet."""
        chance = plan.chance
        found = []
        for number in range(self._behind if seats else 0):
            amount = self._least * chance.choice(UNITS)
            player = f"behind-{self.seed}-{number}"
            found.append(Stake(player, chance.choice(seats), amount, behind=True))
        return found

    def late(self, seq: int) -> tuple[int, int] | None:
        """Seat and amount of a bet that comes after bets were closed by fact `seq`, if any does."""
        chance = Random(f"{self.seed}/late/{seq}")
        return (
            (chance.randint(1, self._seats), self._least * 7)
            if chance.random() < COMES_LATE
            else None
        )

    def silent(self, seq: int) -> bool:
        """Whether the robot that fact `seq` asks says nothing."""
        return Random(f"{self.seed}/says/{seq}").random() < SILENT

    def choose(self, seq: int, choices: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Which of the open choices it says."""
        return Random(f"{self.seed}/chooses/{seq}").choice(choices)

    def thinks_s(self, name: str, longest_s: float) -> float:
        """How long a robot thinks before it does what `name` says."""
        return longest_s * Random(f"{self.seed}/{name}").uniform(0.3, 1)
