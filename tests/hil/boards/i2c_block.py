"""The RP2040's I2C block as a target, byte by byte as a master has it: registers, FIFO, the clock.

Source: RP2040 data sheet, 4.3.10.1.2 and 4.3.10.1.4 (who reads waits with the clock held while the
FIFO is empty; what he does not take is thrown away at the next read, and nothing is taken before
that was seen), 4.3.17. DMA takes what is written. Unconfirmed on a chip.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable
from typing import Final

from sim_hw.rig.boards.bus_writes import FIRST
from tests.hil.boards.fake_pico import FakePico

I2C0: Final = 0x4004_4000
SAR, DATA_CMD, RAW, CLR_RD_REQ, CLR_TX_ABRT, CLR_RX_DONE, ENABLE, STATUS = (
    I2C0 + at for at in (0x08, 0x10, 0x34, 0x50, 0x54, 0x58, 0x6C, 0x70)
)
RD_REQ, TX_ABRT, RX_DONE = 1 << 5, 1 << 6, 1 << 7
ACTIVE: Final = 1 << 6
FIFO: Final = 16
#: A clock that is held for so many looks of the program is held for good.
HELD_LOOKS: Final = 20
_CLEARS: Final = {CLR_RD_REQ: RD_REQ, CLR_TX_ABRT: TX_ABRT, CLR_RX_DONE: RX_DONE}


class I2cBlock(dict[int, int]):
    """The registers, in place of the made-up chip's; `transfer` is a master's.

    `look` is the program's turn, which it has while the clock is held; `asked` is what happens at
    the bus right before the program looks at what was raised.
    """

    def __init__(self, pico: FakePico) -> None:
        super().__init__()
        self._pico = pico
        self._fifo: list[int] = []
        self.look: Callable[[], None] = lambda: None
        self.asked: Callable[[], None] = lambda: None
        sys.modules["machine"].mem32 = self  # type: ignore[attr-defined]

    def __getitem__(self, address: int) -> int:
        if address in _CLEARS:
            self[RAW] = self.get(RAW, 0) & ~_CLEARS[address]
        if address == RAW:
            self.asked()
        return self.get(address, 0)

    def __setitem__(self, address: int, value: int) -> None:
        if address == DATA_CMD:
            assert not self.get(RAW, 0) & TX_ABRT, "the FIFO is held empty until that was seen"
            assert len(self._fifo) < FIFO, "the FIFO is full"
            assert 0 <= value <= 0xFF
            self._fifo.append(value)
        else:
            super().__setitem__(address, value)

    def transfer(self, address: int, data: bytes, count: int) -> bytes:
        """Write, then read so many bytes. Raises `OSError` where nobody answers, or not in time."""
        if address != self.get(SAR) or not self.get(ENABLE):
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        self[STATUS] = ACTIVE
        self.written(data)
        said = bytes(self._read(nth) for nth in range(count))
        if count:
            self[RAW] = self.get(RAW, 0) | RX_DONE
        self[STATUS] = 0
        return said

    def written(self, data: bytes) -> None:
        """These bytes were written after an address."""
        self._pico.dma[0].moves(byte | (0 if at else FIRST) for at, byte in enumerate(data))

    def _read(self, nth: int) -> int:
        if not nth and self._fifo:
            self._fifo.clear()
            self[RAW] = self.get(RAW, 0) | TX_ABRT
        if not self._fifo:
            self[RAW] = self.get(RAW, 0) | RD_REQ
            for _ in range(HELD_LOOKS):
                self.look()
                if self._fifo:
                    break
            else:
                raise OSError(errno.ETIMEDOUT, "the clock was held for good")
        return self._fifo.pop(0)
