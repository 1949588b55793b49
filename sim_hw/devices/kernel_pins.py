"""A gpiozero pin factory on any GPIO chip of the kernel: gpiozero's own takes the board's.

gpiozero loads it by name (`GPIOZERO_PIN_FACTORY=tablectl_gpio_sim`); the number of the chip is in
`TABLECTL_SIM_CHIP`. Below it everything is as on a Raspberry Pi: lgpio, the kernel's requests of
lines, its edges and their time stamps.
"""

from __future__ import annotations

import os
from typing import Final

import lgpio
from gpiozero.exc import BadPinFactory
from gpiozero.pins.lgpio import LGPIOFactory

CHIP_VARIABLE: Final = "TABLECTL_SIM_CHIP"
#: The header of a Raspberry Pi 5: its numbers are the lines of the chip.
_PI_5: Final = 0xC04170


class KernelPins(LGPIOFactory):  # type: ignore[misc]  # gpiozero has no types
    """The pins of that chip. Raises gpiozero's `BadPinFactory` where there is none to have."""

    def __init__(self) -> None:
        chip = os.environ.get(CHIP_VARIABLE, "")
        if not chip.isdecimal():
            raise BadPinFactory(
                f"{CHIP_VARIABLE} names no chip: write the N of /dev/gpiochipN into it, of a chip"
                " that gpio-sim made (make hil-sim does)"
            )
        try:
            super().__init__(int(chip))
        except (lgpio.error, OSError) as error:
            raise BadPinFactory(
                f"/dev/gpiochip{chip} cannot be opened ({error}): make it first (sudo modprobe"
                " gpio-sim), and run this as whoever may open it"
            ) from error

    def _get_revision(self) -> int:
        """Whatever machine this is, the chip stands for that header."""
        return _PI_5
