"""What lies outside the drivers in these tests: a scanner's line on a real pty, pins, waiting."""

from __future__ import annotations

import asyncio
import fcntl
import os
import sys
import termios
import threading
import tty
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import InputDevice, OutputDevice
from controller.devices.inputs import Press, Reading, Repeats, SpotSensed
from controller.devices.safe import safe_scene
from controller.devices.scene import Light, Scene, Sound
from tests.support.patience import PATIENCE_S

LOOK_AGAIN_S = 0.002
BREAK_S = 0.02
"""How long a card covers the beam, in a hurry: the hand's time, not a wait."""

Pin = Any
"""A gpiozero mock pin."""


async def until(true: Callable[[], bool]) -> None:
    """Wait until something is so in the world."""
    async with asyncio.timeout(PATIENCE_S):
        while not true():  # noqa: ASYNC110  (pins have no event to wait for)
            await asyncio.sleep(LOOK_AGAIN_S)


class ScannerLine:
    """A scanner on a pty behind a link, as udev would name it; any thread may answer on it."""

    def __init__(self, link: Path) -> None:
        self.link = link
        # Who answers on a thread must not read from a number that was closed and is another's.
        self._lock = threading.Lock()
        self._ends: tuple[int, int] | None = None

    def plug(self) -> None:
        ours, theirs = os.openpty()
        tty.setraw(theirs)
        os.set_blocking(ours, False)
        self.link.symlink_to(os.ttyname(theirs))
        self._ends = ours, theirs

    def unplug(self) -> None:
        """The line hangs up and the name goes away; safe to do twice."""
        with self._lock:
            if self._ends is not None:
                self.link.unlink()
                self._close()

    def hang_up(self) -> None:
        """The line hangs up, whatever is behind its name by now."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        assert self._ends is not None
        for end in self._ends:
            os.close(end)
        self._ends = None

    def answer(self, hears: Callable[[bytes], bytes]) -> None:
        """Let the scanner hear what was sent to it, and say what it answers."""
        with self._lock:
            if self._ends is not None and (said := hears(self.heard())):
                self.say(said)

    def say(self, data: bytes) -> None:
        assert self._ends is not None
        os.write(self._ends[0], data)

    def say_some(self, data: bytes) -> int:
        """Say what the line has room for; how many bytes that was."""
        assert self._ends is not None
        try:
            return os.write(self._ends[0], data)
        except BlockingIOError:
            return 0

    @property
    def unread(self) -> int:
        """How many bytes were said and have not been read."""
        assert self._ends is not None
        ours, theirs = self._ends
        on_the_way = fcntl.ioctl(ours, termios.TIOCOUTQ, bytes(4))
        arrived = fcntl.ioctl(theirs, termios.FIONREAD, bytes(4))
        return int.from_bytes(on_the_way, sys.byteorder) + int.from_bytes(arrived, sys.byteorder)

    def heard(self) -> bytes:
        """What was sent to the scanner; nothing while it is unplugged."""
        if self._ends is None:
            return b""
        try:
            return os.read(self._ends[0], 1_000)
        except BlockingIOError:
            return b""


class EventCollector:
    """Collects what an input device tells, and waits for it."""

    def __init__(self, device: InputDevice) -> None:
        self._inputs = device.inputs()

    async def next_event(self) -> Reading | Press | SpotSensed | Repeats:
        async with asyncio.timeout(PATIENCE_S):
            return await anext(self._inputs)

    async def next(self) -> Reading | Press:
        received = await self.next_event()
        assert not isinstance(received, Repeats | SpotSensed)
        return received

    async def spot(self) -> SpotSensed:
        """The next spot that is sensed."""
        received = await self.next_event()
        assert isinstance(received, SpotSensed)
        return received

    async def reading(self) -> Reading:
        event = await self.next()
        assert isinstance(event, Reading)
        return event

    async def card(self) -> str:
        """The code of the next card, which must have been told."""
        reading = await self.reading()
        assert reading.card is not None, reading.doubt
        kind = reading.card.open()
        assert kind is not None
        return kind.code

    async def close(self) -> None:
        await self._inputs.aclose()


@asynccontextmanager
async def watching(device: InputDevice) -> AsyncIterator[EventCollector]:
    """The device, open."""
    await device.open()
    events = EventCollector(device)
    try:
        yield events
    finally:
        await events.close()
        await device.close()


@asynccontextmanager
async def showing(device: OutputDevice) -> AsyncIterator[None]:
    """The device, open, with its patterns running."""
    await device.open()
    alive = asyncio.create_task(device.run())
    try:
        yield
    finally:
        alive.cancel()
        await asyncio.wait([alive])
        await device.close()


def picture(lights: tuple[Light, ...] = (), sound: Sound = Sound.QUIET) -> Scene:
    """A scene with these lights and this sound; its displays say that the table is stopped."""
    safe = safe_scene(len(lights))
    return Scene(lights, sound, lambda: (safe.dealer, safe.players))


class WatchedLock:
    """A lock that remembers which threads took it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.threads: set[threading.Thread] = set()

    def __enter__(self) -> None:
        self.threads.add(threading.current_thread())
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def pin(factory: MockFactory, number: int) -> Pin:
    """The pin that a wire in the world would go to."""
    return factory.pin(number)


def history(factory: MockFactory, number: int) -> list[bool]:
    """Every level that a pin had, first to last."""
    return [bool(each.state) for each in factory.pin(number).states]


def level(factory: MockFactory, number: int) -> bool:
    return bool(factory.pin(number).state)
