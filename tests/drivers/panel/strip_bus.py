"""The far end of a light strip's bus, and what its pixels take from it by the data sheets.

Sources: WorldSemi, WS2812B-V5; Opsco, SK6812RGBW. Unconfirmed on a strip: that the bus keeps its
rate within a transfer, and what a level shifter does to the pulses.
"""

from __future__ import annotations

import os
import re
from itertools import pairwise
from pathlib import Path

from drivers.panel.lights.strip import HERTZ

TICK_NS = 1_000_000_000 / HERTZ


def decoded(wire: bytes, channels: int) -> list[tuple[int, ...]]:
    """The pixels that a strip takes from the wire: pulses are told by how long they are high."""
    bits = "".join(f"{byte:08b}" for byte in wire)
    assert bits.startswith("0" * 900), "low for over 280 µs before"
    assert bits.endswith("0" * 900), "and after"
    pulses = list(re.finditer("1+", bits))
    for pulse, after in pairwise(pulses):
        assert (after.start() - pulse.start()) * TICK_NS == 1_250, "one period a bit"
    highs_ns = [len(pulse[0]) * TICK_NS for pulse in pulses]
    assert all(220 <= each <= 380 or 580 <= each <= 750 for each in highs_ns), "of both chips"
    text = "".join("1" if each > 400 else "0" for each in highs_ns)
    assert len(text) % (8 * channels) == 0
    numbers = [int(text[at : at + 8], 2) for at in range(0, len(text), 8)]
    return [tuple(numbers[at : at + channels]) for at in range(0, len(numbers), channels)]


#: No byte of a pulse is zero: what lies between two pauses is a transfer.
_TRANSFER = re.compile(rb"\0{120}[^\0]*\0{120}")


class StripBus:
    """The far end of a bus: what was written last, transfer by transfer."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self._end = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self._rest = b""
        self.transfers: list[bytes] = []

    def fileno(self) -> int:
        """What can be read where something was written."""
        return self._end

    def look(self) -> bytes:
        """The newest transfer; empty where there was none yet."""
        while True:
            try:
                self._rest += os.read(self._end, 65_536)
            except BlockingIOError:
                break
        while (whole := _TRANSFER.match(self._rest)) is not None:
            self.transfers.append(whole[0])
            self._rest = self._rest[whole.end() :]
        return self.transfers[-1] if self.transfers else b""

    def close(self) -> None:
        os.close(self._end)
