"""A header in the simulated world: a socket at which pin factories have its pins.

A unix stream socket; several pin factories may have pins of the header (service and guard). A pin
has one: if another takes it the newest wins, and the older one's line is cut (the service was
restarted). When a factory leaves, its outputs are gone. The frames: `sim_hw.devices.pins.pin_wire`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from sim_hw.devices.pins.pin_wire import FRAME_BYTES, VERSION, Frame, FrameKind, WireError, frames

FLOATING: Final = 0
"""The pull, in an INPUT frame, of a pin that is left alone."""

#: How long a program may take to fetch what is on its way to it, when the header goes.
TAKES_S: Final = 2.0

OnOutput = Callable[[int, int | None, int], None]
"""Called when a pin puts out another level, or (None) is an output no longer: pin, level, ns."""


class PinHeader:
    """Serves the pins socket. `changed` is called after every change, `on_output` before it."""

    def __init__(self, on_output: OnOutput, changed: Callable[[], None]) -> None:
        self._on_output = on_output
        self._changed = changed
        self._levels: dict[int, int] = {}
        self._held: dict[int, int] = {}
        self._owner: dict[int, asyncio.StreamWriter] = {}
        self._writers: list[asyncio.StreamWriter] = []
        self._server: asyncio.Server | None = None
        self._lines: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def open(self, path: Path) -> None:
        """Listen at `path`, where nothing must be yet. Raises `OSError` if that cannot be."""
        self._server = await asyncio.start_unix_server(self._serve, path)

    async def close(self) -> None:
        """Stop listening and hang up."""
        if self._server is not None:
            self._server.close()
        lines = dict(self._lines)
        for line in lines.values():
            line.close()
        if lines:
            _, left = await asyncio.wait(lines, timeout=TAKES_S)
            for each in left:
                # A program that stands still takes nothing: what is for it would wait for ever.
                lines[each].transport.abort()
        await asyncio.gather(*lines)
        if self._server is not None:
            await self._server.wait_closed()

    @property
    def connected(self) -> bool:
        """Whether a pin factory is there."""
        return bool(self._writers)

    def level(self, pin: int) -> int:
        """The level of an output, 0 before it is one."""
        return self._levels.get(pin, 0)

    def hold(self, pin: int, level: int, at_ns: int | None = None) -> None:
        """Hold a pin at a level from outside, since `at_ns` (now, if that is not said)."""
        self._held[pin] = level
        self._send(FrameKind.DRIVE, pin, level, at_ns)

    def release(self, pin: int, at_ns: int | None = None) -> None:
        """Hold a pin no longer: it goes to its pull."""
        self._held.pop(pin, None)
        self._send(FrameKind.RELEASE, pin, 0, at_ns)

    def _send(self, kind: FrameKind, pin: int, level: int, at_ns: int | None) -> None:
        frame = Frame(kind, pin, level, time.monotonic_ns() if at_ns is None else at_ns)
        for writer in self._writers:
            writer.write(frame.packed())

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
        if level is None:
            self._levels.pop(pin, None)
        else:
            self._levels[pin] = level
        self._on_output(pin, level, at_ns)
