"""The scanner without a code book: the text of each code, and when it was whole."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from controller.devices.contracts import DeviceError
from controller.devices.inputs import Doubt
from drivers.code_book import Code
from drivers.event_queue import EventQueue
from drivers.io.serial_port import SerialPort
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.scanners.framing import ScanDecoder, framing_of
from drivers.shoe.scanners.raw_code import RawCode


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
    """Listens to a scanner; one that speaks SSI is answered. Must be used inside a running loop."""

    def __init__(self, settings: ScannerSettings) -> None:
        self._port = SerialPort(settings)
        self._framer = framing_of(settings)
        self._decoder = ScanDecoder(settings, _AnyText())
        self._inbox: EventQueue[Scan] = EventQueue()

    @contextmanager
    def listening(self) -> Iterator[ScanListener]:
        """Hold the port. Raises `DeviceError`."""
        loop = asyncio.get_running_loop()
        self._port.open()
        loop.add_reader(self._port.fileno(), self._readable)
        try:
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
            data = self._port.read()
        except DeviceError as error:
            asyncio.get_running_loop().remove_reader(self._port.fileno())
            self._inbox.fail(error)
            return
        self._pass_on(self._framer.feed(data, time.monotonic_ns()))
        if self._framer.to_send:
            answer, self._framer.to_send = self._framer.to_send, b""
            self._port.write(answer)

    def _pass_on(self, frames: list[RawCode]) -> None:
        for frame in frames:
            code = self._decoder.decode(frame)
            text = code if isinstance(code, Doubt) else code.text
            if self._inbox.has_room:
                self._inbox.put(Scan(text, time.monotonic_ns()))
