"""The simulated dealer at a table whose devices are in the hands of a rig.

The world's people, cards and felt are the simulation's own; what they do to devices goes to the
rig, and what they see of lamps and buzzer comes from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from controller.config.device_sections import DeviceSections
from controller.rules.actions import Place
from sim_hw.devices.faults import AnyFault, Fault, Faults
from sim_hw.devices.pins.pin_world import PanelButton
from sim_hw.devices.shoe import PhysicalCard
from sim_hw.people.dealer import Dealer
from sim_hw.people.page_link import CommandReply, Link
from sim_hw.settings import Settings
from sim_hw.table.changes import Changes
from sim_hw.table.display_reader import Command
from sim_hw.table.world import World
from tests.hil.dealt.heard_lamps import HeardLamps, heard_lamps
from tests.hil.dealt.passages import LampAnswer, card_answers, press_answers
from tests.hil.dealt.rig_board import RigBoard
from tests.hil.dealt.rig_camera import RigCamera
from tests.hil.dealt.rig_scanner import RigScanner
from tests.hil.dealt.spot_check import SpotCheck
from tests.hil.dealt.table_lights import DEVICES
from tests.hil.dealt.table_scanner import speaks_of
from tests.hil.rig.rig_client import RigClient
from tests.support.patience import PATIENCE_S

LOOK_AGAIN_S = 0.5
#: What reads the cards, as the display names it.
READER = frozenset({"scanner", "camera", "shoe"})


class RigWorld(World):
    """The world, whose exit, buttons and lamps are the rig's."""

    board: RigBoard
    #: The camera before the rig's panel, where the table has one.
    panel: RigCamera | None = None

    async def draw(self, to: Place | None, *, down: bool = False) -> bool:
        """Take the next card through the exit."""
        await self.board.look_at_spots()
        self.board.drawing(to, self.settings.beam_ms)
        return await super().draw(to, down=down)

    async def _through_exit(self, card: PhysicalCard, faults: Mapping[AnyFault, float]) -> None:
        if self.panel is not None:
            await asyncio.sleep(max(0.0, self._exit_free_at_s - asyncio.get_running_loop().time()))
            await self.panel.come(card, self.shoe.front, faults, self.say)
        await super()._through_exit(card, faults)


class RigLink(Link):
    """The dealer's page; the board is told when a key is pressed there."""

    board: RigBoard

    async def send(self, command: Command, view_seq: int | None = None) -> CommandReply:
        """Send a command as the dealer's page does."""
        await self.board.look_at_spots()
        self.board.other_act()
        return await super().send(command, view_seq)


class DealtDay:
    """A day that is dealt: the dealer, and what became of it. `lines` has one for each round."""

    def __init__(
        self, settings: Settings, rig: RigClient, faults: Iterable[Fault],
        cut_power: Callable[[], None],
    ) -> None:  # fmt: skip
        self.changes = Changes()
        self.board = RigBoard(settings.wiring, self.changes.notify, rig)
        self.camera = (
            RigCamera(self.board, settings.deck, settings.seed, settings.beam_ms / 1_000)
            if settings.reader.camera
            else None
        )
        planned = Faults(tuple(faults))
        self.world = RigWorld(settings, planned, self.changes, cut_power, self.camera)
        self.world.board, self.world.panel = self.board, self.camera
        # Nobody asks one that is not there for a card.
        speaks = speaks_of(settings) if settings.reader.scanner else settings.protocol
        self.scanner = RigScanner(self.board, speaks, baud=settings.baud, seed=settings.seed)
        self.world.reader.scanner = self.scanner
        self.link = RigLink(settings.service_url, settings.token, self.changes)
        self.link.board = self.board
        self.board.moves_light = self._moves_light
        self.lines: list[str] = []
        self.dealer = Dealer(self.world, self.link, self.changes, self.lines.append, strict=True)

    async def set_up(self, lamps: HeardLamps | None = None) -> None:
        """Wait until the table shows its scanner and lights as working. Raises `TimeoutError`.

        One that is set up when it is opened may be later than the service; a card that is drawn
        before is none of its, and `lamps` that showed nothing yet do not answer it.
        """
        if self.camera is not None:
            await self.camera.ready()
        async with asyncio.timeout(PATIENCE_S):
            while (
                (display := self.link.display) is None
                or display.safe
                or (READER | DEVICES) & display.down.keys()
                or (lamps is not None and not lamps.seen)
            ):
                await self.changes.wait(LOOK_AGAIN_S)

    async def deal(self, rounds: int) -> None:
        """Deal so many more rounds. Raises what went wrong: `Stuck`, `Disagreement`, a refusal."""
        if rounds:  # no number of rounds would be rounds for ever
            await self._until(self.dealer.play(self.dealer.book.tally.rounds + rounds))

    async def _until(self, playing: Any) -> None:
        task = asyncio.ensure_future(playing)
        try:
            while not task.done() and (self.board.failed or self.board.rig.gone) is None:
                await asyncio.wait([task], timeout=1.0)
        finally:
            task.cancel()
            await asyncio.wait([task])
        if (failed := self.board.failed or self.board.rig.gone) is not None:
            raise failed
        task.result()

    def look_at_spots(self, within_s: float) -> SpotCheck:
        """Compare all spots with the display before each act from now on, within that time."""
        made = SpotCheck(self.board, self.link, self.changes, within_s)
        self.board.check = made
        return made

    def _moves_light(self, button: PanelButton) -> bool:
        """Whether that button, now, lights another lamp: a hand stands, or a round begins."""
        display = self.link.display
        begins = display is not None and display.key("close_bets") is not None
        return button is PanelButton.STAND or (button is PanelButton.NEXT and begins)

    async def call(self) -> int:
        """Call the floor by the button; when its contact closed, by the rig's clock."""
        await self.board.press(PanelButton.CALL)
        return self.board.passages[-1].done_ns

    def answers(self) -> tuple[list[LampAnswer], int]:
        """Each card with the lamp that answered it; and how many had none."""
        return card_answers(self.board.passages, self.board.shown)

    def presses(self) -> tuple[list[LampAnswer], int]:
        """Each press that moves the light with the lamp that answered it; and how many had none."""
        return press_answers(self.board.passages, self.board.shown)


@asynccontextmanager
async def at_the_table(
    settings: Settings, rig: RigClient, devices: DeviceSections, faults: Iterable[Fault] = (),
    cut_power: Callable[[], None] = lambda: None,
) -> AsyncIterator[DealtDay]:  # fmt: skip
    """A dealer and players at a table whose service runs, and which has these `devices`."""
    day = DealtDay(settings, rig, faults, cut_power)
    watching = asyncio.create_task(day.link.watch())
    await day.board.open(Path())
    lamps = heard_lamps(rig, devices, day.board.fail, day.changes.notify)
    try:
        async with AsyncExitStack() as hears:
            if lamps is not None:
                await hears.enter_async_context(lamps.listening())
            await hears.enter_async_context(day.scanner.listening())
            await day.set_up(lamps)
            yield day
    finally:
        watching.cancel()
        await asyncio.wait([watching])
        await day.world.reader.forget_plugs()
        if day.camera is not None:
            await day.camera.close()
        await day.board.close()
        await day.link.close()
