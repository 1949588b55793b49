"""What a rig hears of the table's strip and small display: boards that listen at the buses.

A Raspberry Pi is no target of SPI or I2C; a board of the rig's is (a microcontroller), and hands on
what it hears over a serial line: two bytes of length, high byte first, then the bytes of a strip's
frame or of one write to the display. Here the board's ear is simulated, up to the bytes on that
line; the strip's pulses are told by their lengths, as its chips do.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from sim_hw.devices.wire.i2c import Chip
from tests.drivers.panel.strip_bus import StripBus, decoded

_LENGTH = 2


class Tap:
    """The board's end of its serial line."""

    def __init__(self, line: Path) -> None:
        self._end = os.open(line, os.O_RDWR | os.O_NOCTTY)

    def hands_on(self, heard: bytes) -> None:
        """Tell the rig of one frame or write."""
        whole = len(heard).to_bytes(_LENGTH, "big") + heard
        while whole:
            whole = whole[os.write(self._end, whole) :]

    def close(self) -> None:
        """Let go of the line."""
        os.close(self._end)


class StripTap:
    """What the pixels of a strip take from its bus, frame by frame: so many bytes each."""

    def __init__(self, bus: StripBus, tap: Tap, channels: int) -> None:
        self._bus = bus
        self._channels = channels
        self._tap = tap
        self._handed_on = 0

    def look(self) -> None:
        """Hand on what came since the last look."""
        self._bus.look()
        for each in self._bus.transfers[self._handed_on :]:
            pixels = decoded(each, self._channels)
            self._tap.hands_on(bytes(channel for pixel in pixels for channel in pixel))
        self._handed_on = len(self._bus.transfers)


class OledTap(Chip):
    """The address of the small display: every write to it is handed on."""

    def __init__(self, tap: Tap) -> None:
        self._tap = tap
        super().__init__(256)

    def write(self, data: bytes) -> None:
        """One write."""
        self._tap.hands_on(data)


class Parted:
    """The rig's end: what a board handed on, parted again, each to `takes`."""

    def __init__(self, takes: Callable[[bytes], None]) -> None:
        self._takes = takes
        self._rest = b""

    def hears(self, data: bytes) -> bytes:
        """Bytes in whatever pieces they come. It answers nothing."""
        self._rest += data
        while len(self._rest) >= _LENGTH:
            end = _LENGTH + int.from_bytes(self._rest[:_LENGTH], "big")
            if len(self._rest) < end:
                break
            self._takes(self._rest[_LENGTH:end])
            self._rest = self._rest[end:]
        return b""
