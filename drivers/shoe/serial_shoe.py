"""The shoe: a code scanner on a serial port and, where there is one, the beam at its exit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

from controller.devices.contracts import DeviceError, DeviceLost
from controller.devices.inputs import Doubt, Press, Reading
from controller.rules.messages import message
from drivers.code_book import CodeBook
from drivers.event_queue import EventQueue
from drivers.io.pin_edges import InputPin
from drivers.io.pins import Factory
from drivers.io.serial_port import SerialPort
from drivers.settings import BeamSettings, ScannerSettings
from drivers.shoe.beam_passage import BeamPassages, reading_without_beam
from drivers.shoe.framing import Framer, RawCode, ScanDecoder


@dataclass(frozen=True, slots=True, repr=False)
class _ScannerBytes:
    """Bytes of the scanner, which may tell a hidden card: there is no repr.

    Not `certain`: they came while several cards passed, and nobody knows of which they are.
    """

    data: bytes
    at_ns: int
    certain: bool = True


@dataclass(frozen=True, slots=True)
class _BeamEdge:
    """The beam was broken or cleared."""

    covered: bool
    at_ns: int


def _another_card(edges: list[_BeamEdge]) -> bool:
    """Whether a card has left and something came into the beam after it."""
    cleared = False
    for edge in edges:
        if edge.covered and cleared:
            return True
        cleared = cleared or not edge.covered
    return False


class SerialShoe:
    """Reads each card that leaves the shoe. Nothing is ever sent to the scanner.

    `beam` needs the pin factory too; `port` is the stream of bytes, by default the serial port of
    the settings. Raises `ValueError` for settings that do not go together.
    """

    def __init__(
        self,
        scanner: ScannerSettings,
        book: CodeBook,
        beam: BeamSettings | None = None,
        factory: Factory = None,
        name: str = "scanner",
        port: SerialPort | None = None,
    ) -> None:
        if beam and scanner.terminator == "idle" and beam.late_code_ms <= scanner.idle_ms:
            raise ValueError(
                f"late_code_ms is {beam.late_code_ms}, but a code without terminator is known only"
                f" after idle_ms = {scanner.idle_ms}: set late_code_ms higher, or a terminator"
            )
        self._name = name
        self.on_edge: Callable[[bool, int], None] | None = None
        """Told of the beam's edges too, where another reader looks at the same exit."""
        self._settings = scanner
        self._decoder = ScanDecoder(scanner, book)
        self._beam_settings = beam
        self._port = port or SerialPort(scanner)
        self._beam = (
            InputPin(beam.pin, factory, "beam", pull_up=beam.pull_up, active_low=beam.active_low)
            if beam
            else None
        )
        self._inbox: EventQueue[_ScannerBytes | _BeamEdge] = EventQueue()
        self._framer = Framer(scanner)
        self._passage: BeamPassages | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._paused = False
        self._edges: list[_BeamEdge] = []
        self._bytes = b""
        self._sorting = False

    @property
    def name(self) -> str:
        """The device's name in the configuration."""
        return self._name

    async def open(self) -> None:
        """Open port and beam. What was scanned before is gone. Raises `DeviceError`."""
        await self.close()
        self._loop = asyncio.get_running_loop()
        self._inbox = EventQueue()
        self._edges, self._bytes = [], b""
        self._framer = Framer(self._settings)
        self._passage = (
            BeamPassages(self._name, self._beam_settings) if self._beam_settings else None
        )
        self._port.open()
        if self._beam is not None:
            try:
                self._beam.open(self._edge)
                if self._beam.active:
                    self._edge(True, time.monotonic_ns())
            except DeviceError:
                await self.close()
                raise
        self._loop.add_reader(self._port.fileno(), self._readable)

    async def inputs(self) -> AsyncGenerator[Reading | Press]:
        """The cards, as they leave. Raises `DeviceError` when the scanner is lost."""
        while True:
            event = await self._inbox.take(self._due_ns())
            if self._paused and self._loop is not None:
                self._paused = False
                self._loop.add_reader(self._port.fileno(), self._readable)
            for each in self._follow(event):
                yield each

    async def close(self) -> None:
        """Let go of port and beam."""
        self._stop_reading()
        self._loop = None
        try:
            if self._beam is not None:
                self._beam.close()
        finally:
            self._port.close()

    def _due_ns(self) -> int | None:
        due = (self._framer.due_ns, self._passage.due_ns if self._passage else None)
        return min((each for each in due if each is not None), default=None)

    def _follow(self, event: _ScannerBytes | _BeamEdge | None) -> list[Reading]:
        """What an event, or the passing of time, tells."""
        at_ns = time.monotonic_ns() if event is None else event.at_ns
        if isinstance(event, _ScannerBytes):
            return self._readings(self._framer.feed(event.data, at_ns), at_ns, event.certain)
        told = self._readings(self._framer.tick(at_ns), at_ns)
        if self._passage is None:
            return told
        if event is None:
            was_stuck = self._passage.is_stuck
            told += self._passage.tick(at_ns)
            if self._passage.is_stuck and not was_stuck and self._beam and not self._beam.active:
                told += self._passage.cleared(at_ns)  # that edge was missed
        else:
            told += (self._passage.covered if event.covered else self._passage.cleared)(at_ns)
        return told

    def _readings(self, frames: list[RawCode], at_ns: int, certain: bool = True) -> list[Reading]:
        told: list[Reading] = []
        for frame in frames:
            code = self._decoder.decode(frame) if certain else Doubt.TOO_CLOSE
            if self._passage is None:
                told.append(reading_without_beam(self._name, code))
            else:
                told += self._passage.code(code, at_ns)
        return told

    # Called by the loop

    def _stop_reading(self) -> None:
        if self._loop is not None and self._port.is_open:
            self._loop.remove_reader(self._port.fileno())
        self._paused = False

    def _readable(self) -> None:
        if not self._inbox.has_room and self._beam is None:
            self._stop_reading()  # the bytes wait in the line's buffer
            self._paused = True
            return
        if self._beam is None:
            if data := self._read():
                self._put(_ScannerBytes(data, time.monotonic_ns()))
            return
        self._bytes += self._read()
        self._sort_soon()

    def _read(self) -> bytes:
        try:
            return self._port.read()
        except DeviceError as error:
            self._stop_reading()
            self._inbox.fail(error)
            return b""

    def _edge(self, covered: bool, at_ns: int) -> None:
        if self.on_edge is not None:
            self.on_edge(covered, at_ns)
        self._edges.append(_BeamEdge(covered, at_ns))
        self._sort_soon()

    def _sort_soon(self) -> None:
        """Sort what has come once all that waits on the loop is in.

        A loop that was busy finds bytes and edges together, and bytes do not say when they came.
        Taken in any order a code could go to the next card, and every card after it.
        """
        if not self._sorting and self._loop is not None:
            self._sorting = True
            self._loop.call_soon(self._sort)

    def _sort(self) -> None:
        self._sorting = False
        if self._loop is None:
            return  # closed in the meantime
        edges, self._edges = self._edges, []
        data, self._bytes = self._bytes + (self._read() if edges else b""), b""
        if data:
            # Of one card they are that card's, wherever in its passage they came.
            at_ns = edges[0].at_ns if edges else time.monotonic_ns()
            self._put(_ScannerBytes(data, at_ns, certain=not _another_card(edges)))
        for edge in edges:
            self._put(edge)

    def _put(self, event: _ScannerBytes | _BeamEdge) -> None:
        if self._inbox.has_room:
            self._inbox.put(event)
        else:
            # Edges cannot wait where they are, and without them codes belong to nobody.
            self._stop_reading()
            self._inbox.fail(DeviceLost(message("readings-not-taken", device=self._name)))
