"""The lights of the bet spots: three on/off pins a spot, as `controller.devices.lights` says."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack
from typing import Any, Final

import gpiozero

from controller.devices.contracts import DeviceError
from controller.devices.lights import LOOKS, OFF, Colour, Look
from controller.devices.scene import Light, Scene
from controller.rules.messages import message
from drivers.event_queue import wait_until
from drivers.io.pins import Factory, pin_errors
from drivers.settings import LedSettings

_DARK = LOOKS[Light.EMPTY]

#: A card that stays before a camera for longer must not leave the table dark.
DARK_MAX_MS: Final = 600


class _Spot:
    """One RGB light. Only pins that change are written."""

    __slots__ = ("began_ns", "colour", "look", "pins")

    def __init__(self, pins: tuple[Any, Any, Any]) -> None:
        self.pins = pins
        self.colour = OFF
        self.look: Look = _DARK
        self.began_ns = 0

    def begin(self, look: Look, at_ns: int) -> None:
        self.look, self.began_ns = look, at_ns

    def put(self, colour: Colour) -> None:
        if colour is self.colour:
            return
        for pin, was, is_on in zip(self.pins, self.colour, colour, strict=True):
            if was is not is_on:
                pin.value = is_on
        self.colour = colour

    def advance(self, at_ns: int) -> int | None:
        """Put the pattern's present colour; returns when it changes, in ns (None: never)."""
        at_ms = (at_ns - self.began_ns) // 1_000_000
        lit, left_ms = self.look.pattern.phase(at_ms)
        self.put(self.look.colour if lit else OFF)
        if left_ms is None:
            return None
        return self.began_ns + (at_ms + left_ms) * 1_000_000


class SpotLights:
    """Shows the scene's lights.

    Lights that change together begin together, with "on", and so blink in unison.
    """

    def __init__(self, settings: LedSettings, factory: Factory, name: str = "leds") -> None:
        self._settings = settings
        self._factory = factory
        self._name = name
        self._pins = ExitStack()
        self._spots: tuple[_Spot, ...] = ()
        self._shown: tuple[Light, ...] = ()
        self._changed = asyncio.Event()
        self._dark_until_ns = 0

    @property
    def name(self) -> str:
        """The device's name in the configuration."""
        return self._name

    async def open(self) -> None:
        """Take the pins; all lights are dark. Raises `DeviceError`."""
        await self.close()
        self._changed = asyncio.Event()
        self._dark_until_ns = 0
        with pin_errors(self._name), ExitStack() as pins:
            spots = tuple(_Spot(self._open(spot, pins)) for spot in self._settings.spots)
            self._pins = pins.pop_all()
        self._spots = spots
        self._shown = (Light.EMPTY,) * len(spots)

    def _open(self, spot: tuple[int, int, int], pins: ExitStack) -> tuple[Any, Any, Any]:
        red, green, blue = (self._lamp(pin, pins) for pin in spot)
        return red, green, blue

    def _lamp(self, number: int, pins: ExitStack) -> Any:
        lamp = gpiozero.OutputDevice(
            number, active_high=not self._settings.active_low, pin_factory=self._factory
        )
        pins.callback(lamp.close)
        pins.callback(lamp.off)  # before closing it, and closed even if this fails
        return lamp

    def show(self, scene: Scene) -> None:
        """Bring the lights to the scene's before returning. Raises `DeviceError`."""
        lights = scene.lights
        if lights == self._shown:
            return
        if len(lights) != len(self._spots):
            raise DeviceError(
                message("lights-not-for-all-seats", lights=len(self._spots), seats=len(lights))
            )
        now_ns = time.monotonic_ns()
        with pin_errors(self._name):
            for spot, was, light in zip(self._spots, self._shown, lights, strict=True):
                if light is not was:
                    spot.begin(LOOKS[light], now_ns)
                    if now_ns >= self._dark_until_ns:
                        spot.put(spot.look.colour)
        self._shown = lights
        self._changed.set()

    def darken(self, dark: bool) -> None:
        """Be dark and quiet from now on, for `DARK_MAX_MS` at most, or shine again.

        Patterns go on unseen, so that lights that blinked in unison still do. Raises `DeviceError`.
        """
        now_ns = time.monotonic_ns()
        self._dark_until_ns = now_ns + DARK_MAX_MS * 1_000_000 if dark else 0
        self._draw(now_ns)
        self._changed.set()

    def _draw(self, now_ns: int) -> int | None:
        """Put all present colours; returns when one changes, in ns (None: never)."""
        with pin_errors(self._name):
            if now_ns < self._dark_until_ns:
                for spot in self._spots:
                    spot.put(OFF)
                return self._dark_until_ns
            due = [spot.advance(now_ns) for spot in self._spots]
        return min((each for each in due if each is not None), default=None)

    async def run(self) -> None:
        """Let the patterns run. Raises `DeviceError`."""
        due_ns: int | None = None
        while True:
            await wait_until(self._changed, due_ns)
            self._changed.clear()
            due_ns = self._draw(time.monotonic_ns())

    async def close(self) -> None:
        """Leave all lights dark and let go of the pins. Raises `DeviceError`."""
        self._spots, self._shown = (), ()
        with pin_errors(self._name):
            self._pins.close()
