"""`[pole_display]`, `[oled]`, `[stream_deck]`: what shows words or pictures beside the pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from drivers.settings.checks import Wrong, refuse, within
from drivers.settings.i2c import of_the_bus
from drivers.settings.panel import BUTTON_NAMES, DEFAULT_STUCK_S

#: The largest Stream Deck has this many keys.
DECK_KEYS_MAX: Final = 32


@dataclass(frozen=True, slots=True)
class PoleDisplaySettings:
    """`[pole_display]`: a customer display of two rows on a serial line, for the players.

    `port` is its node, at `baud`; a row has `columns` characters.
    """

    port: str
    baud: Literal[2400, 4800, 9600, 19200, 38400, 115200] = 9_600
    columns: int = 20

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        if not self.port.startswith("/"):
            yield Wrong("port", "name its node with the whole path, as /dev/serial/by-id/…")
        yield from within("columns", self.columns, 16, 40)


@dataclass(frozen=True, slots=True)
class OledSettings:
    """`[oled]`: a small display (SSD1306 or SH1106) with the dealer's sentence, on an I2C bus.

    128 pixels wide and `height` high; `turned` where it hangs upside down, `brightness` of 255.
    `chip` is what drives it: one taken for the other shows noise at an edge, or a shifted picture.
    """

    bus: str = "/dev/i2c-1"
    address: int = 0x3C
    height: Literal[32, 64] = 64
    turned: bool = False
    brightness: int = 207
    chip: Literal["ssd1306", "sh1106"] = "ssd1306"

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from of_the_bus(self.bus)
        if self.address not in (0x3C, 0x3D):
            yield Wrong("address", "such a display has 0x3c or 0x3d")
        yield from within("brightness", self.brightness, 1, 255)


@dataclass(frozen=True, slots=True)
class StreamDeckSettings:
    """`[stream_deck]`: an Elgato Stream Deck: keys with pictures of what may be pressed now.

    `device` is its hidraw node; `next` and the others the number of the key that means it, from 1
    at the top left. `brightness` is in percent.
    """

    device: str
    next: int | None = None
    stand: int | None = None
    hit: int | None = None
    repeat: int | None = None
    call: int | None = None
    brightness: int = 60
    stuck_s: int = DEFAULT_STUCK_S

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        if not self.device.startswith("/"):
            yield Wrong("device", "name its node with the whole path, as /dev/tablectl-deck")
        named = {name: getattr(self, name) for name in BUTTON_NAMES}
        keys = {name: key for name, key in named.items() if key is not None}
        for name, key in keys.items():
            yield from within(name, key, 1, DECK_KEYS_MAX)
        if not keys:
            yield Wrong("next", "there is no key: give at least this one")
        if len(set(keys.values())) != len(keys):
            yield Wrong("next", "a key stands twice: everything it can mean needs its own")
        yield from within("brightness", self.brightness, 1, 100)
        yield from within("stuck_s", self.stuck_s, 1, 600)
