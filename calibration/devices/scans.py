"""The scanner without a code book: the text of each code, and when it was whole."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from controller.devices.contracts import DeviceError
from controller.devices.inputs import Doubt
from drivers.code_book import Code
from drivers.event_queue import EventQueue
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.scanners.framing import ScanDecoder
from drivers.shoe.scanners.protocols import framing_of, set_up_of, stream_of
from drivers.shoe.scanners.raw_code import RawCode
from drivers.shoe.scanners.set_up import settle

#: Bytes that end no code for this long are of a scanner that speaks otherwise than configured. Less
#: than after what a framer calls them garbled, which would say nothing of the settings.
UNENDED_AFTER_NS: Final = 800_000_000
UNENDED: Final = (
    "The scanner sends something, but no code ends: check `terminator`, `baud` and `protocol` in"
    " [scanner] against its manual"
)


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
        #: None: bytes came, so that something else is due.
        self._inbox: EventQueue[Scan | None] = EventQueue()
        #: When it is said that what came ends no code; None where nothing of that kind waits.
        self._unended_ns: int | None = None

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

    async def take(self, hint: Callable[[str], None] = lambda _: None) -> Scan:
        """The next code; `hint` is given why none comes, where bytes do. Raises `DeviceError`.

        That is when the scanner is gone.
        """
        while True:
            due = [each for each in (self._framer.due_ns, self._unended_ns) if each is not None]
            scan = await self._inbox.take(min(due, default=None))
            if scan is not None:
                return scan
            now_ns = time.monotonic_ns()
            if self._unended_ns is not None and now_ns >= self._unended_ns:
                self._unended_ns = None
                hint(UNENDED)
                # That was said of them: they are not a garbled code besides.
                self._framer.tick(max(now_ns, self._framer.due_ns or now_ns))
            self._pass_on(self._framer.tick(now_ns))

    def waiting(self) -> list[Scan]:
        """What was scanned and not taken yet."""
        self._pass_on(self._framer.tick(time.monotonic_ns()))
        return [each for each in self._inbox.drain() if each is not None]

    def _readable(self) -> None:
        try:
            data, now_ns = self._port.read(), time.monotonic_ns()
            frames = self._framer.feed(data, now_ns)
            self._pass_on(frames)
            if data and not frames:
                if self._unended_ns is None:
                    self._unended_ns = now_ns + UNENDED_AFTER_NS
                if self._inbox.has_room:
                    self._inbox.put(None)
            if self._framer.to_send:
                answer, self._framer.to_send = self._framer.to_send, b""
                self._port.write(answer)
        except DeviceError as error:
            asyncio.get_running_loop().remove_reader(self._port.fileno())
            self._inbox.fail(error)

    def _pass_on(self, frames: list[RawCode]) -> None:
        for frame in frames:
            self._unended_ns = None
            code = self._decoder.decode(frame)
            text = code if isinstance(code, Doubt) else code.text
            if self._inbox.has_room:
                self._inbox.put(Scan(text, time.monotonic_ns()))
