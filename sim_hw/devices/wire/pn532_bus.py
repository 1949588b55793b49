"""A PN532 on an SPI or I2C bus: transfers in, and out what it answers to those that ask it.

Source: NXP, PN532 User Manual UM0701-02, 6.2.4 (I2C: a status byte before what is read, 01 when
there is something) and 6.2.5 (SPI: the lowest bit first; 01 before what is written, 02 asks for the
status, 03 reads). A frame is there from its first byte at each reading until another is asked for,
the acknowledgement first; a new command ends what it was about. Behind a frame come zeros. Asleep
it hears nothing of the transfer that wakes it. Unconfirmed on a chip: how long it takes for each
command (`slow` is for how many questions it is not ready), and what it says behind a frame.
"""

from __future__ import annotations

import errno
from typing import Final, Protocol

from sim_hw.devices.wire.i2c import Chip
from sim_hw.devices.wire.pn532 import ACK, Pn532

_WRITE, _STATUS, _READ = 1, 2, 3
_READY: Final = 1
#: What the data line has where nobody drives it.
_HIGH: Final = 0xFF


def turned(data: bytes) -> bytes:
    """Each byte with its lowest bit first."""
    return bytes(sum((byte >> at & 1) << 7 - at for at in range(8)) for byte in data)


class BusAnswers(Protocol):
    """Whoever answers at the chip's place on a bus."""

    def selected(self) -> bool:
        """Somebody is there; whether it hears this transfer already."""
        ...

    def hears(self, data: bytes) -> None:
        """A frame is written to it."""
        ...

    def ready(self) -> bool:
        """Whether there is something to be read; asked for the first time it may not be so yet."""
        ...

    def read(self, count: int) -> bytes:
        """So many bytes of the frame that is there; that is over then."""
        ...


class Pn532Answers:
    """What the chip has to say, frame by frame."""

    def __init__(self, chip: Pn532, slow: int = 0) -> None:
        self.chip = chip
        self._slow = slow
        self._frames: list[bytes] = []
        self._busy = 0

    def selected(self) -> bool:
        """Somebody is there; whether it hears this transfer already."""
        was_awake, self.chip.awake = self.chip.awake, True
        return was_awake

    def hears(self, data: bytes) -> None:
        """A frame is written to it."""
        said = self.chip.hears(data)
        self._frames = [ACK, said[len(ACK) :]] if said.startswith(ACK) else []
        self._busy = self._slow

    def ready(self) -> bool:
        """Whether there is something to be read; asked for the first time it may not be so yet."""
        if self._busy:
            self._busy -= 1
            return False
        return bool(self._frames)

    def read(self, count: int) -> bytes:
        """So many bytes of the frame that is there; that is over then."""
        assert self._frames, "nobody reads before it is ready"
        assert not self._busy, "nobody reads before it is ready"
        self._busy = self._slow
        return self._frames.pop(0)[:count].ljust(count, b"\0")


class SpiPn532:
    """The chip at the select of an SPI bus; `away` while its wires are pulled."""

    def __init__(self, answers: BusAnswers) -> None:
        self._answers = answers
        self.away = False

    def transfer(self, data: bytes) -> bytes:
        """What it says while that is said to it."""
        if self.away or not self._answers.selected():
            return bytes((_HIGH,)) * len(data)
        heard = turned(data)
        answer = bytes(len(data))
        if heard[0] == _WRITE:
            self._answers.hears(heard[1:])
        elif heard[0] == _STATUS:
            answer = bytes(1) + bytes((self._answers.ready(),)) * (len(data) - 1)
        elif heard[0] == _READ:
            answer = bytes(1) + self._answers.read(len(data) - 1)
        return turned(answer)


class I2cPn532(Chip):
    """The chip at its address of an I2C bus."""

    def __init__(self, answers: BusAnswers) -> None:
        self._answers = answers
        super().__init__(256)

    def write(self, data: bytes) -> None:
        """A frame. Raises `OSError` while it is asleep: it does not acknowledge its address."""
        self._awake()
        self._answers.hears(data)

    def read(self, count: int) -> bytes:
        """Its status, and what it has to say where more than that is read."""
        self._awake()
        ready = self._answers.ready()
        if count == 1 or not ready:
            return bytes((ready,)).ljust(count, b"\0")
        return bytes((_READY,)) + self._answers.read(count - 1)

    def _awake(self) -> None:
        if not self._answers.selected():
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
