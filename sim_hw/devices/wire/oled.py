"""An SSD1306 on an I2C bus: which of its pixels are lit.

Source: Solomon Systech, SSD1306 data sheet rev. 1.1, 8.1.5, 9 and 10. Unconfirmed on a display: how
clones differ (`sh1106` is the one with columns more at each side).
"""

from __future__ import annotations

from typing import Final

from sim_hw.devices.wire.i2c import Chip

WIDTH: Final = 128
#: How many bytes follow a command; those that are not here have none.
_MORE: Final = {
    0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1,
    0xDB: 1,
}  # fmt: skip


class OledGlass(Chip):
    """The display: `on` whether it is lit at all, `pixels` its memory, row by row from the top."""

    def __init__(self, height: int = 64) -> None:
        self.height = height
        super().__init__(256)

    def power_up(self) -> None:
        """Dark, its memory of no use."""
        super().power_up()
        self.on = self.pumped = self.upright = False
        self.switched_off = 0
        self.contrast = 0x7F
        self._memory = [bytearray(WIDTH) for _ in range(8)]
        self._columns, self._pages = (0, WIDTH - 1), (0, 7)
        self._column = self._page = 0

    def full_of_noise(self) -> None:
        """Its memory is what it may be when power comes."""
        for page in self._memory:
            page[:] = bytes((0x55,)) * WIDTH

    def write(self, data: bytes) -> None:
        """Commands, or a part of a picture."""
        assert data[0] in (0x00, 0x40), "a control byte"
        if data[0] == 0x40:
            for byte in data[1:]:
                self._draw(byte)
            return
        at = 1
        while at < len(data):
            more = _MORE.get(data[at], 0)
            self._obey(data[at], data[at + 1 : at + 1 + more])
            at += 1 + more

    def _obey(self, command: int, values: bytes) -> None:
        if command in (0xAE, 0xAF):
            self.on = command == 0xAF
            self.switched_off += command == 0xAE
        elif command == 0x8D:
            self.pumped = values == b"\x14"
        elif command == 0x81:
            self.contrast = values[0]
        elif command in (0xC0, 0xC8):
            self.upright = command == 0xC8
        elif command == 0x20:
            assert values == b"\x00", "along the rows"
        elif command == 0xA8:
            assert values[0] == self.height - 1
        elif command == 0x21:
            self._columns, self._column = (values[0], values[1]), values[0]
        elif command == 0x22:
            self._pages, self._page = (values[0], values[1]), values[0]

    def _draw(self, byte: int) -> None:
        self._memory[self._page][self._column] = byte
        self._column += 1
        if self._column > self._columns[1]:
            self._column = self._columns[0]
            self._page = self._pages[0] if self._page == self._pages[1] else self._page + 1

    @property
    def lit(self) -> list[list[bool]]:
        """The pixels that shine, row by row."""
        shines = self.on and self.pumped
        return [
            [shines and bool(self._memory[row // 8][column] >> row % 8 & 1)
             for column in range(WIDTH)]
            for row in range(self.height)
        ]  # fmt: skip
