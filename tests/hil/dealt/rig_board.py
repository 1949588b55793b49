"""The pins of a dealt table in the hands of a rig: buttons and beam, lamps and buzzer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from controller.rules.actions import Place
from sim_hw.devices.pins.pin_world import PRESS_MARGIN, PanelButton, PinWorld, Wiring
from sim_hw.devices.spot_lamps import LampColour
from tests.hil.dealt.passages import Passage, SpotShown
from tests.hil.dealt.spot_check import SpotCheck
from tests.hil.rig.rig_client import RigClient, RigEdge
from tests.hil.stands.simulated import COLOURS, lamp

#: How far apart the contacts of a bouncing button open and close.
BOUNCES_APART_MS = 1
#: The colour of all spots of a table that is held, or calls the floor.
HELD = LampColour(True, False, False)


class RigBoard(PinWorld):
    """Buttons and beam by the rig's outputs, lamps and buzzer by its inputs."""

    def __init__(self, wiring: Wiring, changed: Callable[[], None], rig: RigClient) -> None:
        self.rig = rig
        self.passages: list[Passage] = []
        self.shown: list[SpotShown] = []
        self.failed: BaseException | None = None
        #: Whether a press of that button, now, moves the light.
        self.moves_light: Callable[[PanelButton], bool] = lambda _: False
        #: Compares all spots with the display, where somebody asked for it.
        self.check: SpotCheck | None = None
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

    async def look_at_spots(self) -> None:
        """Compare all of them with the display, before a hand moves, where that was asked for."""
        if self.check is not None:
            await self.check.look(len(self.wiring.spots))

    async def press(self, button: PanelButton) -> None:
        """Press a button, with as many bounces as were asked for."""
        await self.look_at_spots()
        one = Passage(0, button=button.value, lights=self.moves_light(button))
        async with self._pressing[button]:
            self.passages.append(one)
            await self._press((button,), self.bounces, one)
            self.bounces = 0

    async def _press(
        self, buttons: tuple[PanelButton, ...], bounces: int = 0, one: Passage | None = None
    ) -> None:
        hold_ms = round(self.wiring.debounce_ms * (1 + PRESS_MARGIN))
        for what, away in (("on", "off"), ("off", "on")):
            for button in buttons:
                asked = self.post("edge", button.value, what, hold_ms)
                if one is not None and what == "on":
                    asked.add_done_callback(partial(self._passed, passage=one))
                for _ in range(bounces):
                    self.post("edge", button.value, away, BOUNCES_APART_MS)
                    self.post("edge", button.value, what, BOUNCES_APART_MS)
        for button in buttons:
            # The same again: nothing moves, and it is over when the finger has been off so long.
            await self.rig.do("edge", button.value, "off", hold_ms)

    def post(self, verb: str, *words: object) -> asyncio.Future[Any]:
        """Ask the rig without waiting; what it refuses ends the play."""
        asked = self.rig.ask(verb, *words)
        asked.add_done_callback(self.heed)
        return asked

    def heed(self, answer: asyncio.Future[Any]) -> None:
        """What came of something that nobody waits for: what goes wrong ends the play."""
        if not answer.cancelled() and (error := answer.exception()) is not None:
            self.fail(error)

    def fail(self, error: BaseException) -> None:
        """Something went wrong: the play ends with the first of it."""
        self.failed = self.failed or error
        self._changed()

    def _note_edge(self, edge: RigEdge) -> None:
        pin = self._pin_of.get(edge.line)
        if pin is not None:
            seat = self._lamps.output(pin, edge.level, edge.at_ns)
            if seat is not None:
                self.shown.append(SpotShown(edge.at_ns, seat, self._lamps.shown(seat)))
        self._changed()

    def held_ns(self, since_ns: int) -> int | None:
        """When the last spot had begun to show that the table is held; None before."""
        seats = range(1, len(self.wiring.spots) + 1)
        first: dict[int, int] = {}
        for each in self.shown:
            if each.at_ns >= since_ns and each.colour == HELD:
                first.setdefault(each.seat, each.at_ns)
        held = all(self.perceived(seat) == HELD for seat in seats)
        return max(first.values()) if held and len(first) == len(seats) else None
