"""An SH1106 on an I2C bus, with a glass of 128 columns: which of its pixels are lit.

Source: Sino Wealth, SH1106 data sheet V2.3, the table of commands and the display data memory: 132
columns and page addressing alone; the column counts up within its page and stops at the end; the
DC-DC converter is on with the power, and may be switched only while the display is off. The glass
hangs on columns 2 to 129. Unconfirmed on a display: glasses that hang on others, and boards whose
maker says SSD1306 of such a chip, or the other way round.
"""

from __future__ import annotations

from typing import Final

from sim_hw.devices.wire.i2c import Chip

COLUMNS: Final = 132
FIRST, WIDTH = 2, 128
#: Commands of two bytes, the second a value. What is in no list here is no command of this chip.
_WITH_VALUE: Final = frozenset({0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB})
_ALONE: Final = frozenset({
    *range(0x20), *range(0x30, 0x34), *range(0x40, 0x80), 0xA0, 0xA1, 0xA4, 0xA5, 0xA6, 0xA7, 0xAE,
    0xAF, *range(0xB0, 0xB8), 0xC0, 0xC8, 0xE3,
})  # fmt: skip


class Sh1106Glass(Chip):
    """The display: `on` whether it is lit at all, `switched_off` how often it was made dark."""

    def __init__(self, height: int = 64) -> None:
        self.height = height
        super().__init__(256)

    def power_up(self) -> None:
        """Dark, its memory of no use."""
        super().power_up()
        self.on = self.upright = False
        self.pumped = True
        self.switched_off = 0
        self.contrast = 0x80
        self._memory = [bytearray(COLUMNS) for _ in range(8)]
        self._page = self._column = 0

    def full_of_noise(self) -> None:
        """Its memory is what it may be when power comes."""
        for page in self._memory:
            page[:] = bytes((0x55,)) * COLUMNS

    def write(self, data: bytes) -> None:
        """Commands, or a part of a picture."""
        assert data[0] in (0x00, 0x40), "a control byte"
        if data[0] == 0x40:
            for byte in data[1:]:
                if self._column < COLUMNS:
                    self._memory[self._page][self._column] = byte
                    self._column += 1
            return
        commands = iter(data[1:])
        for command in commands:
            if command in _WITH_VALUE:
                self._set(command, next(commands))
            else:
                assert command in _ALONE, f"{command:#x} is no command of an SH1106"
                self._obey(command)

    def _obey(self, command: int) -> None:
        if command < 0x10:
            self._column = self._column & 0xF0 | command
        elif command < 0x20:
            self._column = (command & 0x0F) << 4 | self._column & 0x0F
        elif command in (0xAE, 0xAF):
            self.on = command == 0xAF
            self.switched_off += command == 0xAE
        elif command in (0xC0, 0xC8):
            self.upright = command == 0xC8
        elif 0xB0 <= command < 0xB8:
            self._page = command & 0x07

    def _set(self, command: int, value: int) -> None:
        if command == 0xAD:
            assert value in (0x8A, 0x8B)
            assert not self.on, "the converter is switched while the display is off"
            self.pumped = value == 0x8B
        elif command == 0x81:
            self.contrast = value
        elif command == 0xA8:
            assert value == self.height - 1

    @property
    def lit(self) -> list[list[bool]]:
        """The pixels of the glass that shine, row by row."""
        shines = self.on and self.pumped
        return [
            [shines and bool(self._memory[row // 8][column] >> row % 8 & 1)
             for column in range(FIRST, FIRST + WIDTH)]
            for row in range(self.height)
        ]  # fmt: skip
