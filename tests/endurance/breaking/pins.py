"""The pins in one process: the world's board, and a pin factory on it without a socket."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path

from gpiozero.pins.mock import MockFactory

from sim_hw.devices.pin_factory import SimFactory, SimPin
from sim_hw.devices.pins.pin_wire import Frame, FrameKind, frames
from sim_hw.devices.pins.pin_world import PinWorld, Wiring
from tests.endurance.breaking.loop import Dead, LoopProcess

_PI_5 = "c04170"


class NearBoard(PinWorld):
    """The world's end of the pins. `changed` is called when an eye sees another colour."""

    def __init__(self, wiring: Wiring, changed: Callable[[], None]) -> None:
        super().__init__(wiring, lambda: None)
        self._tell = changed
        self._digest = hashlib.sha256()
        self._moment_ns = 0
        self._at_once: list[tuple[int, int]] = []

    async def open(self, path: Path) -> None:
        """There is nothing to listen at."""

    async def close(self) -> None:
        """Nor to hang up."""

    def join(self, factory: NearFactory) -> None:
        """A pin factory is there; it learns what is held."""
        factory.learn(self._header._held)
        self._header._writers.append(factory.wire)  # type: ignore[arg-type]

    def leave(self, factory: NearFactory) -> None:
        """A pin factory is gone: its outputs are dark."""
        self._header._hang_up(factory.wire)  # type: ignore[arg-type]

    def take(self, frame: Frame, factory: NearFactory) -> None:
        """A pin factory says what a pin is."""
        self._header._take(frame, factory.wire)  # type: ignore[arg-type]

    def _output(self, pin: int, level: int | None, at_ns: int) -> None:
        at = self._lamps._spot_of.get(pin)
        before = None if at is None else self.perceived(at + 1)
        super()._output(pin, level, at_ns)
        if at_ns != self._moment_ns:
            self._digest_moment()
            self._moment_ns = at_ns
        self._at_once.append((pin, -1 if level is None else level))
        if at is not None and self.perceived(at + 1) != before:
            self._tell()

    def _digest_moment(self) -> None:
        # Devices that are closed together are so in the order of a set: it means nothing.
        levels = f"{self._moment_ns} {sorted(self._at_once)};"
        self._digest.update(levels.encode())
        self._at_once.clear()

    @property
    def digest(self) -> str:
        """Over every change of an output, with its time; what is of one instant has no order."""
        self._digest_moment()
        return self._digest.hexdigest()


class NearFactory(SimFactory):
    """The pins of one life of the service, wired to the world's board."""

    def __init__(self, board: NearBoard, process: LoopProcess) -> None:
        MockFactory.__init__(self, revision=_PI_5, pin_class=SimPin)
        self._held: dict[int, int] = {}
        self._last_edge: dict[int, tuple[int, int]] = {}
        self._board = board
        self._process = process
        self._late: list[Frame] = []
        self._ago_s = 0.0
        self.wire = _Wire(self)
        board.join(self)

    def learn(self, held: dict[int, int]) -> None:
        """What the world holds, before any pin is opened."""
        self._held.update(held)

    def check(self) -> None:
        """The world is always there."""

    def send(self, kind: FrameKind, pin: int, level: int) -> None:
        """Send the world what a pin is; after its end a process sends nothing.

        Raises `Dead` where the process was killed over it.
        """
        if self._process.alive:
            self._board.take(Frame(kind, pin, level, time.monotonic_ns()), self)
            if not self._process.alive:
                raise Dead

    def hear(self, data: bytes) -> None:
        """The world drives pins: their edges come to the process, or wait while it stands still."""
        for frame in frames(data):
            if self._process.frozen:
                self._late.append(frame)
            elif self._process.alive:
                self._process.run(self._deliver, frame)

    def catch_up(self) -> None:
        """The process goes on: what the pins did meanwhile comes at once."""
        late, self._late = self._late, []
        for frame in late:
            self._ago_s = (time.monotonic_ns() - frame.at_ns) / 1e9
            self._process.run(self._deliver, frame)
        self._ago_s = 0.0

    def ticks_diff(self, later: float, earlier: float) -> float:
        """How long ago the edge was that is delivered, by the world's clock, as a kernel knows."""
        return self._ago_s

    def _deliver(self, frame: Frame) -> None:
        self._take(frame)
        for info, pin in list(self.pins.items()):
            if info.name == f"GPIO{frame.pin}":
                pin.follow()

    def close(self) -> None:
        """Let go of every pin."""
        MockFactory.close(self)


class _Wire:
    """What the board writes to where a socket would be."""

    def __init__(self, factory: NearFactory) -> None:
        self._factory = factory

    def write(self, data: bytes) -> None:
        """Drive the factory's pins."""
        self._factory.hear(data)

    def close(self) -> None:
        """Nothing is open."""
