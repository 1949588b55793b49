"""An input pin whose edges come to the event loop with the time at which they happened."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

import gpiozero

from drivers.io.pins import Factory, pin_errors

#: Edges older than this are of another clock, or of a process that was away: a recount's matter.
AGO_MAX_S: Final = 120.0

OnEdge = Callable[[bool, int], None]
"""Called on the loop: whether the pin is active, and since when in ns (monotonic)."""


class InputPin:
    """One input pin. `device` is named in errors; active means low if `active_low`."""

    def __init__(
        self, pin: int, factory: Factory, device: str, *, pull_up: bool = True, active_low: bool
    ) -> None:
        self._number = pin
        self._factory = factory
        self._device = device
        self._pull_up = pull_up
        # gpiozero calls a pulled-up pin active when it is low, any other when it is high.
        self._same = active_low is pull_up
        self._pin: Any = None

    @property
    def active(self) -> bool:
        """Whether the pin, which must be open, is active now. Raises `DeviceError`."""
        with pin_errors(self._device):
            return bool(self._pin.is_active) is self._same

    def open(self, on_edge: OnEdge) -> None:
        """Begin to call `on_edge` at every edge. Raises `DeviceError`."""
        loop = asyncio.get_running_loop()

        def edge(active: bool, ago_s: float | None) -> None:
            # On the pin library's own thread. The time is taken here: the loop may be busy. A
            # process that stood still gets its edges together, and only the kernel knows when
            # they were: taken as of now, a card that passed meanwhile would be a glitch.
            at_ns = time.monotonic_ns() - _ago_ns(ago_s)
            try:
                loop.call_soon_threadsafe(on_loop, active, at_ns)
            except RuntimeError:
                return  # the loop has ended, and the table with it

        def on_loop(active: bool, at_ns: int) -> None:
            if self._pin is opened:  # not closed in the meantime
                on_edge(active, at_ns)

        with pin_errors(self._device):
            self._pin = opened = gpiozero.DigitalInputDevice(
                self._number, pull_up=self._pull_up, pin_factory=self._factory
            )
            opened.when_activated = lambda: edge(self._same, opened.active_time)
            opened.when_deactivated = lambda: edge(not self._same, opened.inactive_time)

    def close(self) -> None:
        """Release the pin; safe at any time. Raises `DeviceError`."""
        opened, self._pin = self._pin, None
        if opened is not None:
            with pin_errors(self._device):
                opened.close()


def _ago_ns(ago_s: float | None) -> int:
    """How long ago an edge was, as reported; 0 where that clock is not the monotonic one."""
    if ago_s is None or not 0 <= ago_s <= AGO_MAX_S:
        return 0
    return round(ago_s * 1e9)
