"""Boards of the rig's at the table's bus that stand for readers, simulated up to their serial line.

A Raspberry Pi is no target of SPI or I2C, and an answer must be there in the transfer that asks for
it. So the board keeps the frames that the rig sends it, says by itself whether there is one, and
hands on what the table writes: on its line is what a PN532 on a serial line hears and says.
"""

from __future__ import annotations

import os
import tty
from pathlib import Path

from drivers.spots.pn532 import WAKE
from sim_hw.devices.wire.pn532 import Tag

_START = b"\x00\x00\xff"
_ACK = b"\x00\x00\xff\x00\xff\x00"


class SpotBoard:
    """What answers at the chip's place on the bus; `line` is the table's end of the rig's line."""

    def __init__(self, line: Path) -> None:
        self._end = os.open(line, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._came = b""

    def selected(self) -> bool:
        """It is never asleep."""
        return True

    def hears(self, data: bytes) -> None:
        """A frame is handed on; what was said to the one before it is dropped."""
        self._listen()
        self._came = b""
        os.write(self._end, WAKE + data)  # at the rig's end it may have had no power

    def ready(self) -> bool:
        """Whether a frame has come that is whole."""
        self._listen()
        return self._whole() is not None

    def read(self, count: int) -> bytes:
        """So many bytes of the frame that has come."""
        end = self._whole() or 0
        frame, self._came = self._came[:end], self._came[end:]
        return frame[:count].ljust(count, b"\0")

    def close(self) -> None:
        """Let go of the line."""
        os.close(self._end)

    def _listen(self) -> None:
        try:
            self._came += os.read(self._end, 4_096)
        except BlockingIOError:
            return

    def _whole(self) -> int | None:
        """Where the first frame ends; None while there is none."""
        start = self._came.find(_START)
        if start < 0:
            return None
        self._came = self._came[start:]
        if self._came.startswith(_ACK):
            return len(_ACK)
        end = 7 + self._came[3] if len(self._came) > 4 else 1 << 16
        return end if len(self._came) >= end else None


class ToldTags:
    """The tags in the field of a board that stands for an RC522, as the rig tells them.

    That chip leaves what is said over the air to its host, so the board has to be chip and tags.
    Each word on its line is the number of every tag with its length before it, and a zero.
    """

    def __init__(self, line: Path) -> None:
        self._end = os.open(line, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._end)
        self._came = b""
        self._tags: list[Tag] = []

    def lying(self) -> list[Tag]:
        """The tags that lie there now."""
        try:
            self._came += os.read(self._end, 4_096)
        except BlockingIOError:
            return self._tags
        while (told := _told(self._came)) is not None:
            uids, self._came = told
            self._tags = [Tag(each) for each in uids]
        return self._tags

    def close(self) -> None:
        """Let go of the line."""
        os.close(self._end)


def _told(came: bytes) -> tuple[list[bytes], bytes] | None:
    """The numbers of the first word that is whole, and what came after it."""
    uids, rest = list[bytes](), came
    while rest:
        length, rest = rest[0], rest[1:]
        if not length:
            return uids, rest
        if len(rest) < length:
            return None
        uids.append(rest[:length])
        rest = rest[length:]
    return None
