"""The shoe: a code scanner of any kind and, where there is one, the beam at its exit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from controller.devices.contracts import DeviceError, DeviceLost
from controller.devices.inputs import Doubt, Press, Reading, Repeats
from controller.rules.messages import message
from drivers.code_book import CodeBook
from drivers.event_queue import EventQueue
from drivers.io.byte_stream import ByteStream
from drivers.io.pins import Factory
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings
from drivers.shoe.arrivals import BeamEdge, ScannerBytes, in_order
from drivers.shoe.beam_passage import BeamPassages, reading_without_beam
from drivers.shoe.exit_beam import ExitBeam
from drivers.shoe.scanners.framing import ScanDecoder
from drivers.shoe.scanners.protocols import (
    again_ns_of,
    framing_of,
    set_up_of,
    stream_of,
    trigger_of,
)
from drivers.shoe.scanners.raw_code import RawCode
from drivers.shoe.scanners.repeat_filter import RepeatFilter
from drivers.shoe.scanners.set_up import settle
from drivers.shoe.scanners.ssi_commands import SsiTrigger


class SerialShoe:
    """Reads each card that leaves the shoe.

    To a scanner that sends plain codes nothing is ever sent; one that can be set up is at opening,
    and has to take it; one that waits for an answer gets it.

    `beam` needs the pin factory too; `port` is the stream of bytes, by default that of the
    settings. Raises `ValueError` for settings that do not go together.
    """

    def __init__(
        self,
        scanner: ScannerSettings,
        book: CodeBook,
        beam: BeamSettings | None = None,
        factory: Factory = None,
        name: str = "scanner",
        port: ByteStream | None = None,
    ) -> None:
        if beam and scanner.terminator == "idle" and beam.late_code_ms <= scanner.idle_ms:
            raise ValueError(
                f"late_code_ms is {beam.late_code_ms}, but a code without terminator is known only"
                f" after idle_ms = {scanner.idle_ms}: set late_code_ms higher, or a terminator"
            )
        if beam is None and scanner.trigger == "beam":
            raise ValueError(
                'trigger of [scanner] is "beam", and there is no [beam]: write its pin, or'
                ' trigger = "presentation"'
            )
        self._name = name
        self.on_edge: Callable[[bool, int], None] | None = None
        """Gets the beam's edges too, where another reader looks at the same exit."""
        self.on_card_coming: Callable[[], None] | None = None
        """As in `AnnouncesCards`."""
        self._has_announced = False
        self._drained_ns = self._since_ns = 0
        self._settings = scanner
        self._decoder = ScanDecoder(scanner, book)
        self._beam_settings = beam
        self._port = port or stream_of(scanner)
        self._beam = ExitBeam(name, beam, factory) if beam else None
        self._queue: EventQueue[ScannerBytes | BeamEdge] = EventQueue()
        self._framer = framing_of(scanner)
        self._trigger: SsiTrigger | None = None
        self._passages: BeamPassages | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._paused = False
        self._edges: list[BeamEdge] = []
        self._bytes = b""
        self._sorting = False
        self._repeats = RepeatFilter()

    @property
    def name(self) -> str:
        """The device's name in the configuration."""
        return self._name

    async def open(self) -> None:
        """Open port and beam. What was scanned before is lost. Raises `DeviceError`."""
        await self.close()
        self._loop = asyncio.get_running_loop()
        self._queue = EventQueue()
        self._edges, self._bytes = [], b""
        self._has_announced = False
        self._drained_ns = time.monotonic_ns()
        self._framer = framing_of(self._settings)
        self._repeats.forget()
        self._passages = (
            BeamPassages(self._name, self._beam_settings, again_ns_of(self._settings))
            if self._beam_settings else None
        )  # fmt: skip
        self._port.open()
        try:
            has_beam = self._beam_settings is not None
            set_up = set_up_of(self._settings, self._framer, has_beam=has_beam)
            if set_up is not None:
                await settle(self._port, set_up, self._settings)
            self._trigger = trigger_of(self._settings, self._framer, self._beam_settings)
            if self._beam is not None:
                self._beam.open(self._edge)
        except DeviceError:
            await self.close()
            raise
        self._loop.add_reader(self._port.fileno(), self._readable)

    async def inputs(self) -> AsyncGenerator[Reading | Press | Repeats]:
        """The cards, as they leave. Raises `DeviceError` when the scanner is lost."""
        while True:
            try:
                event = await self._queue.take(self._due_ns())
                readings = self._process(event)
            except DeviceError:
                for reading in self.flush():
                    yield reading
                raise
            if self._paused and self._loop is not None:
                self._paused = False
                self._loop.add_reader(self._port.fileno(), self._readable)
            for each in readings:
                yield each

    def flush(self) -> list[Reading]:
        """No code will come any more: the cards that have left and were not reported yet."""
        return [] if self._passages is None else self._passages.flush()

    async def watch(self) -> AsyncGenerator[Reading]:
        """A reading for each card that leaves while the scanner is away; none without a beam."""
        if self._beam is not None:
            async with aclosing(self._beam.watch()) as left:
                async for reading in left:
                    yield reading

    async def close(self) -> None:
        """Release port and beam."""
        self._stop_reading()
        self._loop = None
        try:
            if self._beam is not None:
                self._beam.close()
        finally:
            self._port.close()

    def _due_ns(self) -> int | None:
        timed = (self._framer, self._passages, self._trigger)
        due = (None if each is None else each.due_ns for each in timed)
        return min((each for each in due if each is not None), default=None)

    def _process(self, event: ScannerBytes | BeamEdge | None) -> list[Reading | Repeats]:
        """The readings that an event, or the passing of time, makes certain."""
        if event is None and self._has_more():
            return []  # what has come is taken before the time that has passed
        at_ns = time.monotonic_ns() if event is None else event.at_ns
        if self._trigger is not None:
            self._say(self._trigger.tick(at_ns))
        if isinstance(event, ScannerBytes):
            raw_codes = self._framer.feed(event.data, at_ns)
            self._announce_once(raw_codes)
            return self._readings(raw_codes, at_ns, event.certain, event.since_ns)
        raw_codes = self._framer.tick(at_ns)
        self._announce_once(raw_codes)
        readings = self._readings(raw_codes, at_ns)
        if self._passages is None:
            return readings
        if event is None:
            was_stuck = self._passages.is_stuck
            readings += self._passages.tick(at_ns)
            if self._passages.is_stuck and not was_stuck and self._beam and not self._beam.active:
                readings += self._passages.cleared(at_ns)  # that edge was missed
        else:
            self._repeats.forget()  # a code after it may be of another card
            readings += (self._passages.covered if event.covered else self._passages.cleared)(at_ns)
        return readings

    def _readings(
        self,
        raw_codes: list[RawCode],
        at_ns: int,
        certain: bool = True,
        since_ns: int | None = None,
    ) -> list[Reading | Repeats]:
        answer, self._framer.to_send = self._framer.to_send, b""
        self._say(answer)
        if self._trigger is not None and self._trigger.refused:
            self._fail(DeviceLost(message(
                "scanner-refuses", port=str(self._settings.port), setting=self._trigger.refused
            )))  # fmt: skip
        if self._trigger is not None and self._trigger.silent:
            self._fail(DeviceLost(message(
                "scanner-does-not-answer", port=str(self._settings.port), protocol="ssi"
            )))  # fmt: skip
        readings: list[Reading | Repeats] = []
        repeats = 0
        for raw in raw_codes:
            if self._repeats.is_repeat(raw, at_ns):
                repeats += 1
                continue
            code = self._decoder.decode(raw) if certain else Doubt.TOO_CLOSE
            if self._passages is None:
                readings.append(reading_without_beam(self._name, code))
            else:
                readings += self._passages.code(code, at_ns, since_ns)
                if self._passages.sees_nothing:
                    self._fail(DeviceLost(message("beam-sees-no-card", device=self._name)))
        if repeats:
            readings.append(Repeats(self._name, repeats))
        return readings

    def _has_more(self) -> bool:
        """Whether something came that is not in the queue yet; then it is, by now.

        A loop that was busy finds that time has passed before it finds what came in that time.
        """
        if self._passages is None or self._loop is None:
            return False
        self._bytes += self._read()
        if not self._bytes and not self._edges:
            return False
        self._sort()
        return True

    def _announce_once(self, raw_codes: list[RawCode]) -> None:
        """Say that a card comes where a code has begun, once for each."""
        begun = not raw_codes and self._framer.due_ns is not None
        if begun and not self._has_announced:
            self._announce()
        self._has_announced = not raw_codes and (begun or self._has_announced)

    def _announce(self) -> None:
        if self.on_card_coming is not None:
            self.on_card_coming()

    def _say(self, data: bytes) -> None:
        """Tell the scanner something. If the line is lost, its codes have come all the same."""
        if data:
            try:
                self._port.write(data)
            except DeviceError as error:
                self._fail(error)

    def _fail(self, error: DeviceError) -> None:
        """Down, once what came before has been reported."""
        self._stop_reading()
        self._queue.fail(error)

    # Called by the loop

    def _stop_reading(self) -> None:
        if self._loop is not None and self._port.is_open:
            self._loop.remove_reader(self._port.fileno())
        self._paused = False

    def _readable(self) -> None:
        if not self._queue.has_room and self._beam is None:
            self._stop_reading()  # the bytes wait in the line's buffer
            self._paused = True
            return
        if self._beam is None:
            if data := self._read():
                self._put(ScannerBytes(data, time.monotonic_ns()))
            return
        self._bytes += self._read()
        self._sort_soon()

    def _read(self) -> bytes:
        since_ns, self._drained_ns = self._drained_ns, time.monotonic_ns()
        try:
            data = self._port.read()
        except DeviceError as error:
            self._fail(error)
            return b""
        if data and not self._bytes:
            self._since_ns = since_ns
        return data

    def _edge(self, covered: bool, at_ns: int) -> None:
        if self._trigger is not None:
            self._say(self._trigger.edge(covered, at_ns))
        self._edges.append(BeamEdge(covered, at_ns))
        self._sort_soon()
        if self.on_edge is not None:
            self.on_edge(covered, at_ns)
        if covered and self._loop is not None:
            # Behind `_sort`, which was asked for just now: what has come goes first.
            self._loop.call_soon(self._announce)

    def _sort_soon(self) -> None:
        """Sort bytes and edges (`arrivals`) once all that waits on the event loop has come in."""
        if not self._sorting and self._loop is not None:
            self._sorting = True
            self._loop.call_soon(self._sort)

    def _sort(self) -> None:
        self._sorting = False
        if self._loop is None:
            return  # closed in the meantime
        edges, self._edges = self._edges, []
        data, self._bytes = self._bytes + (self._read() if edges else b""), b""
        late_ns = 0 if self._beam_settings is None else self._beam_settings.late_code_ms * 1_000_000
        for each in in_order(data, self._since_ns, edges, time.monotonic_ns(), late_ns):
            self._put(each)

    def _put(self, event: ScannerBytes | BeamEdge) -> None:
        if self._queue.has_room:
            self._queue.put(event)
        else:
            # Edges have no buffer of their own to wait in, and without them no code has a card.
            self._fail(DeviceLost(message("readings-not-taken", device=self._name)))
