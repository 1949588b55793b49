"""Writes to an address of a bus, from the words of the I2C block: a marked one begins a write.

Written for MicroPython and CPython.
"""

# Of use to a type checker alone: MicroPython has no such module, and evaluates no annotation.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    class HandsOn(Protocol):
        """A queue, or who looks at what was written before it goes there."""

        def heard(self, content: bytes) -> None:
            """A write."""
            ...

        def lost(self, why: str) -> None:
            """In words: what was lost."""
            ...


#: RP2040 data sheet, 4.3.17, IC_DATA_CMD, FIRST_DATA_BYTE: the first byte after the address.
FIRST = 0x800
_BYTE = 0xFF
#: A control byte and the whole memory of the display are 1,025.
WRITE_MAX = 4_096


class BusWrites:
    """Hands each write on as one, from its start to its stop; `hands_on` takes losses, too."""

    def __init__(self, hands_on: "HandsOn") -> None:
        self._hands_on = hands_on
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
            self._hands_on.lost(f"a write of more than {WRITE_MAX} bytes")
        else:
            self._hands_on.heard(write)

    def overrun(self, why: str) -> None:
        """Words were lost: what is there of this write is dropped."""
        self._hands_on.lost(why)
        self._write = bytearray()
        self._begun = False
