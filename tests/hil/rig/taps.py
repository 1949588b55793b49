"""What a rig hears of the table's strip and small display: boards that listen at the buses.

A Raspberry Pi is no target of SPI or I2C; a board of the rig's is (a microcontroller), and hands on
what it hears over a serial line. Here its ear is simulated, up to the words that the chip's blocks
give the board's program: the strip's pulses are told by their lengths, as its chips do. From there
on it is the boards' own program (`sim_hw/rig/boards`), and so is the bench's end of the line.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from pathlib import Path

from sim_hw.devices.wire.i2c import Chip
from sim_hw.rig.boards.bus_writes import FIRST, BusWrites
from sim_hw.rig.boards.packet_queue import PacketQueue
from sim_hw.rig.boards.packets import HEARD, HELLO, Packets
from sim_hw.rig.boards.strip_frames import GAP, StripFrames
from tests.drivers.panel.strip_bus import StripBus, decoded

#: How long a board waits for its line.
TAKES_S = 30.0
#: What the boards call themselves.
STRIP_BOARD, DISPLAY_BOARD = "strip", "display"


class Tap:
    """The board's end of its serial line, and what waits for it.

    It waits `takes_s` for a line that is full; what that does not take waits on, where it is 0.
    """

    def __init__(self, line: Path, board: str, takes_s: float = TAKES_S) -> None:
        self._takes_s = takes_s
        self._end = os.open(line, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self.queue = PacketQueue(self._write)
        self.queue.hello(f"{board} simulated")

    def hands_on(self) -> None:
        """Tell the rig of all that waits."""
        before = -1
        while self.queue.waits not in (0, before):  # the same again: the line takes nothing
            before = self.queue.waits
            self.queue.send()

    def _write(self, data: bytes) -> int:
        # Who is to read it may be in this very thread: it would wait for itself for ever.
        if not select.select([], [self._end], [], self._takes_s)[1]:
            assert not self._takes_s, "nobody takes what a board says"
            return 0
        return os.write(self._end, data)

    def close(self) -> None:
        """Let go of the line."""
        os.close(self._end)


class StripTap:
    """What the pixels of a strip take from its bus, frame by frame: so many bytes each."""

    def __init__(self, bus: StripBus, tap: Tap, channels: int) -> None:
        self._bus = bus
        self._channels = channels
        self._tap = tap
        self._frames = StripFrames(tap.queue)
        self._handed_on = 0

    def look(self) -> None:
        """Hand on what came since the last look."""
        self._bus.look()
        for each in self._bus.transfers[self._handed_on :]:
            pixels = decoded(each, self._channels)
            self._frames.take([GAP, *(channel for pixel in pixels for channel in pixel), GAP])
            self._tap.hands_on()
        self._handed_on = len(self._bus.transfers)


class OledTap(Chip):
    """The address of the small display: every write to it is handed on."""

    def __init__(self, tap: Tap) -> None:
        self._tap = tap
        self._writes = BusWrites(tap.queue)
        super().__init__(256)

    def write(self, data: bytes) -> None:
        """One write."""
        self._writes.take([FIRST | data[0], *data[1:]])
        self._writes.stop()
        self._tap.hands_on()


class NotHeard(Exception):
    """What was heard at a bus is not all there was, or comes from another board."""


class BoardLine:
    """The bench's end of a board's line: each frame or write goes to `takes`."""

    def __init__(self, board: str, takes: Callable[[bytes], None]) -> None:
        self._board = board
        self._takes = takes
        self._packets = Packets()

    def hears(self, data: bytes) -> bytes:
        """Bytes in whatever pieces they come. It answers nothing. Raises `NotHeard`."""
        for kind, content in self._packets.of(data):
            if kind == HEARD:
                self._takes(content)
            elif kind != HELLO:
                raise NotHeard(f"the {self._board} board lost {content.decode('ascii', 'replace')}")
            elif content.split()[0] != self._board.encode():
                raise NotHeard(f"{content.decode()} is on the line of the {self._board} board")
        return b""
