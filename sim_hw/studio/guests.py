"""People at a distance: they join by name, bet play money, decide, and leave. Who loses the line
keeps the seat for a while.

What a person may do is judged by the table, but for what no table knows: bets behind, and whether
the play money is enough.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from sim_hw.studio.account import Stake
from sim_hw.studio.game_server import GameServer
from sim_hw.studio.guest import Guest, NotDone, alike

#: What everybody begins with, and gets again who has too little for a bet, in minor units.
PLAY_MONEY: Final = 100_000
NAME_MAX: Final = 16
GUESTS_MAX: Final = 200
#: Without a line for this long somebody is away; for this long, the seat is given up.
AWAY_S: Final = 5.0
GONE_S: Final = 120.0
LOOK_S: Final = 1.0
#: Choices that take a further bet, and how much of the first one.
_TAKES_CHIPS: Final = {"double": Fraction(1), "split": Fraction(1), "insurance": Fraction(1, 2)}


class Guests:
    """Everybody who has joined, by the secret that their browser keeps."""

    def __init__(self, server: GameServer) -> None:
        self.server = server
        self._guests: dict[str, Guest] = {}
        self._count = 0
        self._acts = 0
        self._run = secrets.token_hex(4)
        #: The newest picture of the dealer display; None while the line to the table is lost.
        self.scene: dict[str, Any] | None = None

    # Following the table

    async def watch(self) -> None:
        """Keep the newest picture, and see to who is away or gone, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._follow())
            tasks.create_task(self._look_after_seats())

    async def _follow(self) -> None:
        async for scene in self.server.api.scenes():
            self.scene = scene

    async def _look_after_seats(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            now_s = time.monotonic()
            for guest in list(self._guests.values()):
                unseen_s = 0.0 if guest.lines else now_s - guest.unseen_since_s
                await self._mark(guest, away=unseen_s > AWAY_S)
                if unseen_s > GONE_S:
                    guest.leaving = True
                if guest.leaving and not self.plays(guest):
                    await self._give_seat_up(guest)
                    self._guests.pop(guest.secret, None)
                    self.server.keep()
                if not self.server.bets.in_play:
                    guest.further = 0

    async def take_over(self) -> None:
        """Seats that an earlier server of this table left taken are the robots' again."""
        async for scene in self.server.api.scenes():
            if scene is not None:
                self.scene = scene
                break
        there = {each["seat"]: each["name"] for each in (self.scene or {}).get("players", ())}
        own = {each.seat: each for each in self._guests.values() if each.seat is not None}
        for seat in range(1, self.server.seats + 1):
            guest = own.get(seat)
            if seat in there and there[seat] == (guest.name if guest else f"Robot {seat}"):
                continue
            if seat in there:
                command = {"do": "leave_seat", "seat": seat}
                await self.server.api.ask([(self._key("clear"), command)])
            if guest is None:
                await self.server.seat_robot(seat, self._key(""))
            else:
                await self.server.api.ask([(self._key("sit"), _take_seat(guest, seat))])

    def restore(self, guests: list[Guest]) -> None:
        """These people were there when an earlier server ended; their lines are lost."""
        for each in guests:
            each.unseen_since_s = time.monotonic()
            self._guests[each.secret] = each
            if each.seat is not None:
                self.server.people[each.seat] = each.player

    def to_keep(self) -> list[dict[str, Any]]:
        """Everybody, as `restore` takes them: without what is true of this process alone."""
        return [each.to_keep() for each in self._guests.values()]

    # What people do

    def known(self, secret: str | None) -> Guest | None:
        """Who has that secret."""
        return self._guests.get(secret or "")

    async def join(self, name: Any) -> Guest:
        """Somebody joins: at a robot's seat, or behind one where people have all.

        Raises `NotDone`.
        """
        name = name.strip() if isinstance(name, str) else ""
        if not 1 <= len(name) <= NAME_MAX or not name.isprintable():
            raise NotDone("write a name of 1 to {most} letters, digits and spaces", most=NAME_MAX)
        if alike(name).startswith("robot"):
            raise NotDone("robots are called so: choose another name")
        if any(alike(each.name) == alike(name) for each in self._guests.values()):
            raise NotDone("somebody is called {name} already: choose another name", name=name)
        if len(self._guests) >= GUESTS_MAX:
            raise NotDone("{most} people play already: try again later", most=GUESTS_MAX)
        self._count += 1
        guest = Guest(f"guest-{self._run}-{self._count}", name, secrets.token_urlsafe(24))
        guest.unseen_since_s = time.monotonic()
        self._guests[guest.secret] = guest
        self.server.keep()
        for seat in self._robots_seats():
            if await self._sit(guest, seat):
                break
        return guest

    def _robots_seats(self) -> list[int]:
        """Seats of robots, those first that do not play in this round."""
        server = self.server
        free = [each for each in range(1, server.seats + 1) if each not in server.people]
        return sorted(free, key=lambda seat: (bool(server.bets.owner(seat)), seat))

    async def _sit(self, guest: Guest, seat: int) -> bool:
        """The robot gives the seat up: at once, or once the round is over."""
        server = self.server
        server.people[seat] = guest.player
        if not server.bets.in_play and (robot := server.bets.owner(seat)):
            await server.bets.take_bet_back(robot, seat, self._key("back"))
        take = _take_seat(guest, seat)
        leave = {"do": "leave_seat", "seat": seat}
        _, said = await server.api.ask([(self._key("leave"), leave), (self._key("sit"), take)])
        if said["accepted"]:
            guest.seat = seat
        else:
            server.people.pop(seat, None)
        server.keep()
        return bool(said["accepted"])

    async def leave(self, guest: Guest) -> None:
        """Somebody leaves, with a hand that is in play once that is over.

        Until then it may be decided on: nobody else waits for the table's clock to do it.
        """
        if not self.server.bets.in_play and self.stake(guest) is not None:
            if guest.seat is None:
                await self.server.bets.bet_behind(guest.player, None)
            else:
                await self.server.bets.take_bet_back(guest.player, guest.seat, self._key("back"))
        guest.leaving = True
        self.server.keep()

    async def _give_seat_up(self, guest: Guest) -> None:
        if guest.seat is None:
            return
        seat, guest.seat = guest.seat, None
        self.server.keep()
        leave = {"do": "leave_seat", "seat": seat, "player": guest.player}
        await self.server.api.ask([(self._key("leave"), leave)])
        await self.server.seat_robot(seat, self._key(""))

    async def bet(self, guest: Guest, amount: Any, behind: Any = None) -> None:
        """Bet at the own seat, or behind one; 0 takes the bet back. Raises `NotDone`."""
        self._check_open(guest)
        if type(amount) is not int or amount < 0 or amount % self.server.least:
            raise NotDone("bet whole chips")
        if amount > self.left(guest) + self._staked(guest):
            raise NotDone("you have not so much play money left")
        if guest.seat is None:
            await self._bet_behind(guest, amount, behind)
        elif amount == 0:
            self._check_accepted(
                await self.server.bets.take_bet_back(guest.player, guest.seat, self._key("back"))
            )
        else:
            stake = Stake(guest.player, guest.seat, amount)
            self._check_accepted(await self.server.bets.bet(stake, self._key("bet")))

    async def _bet_behind(self, guest: Guest, amount: int, behind: Any) -> None:
        if type(behind) is not int or not 1 <= behind <= self.server.seats:
            raise NotDone("choose a seat to bet behind, 1 to {seats}", seats=self.server.seats)
        window = (self.scene or {}).get("window")
        late_ms = self.server.api.now_ms - window["closes_at_ms"] if window else 0
        if self.server.bets.in_play or not window or window["kind"] != "bets" or late_ms > 0:
            raise NotDone("no more bets: wait for the next round")
        guest.behind = behind
        stake = Stake(guest.player, behind, amount, behind=True) if amount else None
        self._check_accepted(await self.server.bets.bet_behind(guest.player, stake))

    async def decide(self, guest: Guest, seat: Any, hand: Any, action: Any) -> None:
        """Choose for the own hand, also on the way out. Raises `NotDone`."""
        self._check_answers()
        if guest.seat is None or seat != guest.seat:
            raise NotDone("that hand is another player's")
        if type(hand) is not int or not isinstance(action, str):
            raise NotDone("choose one of the keys that are shown")
        first = self.server.bets.owner(guest.seat) == guest.player
        stake = self._staked(guest)
        share = _TAKES_CHIPS.get(action, Fraction(0)) if first else Fraction(0)
        further = int(stake * share)
        if further > self.left(guest):
            raise NotDone("you have not so much play money left: choose otherwise")
        command = {
            "do": "decide", "seat": guest.seat, "hand": hand, "action": action,
            "player": guest.player,
        }  # fmt: skip
        # Laid down before it is asked for: neither a second tab nor a new start spends it twice.
        guest.further += further
        self.server.keep()
        (said,) = await self.server.api.ask([(self._key("say"), command)])
        if not said["accepted"]:
            guest.further -= further
            self.server.keep()
        self._check_accepted(said)

    def buy(self, guest: Guest) -> None:
        """More play money, for who has too little for a bet. Raises `NotDone`."""
        if self.left(guest) >= self.server.least:
            raise NotDone("you have play money left")
        guest.bought += PLAY_MONEY
        self.server.keep()

    # What people have

    def left(self, guest: Guest) -> int:
        """What a person can still bet, in minor units."""
        won = self.server.account.balances.get(guest.player, 0)
        further = guest.further if self.server.bets.in_play else 0
        return PLAY_MONEY + guest.bought + won - self._staked(guest) - further

    def seated(self, guest: Guest) -> bool:
        """Whether the seat is that person's already: a robot may be playing there."""
        players = self.scene["players"] if self.scene else ()
        return any((each["seat"], each["name"]) == (guest.seat, guest.name) for each in players)

    def plays(self, guest: Guest) -> bool:
        """Whether a bet of that person is in play."""
        return self.server.bets.in_play and self.stake(guest) is not None

    def _staked(self, guest: Guest) -> int:
        return sum(each.amount for each in self.server.bets.stakes if each.player == guest.player)

    def stake(self, guest: Guest) -> Stake | None:
        """What a person has bet in this round."""
        return next((each for each in self.server.bets.stakes if each.player == guest.player), None)

    def opened(self, guest: Guest) -> None:
        """A page of that person is there."""
        guest.lines += 1

    def closed(self, guest: Guest) -> None:
        """A page of that person is gone."""
        guest.lines -= 1
        guest.unseen_since_s = time.monotonic()

    # The table

    async def _mark(self, guest: Guest, *, away: bool) -> None:
        if away is guest.away or not self.seated(guest):
            return
        guest.away = away
        command = {"do": "mark_away", "seat": guest.seat, "player": guest.player, "away": away}
        await self.server.api.ask([(self._key("away"), command)])

    def _check_answers(self) -> None:
        if self.scene is None:
            raise NotDone("the table does not answer: wait a moment")

    def _check_open(self, guest: Guest) -> None:
        self._check_answers()
        if guest.leaving:
            raise NotDone("you are leaving the table")

    def _check_accepted(self, said: Mapping[str, Any]) -> None:
        if not said["accepted"]:
            raise NotDone(said["refused"])

    def _key(self, what: str) -> str:
        self._acts += 1
        return f"{self._run}-{what}-{self._acts}"


def _take_seat(guest: Guest, seat: int) -> dict[str, Any]:
    return {"do": "take_seat", "seat": seat, "player": guest.player, "name": guest.name}
