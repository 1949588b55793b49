"""A chip's place on a bus, worked at on threads in turn, and left without waiting for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from drivers.io.spi import SpiBus, spi_errors

T = TypeVar("T")


class BusPlace(Protocol):
    """What is taken and left: blocks for some transfers, and raises `OSError`."""

    def errors(self) -> AbstractContextManager[None]:
        """Turn what the bus raises into `DeviceError`."""
        ...

    def open(self) -> None:
        """Take the place."""
        ...

    def close(self) -> None:
        """Leave the place; safe at any time, more than once."""
        ...


class SpiSelect:
    """A chip's place by the node of its select on an SPI bus."""

    def __init__(self, path: str, section: str, hertz: int) -> None:
        self._path = path
        self._section = section
        self._bus = SpiBus(path, hertz)

    def errors(self) -> AbstractContextManager[None]:
        """Turn what the bus raises into `DeviceError`."""
        return spi_errors(self._path, self._section)

    def open(self) -> None:
        """Take the select."""
        self._bus.open()

    def transfer(self, data: bytes) -> bytes:
        """What comes while `data` goes out. Raises `OSError`."""
        return self._bus.transfer(data)

    def close(self) -> None:
        """Leave the select."""
        self._bus.close()


class BusTurn:
    """Whose turn it is at a place: an exchange takes milliseconds of the bus, too long for a card.

    Whoever closes it does not wait for a bus that hangs: the thread whose turn it is lets go of it.
    """

    def __init__(self, place: BusPlace) -> None:
        self._place = place
        self._turn = threading.Lock()
        self.closing = False

    async def begin(self, work: Callable[[], None]) -> None:
        """Take the place anew, and do what is first. Raises `DeviceError`."""

        def taken() -> None:
            self._place.close()
            self._place.open()
            work()

        self.closing = False
        await self.run(taken)

    async def run(self, work: Callable[[], T]) -> T:
        """Do this on a thread; it looks at `closing` where it waits. Raises `DeviceError`."""
        return await asyncio.to_thread(self._done, work)

    def close(self) -> None:
        """Leave the place, at once or when the thread that has its turn is through."""
        self.closing = True
        self._let_go()

    def _done(self, work: Callable[[], T]) -> T:
        try:
            with self._turn, self._place.errors():
                return work()
        finally:
            if self.closing:
                self._let_go()

    def _let_go(self) -> None:
        """Leave the place, unless a thread has its turn: it looks again when that is over."""
        if self._turn.acquire(blocking=False):
            try:
                self._place.close()
            finally:
                self._turn.release()
