"""The dealer's people and a table in one process: no devices, no web, no waiting.

The world's dealer looks at the pictures of a `Pit` and acts on it; a card that is drawn is a
reading at once. Whatever the service would send or take goes through its own JSON.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from random import Random
from typing import Any

from pydantic import TypeAdapter

from controller.devices.inputs import Doubt, Reading
from controller.devices.lights import LOOKS
from controller.rules.actions import Place
from controller.rules.options import Plain
from controller.rules.script.steps import AddWager, Ask, Deal, Reveal, Settle, Vie
from controller.rules.sealed import Sealed
from controller.table.views.replay import find_round, replay
from controller.table.views.scene import scene
from controller.web.api.command_bodies import AnyCommandBody, CommandBody
from controller.web.json_views import encode
from sim_hw.devices.faults import FaultKind, Faults
from sim_hw.devices.pins.pin_world import PanelButton
from sim_hw.devices.spot_lamps import LampColour
from sim_hw.people.dealer import Dealer
from sim_hw.people.page_link import CommandReply, Link
from sim_hw.settings import Settings, parse_settings
from sim_hw.table.changes import Changes
from sim_hw.table.display_reader import Command, Display, read_display
from sim_hw.table.oracle import AccountStep
from sim_hw.table.world import World
from tests.support.patience import PATIENCE_S
from tests.support.pit import SCANNER, Pit, setup

_COMMANDS: TypeAdapter[CommandBody] = TypeAdapter(AnyCommandBody)


def settings(name: str, seats: int, seed: int, **options: Plain) -> Settings:
    """A world's set-up, as `tablectl demo` writes it."""
    pins = {
        "spots": [[3 * n, 3 * n + 1, 3 * n + 2] for n in range(seats)],
        "buttons": {"next": 2, "stand": 3, "call": 4},
    }
    return parse_settings(
        {
            "game": name, "seats": seats, "seed": seed, "speed": 10_000, "rounds": 0,
            "headless": True, "rundir": "nowhere", "port": 0, "token": "t", "pins": pins,
            "service_url": "http://127.0.0.1:9", "options": options,
        }
    )  # fmt: skip


class _Link(Link):
    """The dealer's page of a table that is in the same process."""

    def __init__(self, pit: Pit, changes: Changes) -> None:
        self.pit = pit
        self.problem = ""
        self._changes = changes
        self.accounts = 0
        self.picture()

    def picture(self) -> None:
        """The table shows what it now is."""
        self.display: Display | None = read_display(json.loads(encode(self.pit.display)))
        self._changes.notify()

    async def send(self, command: Command, view_seq: int | None = None) -> CommandReply:
        decision = self.pit.give(
            _COMMANDS.validate_python(dict(command)).command, view_seq=view_seq
        )
        self.picture()
        return CommandReply(not decision.refused, decision.refused)

    async def account(self, number: int) -> list[AccountStep]:
        self.accounts += 1
        past = find_round(self.pit.state, number)
        if past is None:
            return []
        replayed: Any = json.loads(encode(replay(past)))
        return [
            AccountStep(*(step[name] for name in AccountStep._fields)) for step in replayed["steps"]
        ]


class _Board:
    """Lamps as the table says, buttons that are pressed at once."""

    def __init__(self, link: _Link) -> None:
        self._link = link

    def perceived(self, seat: int) -> LampColour:
        return LampColour(*LOOKS[scene(self._link.pit.state).lights[seat - 1]].colour)

    spot = perceived
    buzzing = False

    async def press(self, button: PanelButton) -> None:
        self._link.pit.press(button.value)
        self._link.picture()


class _World(World):
    """The world without its devices: a card that is drawn is read at once."""

    link: _Link

    async def people_take(self, ms: float) -> None:
        await asyncio.sleep(0)

    async def draw(self, to: Place | None, *, down: bool = False) -> bool:
        card = self.shoe.draw()
        self._drawn += self.playing
        faults = self.faults.take(self.round, self._drawn if self.playing else 0)
        missed = any(each.kind is FaultKind.MISS_CODE for each in faults)
        if to is None:
            self.felt.burned.append(card)
        else:
            self.felt.put(card, to, down=down)
        read = Reading(SCANNER, None, Doubt.NO_CODE, apart=True) if missed else None
        self.link.pit.give(read or Reading(SCANNER, Sealed(card.kind), apart=True))
        self.link.picture()
        return True


class Indoors:
    """A dealer, players and a table. `lines` has one for every round; `visitor`: one deals."""

    def __init__(
        self, name: str, seats: int, seed: int, *, visitor: bool = False,
        faults: Faults | None = None, **options: Plain,
    ) -> None:  # fmt: skip
        self.changes = Changes()
        self.pit = Pit(setup(seats, name, **options))
        self.link = _Link(self.pit, self.changes)
        self.world = _World(
            settings(name, seats, seed, **options), faults or Faults(), self.changes
        )
        self.world.link = self.link
        board: Any = _Board(self.link)
        self.world.board = board
        self.lines: list[str] = []
        self.dealer = Dealer(
            self.world, self.link, self.changes, self.lines.append, strict=not visitor
        )
        self.dealer.robot = not visitor

    async def play(self, rounds: int) -> list[str]:
        """The robot deals `rounds` rounds; the lines that were told."""
        async with asyncio.timeout(PATIENCE_S):
            await self.dealer.play(rounds)
        return self.lines

    async def visit(self, rounds: int, choose: Callable[[Any], Any]) -> list[str]:
        """A visitor deals and decides by `choose`, on the page; the world only looks on."""
        playing = asyncio.ensure_future(self.dealer.play(rounds))
        async with asyncio.timeout(PATIENCE_S):
            while not playing.done():
                await self._visitor(choose)
                for _ in range(20):
                    await asyncio.sleep(0)
        playing.result()
        return self.lines

    async def _visitor(self, choose: Callable[[Any], Any]) -> None:
        """Whatever the display asks for, done on the page or by the visitor's hands."""
        state = self.pit.state
        step = state.step
        phase = state.phase.value
        if isinstance(step, Deal) or phase == "burn":
            await self.dealer.visitor_draws()
        elif isinstance(step, Ask | Vie):
            action, amount = choose(step)
            self.pit.say(action, amount)
        elif isinstance(step, AddWager | Settle | Reveal) or phase != "betting":
            self.pit.press("next")
        elif len(state.betting.wagers) == sum(1 for each in self._bets() if each):
            self.pit.no_more_bets()
        self.link.picture()

    def _bets(self) -> list[int | None]:
        return [each.bet for each in self.world.felt.players.values()]


def at_random(seed: int) -> Callable[[Any], Any]:
    """A visitor who lets the players say anything that is allowed."""
    chance = Random(seed)

    def choose(step: Any) -> tuple[str, int | None]:
        action = chance.choice(step.play.options).value
        amount = step.low if action in ("bet", "raise") else None
        return action, amount

    return choose
