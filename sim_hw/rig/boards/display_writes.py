"""Writes to the small display, from the words of the I2C block: one with a mark begins a write.

Written for MicroPython and CPython.
"""

from .packet_queue import PacketQueue

# Of use to a type checker alone: MicroPython has no such module, and evaluates no annotation.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

#: RP2040 data sheet, 4.3.17, IC_DATA_CMD, FIRST_DATA_BYTE: the first byte after the address.
FIRST = 0x800
_BYTE = 0xFF
#: A control byte and the whole memory of the display are 1,025.
WRITE_MAX = 4_096


class DisplayWrites:
    """Hands each write on to a queue as one, from its start to its stop."""

    def __init__(self, queue: PacketQueue) -> None:
        self._queue = queue
        self._write = bytearray()
        self._begun = False

    def take(self, words: "Iterable[int]") -> None:
        """Words in order; those after a loss and before the next start are of no write."""
        for word in words:
            if word & FIRST:
                self.stop()
                self._begun = True
            if self._begun and len(self._write) <= WRITE_MAX:
                self._write.append(word & _BYTE)

    def stop(self) -> None:
        """The bus is at rest: the write is over, if there was one."""
        if not self._begun:
            return
        write, self._write = bytes(self._write), bytearray()
        self._begun = False
        if len(write) > WRITE_MAX:
            self._queue.lost(f"a write of more than {WRITE_MAX} bytes")
        else:
            self._queue.heard(write)

    def overrun(self, why: str) -> None:
        """Words were lost: what is there of this write is dropped."""
        self._queue.lost(why)
        self._write = bytearray()
        self._begun = False
