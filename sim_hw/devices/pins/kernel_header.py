"""A header whose pins are a chip of the kernel's: what programs put out is seen, inputs are pulled.

The kernel tells nobody of a simulated line that moved, so it is looked at a thousand times a
second. An edge is dated by that look: it is up to a millisecond older than it says.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from sim_hw.devices.pins.kernel_chip import KernelChip
from sim_hw.devices.pins.pin_header import OnOutput

LOOK_AGAIN_S: Final = 0.001


class KernelHeader:
    """The chip as a header. `outputs` are the pins whose levels `on_output` is called with.

    `up` are pulled up while no program drives them, as GPIO 2 to 8 of a Raspberry Pi are; the
    others down. A line that is let go goes to its pull (gpio-sim.c, gpio_sim_free).
    """

    def __init__(
        self, purpose: str, outputs: Iterable[int], on_output: OnOutput, root: Path = Path("/"),
        up: Iterable[int] = (),
    ) -> None:  # fmt: skip
        self.chip = KernelChip(purpose, root=root)
        self._outputs = tuple(outputs)
        self._up = tuple(up)
        self._on_output = on_output
        self._levels: dict[int, int] = {}
        self._held: dict[int, tuple[int, int]] = {}
        self._looking: asyncio.Task[None] | None = None

    async def open(self, _: Path) -> None:
        """Make the chip and begin to look. Raises `ChipError`."""
        self.chip.open()
        for pin in self._up:
            self.chip.pull(pin, 1)
        self._levels = {pin: self.chip.value(pin) for pin in self._outputs}
        self._looking = asyncio.create_task(self._look())

    async def close(self) -> None:
        """Look no longer, and take the chip away."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])
            self._looking = None
        self.chip.close()

    def hold(self, pin: int, level: int, at_ns: int | None = None) -> None:
        """Hold a pin at a level from outside; `at_ns` is the kernel's affair."""
        rested = self._held[pin][1] if pin in self._held else self.chip.value(pin)
        self._held[pin] = level, rested
        self.chip.pull(pin, level)

    def release(self, pin: int, at_ns: int | None = None) -> None:
        """Hold a pin no longer: it goes back to where its program had pulled it."""
        if pin in self._held:
            self.chip.pull(pin, self._held.pop(pin)[1])

    async def _look(self) -> None:
        while True:
            self.look()
            await asyncio.sleep(LOOK_AGAIN_S)

    def look(self) -> None:
        """Tell of every output that moved; a pin that is held stays so."""
        for pin in self._outputs:
            level = self.chip.value(pin)
            if level != self._levels[pin]:
                self._levels[pin] = level
                self._on_output(pin, level, time.monotonic_ns())
        for pin, (level, _) in self._held.items():
            # A program that claims the line anew pulls it its own way: a finger is stronger.
            if self.chip.value(pin) != level:
                self._held[pin] = level, 1 - level
                self.chip.pull(pin, level)
