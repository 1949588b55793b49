"""What a block of the RP2040 hears, moved to memory by DMA: a ring of words of 16 bits.

A byte comes every 10 µs from a strip, every 23 µs from a bus of 400 kHz; MicroPython takes about as
long to look at one. So DMA takes them, and the program reads when it gets there. Source: RP2040
data sheet, 2.5 (DMA: a ring is aligned to its own size), 2.1.4 (a narrow read of a register).
"""

from array import array

import rp2
from uctypes import addressof

#: 16 KiB: 80 ms of a strip without a pause, 180 ms of a bus.
WORDS = 8_192
_RING_BITS = 14
_BYTES = 1 << _RING_BITS
_HALFWORD = 1
#: So few words before the ring is full are as good as lost: DMA goes on while they are copied.
_MARGIN = 64
#: After so many words DMA is started anew; a strip of the table's takes months for that.
_TRANSFERS = (1 << 28) - 1


class Ring:
    """The words that come out of `register`, whose block asks for DMA by the signal `dreq`."""

    def __init__(self, register: int, dreq: int) -> None:
        self._memory = array("H", bytes(2 * _BYTES))
        address = addressof(self._memory)
        self._first = -address % _BYTES // 2
        self._register = register
        self._dreq = dreq
        self._dma = rp2.DMA()
        self._start(address + 2 * self._first)

    def _start(self, address: int) -> None:
        self._read = 0
        self._address = address
        self._dma.config(
            read=self._register,
            write=address,
            count=_TRANSFERS,
            ctrl=self._dma.pack_ctrl(
                size=_HALFWORD, inc_read=False, ring_size=_RING_BITS, ring_sel=True,
                treq_sel=self._dreq,
            ),
            trigger=True,
        )  # fmt: skip

    def behind(self) -> int:
        """How many words wait."""
        return int(_TRANSFERS - self._dma.count) - self._read

    def new(self) -> "array[int] | None":
        """The words that came, oldest first, perhaps not all; None where some were overwritten."""
        waiting = self.behind()
        if waiting > WORDS - _MARGIN:
            self._read += waiting
            return None
        at = self._first + self._read % WORDS
        words = self._memory[at : min(at + waiting, self._first + WORDS)]
        self._read += len(words)
        if self._read == _TRANSFERS:
            self._start(self._address)
        return words
