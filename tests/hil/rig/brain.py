"""The simulated dealer at a table whose devices are in the hands of a rig.

The world's people, cards and felt are the simulation's own; what they do to devices goes to the
rig, and what they see of lamps and buzzer comes from it.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from controller.rules.actions import Place
from sim_hw.devices.faults import Fault, Faults
from sim_hw.devices.pins.pin_world import PRESS_MARGIN, PanelButton, PinWorld, Wiring
from sim_hw.devices.spot_lamps import DARK, EYE_MS
from sim_hw.people.dealer import Dealer
from sim_hw.people.page_link import CommandReply, Link
from sim_hw.settings import Settings
from sim_hw.table.changes import Changes
from sim_hw.table.display_reader import Command
from sim_hw.table.world import World
from tests.hil.rig.passages import LampAnswer, Passage, SpotShown
from tests.hil.rig.rig_client import RigClient, RigEdge
from tests.hil.rig.rig_scanner import RigScanner
from tests.hil.rig.table_scanner import speaks_of
from tests.hil.simulated import COLOURS, lamp
from tests.support.patience import PATIENCE_S

#: How far apart the contacts of a bouncing button open and close.
BOUNCES_APART_MS = 1
#: So many changes of spots before a card tell what each showed.
_BEFORE = 200
_EYE_NS = EYE_MS * 1_000_000
LOOK_AGAIN_S = 0.5
#: What reads the cards, as the display names it.
READER = frozenset({"scanner", "shoe"})


class RigBoard(PinWorld):
    """Buttons and beam by the rig's outputs, lamps and buzzer by its inputs."""

    def __init__(self, wiring: Wiring, changed: Callable[[], None], rig: RigClient) -> None:
        self.rig = rig
        self.passages: list[Passage] = []
        self.shown: list[SpotShown] = []
        self.failed: BaseException | None = None
        self._changed = changed
        self._beam_after_ms = 0
        self._pin_of = {
            lamp(seat, colour): pin
            for seat, spot in enumerate(wiring.spots, start=1)
            for colour, pin in zip(COLOURS, spot, strict=True)
        }
        super().__init__(wiring, changed)

    async def open(self, path: Path) -> None:
        """Take what the lamps show now, and each change from now on."""
        for name, level in self.rig.levels.items():
            self._note_edge(RigEdge(0, name, level))
        self.rig.watch(self._note_edge)

    async def close(self) -> None:
        """Look no longer."""
        self.rig.unwatch(self._note_edge)

    @property
    def buzzing(self) -> bool:
        """Whether the buzzer sounds at this instant."""
        return bool(self.rig.levels.get("buzzer"))

    def beam(self, *, broken: bool) -> None:
        """Break or clear the beam; a broken one stays so for as long as hands take."""
        if self.wiring.beam is None or (not self.passages and not broken):
            return
        passage = self.passages[-1] if self.passages else Passage(0)
        after_ms = 0 if broken else self._beam_after_ms
        asked = self.post("edge", "beam", "on" if broken else "off", after_ms)
        asked.add_done_callback(lambda answer: self._passed(answer, passage))

    def _passed(self, answer: asyncio.Future[Any], passage: Passage) -> None:
        if not answer.cancelled() and answer.exception() is None:
            self.said(int(answer.result().values[0]), passage)

    def said(self, at_ns: int, passage: Passage | None = None) -> None:
        """Something of a card happened: its code was said, the beam broke or cleared."""
        one = passage or (self.passages[-1] if self.passages else None)
        if one is not None:
            one.began_ns = one.began_ns or at_ns
            one.done_ns = at_ns

    def drawing(self, to: Place | None, beam_ms: int) -> None:
        """A card begins its way."""
        if self.passages:
            self.passages[-1].then_drawn = True
        self._beam_after_ms = beam_ms
        self.passages.append(Passage(0 if to is None else to.seat))

    def other_act(self) -> None:
        """The dealer did something else: lamps that move now do not answer the card alone."""
        self.passages.append(Passage(0))

    async def press(self, button: PanelButton) -> None:
        """Press a button, with as many bounces as were asked for."""
        self.other_act()
        async with self._pressing[button]:
            await self._press((button,), bounces=self.bounces)
            self.bounces = 0

    async def _press(self, buttons: tuple[PanelButton, ...], bounces: int = 0) -> None:
        hold_ms = round(self.wiring.debounce_ms * (1 + PRESS_MARGIN))
        for what, away in (("on", "off"), ("off", "on")):
            for button in buttons:
                self.post("edge", button.value, what, hold_ms)
                for _ in range(bounces):
                    self.post("edge", button.value, away, BOUNCES_APART_MS)
                    self.post("edge", button.value, what, BOUNCES_APART_MS)
        for button in buttons:
            # The same again: nothing moves, and it is over when the finger has been off so long.
            await self.rig.do("edge", button.value, "off", hold_ms)

    def post(self, verb: str, *words: object) -> asyncio.Future[Any]:
        """Ask the rig without waiting; what it refuses ends the play."""
        asked = self.rig.ask(verb, *words)
        asked.add_done_callback(self._refused)
        return asked

    def _refused(self, answer: asyncio.Future[Any]) -> None:
        if not answer.cancelled() and answer.exception() is not None:
            self.failed = self.failed or answer.exception()
            self._changed()

    def _note_edge(self, edge: RigEdge) -> None:
        pin = self._pin_of.get(edge.line)
        if pin is not None:
            seat = self._lamps.output(pin, edge.level, edge.at_ns)
            if seat is not None:
                self.shown.append(SpotShown(edge.at_ns, seat, self._lamps.shown(seat)))
        self._changed()


class RigWorld(World):
    """The world, whose exit, buttons and lamps are the rig's."""

    board: RigBoard

    async def draw(self, to: Place | None, *, down: bool = False) -> bool:
        """Take the next card through the exit."""
        self.board.drawing(to, self.settings.beam_ms)
        return await super().draw(to, down=down)


class RigLink(Link):
    """The dealer's page; the board is told when a key is pressed there."""

    board: RigBoard

    async def send(self, command: Command, view_seq: int | None = None) -> CommandReply:
        """Send a command as the dealer's page does."""
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
        self.world = RigWorld(settings, Faults(tuple(faults)), self.changes, cut_power)
        self.world.board = self.board
        self.scanner = RigScanner(
            self.board, speaks_of(settings), baud=settings.baud, seed=settings.seed
        )
        self.world.reader.scanner = self.scanner
        self.link = RigLink(settings.service_url, settings.token, self.changes)
        self.link.board = self.board
        self.lines: list[str] = []
        self.dealer = Dealer(self.world, self.link, self.changes, self.lines.append, strict=True)

    async def set_up(self) -> None:
        """Wait until the table shows its scanner as working. Raises `TimeoutError`.

        One that is set up when it is opened may be later than the service; a card that is drawn
        before is none of its.
        """
        async with asyncio.timeout(PATIENCE_S):
            while (
                (display := self.link.display) is None
                or display.safe
                or READER & display.down.keys()
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

    def answers(self) -> tuple[list[LampAnswer], int]:
        """Each card with the lamp that answered it; and how many had none.

        Of cards that go round the players: each moves the light to the next seat, and the dealer
        does nothing before it has.
        """
        found: list[LampAnswer] = []
        missing = 0
        for one, after in zip(self.board.passages, self.board.passages[1:], strict=False):
            if one.then_drawn and 0 < one.seat != after.seat > 0 and after.began_ns:
                lit = self._lit(one, after.began_ns)
                if lit is None:
                    missing += 1
                else:
                    found.append(LampAnswer(one, lit))
        return found, missing

    def _lit(self, one: Passage, until_ns: int) -> int | None:
        """When a spot began to show a colour that is neither dark nor a blink of the one before."""
        shown = self.board.shown
        first = bisect_right(shown, one.done_ns, key=lambda each: each.at_ns)
        last = bisect_left(shown, until_ns, key=lambda each: each.at_ns)
        before = {
            each.seat: each.colour
            for each in shown[max(0, first - _BEFORE) : first]
            if each.colour != DARK
        }
        for at in range(first, last):
            each = shown[at]
            # Until it changed, not until the next card: a late lamp is answered at once by a hand.
            later = range(at + 1, len(shown))
            changed = (shown[nth].at_ns for nth in later if shown[nth].seat == each.seat)
            ended_ns = next(changed, None)
            lasts = ended_ns is None or ended_ns - each.at_ns >= _EYE_NS
            if lasts and each.colour not in (DARK, before.get(each.seat)):
                return each.at_ns
        return None


@asynccontextmanager
async def at_the_table(
    settings: Settings, rig: RigClient, faults: Iterable[Fault] = (),
    cut_power: Callable[[], None] = lambda: None,
) -> AsyncIterator[DealtDay]:  # fmt: skip
    """A dealer and players at a table whose service runs."""
    day = DealtDay(settings, rig, faults, cut_power)
    watching = asyncio.create_task(day.link.watch())
    await day.board.open(Path())
    try:
        async with day.scanner.listening():
            await day.set_up()
            yield day
    finally:
        watching.cancel()
        await asyncio.wait([watching])
        await day.world.reader.forget_plugs()
        await day.board.close()
        await day.link.close()
