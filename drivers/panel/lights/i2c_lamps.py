"""Lamps of the spots on chips of an I2C bus: PCA9685 (dimmed) or MCP23017 (on and off).

Five spots a chip: red, green and blue of the first on its outputs 0, 1, 2, and so on; output 15
(PCA9685) or GPB7 (MCP23017) stays free. Sources: NXP, PCA9685 data sheet rev. 4 (7.3 registers);
Microchip, MCP23017 data sheet DS20001952 (1.6.6, registers of BANK = 0). A chip that lost its power
has forgotten what it was set to, which is read back each second. The bus has no checksum: what
noise changed on the way is sent again then (of a PCA9685 a spot a second). Proved against chips
made from those registers; the bus itself, its levels and its pull-ups, takes a board.
"""

from __future__ import annotations

import errno
import os
from contextlib import AbstractContextManager, ExitStack
from typing import Final, Protocol

from controller.devices.lights import OFF, Colour
from drivers.io.i2c import I2cChip, i2c_errors
from drivers.settings.i2c import SPOTS_A_CHIP, I2cLedSettings

SECTION: Final = "i2c_leds"
#: This often a chip is asked whether it still is what it was set to.
ASK_NS: Final = 1_000_000_000


class LampChip(Protocol):
    """Lamps of some spots. Raises `OSError`; EPROTO where the chip is not as it was set."""

    def open(self) -> None:
        """Take and set up the chip; its lamps are dark."""
        ...

    def put(self, spot: int, colour: Colour) -> None:
        """Let a spot of this chip have a colour at the next flush."""
        ...

    def flush(self) -> None:
        """Send what was put."""
        ...

    def ask(self) -> None:
        """Look whether the chip still is what it was set to."""
        ...

    def again(self) -> None:
        """Send at the next flush, changed or not: all of it, or the next part of it."""
        ...

    def close(self) -> None:
        """Leave its lamps dark and release it."""
        ...


class Pca9685Lamps:
    """A PCA9685: each lamp is dimmed to the settings' brightness, at 1 kHz."""

    _MODE: Final = 0x00
    _LED0: Final = 0x06
    _ALL_OFF_HIGH: Final = 0xFD
    _PRESCALE: Final = 0xFE
    #: Registers count up by themselves; asleep; awake.
    _ASLEEP: Final = 0x30
    _AWAKE: Final = 0x20
    #: Mode 2: outputs push and pull; what is dark is high.
    _PUSH_PULL: Final = 0x04
    _INVERTED: Final = 0x10
    #: 25 MHz / 4096 / 6: quick enough for a camera.
    _AT_1_KHZ: Final = 5
    _FULL: Final = 0x10

    def __init__(self, settings: I2cLedSettings, address: int) -> None:
        self._chip = I2cChip(settings.bus, address)
        self._mode = bytes((
            self._AWAKE, self._PUSH_PULL | (self._INVERTED if settings.active_low else 0)
        ))  # fmt: skip
        self._lit = self._on(settings.brightness)
        self._changed: dict[int, Colour] = {}
        self._colours = [OFF] * SPOTS_A_CHIP
        self._next = 0

    def open(self) -> None:
        """Take and set up the chip; its lamps are dark."""
        self._changed.clear()
        self._colours = [OFF] * SPOTS_A_CHIP
        self._chip.open()
        self._dark()
        self._chip.write(bytes((self._MODE, self._ASLEEP)))
        self._chip.write(bytes((self._PRESCALE, self._AT_1_KHZ)))
        self._chip.write(bytes((self._MODE,)) + self._mode)
        self.ask()

    def put(self, spot: int, colour: Colour) -> None:
        """Let a spot of this chip have a colour at the next flush."""
        self._changed[spot] = colour

    def flush(self) -> None:
        """Send what was put, a spot at a time: 13 bytes are 1.2 ms of the bus."""
        changed, self._changed = self._changed, {}
        for spot, colour in changed.items():
            self._colours[spot] = colour
            first = self._LED0 + 12 * spot
            lamps = b"".join(self._lit if on else self._on(0) for on in colour)
            self._chip.write(bytes((first,)) + lamps)

    def ask(self) -> None:
        """Look whether the chip still is what it was set to."""
        if self._chip.read(self._MODE, 2) != self._mode:
            raise OSError(errno.EPROTO, os.strerror(errno.EPROTO))

    def again(self) -> None:
        """Send the next spot at the next flush: all of them would hold up the table for 6 ms."""
        self._changed.setdefault(self._next, self._colours[self._next])
        self._next = (self._next + 1) % SPOTS_A_CHIP

    def close(self) -> None:
        """Leave its lamps dark and release it."""
        if self._chip.is_open:
            try:
                self._dark()
            finally:
                self._chip.close()

    def _dark(self) -> None:
        self._chip.write(bytes((self._ALL_OFF_HIGH, self._FULL)))

    def _on(self, level: int) -> bytes:
        """The four registers of an output at that level, of 255: from when, and until when."""
        if level == 0:
            return bytes((0, 0, 0, self._FULL))
        if level == 255:
            return bytes((0, self._FULL, 0, 0))
        return bytes(2) + (level * 4_096 // 255).to_bytes(2, "little")


class Mcp23017Lamps:
    """An MCP23017: each lamp is on or off."""

    _DIRECTION: Final = 0x00
    _LATCH: Final = 0x14
    _OUTPUTS: Final = bytes(2)

    def __init__(self, settings: I2cLedSettings, address: int) -> None:
        self._chip = I2cChip(settings.bus, address)
        self._inverted = 0xFFFF if settings.active_low else 0
        self._lit = 0
        self._sent: int | None = None

    def open(self) -> None:
        """Take and set up the chip; its lamps are dark before its pins drive them."""
        self._chip.open()
        self._dark()
        self._chip.write(bytes((self._DIRECTION,)) + self._OUTPUTS)
        self.ask()

    def put(self, spot: int, colour: Colour) -> None:
        """Let a spot of this chip have a colour at the next flush."""
        for at, on in enumerate(colour, start=3 * spot):
            self._lit = self._lit & ~(1 << at) | on << at

    def flush(self) -> None:
        """Send what was put, if it is another picture than was sent last."""
        if self._lit != self._sent:
            self._sent = self._lit
            latch = (self._lit ^ self._inverted).to_bytes(2, "little")
            self._chip.write(bytes((self._LATCH,)) + latch)

    def ask(self) -> None:
        """Look whether the chip still is what it was set to."""
        if self._chip.read(self._DIRECTION, 2) != self._OUTPUTS:
            raise OSError(errno.EPROTO, os.strerror(errno.EPROTO))

    def again(self) -> None:
        """Send the picture at the next flush."""
        self._sent = None

    def close(self) -> None:
        """Leave its lamps dark and release it."""
        if self._chip.is_open:
            try:
                self._dark()
            finally:
                self._chip.close()

    def _dark(self) -> None:
        self._lit, self._sent = 0, None
        self.flush()


class I2cLamps:
    """The lamps of all spots, on as many chips as they take."""

    refresh_ns = ASK_NS

    def __init__(self, settings: I2cLedSettings) -> None:
        self.spots = settings.spots
        self._bus = settings.bus
        kind = Pca9685Lamps if settings.chip == "pca9685" else Mcp23017Lamps
        self._chips: list[LampChip] = [kind(settings, each) for each in settings.addresses]
        self._ask = False

    def errors(self) -> AbstractContextManager[None]:
        """Turns what the chips raise into `DeviceError`."""
        return i2c_errors(self._bus, SECTION)

    def open(self) -> None:
        """Take the chips; all lamps are dark."""
        self._ask = False
        try:
            for chip in self._chips:
                chip.open()
        except OSError:
            self.close()
            raise

    def put(self, spot: int, was: Colour, colour: Colour) -> None:
        """Let a spot have a colour at the next flush."""
        self._chips[spot // SPOTS_A_CHIP].put(spot % SPOTS_A_CHIP, colour)

    def flush(self) -> None:
        """Send what was put; after `again`, look first whether the chips are as they were set."""
        ask, self._ask = self._ask, False
        for chip in self._chips:
            if ask:
                chip.ask()
                chip.again()
            chip.flush()

    def again(self) -> None:
        """Ask the chips at the next flush: one that lost its power is set up anew. Send again."""
        self._ask = True

    def close(self) -> None:
        """Leave all lamps dark and release the chips, of each also where another one fails."""
        with ExitStack() as closing:
            for chip in self._chips:
                closing.callback(chip.close)
