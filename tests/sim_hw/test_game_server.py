"""A studio: robots bet and decide over the API alone, and their server's account is the table's.

Whoever deals here does what the display says, quickly; everything else is the product: service,
record, web, feed. Now and then the table is held while a window is open, or the service ends.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Coroutine, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from controller.devices.inputs import Condition, Health, Reading
from controller.record.reading.verify import verify
from controller.rules.cards import Card
from controller.rules.games.registry import game as game_of
from controller.rules.script.steps import Deal, Reveal, Settle
from controller.rules.sealed import Sealed
from controller.service.loop import Service
from controller.service.ports import TableStopped
from controller.table import inputs as i
from controller.table.inputs import WindowKind, WindowTimes
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.state.phases import Phase
from controller.table.state.state import State
from controller.web.app import create_app
from controller.web.settings import WebSettings
from sim_hw.studio.account import NotPayable, Stake, gain
from sim_hw.studio.api import Fact, TableApi
from sim_hw.studio.game_server import GameServer
from tests.support.forms import quick_first
from tests.support.pit import SCANNER, setup
from tests.web.conftest import TOKEN
from tests.web.server import Served

pytestmark = pytest.mark.anyio

TIMES = WindowTimes(bets_ms=500, last_call_ms=200, decision_ms=250, insurance_ms=250)
LEAST = 1_000
STUDIO_S = 1_800


class StudioTable:
    """A table that is dealt by itself, and whose service may be ended and started again."""

    def __init__(self, folder: Path, game: str, seats: int, seed: int) -> None:
        times = replace(TIMES, no_answer=game_of(game).no_answer)
        self._start = i.Start(replace(setup(seats, game), windows=times), "0.0-test", (SCANNER,))
        self.folder = folder
        self.random = Random(seed)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._cards: Iterator[Card] = iter(())
        self.holds_to_call = 0

    async def run(self) -> None:
        """Start the service, serve it, and deal until cancelled."""
        service = Service(self._start, self.folder)
        await service.recover()
        server = Served(create_app(service, WebSettings(token=TOKEN, record=self.folder)))
        server.listening.close()
        server.listening = socket.socket()
        server.listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.listening.bind(("127.0.0.1", self.port))
        loop = asyncio.create_task(service.run())
        web = asyncio.create_task(server.serve([server.listening]))
        try:
            await service.offer(Health(SCANNER, Condition.UP))
            async for _ in service.changes():
                # As long as the table waits for the dealer; what is asked of players is theirs.
                while service.state is not None and await self._act(service, service.state):
                    pass
        finally:
            server.should_exit = True
            service.let_viewers_go()
            await web
            loop.cancel()
            await asyncio.wait([loop])
            service.close()
            server.listening.close()

    async def _act(self, service: Service, state: State) -> bool:
        """One act of the dealer's. False where the table waits for somebody else."""
        if state.holds:
            return await self._settle_hold(service, state)
        step = state.step
        if state.phase is Phase.SHUFFLE:
            self._cards = self._shuffled(state)
            return await _asked(service, i.LoadPack())
        if state.phase is Phase.CUT:
            return await _asked(service, i.CutShoe())
        if state.phase is Phase.BURN or isinstance(step, Deal):
            return await self._draw(service, state)
        if isinstance(step, Settle):
            return await _asked(service, i.ConfirmSettled(*step.hand.place))
        if isinstance(step, Reveal):
            return await _asked(service, i.TurnCard(*step.hand.place))
        window = state.remote.running
        if self.holds_to_call and window is not None and window.kind is WindowKind.BETS:
            held = await _asked(service, i.CallFloor())
            now = service.state.remote.window if service.state is not None else None
            # On a busy machine the window may have run out before the floor was called.
            self.holds_to_call -= now is not None and now.left_ms is not None
            return held
        return False

    async def _settle_hold(self, service: Service, state: State) -> bool:
        hold = state.holds[0]
        if hold.reason is Reason.RECOUNT:
            shown = state.cards_shown
            return await _asked(service, i.Resolve(hold.number, Resolution.COUNT, cards=shown))
        assert hold.reason is Reason.FLOOR, hold
        return await _asked(service, i.Resolve(hold.number, Resolution.RELEASE, reason="test"))

    def _shuffled(self, state: State) -> Iterator[Card]:
        pack = state.shoe.pack
        cards = [kind for kind in pack.kinds() for _ in range(pack.times(kind))]
        self.random.shuffle(cards)
        return iter(cards)

    async def _draw(self, service: Service, state: State) -> bool:
        for card in self._cards:
            if state.shoe.possible(card):
                await service.offer(Reading(SCANNER, Sealed(card), apart=True))
                async for _ in service.changes():
                    now = service.state
                    # A refused late bet is on record too: only the card or a hold answers a scan.
                    if now is None or now.shoe.gone > state.shoe.gone or now.holds:
                        return True
        raise AssertionError("the shoe is empty before it is shuffled")


async def _asked(service: Service, command: i.Command) -> bool:
    with suppress(TableStopped):
        return (await service.submit(command, None, None)).accepted
    return False


async def _played(
    table: StudioTable, *, rounds: int, seats: int, behind: int, restarts: int = 0, holds: int = 0
) -> GameServer:
    """So many rounds; the table is held in windows, and the service ended while bets are open."""
    dealt = asyncio.create_task(table.run())
    api = TableApi(table.url, TOKEN)
    server = GameServer(api, seats, behind=behind, least=LEAST)
    try:
        async with asyncio.timeout(STUDIO_S):
            await server.sit()
            for part in range(restarts + 1):
                table.holds_to_call = holds
                await _unless_ended(dealt, server.play(rounds * (part + 1) // (restarts + 1)))
                if part < restarts:
                    dealt.cancel()
                    await asyncio.wait([dealt])
                    dealt = asyncio.create_task(table.run())
    finally:
        dealt.cancel()
        await asyncio.wait([dealt])
        await api.close()
    return server


async def _unless_ended(dealt: asyncio.Task[None], play: Coroutine[Any, Any, None]) -> None:
    """Play on while somebody deals; what ended the dealer is raised here."""
    playing = asyncio.create_task(play)
    await asyncio.wait((dealt, playing), return_when=asyncio.FIRST_COMPLETED)
    if not playing.done():
        playing.cancel()
        await asyncio.wait((playing,))
        dealt.result()
        raise AssertionError("nobody deals any more")
    playing.result()


@pytest.mark.parametrize("game", quick_first(["21-24-27", "blackjack"], ["blackjack"]))
async def test_the_servers_account_is_the_tables_to_the_cent(tmp_path: Path, game: str) -> None:
    table = StudioTable(tmp_path / "record", game, 3, seed=5)
    server = await _played(table, rounds=4, seats=3, behind=20, restarts=1, holds=1)
    tally = server.tally
    assert tally.rounds == 4
    assert tally.stops >= 2
    assert tally.behind > 0
    assert tally.late_taken == 0
    assert verify(table.folder).good


@pytest.mark.long
@pytest.mark.parametrize("game", ["21-24-27", "finnish-27", "casino-7-27", "blackjack"])
async def test_an_hour_of_a_studio_with_three_hundred_behind(tmp_path: Path, game: str) -> None:
    """About as many rounds as an hour has at such a table, at windows of half a second."""
    table = StudioTable(tmp_path / "record", game, 7, seed=11)
    server = await _played(table, rounds=40, seats=7, behind=300, restarts=3, holds=2)
    tally = server.tally
    assert tally.late_refused > 0
    assert tally.late_taken == 0
    assert tally.silent > 0
    assert len(server.account.balances) > 250
    assert verify(table.folder).good


def test_who_bets_behind_wins_as_the_seat_but_for_side_bets_and_fixed_bonuses() -> None:
    hand = {"seat": 2, "hand": 1, "stake": "2", "pays": "3/2", "bonus": {"pays": None, "amount": 5}}
    side = {"seat": 2, "hand": 0, "stake": "1/2", "pays": "-1", "bonus": None}
    other = {"seat": 3, "hand": 1, "stake": "1", "pays": "-1", "bonus": None}
    outcomes = {"void": False, "hands": [side, hand, other]}
    assert gain(Stake("ann", 2, 100), outcomes) == 300 + 5 - 50
    assert gain(Stake("bea", 2, 100, behind=True), outcomes) == 300
    assert gain(Stake("cai", 3, 100), outcomes) == -100
    assert gain(Stake("ann", 2, 100), {**outcomes, "void": True}) == 0
    with pytest.raises(NotPayable):
        gain(Stake("dea", 2, 101), outcomes)


class LaggingTable(TableApi):
    """A table that has taken the bets before its feed says that the window before them is over."""

    def __init__(self, *facts: Fact) -> None:
        super().__init__("http://127.0.0.1:1", TOKEN)
        self.recorded = facts
        self.taken: dict[int, int] = {}

    async def facts(self) -> AsyncGenerator[Fact, None]:
        for fact in self.recorded:
            yield fact
        taken = [[seat, amount] for seat, amount in sorted(self.taken.items())]
        yield Fact(9, "BetsClosed", {"wagers": taken}, None)
        yield Fact(10, "RoundVoided", {"number": 1}, None)

    async def ask(self, commands: Sequence[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
        return [self._answer(command) for _, command in commands]

    def _answer(self, command: dict[str, Any]) -> dict[str, Any]:
        if command["do"] != "place_wager":
            return {"accepted": True, "code": ""}
        if command["seat"] in self.taken:
            return {"accepted": False, "code": "bet-came-late"}
        self.taken[command["seat"]] = command["amount"]
        return {"accepted": True, "code": ""}

    async def outcomes(self, number: int) -> dict[str, Any]:
        return {"void": True, "hands": []}


async def test_what_was_bet_stands_though_the_feed_is_behind() -> None:
    bets = {"kind": "bets"}
    recorded = (
        Fact(1, "WindowOpened", bets, None),
        Fact(2, "WindowExpired", bets, None),
        Fact(3, "WindowOpened", bets, None),
    )
    api = LaggingTable(*recorded)
    server = GameServer(api, 3, behind=0, least=LEAST, seed=3)
    await server.play(1)
    await api.close()
    assert api.taken
    assert server.tally.bets == len(api.taken)


class TakingTable(LaggingTable):
    """A table that takes a further bet instead of the one before, as every table does."""

    def _answer(self, command: dict[str, Any]) -> dict[str, Any]:
        return {"accepted": True, "code": ""}


async def test_two_windows_before_a_robot_has_thought_are_bet_in_once() -> None:
    bets = {"kind": "bets"}
    api = TakingTable()
    server = GameServer(api, 3, behind=4, least=LEAST, seed=3, think_s=0.01)
    for seq, kind in ((1, "WindowOpened"), (2, "WindowExpired")):
        await server._heard(Fact(seq, kind, bets, None))
    await asyncio.gather(*server.acts)
    await api.close()
    players = [each.player for each in server.bets.stakes]
    assert players
    assert len(players) == len(set(players)), "a player bets once in a round"


class HeldTable(TakingTable):
    """A table that is held until it is said that it is not."""

    held = True

    def _answer(self, command: dict[str, Any]) -> dict[str, Any]:
        refused = self.held and command["do"] == "place_wager"
        return {"accepted": not refused, "code": "table-is-held" if refused else ""}


async def test_bets_that_were_refused_while_the_table_was_held_are_placed_once_it_goes_on() -> None:
    """Their window had run out meanwhile: no other would come, and the table stood for ever."""
    api = HeldTable()
    server = GameServer(api, 3, behind=0, least=LEAST, seed=3)
    for seq, kind in ((1, "WindowOpened"), (2, "HoldRaised"), (3, "WindowExpired")):
        await server._heard(Fact(seq, kind, {"kind": "bets"}, None))
    assert server.bets.stakes == []
    api.held = False
    await server._heard(Fact(4, "HoldReleased", {"number": 1, "resolution": "release"}, None))
    await api.close()
    assert server.bets.stakes


async def test_bets_whose_answer_a_killed_server_never_had_are_found_in_the_feed() -> None:
    placed = [
        Fact(2, "WagerPlaced", {"seat": seat, "amount": LEAST * seat}, None) for seat in (1, 2)
    ]
    changed = Fact(3, "WagerPlaced", {"seat": 2, "amount": LEAST * 5}, None)
    removed = Fact(4, "WagerRemoved", {"seat": 1}, None)
    api = LaggingTable(Fact(1, "WindowOpened", {"kind": "bets"}, None), *placed, changed, removed)
    server = GameServer(api, 3, behind=0, least=LEAST, seed=3)
    server.people[2] = "ann"
    await server.catch_up(4)
    await api.close()
    assert server.bets.stakes == [Stake("ann", 2, LEAST * 5)] + [
        Stake(f"robot-3-{seat}", seat, much) for seat, much in api.taken.items()
    ]
    server.give_bets_back()
    assert server.bets.stakes == []
    assert not server.bets.in_play
