"""The people of the table: the world's dealer at a human pace, and the floor, who is called."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

import msgspec

from controller.table.roles import Person, PersonId, Role
from controller.table.views.english import say
from sim_hw.devices.faults import AnyFault, Faults
from sim_hw.devices.shoe import PhysicalCard
from sim_hw.people.page_link import CommandReply, Link, NotReached
from sim_hw.settings import Settings
from sim_hw.table.changes import Changes
from sim_hw.table.display_reader import Command, Display, DisplayError, read_display
from sim_hw.table.oracle import AccountStep
from sim_hw.table.world import World
from tests.endurance.breaking.line import STROKES_S, LineScanner
from tests.endurance.breaking.loop import VirtualLoop
from tests.endurance.breaking.pins import NearBoard
from tests.endurance.breaking.table import Gone, NearTable

FLOOR: Final = Person(PersonId("Fia"), Role.FLOOR)
SECOND: Final = Person(PersonId("Sam"), Role.DEALER)
#: How long the floor takes to come, in seconds, from and to.
FLOOR_S: Final = (2.0, 15.0)
#: By the README of the table: resolutions that a dealer alone may not choose, whatever the hold.
NOT_ALONE: Final = ("no_card", "count", "release", "squared", "void", "pack_out", "new_shoe")
_PACE: Final = (0.6, 1.9)
#: One count in so many is wrong, and one resolution in so many is undone.
WRONG_COUNTS: Final = 0.15
UNDONE: Final = 0.1


class NearLink(Link):
    """The dealer's page of a table in the same process.

    `newest` is the newest picture's JSON. `alone` names the resolutions that a table with roles let
    the dealer choose alone, although they take the floor.
    """

    def __init__(self, table: NearTable, changes: Changes, chance: Callable[[str], Random]) -> None:
        self.display: Display | None = None
        self.problem = ""
        self.pictures = 0
        self.alone: list[str] = []
        self.newest: dict[str, Any] = {}
        self._table = table
        self._changes = changes
        self._pace = chance("floor")
        self._wrong = chance("mistakes")
        self.mistakes = self.undone = 0
        self._key = chance("keys")

    def arrive(self, picture: bytes | None) -> None:
        """A picture arrives; None: the page lost the service."""
        if picture is None:
            self._show(None)
            return
        self.newest = msgspec.json.decode(picture)
        try:
            self._show(read_display(self.newest))
        except DisplayError as error:
            self.problem = str(error)

    async def send(self, command: Command, view_seq: int | None = None) -> CommandReply:
        """Send a command as the dealer's page does, with the floor's word where it takes that.

        Raises `NotReached`.
        """
        mistake = self._mistake(command)
        if mistake is not None:
            self.mistakes += 1
            command = mistake
        answer = await self._vouched(command, view_seq)
        if answer.accepted and command.get("do") == "resolve":
            await self._undo()
        return answer

    def _mistake(self, command: Command) -> Command | None:
        """What people do instead, now and then: they count one card too many."""
        if command.get("resolution") != "count" or "cards" not in command:
            return None
        if self._wrong.random() >= WRONG_COUNTS:
            return None
        return {**command, "cards": int(command["cards"]) + 1}

    async def _undo(self) -> None:
        """Now and then what was chosen is undone: the hold is there again, and nothing is lost."""
        if self._wrong.random() >= UNDONE:
            return
        await asyncio.sleep(1.0)
        display = self.display
        key = display.key("undo") if display is not None else None
        if display is None or key is None:
            return
        self.undone += 1
        await self._vouched(key.command, display.seq)

    async def _vouched(self, command: Command, view_seq: int | None) -> CommandReply:
        """Send it, with the floor's word where it takes that."""
        answer = await self._once(command, view_seq, ())
        if answer.accepted and self._table.setup.roles and command.get("resolution") in NOT_ALONE:
            self.alone.append(str(command["resolution"]))
        for people in ((FLOOR,), (FLOOR, SECOND)):
            if not answer.refused.startswith("Needs "):
                break
            await asyncio.sleep(self._pace.uniform(*FLOOR_S))
            # The refusal is on record: the floor answers the picture that tells of it.
            now = self.display.seq if self.display else None
            answer = await self._once({**command, "reason": "looked at it"}, now, people)
        return answer

    async def _once(
        self, command: Command, view_seq: int | None, by: tuple[Person, ...]
    ) -> CommandReply:
        try:
            key = f"{self._key.getrandbits(64):016x}"
            reply = await self._table.ask(dict(command), view_seq, key, by)
        except Gone as error:
            raise NotReached(f"the service did not answer: {error}") from error
        return CommandReply(reply.accepted, say(reply.refused))

    async def call_by_mistake(self) -> str:
        """Say that something happened which did not; what, empty where nothing can be called."""
        listed = self.newest.get("happened") or []
        if not listed:
            return ""
        command = self._wrong.choice(listed)["command"]
        answer = await self.send(command, int(self.newest["seq"]))
        return str(command["what"]) if answer.accepted else ""

    async def account(self, number: int) -> list[AccountStep]:
        """Nobody asks for it: the robot's players are heard."""
        raise AssertionError("only a visitor's words are read from the account")

    async def close(self) -> None:
        """Nothing is open."""


class NearWorld(World):
    """The world with its devices in this process and people who are now quick, now slow.

    `exits` are the cards that left the shoe, with the number of their shoe; those at the places
    `early`, from 1, were drawn early.
    """

    scanner: LineScanner
    board: NearBoard

    def __init__(
        self,
        loop: VirtualLoop,
        settings: Settings,
        faults: Faults,
        changes: Changes,
        cut_power: Callable[[], None],
        chance: Callable[[str], Random],
    ) -> None:
        super().__init__(settings, faults, changes, cut_power)
        self.exits: list[tuple[int, PhysicalCard]] = []
        self.early: set[int] = set()
        self.scanner = self.reader.scanner = LineScanner(
            loop, baud=settings.baud, with_serial=settings.serial_numbers, seed=settings.seed
        )
        self.scanner.stroke_s = chance("adapter").choice(STROKES_S)
        self.board = NearBoard(settings.wiring, changes.notify)
        self._pace = chance("pace")

    async def open(self) -> None:
        """Plug the scanner in."""
        self.scanner.plug()

    async def people_take(self, ms: float) -> None:
        """Let people's time go by: nobody takes equally long twice, and now and then long."""
        factor = self._pace.uniform(*_PACE)
        if self._pace.random() < 0.01:
            factor *= 8
        await asyncio.sleep(ms * factor / 1000 / self.speed)

    async def draw_early(self) -> None:
        """A hand pulls a card that nobody waits for, and lays it aside until it is told where."""
        async with self._exit:
            if self.shoe.left:
                card = self.shoe.draw()
                self.early.add(len(self.exits) + 1)
                await self._through_exit(card, {})
                self.felt.aside.append(card)

    async def _through_exit(self, card: PhysicalCard, faults: Mapping[AnyFault, float]) -> None:
        self.exits.append((self.shoe.number, card))
        await super()._through_exit(card, faults)
