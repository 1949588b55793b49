"""The scanner without a code book: the text of each code, and when it was whole."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from controller.devices.contracts import DeviceError
from controller.devices.inputs import Doubt
from drivers.code_book import Code
from drivers.event_queue import EventQueue
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.scanners.framing import ScanDecoder
from drivers.shoe.scanners.protocols import framing_of, set_up_of, stream_of
from drivers.shoe.scanners.raw_code import RawCode
from drivers.shoe.scanners.set_up import settle


class _AnyText:
    """A book in which every text is a code of no card."""

    def look_up(self, text: str) -> Code | Doubt:
        return Code(text, None)


@dataclass(frozen=True, slots=True)
class Scan:
    """One code, or why there is none; monotonic, in ns. The text names a card: no repr shows it."""

    text: str | Doubt = field(repr=False)
    at_ns: int


class ScanListener:
    """Listens to a scanner, set up and answered as at the table. For use inside a running loop."""

    def __init__(self, settings: ScannerSettings) -> None:
        self._settings = settings
        self._port = stream_of(settings)
        self._framer = framing_of(settings)
        self._decoder = ScanDecoder(settings, _AnyText())
        self._inbox: EventQueue[Scan] = EventQueue()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[ScanListener]:
        """Hold the port. Raises `DeviceError`."""
        loop = asyncio.get_running_loop()
        self._port.open()
        try:
            if (set_up := set_up_of(self._settings, self._framer)) is not None:
                await settle(self._port, set_up, self._settings)
            loop.add_reader(self._port.fileno(), self._readable)
            yield self
        finally:
            loop.remove_reader(self._port.fileno())
            self._port.close()

    async def take(self) -> Scan:
        """The next code. Raises `DeviceError` when the scanner is gone."""
        while True:
            scan = await self._inbox.take(self._framer.due_ns)
            if scan is not None:
                return scan
            self._pass_on(self._framer.tick(time.monotonic_ns()))

    def waiting(self) -> list[Scan]:
        """What was scanned and not taken yet."""
        self._pass_on(self._framer.tick(time.monotonic_ns()))
        return self._inbox.drain()

    def _readable(self) -> None:
        try:
            self._pass_on(self._framer.feed(self._port.read(), time.monotonic_ns()))
            if self._framer.to_send:
                answer, self._framer.to_send = self._framer.to_send, b""
                self._port.write(answer)
        except DeviceError as error:
            asyncio.get_running_loop().remove_reader(self._port.fileno())
            self._inbox.fail(error)

    def _pass_on(self, frames: list[RawCode]) -> None:
        for frame in frames:
            code = self._decoder.decode(frame)
            text = code if isinstance(code, Doubt) else code.text
            if self._inbox.has_room:
                self._inbox.put(Scan(text, time.monotonic_ns()))
