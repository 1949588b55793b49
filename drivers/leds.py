"""The lights of the bet spots: three on/off pins a spot, in the house's light language."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack
from typing import Any

import gpiozero

from controller.devices.contracts import DeviceError
from controller.devices.lights import LOOKS, OFF, Colour, Look
from controller.devices.scene import Light, Scene
from drivers.inbox import wait_until
from drivers.pins import Factory, pin_errors
from drivers.settings import LedSettings

_DARK = LOOKS[Light.EMPTY]


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
        self.put(look.colour)

    def put(self, colour: Colour) -> None:
        if colour is self.colour:
            return
        for pin, was, is_on in zip(self.pins, self.colour, colour, strict=True):
            if was is not is_on:
                pin.value = is_on
        self.colour = colour

    def advance(self, at_ns: int) -> int | None:
        """Put what the pattern says now; when that changes, in ns (None: never)."""
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

    @property
    def name(self) -> str:
        """The device's name in the configuration."""
        return self._name

    async def open(self) -> None:
        """Take the pins; all lights are dark. Raises `DeviceError`."""
        await self.close()
        self._changed = asyncio.Event()
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
                f"there are {len(self._spots)} lights for {len(lights)} seats: give [leds] one"
                " [red, green, blue] for each seat"
            )
        now_ns = time.monotonic_ns()
        with pin_errors(self._name):
            for spot, was, light in zip(self._spots, self._shown, lights, strict=True):
                if light is not was:
                    spot.begin(LOOKS[light], now_ns)
        self._shown = lights
        self._changed.set()

    async def run(self) -> None:
        """Let the patterns run. Raises `DeviceError`."""
        due_ns: int | None = None
        while True:
            await wait_until(self._changed, due_ns)
            self._changed.clear()
            now_ns = time.monotonic_ns()
            with pin_errors(self._name):
                due = [spot.advance(now_ns) for spot in self._spots]
            due_ns = min((each for each in due if each is not None), default=None)

    async def close(self) -> None:
        """Leave all lights dark and let go of the pins. Raises `DeviceError`."""
        self._spots, self._shown = (), ()
        with pin_errors(self._name):
            self._pins.close()
