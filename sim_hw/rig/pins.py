"""The rig's pins: what hands do, what eyes and ears sense, and relays. gpiozero chooses the chip.

An output is an optocoupler (high: it pulls a pin of the table to the table's ground, as a finger or
a card does); a relay that is high is connected; an input follows an output of the table. What is
`inverted` in rig.toml is so when it is low.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, Final

import gpiozero
from gpiozero.exc import GPIOZeroError

from .protocol import RigError
from .settings import RigSettings

#: What gpiozero reaches the pins through on a board; its errors are none of gpiozero's.
_LIBRARY: Final = "lgpio"
#: An edge that is said to be older than this was dated by another clock.
AGO_MAX_S: Final = 10.0

OnEdge = Callable[[int, str, int], None]
"""Called on the pin library's thread: when (ns, monotonic), which input, its level now."""


class Pins:
    """All pins of a rig, open. Raises `RigError` where one cannot be opened or moved."""

    def __init__(self, settings: RigSettings, on_edge: OnEdge) -> None:
        self._open: list[Any] = []
        self._moved_ns: dict[str, int] = {}
        self._inverted = settings.inverted
        try:
            self._outputs = {
                name: self._output(name, pin, on=False) for name, pin in settings.outputs.items()
            }
            self._plugs = {
                name: self._output(name, pin, on=True) for name, pin in settings.plugs.items()
            }
            self._power = (
                None if settings.power is None else self._output("power", settings.power, on=True)
            )
            self._inputs = {
                name: self._watched(name, pin, on_edge) for name, pin in settings.inputs.items()
            }
        except _pin_errors() as error:
            self.close()
            raise RigError(f"the rig's pins cannot be opened: {error}") from error

    def move(self, name: str, on: bool, after_ms: int = 0) -> int:
        """Put an output on or off, at least `after_ms` after its last edge; when it was begun.

        So a slow network does not shorten a press, nor a card in the beam.
        """
        device = self._one(self._outputs, "output", name)
        early_ns = self._moved_ns.get(name, 0) + after_ms * 1_000_000 - time.monotonic_ns()
        if after_ms and early_ns > 0:
            time.sleep(early_ns / 1e9)
        began_ns = self._put(device, on)
        self._moved_ns[name] = time.monotonic_ns()
        return began_ns

    def plug(self, name: str, plugged: bool) -> int:
        """Connect or cut a plug; when that was begun."""
        return self._put(self._one(self._plugs, "plug", name), plugged)

    def power(self, on: bool) -> int:
        """Connect or cut the table's power; when that was begun."""
        if self._power is None:
            raise RigError("this rig switches no power: give it a relay as 'power' in rig.toml")
        return self._put(self._power, on)

    def levels(self) -> dict[str, str]:
        """Every line with its kind and level, as `kind:level`."""
        kinds = {"out": self._outputs, "plug": self._plugs, "in": self._inputs}
        if self._power is not None:
            kinds["relay"] = {"power": self._power}
        try:
            return {
                name: f"{kind}:{int(each.value)}"
                for kind, lines in kinds.items()
                for name, each in lines.items()
            }
        except _pin_errors() as error:
            raise RigError(f"a pin cannot be read: {error}") from error

    def hands_off(self) -> None:
        """Nobody presses anything and nothing is in the beam; plugs and power stay.

        Raises `RigError` where one could not be let go; the others are.
        """
        failed: RigError | None = None
        for each in self._outputs.values():
            try:
                self._put(each, False)
            except RigError as error:
                failed = error
        if failed is not None:
            raise failed

    def close(self) -> None:
        """Release all pins, also where one of them fails."""
        with ExitStack() as closing:
            for each in self._open:
                closing.callback(each.close)
            self._open.clear()

    def _opened(self, device: Any) -> Any:
        self._open.append(device)
        return device

    def _output(self, name: str, pin: int, *, on: bool) -> Any:
        high = name not in self._inverted
        return self._opened(gpiozero.DigitalOutputDevice(pin, active_high=high, initial_value=on))

    def _watched(self, name: str, pin: int, on_edge: OnEdge) -> Any:
        # What is low when it is on has a pull-up of its own, at 3.3 V.
        pulled: dict[str, Any] = (
            {"pull_up": None, "active_state": False}
            if name in self._inverted
            else {"pull_up": False}
        )
        device = self._opened(gpiozero.DigitalInputDevice(pin, **pulled))

        def edge(level: int, ago_s: float | None) -> None:
            dated = ago_s is not None and 0 <= ago_s <= AGO_MAX_S
            on_edge(time.monotonic_ns() - (round(ago_s * 1e9) if dated and ago_s else 0), name,
                    level)  # fmt: skip

        device.when_activated = lambda: edge(1, device.active_time)
        device.when_deactivated = lambda: edge(0, device.inactive_time)
        return device

    @staticmethod
    def _put(device: Any, on: bool) -> int:
        # Before, never after: a rig that is held up in between would make the table look faster
        # than it is, or its answer come before what it answers.
        began_ns = time.monotonic_ns()
        try:
            device.value = int(on)
        except _pin_errors() as error:
            raise RigError(f"a pin cannot be moved: {error}") from error
        return began_ns

    @staticmethod
    def _one(lines: Mapping[str, Any], kind: str, name: str) -> Any:
        if name not in lines:
            known = ", ".join(sorted(lines)) or "none"
            raise RigError(f"no {kind} is called {name!r} (there are: {known})")
        return lines[name]


def _pin_errors() -> tuple[type[Exception], ...]:
    """What pins raise: gpiozero's errors, the system's, and the library's own where it is used."""
    own = getattr(sys.modules.get(_LIBRARY), "error", None)
    return (GPIOZeroError, OSError) if own is None else (GPIOZeroError, OSError, own)
