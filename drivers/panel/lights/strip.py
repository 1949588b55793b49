"""A strip of WS2812 or SK6812 pixels on the data line of an SPI bus.

Each bit of a pixel is four bits on the wire at 3.2 MHz: a pulse of 312 ns is a 0, one of 625 ns
a 1, in a period of 1.25 µs; low for 300 µs shows what was sent. Sources: WorldSemi, WS2812B-V5
(0: 220 to 380 ns, 1: 580 to 1000 ns, reset over 280 µs); Opsco, SK6812RGBW (300 and 600 ns, each
within 150 ns, reset over 80 µs). Proved byte by byte; the wire's own timing has not been looked at
on a board.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Final

from controller.devices.lights import OFF, Colour
from drivers.io.spi import SpiBus
from drivers.settings.panel import STRIP_BYTES_MAX, StripSettings

HERTZ: Final = 3_200_000
#: Bytes on the wire for each byte of a pixel.
WIRE_BYTES: Final = 4
#: 300 µs of low, before (the line may rest high) and after.
RESET: Final = bytes(120)
#: A strip may lose its power for a moment, and cannot say so.
REFRESH_NS: Final = 1_000_000_000
MA_A_COLOUR: Final = 20
#: What a pixel takes while it is dark.
MA_DARK: Final = 1

_PULSES: Final = (0b1000, 0b1100)


def on_wire(byte: int) -> bytes:
    """The pulses of one byte, high bit first."""
    bits = [_PULSES[byte >> at & 1] for at in range(7, -1, -1)]
    return bytes(high << 4 | low for high, low in zip(bits[::2], bits[1::2], strict=True))


_WIRE: Final = tuple(map(on_wire, range(256)))


def frame(settings: StripSettings, colours: list[Colour]) -> bytes:
    """What is sent to show these colours, one a spot, within the strip's current."""
    level = brightness_of(settings, colours)
    pixels = bytearray()
    for colour in colours:
        lit = {name: level * on for name, on in zip("rgb", colour, strict=True)}
        one = b"".join(_WIRE[lit.get(name, 0)] for name in settings.order)
        pixels += one * settings.pixels
    return RESET + bytes(pixels) + RESET


def all_dark(settings: StripSettings) -> bytes:
    """What is sent to darken the longest strip that one transfer reaches."""
    pixels = STRIP_BYTES_MAX // (WIRE_BYTES * len(settings.order))
    return RESET + _WIRE[0] * (pixels * len(settings.order)) + RESET


def brightness_of(settings: StripSettings, colours: list[Colour]) -> int:
    """The brightness of a lit colour, of 255: as set, or less where that takes too much current."""
    lit = sum(map(sum, colours)) * settings.pixels
    free_ma = settings.max_ma - MA_DARK * settings.pixels * len(colours)
    if not lit:
        return settings.brightness
    return max(1, min(settings.brightness, free_ma * 255 // (lit * MA_A_COLOUR)))


class StripLamps:
    """The lamps of a strip: `pixels` in a row are a spot's."""

    refresh_ns = REFRESH_NS

    def __init__(self, settings: StripSettings) -> None:
        self.spots = settings.spots
        self._settings = settings
        self._bus = SpiBus(settings.device, HERTZ)
        self._colours = [OFF] * self.spots
        self._sent: bytes | None = None

    def errors(self) -> AbstractContextManager[None]:
        """Turns what the bus raises into `DeviceError`."""
        return self._bus.errors()

    def open(self) -> None:
        """Take the bus; all pixels are dark, those of a longer strip behind them, too."""
        try:
            self._bus.open()
            # What was lit there by other settings would shine on for ever.
            self._bus.write(all_dark(self._settings))
            self._dark()
        except OSError:
            self._bus.close()
            raise

    def put(self, spot: int, was: Colour, colour: Colour) -> None:
        """Let a spot have a colour at the next flush."""
        self._colours[spot] = colour

    def flush(self) -> None:
        """Send the picture, if it is another than was sent last."""
        data = frame(self._settings, self._colours)
        if data != self._sent:
            self._sent = data
            self._bus.write(data)

    def again(self) -> None:
        """Send the picture at the next flush in any case."""
        self._sent = None

    def close(self) -> None:
        """Leave all pixels dark and release the bus."""
        if self._bus.is_open:
            try:
                self._dark()
            finally:
                self._bus.close()

    def _dark(self) -> None:
        self._colours = [OFF] * self.spots
        self.again()
        self.flush()
