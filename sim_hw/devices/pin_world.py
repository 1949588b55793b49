"""The world's end of the pins: what the spots show, and the switches and the beam that hold pins.

A unix stream socket; several pin factories may have pins of the header (service and guard). A pin
has one: if another takes it the newest wins, and the older one's line is cut (the service was
restarted). When a factory leaves, its outputs are dark. The frames: `sim_hw.devices.pin_wire`.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple

from sim_hw.devices.pin_wire import FRAME_BYTES, VERSION, Frame, FrameKind, WireError, frames

HISTORY_KEPT: Final = 4096
#: Shorter than this and no eye saw it: three pins of one spot do not switch in one instant.
EYE_MS: Final = 5
FLOATING: Final = 0
"""The pull, in an INPUT frame, of a pin that is left alone."""
#: A button is held, and let alone afterwards, this much longer than the service debounces.
PRESS_MARGIN: Final = 0.4


class LampColour(NamedTuple):
    """What a spot shows: which of its three lamps are lit."""

    red: bool
    green: bool
    blue: bool


DARK: Final = LampColour(False, False, False)


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
        self._changed = changed
        self._levels: dict[int, int] = {}
        self._held: dict[int, int] = {}
        self._spot_of = {pin: at for at, pins in enumerate(wiring.spots) for pin in pins}
        self._shown = [DARK] * len(wiring.spots)
        self._since_ns = [0] * len(wiring.spots)
        self._seen = [DARK] * len(wiring.spots)
        self._owner: dict[int, asyncio.StreamWriter] = {}
        self._writers: list[asyncio.StreamWriter] = []
        self._server: asyncio.Server | None = None
        self._lines: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._pressing = {button: asyncio.Lock() for button in wiring.buttons}
        if wiring.beam is not None:
            self._held[wiring.beam] = self._beam_level(broken=False)

    async def open(self, path: Path) -> None:
        """Listen at `path`, where nothing must be yet. Raises `OSError` if that cannot be."""
        self._server = await asyncio.start_unix_server(self._serve, path)

    async def close(self) -> None:
        """Stop listening and hang up."""
        if self._server is not None:
            self._server.close()
        for line in self._lines.values():
            line.close()
        await asyncio.gather(*self._lines)
        if self._server is not None:
            await self._server.wait_closed()

    @property
    def connected(self) -> bool:
        """Whether a pin factory is there."""
        return bool(self._writers)

    def level(self, pin: int) -> int:
        """The level of an output of the service, 0 before it is one."""
        return self._levels.get(pin, 0)

    def spot(self, seat: int) -> LampColour:
        """What the spot of `seat` shows at this instant."""
        return self._shown[seat - 1]

    def perceived(self, seat: int) -> LampColour:
        """The colour that an eye takes from the spot: in the dark of a blink, the one before."""
        at = seat - 1
        shown = self._shown[at]
        return self._seen[at] if shown == DARK else shown

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
        for pin in pins:
            self._hold(pin, down)
            for _ in range(bounces):
                self._let_go(pin)
                self._hold(pin, down)
        await asyncio.sleep(hold_s)
        for pin in pins:
            self._let_go(pin)
            for _ in range(bounces):
                self._hold(pin, down)
                self._let_go(pin)
        await asyncio.sleep(hold_s)

    def beam(self, *, broken: bool) -> None:
        """Something covers the exit beam, or no longer does. Nothing happens without a beam."""
        if self.wiring.beam is not None:
            self._hold(self.wiring.beam, self._beam_level(broken=broken))

    def _beam_level(self, *, broken: bool) -> int:
        return int(broken is not self.wiring.beam_active_low)

    def _hold(self, pin: int, level: int) -> None:
        self._held[pin] = level
        self._send(FrameKind.DRIVE, pin, level)

    def _let_go(self, pin: int) -> None:
        self._held.pop(pin, None)
        self._send(FrameKind.RELEASE, pin, 0)

    def _send(self, kind: FrameKind, pin: int, level: int) -> None:
        for writer in self._writers:
            writer.write(Frame(kind, pin, level, time.monotonic_ns()).packed())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._lines[task] = writer
        try:
            # Gone, or no pin factory at all: either way the line is closed, and the other end
            # says why (its pins raise).
            with suppress(asyncio.IncompleteReadError, ConnectionError, WireError):
                await self._talk(reader, writer)
        finally:
            del self._lines[task]
            self._hang_up(writer)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        (hello,) = frames(await reader.readexactly(FRAME_BYTES))
        if hello.kind is not FrameKind.HELLO or hello.level != VERSION:
            raise WireError("the pin factory speaks another version of the protocol")
        for pin, level in self._held.items():
            writer.write(Frame(FrameKind.DRIVE, pin, level, time.monotonic_ns()).packed())
        writer.write(Frame(FrameKind.READY, 0, 0, time.monotonic_ns()).packed())
        self._writers.append(writer)
        while True:
            for frame in frames(await reader.readexactly(FRAME_BYTES)):
                self._take(frame, writer)

    def _hang_up(self, writer: asyncio.StreamWriter) -> None:
        writer.close()
        if writer in self._writers:
            self._writers.remove(writer)
        for pin in [pin for pin, owner in self._owner.items() if owner is writer]:
            self._release(pin, time.monotonic_ns())
        self._changed()

    def _release(self, pin: int, at_ns: int) -> None:
        del self._owner[pin]
        if pin in self._levels:
            self._output(pin, None, at_ns)

    def _take(self, frame: Frame, writer: asyncio.StreamWriter) -> None:
        if writer not in self._writers:
            return  # it was cut, and this was still on the way
        pin, owner = frame.pin, self._owner.get(frame.pin)
        if frame.kind is FrameKind.INPUT and frame.level == FLOATING:
            # So a pin is left when it is closed.
            if owner is writer:
                self._release(pin, frame.at_ns)
                self._changed()
            return
        if frame.kind not in (FrameKind.OUTPUT, FrameKind.INPUT):
            return
        if owner is not None and owner is not writer:
            self._hang_up(owner)
        self._owner[pin] = writer
        if frame.kind is FrameKind.OUTPUT:
            self._output(pin, frame.level, frame.at_ns)
        elif pin in self._levels:
            self._output(pin, None, frame.at_ns)
        self._changed()

    def _output(self, pin: int, level: int | None, at_ns: int) -> None:
        """A pin put out `level`, or (None) is an output no longer."""
        if level is None:
            self._levels.pop(pin, None)
        else:
            self._levels[pin] = level
            self.history.append(PinLevel(at_ns, pin, level))
        at = self._spot_of.get(pin)
        if at is None:
            return
        before = self._shown[at]
        if before != DARK and at_ns - self._since_ns[at] >= EYE_MS * 1_000_000:
            self._seen[at] = before
        lit = LampColour(*(self._lit(each) for each in self.wiring.spots[at]))
        if lit != before:
            self._shown[at], self._since_ns[at] = lit, at_ns

    def _lit(self, pin: int) -> bool:
        if pin not in self._levels:
            return False
        return bool(self._levels[pin]) is not self.wiring.leds_active_low
