"""An address on the bus, which the RP2040's I2C block answers to; its FIFO is emptied by DMA.

`machine.I2CTarget` (MicroPython 1.26) calls a function of ours for each byte, which takes about as
long as a byte does at 400 kHz: the block would hold the clock, at which the I2C of a Raspberry Pi
up to the 4 has a known fault. Here it is not held while something is written. Who reads waits with
the clock held until the program is there. Source: RP2040 data sheet, 4.3.10 (slave mode), 4.3.17
(registers), 2.5.3.1 (DMA).
"""

import machine

from .bus_writes import BusWrites
from .ring import Ring

# Of use to a type checker alone: MicroPython has no such module, and evaluates no annotation.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from typing import Protocol

    class BusReplies(Protocol):
        """What is said to one who reads."""

        def begin(self) -> int:
            """The first byte."""
            ...

        def more(self) -> bytes:
            """What follows it, asked for once where more than that byte is read."""
            ...


#: GPIOs of the bus, I2C0.
DATA, CLOCK = 4, 5
_HERTZ_MAX = 400_000
_I2C0 = 0x4004_4000
_DREQ_I2C0_RX = 33
_CON, _SAR, _DATA_CMD, _INTR_MASK, _RAW_INTR_STAT = (_I2C0 + at for at in (0, 8, 0x10, 0x30, 0x34))
_CLR_RX_OVER, _CLR_RD_REQ, _CLR_TX_ABRT, _CLR_RX_DONE = (
    _I2C0 + at for at in (0x48, 0x50, 0x54, 0x58)
)
_ENABLE, _STATUS, _RXFLR, _DMA_CR, _DMA_RDLR = (_I2C0 + at for at in (0x6C, 0x70, 0x78, 0x88, 0x90))
#: Fast mode, stops of its own address alone; neither master nor deaf, and the clock is not held.
_TARGET = 2 << 1 | 1 << 7
_RX_OVER, _RD_REQ, _RX_DONE = 1 << 1, 1 << 5, 1 << 7
_SLAVE_ACTIVE = 1 << 6
#: So many bytes wait in the block for who reads.
_FIFO = 16


class I2cTarget:
    """The block at this address: `writes` gets what is written, `answers` says what is read."""

    def __init__(self, address: int, writes: BusWrites, answers: "BusReplies") -> None:
        self._writes = writes
        self._answers = answers
        self._reading = False
        self._asked_more = False
        self._rest = b""
        # Takes the block out of reset, gives it its pins and the filter of spikes.
        machine.I2C(0, sda=machine.Pin(DATA), scl=machine.Pin(CLOCK), freq=_HERTZ_MAX)
        register = machine.mem32
        register[_ENABLE] = 0
        register[_CON] = _TARGET
        register[_SAR] = address
        register[_INTR_MASK] = 0
        register[_DMA_RDLR] = 0
        register[_DMA_CR] = 1
        self._ring = Ring(_DATA_CMD, _DREQ_I2C0_RX)
        register[_ENABLE] = 1

    def look(self) -> None:
        """Hand on what came since the last look; answer one who reads."""
        words = self._ring.new()
        # Looked at after the words came: a word that is missing among them has left its mark.
        raised = machine.mem32[_RAW_INTR_STAT]
        if raised & _RX_OVER:
            _read(_CLR_RX_OVER)
            self._writes.overrun("writes, or bytes of one: the FIFO was full")
        elif self._took(words):
            self._reading = False
        elif self._at_rest():
            self._writes.stop()
        if raised & _RX_DONE:
            # The one who read took no more. A read that began since has its own request.
            _read(_CLR_RX_DONE)
            self._reading = False
        if raised & _RD_REQ:
            self._answer()

    def _took(self, words: "array[int] | None") -> bool:
        """Whether there were words of a write, or some were lost."""
        if words is None:
            self._writes.overrun("writes: they came faster than they are handed on")
            return True
        self._writes.take(words)
        return len(words) > 0

    def _answer(self) -> None:
        """One who reads waits, and the clock is held: what was written before is over."""
        while self._took(self._ring.new()):
            self._reading = False
        self._writes.stop()
        _read(_CLR_RD_REQ)
        # What the one before did not take was thrown away, and the block takes no more before this.
        _read(_CLR_TX_ABRT)
        if not self._reading:
            # One byte alone: whether more is read of it is known when it is asked for again.
            self._reading, self._asked_more = True, False
            machine.mem32[_DATA_CMD] = self._answers.begin()
            return
        if not self._asked_more:
            self._asked_more, self._rest = True, self._answers.more()
        now, self._rest = self._rest[:_FIFO], self._rest[_FIFO:]
        for byte in now or b"\0":
            machine.mem32[_DATA_CMD] = byte

    def _at_rest(self) -> bool:
        """Whether nothing is under way, and nothing came since the ring was found empty."""
        if machine.mem32[_STATUS] & _SLAVE_ACTIVE or machine.mem32[_RXFLR]:
            return False
        return self._ring.behind() == 0


def _read(register: int) -> int:
    """Registers that are cleared by being read."""
    return int(machine.mem32[register])
