"""The board that answers at the small display's address: hands on each write to it.

The RP2040's I2C block as a target, its FIFO emptied by DMA. `machine.I2CTarget` (MicroPython 1.26)
calls a function of ours for each byte, which takes about as long as a byte does at 400 kHz: the
block would hold the clock, at which the I2C of a Raspberry Pi up to the 4 has a known fault. Here
it is not held. Source: RP2040 data sheet, 4.3.10 (slave mode), 4.3.17 (registers), 2.5.3.1 (DMA).
"""

import machine

from .board import Board
from .display_writes import DisplayWrites
from .packet_queue import PacketQueue
from .ring import Ring

ADDRESS = 0x3C
#: GPIOs of the bus, I2C0.
DATA, CLOCK = 4, 5
_HERTZ_MAX = 400_000
_I2C0 = 0x4004_4000
_DREQ_I2C0_RX = 33
_CON, _SAR, _DATA_CMD, _INTR_MASK, _RAW_INTR_STAT = (_I2C0 + at for at in (0, 8, 0x10, 0x30, 0x34))
_CLR_RX_OVER, _CLR_RD_REQ, _CLR_TX_ABRT = (_I2C0 + at for at in (0x48, 0x50, 0x54))
_ENABLE, _STATUS, _RXFLR, _DMA_CR, _DMA_RDLR = (_I2C0 + at for at in (0x6C, 0x70, 0x78, 0x88, 0x90))
#: Fast mode, stops of its own address alone; neither master nor deaf, and the clock is not held.
_TARGET = 2 << 1 | 1 << 7
_RX_OVER, _RD_REQ = 1 << 1, 1 << 5
_SLAVE_ACTIVE = 1 << 6


class DisplayEar:
    """The display's address on the bus, heard by the I2C block."""

    def __init__(self, queue: PacketQueue) -> None:
        self._writes = DisplayWrites(queue)
        # Takes the block out of reset, gives it its pins and the filter of spikes.
        machine.I2C(0, sda=machine.Pin(DATA), scl=machine.Pin(CLOCK), freq=_HERTZ_MAX)
        register = machine.mem32
        register[_ENABLE] = 0
        register[_CON] = _TARGET
        register[_SAR] = ADDRESS
        register[_INTR_MASK] = 0
        register[_DMA_RDLR] = 0
        register[_DMA_CR] = 1
        self._ring = Ring(_DATA_CMD, _DREQ_I2C0_RX)
        register[_ENABLE] = 1

    def look(self) -> None:
        """Hand on what came since the last look; answer one who reads, with a zero."""
        words = self._ring.new()
        # Looked at after the words came: a word that is missing among them has left its mark.
        raised = machine.mem32[_RAW_INTR_STAT]
        if raised & _RX_OVER:
            _read(_CLR_RX_OVER)
            self._writes.overrun("writes, or bytes of one: the FIFO was full")
        elif words is None:
            self._writes.overrun("writes: they came faster than they are handed on")
        elif len(words):
            self._writes.take(words)
        elif self._at_rest():
            self._writes.stop()
        if raised & _RD_REQ:
            # The block holds the clock until there is an answer.
            _read(_CLR_RD_REQ)
            _read(_CLR_TX_ABRT)
            machine.mem32[_DATA_CMD] = 0

    def _at_rest(self) -> bool:
        """Whether nothing is under way, and nothing came since the ring was found empty."""
        if machine.mem32[_STATUS] & _SLAVE_ACTIVE or machine.mem32[_RXFLR]:
            return False
        return self._ring.behind() == 0


def _read(register: int) -> int:
    """Registers that are cleared by being read."""
    return int(machine.mem32[register])


def main() -> None:
    """Listen for good."""
    board = Board("display")
    ear = DisplayEar(board.queue)
    while True:
        ear.look()
        board.turn()
