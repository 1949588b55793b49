"""The game server at work: its robots sit, bet, bet behind, decide, drop out, and are paid.

Everything that it knows of the table comes from the feed and the API. What happens at random has a
generator of its own, so that the same seed bets alike.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from sim_hw.studio.account import Account, Stake
from sim_hw.studio.api import Fact, TableApi

#: How likely a seated player does not bet, does not answer, or has lost the connection.
SITS_OUT: Final = 1 / 10
SILENT: Final = 1 / 6
DROPS_OUT: Final = 1 / 12
#: How likely a further bet is sent after bets have closed, to see it refused.
COMES_LATE: Final = 1 / 3
UNITS: Final = (1, 1, 2, 3, 5)


class OtherAccount(AssertionError):
    """The table's account of a seat is another one than the server's; the text has both."""


@dataclass(slots=True)
class StudioFigures:
    """What was seen: for whoever looks at the run afterwards."""

    rounds: int = 0
    void: int = 0
    bets: int = 0
    behind: int = 0
    decisions: int = 0
    silent: int = 0
    late_refused: int = 0
    late_taken: int = 0
    stops: int = 0
    refused: dict[str, int] = field(default_factory=lambda: defaultdict(int))


class GameServer:
    """Robots at every seat of a table, and so many more who bet behind them.

    `least` is the smallest bet in minor units, of which every bet is a whole number.
    """

    def __init__(
        self, api: TableApi, seats: int, *, behind: int, least: int, seed: int = 1
    ) -> None:
        self.account = Account()
        self.tally = StudioFigures()
        self._api = api
        self._seats = seats
        self._behind = behind
        self._least = least
        self._seed = seed
        self._stakes: list[Stake] = []
        self._windows = 0
        self._won: dict[int, int] = defaultdict(int)
        self._away: set[int] = set()

    async def sit(self) -> None:
        """Take every seat."""
        await self._api.ask(
            [
                (f"{self._seed}-sit-{seat}", {
                    "do": "take_seat", "seat": seat, "player": self._player(seat),
                    "name": f"Robot {seat}",
                })
                for seat in range(1, self._seats + 1)
            ]
        )  # fmt: skip

    async def play(self, rounds: int) -> None:
        """Follow the table until so many rounds are over. Raises `OtherAccount`."""
        async for fact in self._api.facts():
            await self._heard(fact)
            if self.tally.rounds >= rounds:
                return

    async def _heard(self, fact: Fact) -> None:
        fields = fact.fields
        match fact.kind:
            case "WindowOpened" | "WindowExpired" if fields["kind"] == "bets":
                # After an expired window without a bet, the next bet opens one anew. What the table
                # took stands for the round: the feed may still be behind those very bets.
                if not self._stakes:
                    await self._bet(fact.seq)
            case "WindowOpened":
                await self._decide(fact.seq, fields["seat"], fields["hand"])
            case "WindowStopped":
                self.tally.stops += 1
            case "BetsClosed":
                await self._closed(fact.seq, fields)
            case "HandSettled":
                self._won[fields["seat"]] += fields["net"]
            case "RoundEnded" | "RoundVoided":
                await self._over(fields["number"], void=fact.kind == "RoundVoided")

    def _player(self, seat: int) -> str:
        return f"robot-{self._seed}-{seat}"

    async def _bet(self, seq: int) -> None:
        """Bets of those who sit; those behind choose a seat each. A window that was missed while
        the line was away is refused, and nobody's loss.
        """
        chance = Random(f"{self._seed}/bets/{seq}")
        asked = []
        for seat in range(1, self._seats + 1):
            await self._connection(seq, seat, chance)
            if seat in self._away or chance.random() < SITS_OUT:
                continue
            asked.append((seat, self._least * chance.choice(UNITS)))
        answers = await self._api.ask([
            (f"{self._seed}-bet-{seq}-{seat}", self._command(seat, "place_wager", amount=amount))
            for seat, amount in asked
        ])  # fmt: skip
        taken = [one for one, said in zip(asked, answers, strict=True) if self._taken(said)]
        self._stakes = [Stake(self._player(seat), seat, amount) for seat, amount in taken]
        self.tally.bets += len(taken)
        if taken:
            seats = [seat for seat, _ in taken]
            self._stakes += [
                Stake(
                    f"behind-{self._seed}-{number}", chance.choice(seats),
                    self._least * chance.choice(UNITS), behind=True,
                )
                for number in range(self._behind)
            ]  # fmt: skip

    async def _connection(self, seq: int, seat: int, chance: Random) -> None:
        """Now and then somebody drops out for a round."""
        away = chance.random() < DROPS_OUT
        if away is (seat in self._away):
            return
        (self._away.add if away else self._away.discard)(seat)
        said = self._command(seat, "mark_away", away=away)
        await self._api.ask([(f"{self._seed}-away-{seq}-{seat}", said)])

    def _command(self, seat: int, do: str, **how: Any) -> dict[str, Any]:
        return {"do": do, "seat": seat, "player": self._player(seat), **how}

    def _taken(self, said: dict[str, Any]) -> bool:
        if not said["accepted"]:
            self.tally.refused[said["code"]] += 1
        return bool(said["accepted"])

    async def _closed(self, seq: int, fields: dict[str, Any]) -> None:
        """Whatever the table says was bet is what was bet: those behind a seat without a bet are
        out. Now and then somebody tries it once more.
        """
        placed = dict(fields["wagers"])
        self._won.clear()
        own = {each.seat: each.amount for each in self._stakes if not each.behind}
        if {seat: own.get(seat) for seat in placed} != placed:
            raise OtherAccount(f"bets: the table has {placed}, the server {own}")
        self._stakes = [each for each in self._stakes if each.seat in placed]
        self.tally.behind += sum(each.behind for each in self._stakes)
        chance = Random(f"{self._seed}/late/{seq}")
        if chance.random() < COMES_LATE:
            seat = chance.randint(1, self._seats)
            late = self._command(seat, "place_wager", amount=self._least * 7)
            (said,) = await self._api.ask([(f"{self._seed}-late-{seq}", late)])
            self.tally.late_taken += said["accepted"]
            self.tally.late_refused += not said["accepted"]

    async def _decide(self, seq: int, seat: int, hand: int) -> None:
        """What the player of a hand says; some say nothing, and the table's clock decides."""
        chance = Random(f"{self._seed}/says/{seq}")
        if seat in self._away or chance.random() < SILENT:
            self.tally.silent += 1
            return
        open_now = await self._api.choices(seat, hand)
        if open_now:
            said = self._command(seat, "decide", hand=hand, action=chance.choice(open_now))
        else:
            said = self._command(seat, "confirm_wager", hand=hand)
        (answer,) = await self._api.ask([(f"{self._seed}-say-{seq}", said)])
        self.tally.decisions += self._taken(answer)

    async def _over(self, number: int, *, void: bool) -> None:
        """Pay everybody by the outcomes, and hold the seats against the table's settlements."""
        outcomes = await self._api.outcomes(number)
        own = self.account.settle(self._stakes, outcomes)
        if not void:
            table = {seat: self._won.get(seat, 0) for seat in own}
            if own != table:
                raise OtherAccount(f"round {number}: the table paid {table}, the server {own}")
        self._stakes = []
        self.tally.rounds += 1
        self.tally.void += void
