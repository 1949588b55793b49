"""The world's end of the pins: what the spots show, and what holds pins: switches, the beam."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple

from sim_hw.devices.pins.pin_header import PinHeader
from sim_hw.devices.spot_lamps import LampColour, SpotLamps

HISTORY_KEPT: Final = 4096
#: A button is held, and let alone afterwards, this much longer than the service debounces.
PRESS_MARGIN: Final = 0.4


class PanelButton(Enum):
    """The dealer's physical buttons."""

    NEXT = "next"
    STAND = "stand"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class Wiring:
    """Which pin (GPIO number) is what. `spots[0]` is seat 1: its red, green and blue pin.

    `beam` is None for a shoe without one. `debounce_ms` is the service's, so that a press is long
    enough.
    """

    spots: tuple[tuple[int, int, int], ...]
    buttons: Mapping[PanelButton, int]
    beam: int | None = None
    buzzer: int | None = None
    beam_active_low: bool = True
    buttons_active_low: bool = True
    leds_active_low: bool = False
    debounce_ms: int = 25


class PinLevel(NamedTuple):
    """One change of an output: when (the service's monotonic clock), which pin, what."""

    at_ns: int
    pin: int
    level: int


class PinWorld:
    """Serves the pins socket and remembers what the pins of the service did.

    `changed` is called after every change of an output. The contact of the next button that is
    pressed bounces `bounces` times.
    """

    def __init__(self, wiring: Wiring, changed: Callable[[], None]) -> None:
        self.wiring = wiring
        self.bounces = 0
        self.history: deque[PinLevel] = deque(maxlen=HISTORY_KEPT)
        self._lamps = SpotLamps(wiring.spots, active_low=wiring.leds_active_low)
        self._header = PinHeader(self._output, changed)
        self._pressing = {button: asyncio.Lock() for button in wiring.buttons}
        self.beam(broken=False)

    async def open(self, path: Path) -> None:
        """Listen at `path`, where nothing must be yet. Raises `OSError` if that cannot be."""
        await self._header.open(path)

    async def close(self) -> None:
        """Stop listening and hang up."""
        await self._header.close()

    @property
    def connected(self) -> bool:
        """Whether a pin factory is there."""
        return self._header.connected

    def level(self, pin: int) -> int:
        """The level of an output of the service, 0 before it is one."""
        return self._header.level(pin)

    def spot(self, seat: int) -> LampColour:
        """What the spot of `seat` shows at this instant."""
        return self._lamps.shown(seat)

    def perceived(self, seat: int) -> LampColour:
        """The colour that an eye takes from the spot: in the dark of a blink, the one before."""
        return self._lamps.perceived(seat)

    @property
    def buzzing(self) -> bool:
        """Whether the buzzer sounds at this instant."""
        return self.wiring.buzzer is not None and bool(self.level(self.wiring.buzzer))

    async def press(self, button: PanelButton) -> None:
        """Press a button as a finger does: it is held, and let go.

        Returns when the finger is off again and the service has had time to see that. The contact
        bounces only if it is told to, and then in one stroke: on a busy machine a bounce of some
        milliseconds would last as long as a second press.
        """
        async with self._pressing[button]:
            await self._press((button,), bounces=self.bounces)
            self.bounces = 0

    async def lean(self) -> None:
        """A hand leans on all buttons at once."""
        async with AsyncExitStack() as stack:
            for lock in self._pressing.values():
                await stack.enter_async_context(lock)
            await self._press(tuple(self.wiring.buttons))

    async def _press(self, buttons: tuple[PanelButton, ...], bounces: int = 0) -> None:
        pins = [self.wiring.buttons[button] for button in buttons]
        down = 0 if self.wiring.buttons_active_low else 1
        hold_s = self.wiring.debounce_ms * (1 + PRESS_MARGIN) / 1000
        # A hand is on all of them at once, however long the machine takes to say so.
        at_ns = time.monotonic_ns()
        for pin in pins:
            self._header.hold(pin, down, at_ns)
            for _ in range(bounces):
                self._header.release(pin)
                self._header.hold(pin, down)
        await asyncio.sleep(hold_s)
        for pin in pins:
            self._header.release(pin)
            for _ in range(bounces):
                self._header.hold(pin, down)
                self._header.release(pin)
        await asyncio.sleep(hold_s)

    def beam(self, *, broken: bool) -> None:
        """Something covers the exit beam, or no longer does. Nothing happens without a beam."""
        if self.wiring.beam is not None:
            self._header.hold(self.wiring.beam, self._beam_level(broken=broken))

    def _beam_level(self, *, broken: bool) -> int:
        return int(broken is not self.wiring.beam_active_low)

    def _output(self, pin: int, level: int | None, at_ns: int) -> None:
        if level is not None:
            self.history.append(PinLevel(at_ns, pin, level))
        self._lamps.output(pin, level, at_ns)
