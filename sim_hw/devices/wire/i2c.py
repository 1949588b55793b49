"""Chips on an I2C bus: their registers, which count up by themselves, and what their pins do.

Sources: NXP, PCA9685 data sheet rev. 4, 7.3; Microchip, MCP23017 data sheet DS20001952, 1.6.6 and
3.2 (registers of BANK = 0). A bus is a list of transfers; a chip that is not there does not
acknowledge its address. Unconfirmed on a bus: clock stretching, and what noise does.
"""

from __future__ import annotations

import errno
from typing import Final


class Chip:
    """Registers by number. `size` is where the counting up goes back to 0."""

    def __init__(self, size: int) -> None:
        self.registers = bytearray(256)
        self._size = size
        self._at = 0
        self.power_up()

    def power_up(self) -> None:
        """Power comes back: every register is as the data sheet has it."""
        self.registers[:] = bytes(256)

    def write(self, data: bytes) -> None:
        """The number of a register, and what goes there and into those behind it."""
        self._at = data[0]
        for byte in data[1:]:
            self.registers[self._at] = byte
            self._next()

    def read(self, count: int) -> bytes:
        """What stands in the registers from the last number on."""
        said = bytearray()
        for _ in range(count):
            said.append(self.registers[self._at])
            self._next()
        return bytes(said)

    def _next(self) -> None:
        self._at = (self._at + 1) % self._size


class OtherChip(Chip):
    """A chip of another kind: whatever is written, its registers are its own."""

    def __init__(self) -> None:
        super().__init__(256)

    def write(self, data: bytes) -> None:
        """Only the number of the register is taken."""
        super().write(data[:1])


class Pca9685(Chip):
    """16 outputs with a duty of 4096 parts."""

    _ASLEEP: Final = 0x10
    _COUNTS_UP: Final = 0x20
    _INVERTED: Final = 0x10
    _FULL: Final = 0x10

    def __init__(self) -> None:
        super().__init__(256)

    def power_up(self) -> None:
        """Asleep, all outputs off."""
        super().power_up()
        self.registers[0:2] = b"\x11\x04"
        self.registers[0xFE] = 0x1E
        for output in range(16):
            self.registers[9 + 4 * output] = self._FULL

    def write(self, data: bytes) -> None:
        """A register, or all outputs at once."""
        if data[0] == 0xFE and not self.registers[0] & self._ASLEEP:
            return  # the rate is taken only while it sleeps
        super().write(data)
        if 0xFA <= data[0] <= 0xFD:
            for output in range(16):
                self.registers[6 + 4 * output + data[0] - 0xFA] = data[1]

    def _next(self) -> None:
        if self.registers[0] & self._COUNTS_UP:
            super()._next()

    @property
    def hertz(self) -> float:
        """How often a dimmed output goes on and off."""
        return float(25_000_000 / 4_096 / (self.registers[0xFE] + 1))

    def duty(self, output: int) -> int:
        """For how much of 4096 parts a load at that output has power."""
        on_low, on_high, off_low, off_high = self.registers[6 + 4 * output : 10 + 4 * output]
        if self.registers[0] & self._ASLEEP or off_high & self._FULL:
            high = 0
        elif on_high & self._FULL:
            high = 4_096
        else:
            high = (off_high << 8 | off_low) - (on_high << 8 | on_low)
        return high

    @property
    def inverted(self) -> bool:
        """Whether an output that is on is low."""
        return bool(self.registers[1] & self._INVERTED)


class Mcp23017(Chip):
    """16 pins: outputs by their latch, inputs by `pulled_low`, with pull-ups where switched on.

    `reads`: how often it was read.
    """

    def __init__(self) -> None:
        self.pulled_low: set[int] = set()
        self.reads = 0
        super().__init__(0x16)

    def power_up(self) -> None:
        """All pins are inputs."""
        super().power_up()
        self.registers[0:2] = b"\xff\xff"

    def read(self, count: int) -> bytes:
        """Registers, of which two are the levels as they are now."""
        self.reads += 1
        self.registers[0x12:0x14] = self.levels.to_bytes(2, "little")
        return super().read(count)

    @property
    def inputs(self) -> set[int]:
        """The pins that drive nothing; by revision D of its data sheet never GPA7 nor GPB7."""
        return {pin for pin in range(16) if self.driven(pin) is None}

    @property
    def levels(self) -> int:
        """The levels of all pins, one bit each."""
        directions = int.from_bytes(self.registers[0:2], "little")
        pulls = int.from_bytes(self.registers[0x0C:0x0E], "little")
        latch = int.from_bytes(self.registers[0x14:0x16], "little")
        low = sum(1 << each for each in self.pulled_low)
        return latch & ~directions | directions & pulls & ~low

    def driven(self, pin: int) -> bool | None:
        """The level that the chip gives a pin; None where it gives none."""
        directions = int.from_bytes(self.registers[0:2], "little")
        return None if directions >> pin & 1 else bool(self.levels >> pin & 1)


class I2cBus:
    """The chips of a bus by address, and how many transfers there were."""

    def __init__(self, chips: dict[int, Chip]) -> None:
        self.chips = chips
        self.transfers = 0

    def transfer(self, address: int, data: bytes, count: int) -> bytes:
        """Write `data`, then read `count` bytes. Raises `OSError` where nothing answers."""
        if address not in self.chips:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        self.transfers += 1
        chip = self.chips[address]
        if data:
            chip.write(data)
        return chip.read(count)
