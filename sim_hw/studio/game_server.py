"""The game server at work: who has which seat and bet, what the robots do, who is paid what.

Everything that it knows of the table comes from the feed and the API.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Coroutine
from typing import Any, Final

from sim_hw.studio.account import Account, SettledBet, Stake
from sim_hw.studio.api import Fact, TableApi
from sim_hw.studio.figures import StudioFigures
from sim_hw.studio.robots import Robots
from sim_hw.studio.round_bets import RoundBets

#: What the server chooses for who says nothing where the table waits on, the first that is open;
#: and how long after the time was over.
PLAIN: Final = ("stand", "no-insurance", "no-card", "hit", "card")
GRACE_S: Final = 1.0
#: After a start the feed has sent what is past once nothing has come for this long.
QUIET_S: Final = 2.0


def _nothing() -> None:
    """Nothing is written down."""


class OtherAccount(AssertionError):
    """The table's account of a seat is another one than the server's; the text has both."""


class GameServer:
    """Robots at every seat of a table, and more who bet behind them.

    `least` is the smallest bet in minor units, of which every bet is a whole number. `think_s` is
    the longest that a robot thinks. `alone`: nobody else bets at this table, its dealer neither.
    """

    def __init__(
        self,
        api: TableApi,
        seats: int,
        *,
        behind: int,
        least: int,
        seed: int = 1,
        think_s: float = 0.0,
        alone: bool = True,
    ) -> None:
        self.account = Account()
        self.tally = StudioFigures()
        self.api = api
        self.seats = seats
        self.least = least
        #: Seats that people have, each with the player's id; the robots have the others.
        self.people: dict[int, str] = {}
        self.bets = RoundBets(api, self.tally, self._changed)
        #: What each has won in the last round.
        self.last_won: dict[str, int] = {}
        self._robots = Robots(seed, seats, behind, least)
        self._think_s = think_s
        self._alone = alone
        #: What the table has paid in this round, by seat, and the robots that have dropped out.
        self.won: dict[int, int] = defaultdict(int)
        self.away: set[int] = set()
        #: The newest window of the table: the number of its fact, the kind, and the fields.
        self.window: tuple[int, str, dict[str, Any]] | None = None
        #: The newest fact that all of this knows of; settled bets that are not written down yet.
        self.heard = 0
        self.settled: list[SettledBet] = []
        #: Called where any of this has changed, before anything is sent out.
        self.keep: Callable[[], None] = _nothing
        self._past = False
        #: What is done after a while: robots that think, answers for who says nothing.
        self.acts: set[asyncio.Task[None]] = set()

    def _changed(self) -> None:
        self.keep()

    async def sit(self) -> None:
        """Take every seat."""
        await asyncio.gather(*(self.seat_robot(seat) for seat in range(1, self.seats + 1)))

    async def seat_robot(self, seat: int, key: str = "") -> None:
        """A robot takes that seat, as soon as it is free."""
        self.people.pop(seat, None)
        command = {
            "do": "take_seat", "seat": seat, "player": self._robots.player(seat),
            "name": f"Robot {seat}",
        }  # fmt: skip
        await self.api.ask([(f"{self._robots.seed}-sit-{seat}{key}", command)])

    async def play(self, rounds: int = 0) -> None:
        """Follow the table until that many rounds are over; 0: for ever. Raises `OtherAccount`."""
        try:
            async for fact in self.api.facts():
                await self._take_on(fact)
                for each in [task for task in self.acts if task.done()]:
                    self.acts.discard(each)
                    each.result()
                if rounds and self.tally.rounds >= rounds:
                    return
        finally:
            for each in self.acts:
                each.cancel()
            await asyncio.gather(*self.acts, return_exceptions=True)
            self.acts.clear()

    async def _take_on(self, fact: Fact) -> None:
        await self._heard(fact)
        self.heard = fact.seq
        self.keep()

    async def catch_up(self, newest: int) -> None:
        """Hear what was recorded while no server was there, until fact `newest`, without doing
        anything about it; then do what the newest window asks for.

        Raises `FeedReset` and `OtherAccount`.
        """
        self._past = True
        facts = self.api.facts()
        try:
            while self.heard < newest:
                await self._take_on(await asyncio.wait_for(anext(facts), QUIET_S))
        except TimeoutError:
            pass  # the newest records are none that a feed tells
        finally:
            self._past = False
            await facts.aclose()
        if self.window is not None:
            await self._heard(Fact(*self.window, None))

    def give_bets_back(self) -> None:
        """The feed does not go on: what became of the bets that lie there cannot be known."""
        self.bets.clear()
        self.won.clear()
        self.window = None

    async def _think(self, name: str, act: Coroutine[Any, Any, None]) -> None:
        """Do what a robot does, after it has thought; the feed is heard meanwhile."""
        if self._think_s:
            self._later(self._robots.thinks_s(name, self._think_s), act)
        else:
            await act

    def _later(self, pause_s: float, act: Coroutine[Any, Any, None]) -> None:
        async def waited() -> None:
            try:
                await asyncio.sleep(pause_s)
            except asyncio.CancelledError:
                act.close()
                raise
            await act

        self.acts.add(asyncio.create_task(waited()))

    async def _heard(self, fact: Fact) -> None:
        fields = fact.fields
        if fact.kind in ("WindowOpened", "WindowExpired"):
            self.window = (fact.seq, fact.kind, fields)
        match fact.kind:
            case "WindowOpened" | "WindowExpired" | "WindowStopped" | "HoldReleased" if self._past:
                return
            case "WagerPlaced" | "WagerRemoved" if self._past:
                # Its answer never came: the server was killed before.
                player = self.people.get(fields["seat"]) or self._robots.player(fields["seat"])
                self.bets.put(player, fields["seat"], fields.get("amount"))
            case "WindowOpened" | "WindowExpired" if fields["kind"] == "bets":
                await self._bet_if_none(fact.seq)
            case "HoldReleased" if self.window is not None and self.window[2]["kind"] == "bets":
                # While the table was held no bet was taken, and its window may have run out.
                await self._bet_if_none(fact.seq)
            case "WindowOpened":
                await self._asked(fact.seq, fields["seat"], fields["hand"])
            case "WindowExpired":
                self._later(GRACE_S, self._answer_for(fact.seq, fields["seat"], fields["hand"]))
            case "WindowStopped":
                self.tally.stops += 1
            case "BetsClosed":
                await self._closed(fact.seq, fields)
            case "HandSettled":
                self.won[fields["seat"]] += fields["net"]
            case "RoundEnded" | "RoundVoided":
                await self._over(fact.seq, fields["number"], void=fact.kind == "RoundVoided")

    async def _bet_if_none(self, seq: int) -> None:
        """After an expired window without a bet, the next bet opens one anew. What the table took
        stands for the round: the feed may still be behind those very bets.
        """
        if not any(self._robots.sits(each) for each in self.bets.stakes):
            await self._think(f"bet/{seq}", self._bet(seq))

    async def _bet(self, seq: int) -> None:
        """Bets of those robots who sit; those behind choose a seat each. A window that was missed
        while the line was away is refused, and nobody's loss.
        """
        plan = self._robots.round(seq, self.people, self.away)
        for seat, away in plan.lines:
            (self.away.add if away else self.away.discard)(seat)
            said = self._command(seat, "mark_away", away=away)
            await self.api.ask([(f"{self._robots.seed}-away-{seq}-{seat}", said)])
        async with self.bets.placing:
            # Two windows may have come before one robot had thought: they bet once.
            bets = self.bets
            if bets.in_play or any(self._robots.sits(each) for each in bets.stakes):
                return
            answers = await self.api.ask([
                (
                    f"{self._robots.seed}-bet-{seq}-{seat}",
                    self._command(seat, "place_wager", amount=amount),
                )
                for seat, amount in plan.bets
            ])  # fmt: skip
            taken = [one for one, said in zip(plan.bets, answers, strict=True) if self._taken(said)]
            bets.stakes += [Stake(self._robots.player(seat), seat, much) for seat, much in taken]
            bets.stakes = [each for each in bets.stakes if not self._robots.stands_behind(each)]
            self.tally.bets += len(taken)
            seats = [each.seat for each in bets.stakes if not each.behind]
            bets.stakes += self._robots.behind(plan, seats)
            self.keep()

    def _command(self, seat: int, do: str, **how: Any) -> dict[str, Any]:
        return {"do": do, "seat": seat, "player": self._robots.player(seat), **how}

    def _taken(self, said: dict[str, Any]) -> bool:
        if not said["accepted"]:
            self.tally.refused[said["code"]] += 1
        return bool(said["accepted"])

    async def _decide(self, seq: int, seat: int, hand: int) -> None:
        """What a robot says; some say nothing, and the table's clock decides."""
        if seat in self.away or self._robots.silent(seq):
            self.tally.silent += 1
            return
        if open_now := await self.api.choices(seat, hand):
            said = {**self._robots.choose(seq, open_now), "player": self._robots.player(seat)}
            (answer,) = await self.api.ask([(f"{self._robots.seed}-say-{seq}", said)])
            self.tally.decisions += self._taken(answer)

    async def _closed(self, seq: int, fields: dict[str, Any]) -> None:
        """Whatever the table says was bet is what was bet: those behind a seat without a bet are
        out. Now and then somebody tries it once more.
        """
        placed = dict(fields["wagers"])
        bets = self.bets
        async with bets.placing:
            self.won.clear()
            bets.in_play = True
            own = {each.seat: each.amount for each in bets.stakes if not each.behind}
            known = placed if self._alone else {seat: placed.get(seat) for seat in own}
            if {seat: own.get(seat) for seat in known} != known:
                raise OtherAccount(f"bets: the table has {placed}, the server {own}")
            bets.stakes = [each for each in bets.stakes if each.seat in own and each.seat in placed]
        self.tally.behind += sum(each.behind for each in bets.stakes)
        self.window = None
        late = None if self._past else self._robots.late(seq)
        if late is not None and late[0] not in self.people:
            seat, amount = late
            command = self._command(seat, "place_wager", amount=amount)
            (said,) = await self.api.ask([(f"{self._robots.seed}-late-{seq}", command)])
            self.tally.late_taken += said["accepted"]
            self.tally.late_refused += not said["accepted"]

    async def _asked(self, seq: int, seat: int, hand: int) -> None:
        """The player of a hand is asked. Who bet there decides: a robot, or a person, who does so
        without this server but for the chips of what was chosen, which lie there at once.
        """
        owner = self.bets.owner(seat)
        if owner == self._robots.player(seat):
            await self._think(f"say/{seq}", self._decide(seq, seat, hand))
        elif owner:
            for each in await self.api.choices(seat, hand):
                if each["do"] == "confirm_wager":
                    await self.api.ask(
                        [(f"{self._robots.seed}-say-{seq}", {**each, "player": owner})]
                    )

    async def _answer_for(self, seq: int, seat: int, hand: int) -> None:
        """Time is over, and the rules leave nothing that a table may choose for who says nothing:
        it waits. The server chooses then what takes no chips and gives none up.
        """
        owner = self.bets.owner(seat)
        for each in await self.api.choices(seat, hand) if owner else ():
            if each["do"] == "decide" and each["action"] in PLAIN:
                said = {**each, "player": owner}
                (answer,) = await self.api.ask([(f"{self._robots.seed}-for-{seq}", said)])
                self.tally.answered_for += self._taken(answer)
                return

    async def _over(self, seq: int, number: int, *, void: bool) -> None:
        """Pay everybody by the outcomes, and hold the seats against the table's settlements."""
        outcomes = await self.api.outcomes(number)
        before = dict(self.account.balances)
        own = self.account.settle(self.bets.stakes, outcomes)
        self.last_won = {
            each.player: self.account.balances[each.player] - before.get(each.player, 0)
            for each in self.bets.stakes
        }
        self.settled += [
            SettledBet(seq, number, e.player, e.seat, e.amount, e.behind, self.last_won[e.player])
            for e in self.bets.stakes
        ]
        if not void:
            table = {seat: self.won.get(seat, 0) for seat in own}
            if own != table:
                raise OtherAccount(f"round {number}: the table paid {table}, the server {own}")
        self.bets.clear()
        self.window = None
        self.tally.rounds += 1
        self.tally.void += void
