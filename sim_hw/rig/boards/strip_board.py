"""The board at a table's strip: hands on each frame as the pixels take it.

Source: RP2040 data sheet, 2.5.3.1 (signals for DMA), 3.7 (registers of PIO).
"""

import machine
import rp2

from .board import Board
from .packet_queue import PacketQueue
from .ring import Ring
from .strip_frames import StripFrames
from .strip_program import GAP_LOOKS, HERTZ, PROGRAM

#: GPIO of the data line.
DATA = 2
_PIO0 = 0x5020_0000
_FDEBUG = _PIO0 + 0x08
_RXSTALL = 1 << 0
_RXF0 = _PIO0 + 0x20
_DREQ_PIO0_RX0 = 4


class StripEar:
    """The strip's data line, heard by PIO."""

    def __init__(self, queue: PacketQueue) -> None:
        self._frames = StripFrames(queue)
        self._ring = Ring(_RXF0, _DREQ_PIO0_RX0)
        line = machine.Pin(DATA, machine.Pin.IN)
        self._pio = rp2.StateMachine(0, PROGRAM, freq=HERTZ, in_base=line, jmp_pin=line)
        self._pio.put(GAP_LOOKS)
        self._pio.active(1)

    def look(self) -> None:
        """Hand on what came since the last look."""
        words = self._ring.new()
        # Looked at after the words came: a word that is missing among them has left its mark.
        if machine.mem32[_FDEBUG] & _RXSTALL:
            machine.mem32[_FDEBUG] = _RXSTALL  # a one clears it
            self._frames.overrun("frames, or bytes of one: the FIFO was full")
        elif words is None:
            self._frames.overrun("frames: they came faster than they are handed on")
        else:
            self._frames.take(words)


def main() -> None:
    """Listen for good."""
    board = Board("strip")
    ear = StripEar(board.queue)
    while True:
        ear.look()
        board.turn()
