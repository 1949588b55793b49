"""Boards of the rig's at the table's bus that stand for readers, simulated up to their serial line.

A Raspberry Pi is no target of SPI or I2C, and an answer must be there in the transfer that asks for
it. So the board of a PN532 keeps the frames that the bench sends it, says by itself whether there
is one, and hands on what the table writes. That is its own program, from the transfers on
(`sim_hw/rig/boards`: for I2C alone; a board at SPI is in the simulation only).
"""

from __future__ import annotations

import os
import tty
from pathlib import Path
from typing import Final

from drivers.spots.pn532 import WAKE
from sim_hw.devices.wire.pn532 import ACK, Pn532, Tag
from sim_hw.rig.boards.packet_queue import PacketQueue
from sim_hw.rig.boards.packets import ANSWER, Packets, packet
from sim_hw.rig.boards.spot_frames import SpotFrames
from tests.hil.rig.taps import BoardLine

#: What the board calls itself.
SPOT_BOARD: Final = "pn532"


class SpotBoard:
    """What answers at the chip's place on the bus; `line` is the table's end of the rig's line.

    What it hears and has to say is the board's own program; its place on the bus is simulated.
    """

    def __init__(self, line: Path) -> None:
        self._end = os.open(line, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._end)
        self._queue = PacketQueue(self._write)
        self._queue.hello(f"{SPOT_BOARD} simulated")
        self._packets = Packets()
        self._frames = SpotFrames(self._queue)

    def selected(self) -> bool:
        """It is never asleep."""
        return True

    def hears(self, data: bytes) -> None:
        """A frame is handed on; what was said to the one before it is dropped."""
        self._frames.heard(data)
        self._turn()

    def ready(self) -> bool:
        """Whether a frame has come that is whole."""
        self._turn()
        return bool(self._frames.begin())

    def read(self, count: int) -> bytes:
        """So many bytes of the frame that has come."""
        return self._frames.more()[:count].ljust(count, b"\0")

    def close(self) -> None:
        """Let go of the line."""
        os.close(self._end)

    def _turn(self) -> None:
        before = -1
        while self._queue.waits not in (0, before):  # the same again: the line takes nothing
            before = self._queue.waits
            self._queue.send()
        try:
            came = os.read(self._end, 4_096)
        except BlockingIOError:
            return
        for kind, content in self._packets.of(came):
            self._frames.came(kind, content)

    def _write(self, data: bytes) -> int:
        try:
            return os.write(self._end, data)
        except BlockingIOError:
            return 0


class SpotBoardLine(BoardLine):
    """The bench's end of that board's line: a chip that hears each question, and its answers."""

    def __init__(self, chip: Pn532) -> None:
        super().__init__(SPOT_BOARD, self._asked)
        self._chip = chip
        self._answers = b""

    def hears(self, data: bytes) -> bytes:
        """What goes back to the board. Raises `NotHeard`."""
        super().hears(data)
        said, self._answers = self._answers, b""
        return said

    def _asked(self, content: bytes) -> None:
        number, question = content[:1], content[1:]
        # Its select or its address has woken the chip.
        said = self._chip.hears(WAKE + question)
        for each in (said[: len(ACK)], said[len(ACK) :]) if said.startswith(ACK) else (said,):
            if each:
                self._answers += packet(ANSWER, number + each)


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
