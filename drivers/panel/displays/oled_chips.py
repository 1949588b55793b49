"""Pure: what chips of small OLED displays are sent to be set up, and to show a picture.

Sources: Solomon Systech, SSD1306 data sheet rev. 1.1, 9 and 10 (commands), and its application note
(the order at the start); Sino Wealth, SH1106 data sheet V2.3, the table of commands. An SH1106 has
a memory of 132 columns and page addressing alone: a picture goes to it in one write for each eight
rows, and a glass of 128 columns hangs on its columns 2 to 129.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drivers.settings.displays import OledSettings

WIDTH: Final = 128
#: The control byte before commands, and before a picture (SSD1306, 8.1.5; SH1106, the I2C bus).
COMMANDS: Final = b"\x00"
PICTURE: Final = b"\x40"
#: Off before it is set up, on once its picture is there: what its memory holds at first is noise.
OFF: Final = b"\xae"
ON: Final = b"\xaf"
#: SH1106: the DC-DC converter on, which may be sent while the display is off alone; with its power
#: comes the same.
_CONVERTER: Final = b"\xad\x8b"
#: SH1106: the first column of its memory that is seen.
_FIRST_COLUMN: Final = 2


def switch_off(settings: OledSettings) -> bytes:
    """Dark, with what may be set only then."""
    return COMMANDS + OFF + (_CONVERTER if settings.chip == "sh1106" else b"")


def start_up(settings: OledSettings) -> bytes:
    """What sets it up: clock, rows, charge pump, addressing along rows, direction.

    Sent again it changes nothing that is seen: it does not switch the display off, which would be
    dark for a tenth of a second then (SSD1306, 8.9: the time from AF to the first light).
    """
    rows = settings.height - 1
    pins = 0x12 if settings.height == 64 else 0x02
    direction = b"\xa0\xc0" if settings.turned else b"\xa1\xc8"
    if settings.chip == "sh1106":  # clock, precharge and level as they are when its power comes
        return (
            bytes((0xD5, 0x50, 0xA8, rows, 0xD3, 0x00, 0x40))
            + direction
            + bytes((0xDA, pins, 0x81, settings.brightness, 0xD9, 0x22, 0xDB, 0x35, 0xA4, 0xA6))
        )
    return (
        bytes((0xD5, 0x80, 0xA8, rows, 0xD3, 0x00, 0x40, 0x8D, 0x14, 0x20, 0x00))
        + direction
        + bytes((0xDA, pins, 0x81, settings.brightness, 0xD9, 0xF1, 0xDB, 0x40, 0xA4, 0xA6))
    )


def showing(settings: OledSettings, picture: bytes, *, whole: bool) -> Iterator[bytes]:
    """The writes that show a picture, a byte for eight pixels; `whole`: it is set up before."""
    set_up = start_up(settings) if whole else b""
    if settings.chip == "sh1106":
        if whole:
            yield COMMANDS + set_up
        low, high = _FIRST_COLUMN & 0x0F, 0x10 | _FIRST_COLUMN >> 4
        for page in range(settings.height // 8):
            yield COMMANDS + bytes((0xB0 | page, low, high))
            yield PICTURE + picture[page * WIDTH : (page + 1) * WIDTH]
    else:
        window = bytes((0x21, 0, WIDTH - 1, 0x22, 0, settings.height // 8 - 1))
        yield COMMANDS + set_up + window
        yield PICTURE + picture
    if whole:
        yield COMMANDS + ON
