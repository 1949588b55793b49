"""A light for the camera that shines while a card passes, on a header pin.

A lamp that is on for a tenth of a second a card may be driven far brighter than one that burns all
day, which a short exposure needs. It is not in step with single exposures: where the sensor has a
strobe output of its own, wire the lamp to that and leave this out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Final

import gpiozero

from controller.devices.contracts import DeviceError
from drivers.io.pins import Factory, pin_errors

#: The longest that the lamp shines for one card, whatever stays in the beam.
SHINES_MAX_S: Final = 2.0


class Strobe:
    """The lamp. Every method but the constructor may raise `DeviceError`."""

    def __init__(
        self, pin: int, factory: Factory, name: str, failed: Callable[[DeviceError], None]
    ) -> None:
        """`failed` is called, on the event loop, where the lamp cannot go out by itself."""
        self._failed = failed
        self._pin_number = pin
        self._factory = factory
        self._name = name
        self._pins = ExitStack()
        self._pin: Any = None
        self._limit: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """Take the pin and shine, until `shine` says otherwise: without a bound of its own."""
        self.close()
        with pin_errors(self._name), ExitStack() as pins:
            self._pin = gpiozero.OutputDevice(self._pin_number, pin_factory=self._factory)
            pins.callback(self._pin.close)
            pins.callback(self._pin.off)
            self._pin.on()
            self._pins = pins.pop_all()

    def shine(self, on: bool) -> None:
        """Switch the lamp; one that is switched on goes out by itself. On the event loop."""
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
        if self._pin is None:
            return
        with pin_errors(self._name):
            self._pin.value = on
        if on:
            loop = asyncio.get_running_loop()
            self._limit = loop.call_later(SHINES_MAX_S, self._go_out)

    def _go_out(self) -> None:
        try:
            self.shine(False)
        except DeviceError as error:
            self._failed(error)

    def close(self) -> None:
        """Dark; release the pin."""
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
        self._pin = None
        with pin_errors(self._name):
            self._pins.close()
