"""A PN532 on an SPI or I2C bus: it cannot speak by itself, so it is asked whether it has an answer.

Source: NXP, PN532 User Manual UM0701-02, 6.2.4 (I2C: address 48 hex to write to, 49 to read from;
a status byte before each answer, 01 when it is ready) and 6.2.5 (SPI: mode 0, the lowest bit first,
5 MHz at most; 02 asks for the status, 01 is before what is written, 03 before what is read). That
more bytes may be read than the answer has, and that the first word after power-down is lost, is
what Adafruit_CircuitPython_PN532 and libnfc do. Proved with a chip made from that manual, byte by
byte at the node; not tried on one.
"""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from typing import Final, Protocol

from controller.devices.contracts import DeviceAbsent, DeviceLost
from controller.rules.messages import message
from drivers.io.i2c import I2cChip, i2c_errors
from drivers.spots import pn532
from drivers.spots.bus_turn import BusPlace, BusTurn, SpiSelect
from drivers.spots.pn532_chip import confused
from drivers.spots.reader_chip import Broken

#: As libnfc and Adafruit have it; the chip takes five times as much from a short wire.
HERTZ: Final = 1_000_000
ADDRESS: Final = 0x24
ANSWERS_S: Final = 0.5
#: Most answers are there in some milliseconds.
LOOK_AGAIN_S: Final = 0.001
#: From power-down it takes 2 ms until it hears (data sheet, "wake-up").
WAKES_S: Final = 0.005
#: The longest answers: two tags with their ATS; four pages; what a bus has to carry for them.
_LIST_BYTES: Final = 128
_ANSWER_BYTES: Final = 40
_READY: Final = 0x01
_WRITE, _STATUS, _READ = b"\x01", b"\x02", b"\x03"
_TURNED: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class Pn532Bus(BusPlace, Protocol):
    """The chip's place on a bus."""

    def wake(self) -> None:
        """Let the chip know that somebody is there; it may hear nothing yet."""
        ...

    def send(self, frame: bytes) -> None:
        """Write a frame."""
        ...

    def came(self, count: int) -> bytes | None:
        """So many bytes, from the beginning of its answer on; None while it has none."""
        ...


class SpiPlace(SpiSelect):
    """A PN532's select. Bytes go out with their highest bit first: turned."""

    def __init__(self, path: str, section: str) -> None:
        super().__init__(path, section, HERTZ)

    def wake(self) -> None:
        """Its select wakes it."""
        self._exchanged(_STATUS + bytes(1))

    def send(self, frame: bytes) -> None:
        """Write a frame."""
        self._exchanged(_WRITE + frame)

    def came(self, count: int) -> bytes | None:
        """So many bytes, from the beginning of its answer on; None while it has none."""
        # Where there is no chip the line is high: FF is no status.
        if self._exchanged(_STATUS + bytes(1))[1] != _READY:
            return None
        return self._exchanged(_READ + bytes(count))[1:]

    def _exchanged(self, data: bytes) -> bytes:
        return self.transfer(data.translate(_TURNED)).translate(_TURNED)


class I2cPlace:
    """The one chip of an I2C bus: all of them have the same address."""

    def __init__(self, path: str, section: str) -> None:
        self._path = path
        self._section = section
        self._chip = I2cChip(path, ADDRESS)

    def errors(self) -> AbstractContextManager[None]:
        """Turn what the bus raises into `DeviceError`."""
        return i2c_errors(self._path, self._section)

    def open(self) -> None:
        """Take the address."""
        self._chip.open()

    def wake(self) -> None:
        """Its address wakes it; it may not acknowledge it the first time."""
        try:
            self._chip.receive(1)
        except OSError:
            return  # the question that follows says whether it is there

    def send(self, frame: bytes) -> None:
        """Write a frame."""
        self._chip.write(frame)

    def came(self, count: int) -> bytes | None:
        """So many bytes, from the beginning of its answer on; None while it has none."""
        if self._chip.receive(1)[0] != _READY:
            return None
        return self._chip.receive(1 + count)[1:]

    def close(self) -> None:
        """Leave the address."""
        self._chip.close()


class PolledLink:
    """The wires to a PN532 on a bus, asked on a thread."""

    def __init__(self, place: Pn532Bus, port: str) -> None:
        self._place = place
        self._port = port
        self._turn = BusTurn(place)

    async def open(self) -> None:
        """Take the place on the bus, and wake the chip. `DeviceAbsent` where nobody answers."""
        await self._turn.begin(self._wake)
        try:
            # The one command that a chip takes which had no power before.
            await self.ask(pn532.NORMAL_MODE)
        except DeviceLost as error:
            raise DeviceAbsent(error.message) from error

    async def ask(self, command: bytes) -> bytes:
        """The parameters of the answer to a command."""
        try:
            answer = await self._turn.run(lambda: self._answer(command))
            if answer is None:
                raise DeviceLost(message("spot-reader-silent", port=self._port))
            return pn532.parameters(command, answer)
        except Broken as error:
            raise confused(self._port, error) from error

    def close(self) -> None:
        """Leave the place, at once or when the thread that is asking has seen it."""
        self._turn.close()

    def _wake(self) -> None:
        self._place.wake()
        time.sleep(WAKES_S)

    def _answer(self, command: bytes) -> bytes | None:
        """On a thread: what it answered; None where it did not in time."""
        if self._turn.closing:
            return None
        count = _LIST_BYTES if command == pn532.LIST_TARGETS else _ANSWER_BYTES
        answers = pn532.FrameBuffer()
        self._place.send(pn532.frame(command))
        until_s = time.monotonic() + ANSWERS_S
        while time.monotonic() < until_s and not self._turn.closing:
            said = self._place.came(count)
            if said is not None and (found := answers.feed(said)):
                return found[-1]
            time.sleep(LOOK_AGAIN_S)
        return None
