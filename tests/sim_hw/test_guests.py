"""People at a game server: seats, play money, bets behind, who is away. The table is a stand-in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import Any

import pytest

from sim_hw.studio import game_server as game_server_module
from sim_hw.studio import guests as guests_module
from sim_hw.studio.api import Fact, TableApi
from sim_hw.studio.game_server import GameServer
from sim_hw.studio.guest import Guest, NotDone
from sim_hw.studio.guests import GUESTS_MAX, NAME_MAX, PLAY_MONEY, Guests
from sim_hw.studio.player_view import player_view

pytestmark = pytest.mark.anyio

LEAST = 1_000
SEATS = 2
NOW_MS = 1_000_000


class StandIn(TableApi):
    """A table that takes whatever is sent, but for what `refuses` names; `sent` is what came."""

    def __init__(self) -> None:
        super().__init__("http://127.0.0.1:1", "t")
        self.sent: list[dict[str, Any]] = []
        self.refuses: dict[str, str] = {}
        self.feed: asyncio.Queue[Fact] = asyncio.Queue()
        self.won = 0
        self.scene: dict[str, Any] = scene()
        #: What an answer waits for.
        self.waits_for: asyncio.Event | None = None

    @property
    def now_ms(self) -> int:
        return NOW_MS

    async def facts(self) -> AsyncGenerator[Fact, None]:
        while True:
            yield await self.feed.get()
            self.feed.task_done()

    async def scenes(self) -> AsyncIterator[dict[str, Any] | None]:
        yield self.scene
        await asyncio.Event().wait()

    async def ask(self, commands: Sequence[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
        self.sent += [command for _, command in commands]
        if self.waits_for is not None:
            await self.waits_for.wait()
        return [self._answer(command) for _, command in commands]

    def _answer(self, command: dict[str, Any]) -> dict[str, Any]:
        why = self.refuses.get(command["do"])
        return {"accepted": why is None, "refused": why, "code": "some-rule" if why else ""}

    async def outcomes(self, number: int) -> dict[str, Any]:
        hand = {"seat": 1, "hand": 1, "stake": "1", "pays": "3/2", "bonus": None}
        return {"void": False, "hands": [hand]}


def scene(**more: Any) -> dict[str, Any]:
    window = {"kind": "bets", "seat": 0, "closes_at_ms": NOW_MS + 500, "expired": False}
    return {
        "game": "Blackjack", "round": 1, "phase": "betting", "hands": [], "dealer": None,
        "seats": SEATS, "words": {"seat": "box"}, "window": window, "players": [], "limits": "",
        "rule": "", "keys": [], "holds": [], "tone": "calm", "wager": {"high": 100_000}, **more,
    }  # fmt: skip


class GuestServer:
    """A game server with people before a stand-in of a table."""

    def __init__(self) -> None:
        self.api = StandIn()
        self.server = GameServer(self.api, SEATS, behind=0, least=LEAST, alone=False)
        self.guests = Guests(self.server)
        self.guests.scene = self.api.scene

    def own(self, guest: Guest) -> Any:
        return player_view(self.guests, guest)["you"]

    async def hear(self, *facts: Fact) -> None:
        """The server hears these facts of the table."""
        playing = asyncio.create_task(self.server.play())
        for each in facts:
            await self.api.feed.put(each)
        await self.api.feed.join()
        # What is thought over is done too, before the server is stopped.
        while self.server.acts:
            await asyncio.wait(self.server.acts)
            self.server.acts -= {each for each in self.server.acts if each.done()}
        playing.cancel()
        await asyncio.wait([playing])


async def gone(place: GuestServer, guest: Guest) -> None:
    """Returns once the server does not know that person any more."""
    for _ in range(2_000):
        if place.guests.known(guest.secret) is None:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{guest} is still there")


@pytest.fixture
async def place() -> AsyncIterator[GuestServer]:
    made = GuestServer()
    yield made
    await made.api.close()


async def test_people_take_robots_seats_and_then_bet_behind(place: GuestServer) -> None:
    first, second, third = [await place.guests.join(name) for name in ("Ann", "Bea", "Cai")]
    assert (first.seat, second.seat, third.seat) == (1, 2, None)
    assert [each["do"] for each in place.api.sent] == ["leave_seat", "take_seat"] * 2
    await place.guests.bet(third, 2 * LEAST, behind=1)
    assert place.own(third)["bet"] == 2 * LEAST
    assert place.own(third)["left"] == PLAY_MONEY - 2 * LEAST
    assert len(place.api.sent) == 4, "no table hears of a bet behind"


@pytest.mark.parametrize(
    "name",
    [
        "", "  ", "\u3000", "x" * (NAME_MAX + 1), "x" * 500, "a\nb", "a\x00b", "a\x1b[2J",
        "\u202enn", "\u200b", "\ud800", None, 7, [], {},
    ],
)  # fmt: skip
async def test_a_name_that_is_none_is_refused(place: GuestServer, name: Any) -> None:
    with pytest.raises(NotDone, match="write a name"):
        await place.guests.join(name)


async def test_two_people_of_one_name_are_told_apart(place: GuestServer) -> None:
    await place.guests.join("Ann")
    with pytest.raises(NotDone, match="called ann already"):
        await place.guests.join("ann ")


@pytest.mark.parametrize("other", ["ANN", "\uff21nn", "  ann\u3000"])
async def test_names_that_look_alike_are_one_name(place: GuestServer, other: str) -> None:
    await place.guests.join("Ann")
    with pytest.raises(NotDone, match="already"):
        await place.guests.join(other)
    with pytest.raises(NotDone, match="robots are called so"):
        await place.guests.join("\uff32obot 1")


@pytest.mark.parametrize(
    "name", ["\U0001f3b2\U0001f0a1", "\u05d3\u05e0\u05d4", "<b>x</b>", "O'Neil & Co"]
)
async def test_an_unusual_name_is_taken_as_it_is(place: GuestServer, name: str) -> None:
    ann = await place.guests.join(name)
    assert place.own(ann)["name"] == name


async def test_a_full_server_says_so(place: GuestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests_module, "GUESTS_MAX", 1)
    assert GUESTS_MAX > 1
    await place.guests.join("Ann")
    with pytest.raises(NotDone, match="try again later"):
        await place.guests.join("Bea")


async def test_a_bet_and_what_it_wins_are_exact(place: GuestServer) -> None:
    ann = await place.guests.join("Ann")
    await place.guests.bet(ann, 3 * LEAST)
    await place.guests.bet(ann, LEAST)
    assert place.own(ann)["left"] == PLAY_MONEY - LEAST, "the second bet is instead of the first"
    await place.hear(Fact(5, "BetsClosed", {"wagers": [[1, LEAST]]}, None))
    assert place.own(ann)["in_play"]
    settled = {"seat": 1, "net": LEAST * 3 // 2}
    await place.hear(
        Fact(6, "HandSettled", settled, None), Fact(7, "RoundEnded", {"number": 1}, None)
    )
    assert place.own(ann)["won"] == LEAST * 3 // 2
    assert place.own(ann)["left"] == PLAY_MONEY + LEAST * 3 // 2
    assert not place.own(ann)["in_play"]


async def test_nobody_bets_more_than_there_is_or_half_a_chip(place: GuestServer) -> None:
    ann = await place.guests.join("Ann")
    with pytest.raises(NotDone, match="not so much"):
        await place.guests.bet(ann, PLAY_MONEY + LEAST)
    with pytest.raises(NotDone, match="not so much"):
        await place.guests.bet(ann, 10**400 * LEAST)
    for wrong in (-LEAST, LEAST + 1, "10", None, True, 1.5, float("nan"), float("inf"), [LEAST]):
        with pytest.raises(NotDone, match="whole chips"):
            await place.guests.bet(ann, wrong)
    await place.guests.bet(ann, PLAY_MONEY)
    assert place.own(ann)["left"] == 0
    with pytest.raises(NotDone, match="not so much"):
        await place.guests.decide(ann, 1, 1, "double")
    await place.guests.decide(ann, 1, 1, "hit")


async def test_two_tabs_or_a_new_start_spend_the_chips_of_a_double_once(place: GuestServer) -> None:
    """They are noted before the table is asked, and noted away where it refuses."""
    ann = await place.guests.join("Ann")
    await place.guests.bet(ann, PLAY_MONEY // 2)
    place.server.bets.in_play = True
    spent: list[int] = []
    place.server.keep = lambda: spent.append(ann.further)
    place.api.refuses["decide"] = "this hand may not be doubled"
    with pytest.raises(NotDone, match="may not be doubled"):
        await place.guests.decide(ann, 1, 1, "double")
    assert (spent, place.own(ann)["left"]) == ([PLAY_MONEY // 2, 0], PLAY_MONEY // 2)
    del place.api.refuses["decide"]
    answered = asyncio.Event()
    place.api.waits_for = answered
    first = asyncio.create_task(place.guests.decide(ann, 1, 1, "double"))
    await asyncio.sleep(0)
    with pytest.raises(NotDone, match="not so much"):
        await place.guests.decide(ann, 1, 1, "double")
    answered.set()
    await first
    assert place.own(ann)["left"] == 0


async def test_what_the_table_refuses_is_said_and_costs_nothing(place: GuestServer) -> None:
    ann = await place.guests.join("Ann")
    place.api.refuses["place_wager"] = "no more bets: this came 12 ms after they closed"
    with pytest.raises(NotDone, match="12 ms after"):
        await place.guests.bet(ann, LEAST)
    assert place.own(ann)["left"] == PLAY_MONEY


async def test_a_bet_behind_that_comes_late_is_refused(place: GuestServer) -> None:
    await place.guests.join("Ann")
    await place.guests.join("Bea")
    cai = await place.guests.join("Cai")
    assert place.guests.scene is not None
    place.guests.scene["window"]["closes_at_ms"] = NOW_MS - 1
    with pytest.raises(NotDone, match="no more bets"):
        await place.guests.bet(cai, LEAST, behind=1)
    for wrong in (0, SEATS + 1, "1", None):
        with pytest.raises(NotDone, match="choose a seat"):
            await place.guests.bet(cai, LEAST, behind=wrong)


async def test_a_bet_before_the_feed_told_the_end_of_a_round_is_not_in_that_round(
    place: GuestServer,
) -> None:
    ann = await place.guests.join("Ann")
    await place.guests.bet(ann, LEAST)
    await place.hear(Fact(5, "BetsClosed", {"wagers": [[1, LEAST]]}, None))
    sent = len(place.api.sent)
    for much in (2 * LEAST, 0):
        with pytest.raises(NotDone, match="no more bets"):
            await place.guests.bet(ann, much)
    assert len(place.api.sent) == sent, "the table would take it for the next round"
    assert place.own(ann)["bet"] == LEAST


async def test_nobody_decides_for_another(place: GuestServer) -> None:
    ann = await place.guests.join("Ann")
    for seat in (2, 0, None, "1"):
        with pytest.raises(NotDone, match="another player's"):
            await place.guests.decide(ann, seat, 1, "stand")
    assert not any(each["do"] == "decide" for each in place.api.sent)


async def test_choices_are_shown_to_the_player_of_that_hand_alone(place: GuestServer) -> None:
    ann, bea = await place.guests.join("Ann"), await place.guests.join("Bea")
    command = {"do": "decide", "seat": 1, "hand": 2, "action": "split"}
    keys = [{"label": "Split", "command": command}]
    place.guests.scene = scene(keys=keys)
    assert player_view(place.guests, ann)["choices"] == [], "a robot plays there still"
    players = [{"seat": 1, "name": "Ann"}, {"seat": 2, "name": "Bea"}]
    place.guests.scene = scene(keys=keys, players=players)
    shown = player_view(place.guests, ann)
    assert (shown["choices"], shown["hand"]) == ([{"action": "split", "label": "Split"}], 2)
    assert player_view(place.guests, bea)["choices"] == []
    assert player_view(place.guests, None)["choices"] == []


async def test_the_chips_of_a_choice_lie_there_at_once(place: GuestServer) -> None:
    ann = await place.guests.join("Ann")
    await place.guests.bet(ann, LEAST)
    offered = {"do": "confirm_wager", "seat": 1, "hand": 1}

    async def choices(seat: int, hand: int) -> list[dict[str, Any]]:
        return [offered]

    place.api.choices = choices  # type: ignore[method-assign]
    asked = {"kind": "decision", "seat": 1, "hand": 1}
    await place.hear(Fact(9, "WindowOpened", asked, None))
    assert place.api.sent[-1] == {**offered, "player": ann.player}


async def test_who_has_no_money_left_gets_more_once(place: GuestServer) -> None:
    ann = await place.guests.join("Ann")
    with pytest.raises(NotDone, match="money left"):
        place.guests.buy(ann)
    place.server.account.balances[ann.player] = -PLAY_MONEY
    assert place.own(ann)["may_buy"]
    place.guests.buy(ann)
    assert place.own(ann)["left"] == PLAY_MONEY


async def test_who_is_away_is_marked_and_gives_the_seat_up_in_the_end(
    place: GuestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests_module, "LOOK_S", 0.01)
    monkeypatch.setattr(guests_module, "AWAY_S", 0.05)
    monkeypatch.setattr(guests_module, "GONE_S", 0.2)
    place.api.scene = scene(players=[{"seat": 1, "name": "Ann"}])
    ann = await place.guests.join("Ann")
    place.guests.opened(ann)
    watching = asyncio.create_task(place.guests.watch())
    try:
        await asyncio.sleep(0.3)
        assert place.guests.known(ann.secret) is ann, "a page is open"
        place.guests.closed(ann)
        await gone(place, ann)
    finally:
        watching.cancel()
        await asyncio.wait([watching])
    done = [each["do"] for each in place.api.sent]
    assert done[2:] == ["mark_away", "leave_seat", "take_seat"]
    assert 1 not in place.server.people


async def test_who_leaves_in_a_round_stays_until_it_is_over(
    place: GuestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests_module, "LOOK_S", 0.01)
    ann = await place.guests.join("Ann")
    place.guests.opened(ann)
    await place.guests.bet(ann, LEAST)
    await place.hear(Fact(5, "BetsClosed", {"wagers": [[1, LEAST]]}, None))
    await place.guests.leave(ann)
    watching = asyncio.create_task(place.guests.watch())
    try:
        await asyncio.sleep(0.1)
        assert ann.seat == 1
        await place.guests.decide(ann, 1, 1, "stand")  # nobody waits for the table's clock
        with pytest.raises(NotDone, match="leaving"):
            await place.guests.bet(ann, LEAST)
        place.server.bets.in_play = False
        await gone(place, ann)
    finally:
        watching.cancel()
        await asyncio.wait([watching])
    assert place.server.people == {}


async def test_for_who_says_nothing_the_server_takes_no_chips(
    place: GuestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_server_module, "GRACE_S", 0.0)
    ann = await place.guests.join("Ann")
    await place.guests.bet(ann, LEAST)
    open_now = [
        {"do": "decide", "seat": 1, "hand": 1, "action": action}
        for action in ("double", "surrender", "hit")
    ]

    async def choices(seat: int, hand: int) -> list[dict[str, Any]]:
        return open_now

    place.api.choices = choices  # type: ignore[method-assign]
    over = {"kind": "decision", "seat": 1, "hand": 1}
    await place.hear(Fact(9, "WindowExpired", over, None))
    assert place.api.sent[-1] == {**open_now[2], "player": ann.player}
    assert place.server.tally.answered_for == 1


async def test_seats_that_an_earlier_server_left_are_the_robots_again(place: GuestServer) -> None:
    place.api.scene = scene(players=[{"seat": 2, "name": "Old"}])
    await place.guests.take_over()
    assert [(e["do"], e["seat"]) for e in place.api.sent] == [
        ("take_seat", 1), ("leave_seat", 2), ("take_seat", 2),
    ]  # fmt: skip
