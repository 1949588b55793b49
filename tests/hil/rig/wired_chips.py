"""Chips of the table's I2C bus whose pins are where the rig's wires go, in place of the header's.

A rig is no chip on a bus. But of an MCP23017 or a PCA9685 it does what it does of the header: it
pulls a button's contact to ground and senses lamps, at the chip's own pins. Here the registers of
the chips, the kernel's transfers to them and the wires are simulated; the rig is its own program.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from gpiozero import DigitalInputDevice, DigitalOutputDevice

from controller.commands.demo.wiring import NEXT, SPOTS
from sim_hw.devices.wire.i2c import Chip, I2cBus, Mcp23017, Pca9685
from tests.hil.rig.taps import DISPLAY_BOARD, OledTap, Tap
from tests.hil.stands.simulated import SEATS

BUTTONS_AT, PORTS_AT, OLED_AT, LAMPS_AT = 0x20, 0x21, 0x3C, 0x40
I2C_LEDS, ON_PORTS = "i2c_leds", "i2c_leds on MCP23017"
#: The pin of the MCP23017 at which the button "next" is.
NEXT_PIN: Final = 8


class WiredChips(I2cBus):
    """The bus. `device` is which of the chips the rig's wires are plugged to.

    `oled` is the line of the board that hears what the small display is sent.
    """

    def __init__(self, factory: Any, device: str, oled: Path) -> None:
        self._buttons, self._ports, self._lamps = Mcp23017(), Mcp23017(), Pca9685()
        self._on_ports = device == ON_PORTS
        self._stack = ExitStack()
        tap = Tap(oled, DISPLAY_BOARD)
        self._stack.callback(tap.close)
        chips: dict[int, Chip] = {BUTTONS_AT: self._buttons, PORTS_AT: self._ports}
        super().__init__({**chips, LAMPS_AT: self._lamps, OLED_AT: OledTap(tap)})
        self._contact: DigitalInputDevice | None = None
        self._wires: list[DigitalOutputDevice] = []
        if device == "i2c_buttons":
            self._contact = DigitalInputDevice(NEXT, pull_up=True, pin_factory=factory)
            self._stack.callback(self._contact.close)
        elif device in (I2C_LEDS, ON_PORTS):
            for pin in (pin for spot in SPOTS[:SEATS] for pin in spot):
                self._wires.append(DigitalOutputDevice(pin, pin_factory=factory))
                self._stack.callback(self._wires[-1].close)

    def transfer(self, address: int, data: bytes, count: int) -> bytes:
        """As any transfer; the contacts are as they are now, and the lamps follow."""
        if self._contact is not None:
            closed = self._buttons.pulled_low
            (closed.add if self._contact.is_active else closed.discard)(NEXT_PIN)
        answer = super().transfer(address, data, count)
        for output, wire in enumerate(self._wires):
            wire.value = int(self._shines(output))
        return answer

    def _shines(self, output: int) -> bool:
        """Whether the lamp at that output has power."""
        if self._on_ports:
            return bool(self._ports.driven(output))
        return self._lamps.duty(output) > 0

    def close(self) -> None:
        """Let go of the header."""
        self._stack.close()
