"""The parts of the simulated world, which also tell the killer what is seen of the service."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from controller.rules.actions import Place
from sim_hw.devices.faults import AnyFault
from sim_hw.devices.pins.pin_world import PanelButton, PinWorld, Wiring
from sim_hw.devices.scanner import Scanner
from sim_hw.devices.shoe import PhysicalCard
from sim_hw.people.page_link import CommandReply, Link
from sim_hw.table.display_reader import Command, Display
from sim_hw.table.world import World
from tests.endurance.torture.company import DEALER, FLOOR, vouched
from tests.endurance.torture.moments import Killer, KillMoment


class SeenScanner(Scanner):
    killer: Killer

    async def _say(self, data: bytes) -> None:
        self.killer.notice(KillMoment.BYTE)
        await super()._say(data)
        self.killer.notice(KillMoment.CODE)


class SeenBoard(PinWorld):
    until_ns: int | None = None

    def __init__(self, wiring: Wiring, notify: Callable[[], None], killer: Killer) -> None:
        # A world of pins lays its beam when it is made: its witness is there before.
        self.killer = killer
        self.pins: dict[int, int] = {}
        super().__init__(wiring, notify)

    async def press(self, button: PanelButton) -> None:
        self.killer.notice(KillMoment.PRESS)
        await super().press(button)

    def beam(self, *, broken: bool) -> None:
        super().beam(broken=broken)
        self.killer.notice(KillMoment.EDGE)

    def _output(self, pin: int, level: int | None, at_ns: int) -> None:
        super()._output(pin, level, at_ns)
        # What the guard of the lights puts out after the kill is not the service's.
        if level is not None and (self.until_ns is None or at_ns <= self.until_ns):
            self.pins[pin] = level
            self.killer.notice(KillMoment.PIN)


class SeenLink(Link):
    killer: Killer
    last: Display | None = None
    first: Display | None = None

    roles: bool = False

    async def send(self, command: Command, view_seq: int | None = None) -> CommandReply:
        # Whoever is asked for comes to the table and types the PIN.
        if self.roles and command["do"] == "resolve":
            command = vouched(command, FLOOR, DEALER)
        self.killer.notice(KillMoment.SEND)
        answer = await super().send(command, view_seq)
        self.killer.notice(KillMoment.ANSWER)
        return answer

    def _show(self, display: Display | None) -> None:
        super()._show(display)
        if display is not None:
            self.last = display
            self.first = self.first or display
            self.killer.notice(KillMoment.PICTURE)


class SeenWorld(World):
    killer: Killer
    exits: list[tuple[int, PhysicalCard]]

    async def draw(self, to: Place | None, *, down: bool = False) -> bool:
        self.killer.notice(KillMoment.PULL)
        return await super().draw(to, down=down)

    async def _through_exit(self, card: PhysicalCard, faults: Mapping[AnyFault, float]) -> None:
        self.exits.append((self.shoe.number, card))
        await super()._through_exit(card, faults)
