"""The buzzer: short at a refusal, longer when the table is held, repeated while it calls."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack
from itertools import cycle
from typing import Any, Final

import gpiozero

from controller.devices.scene import Scene, Sound
from drivers.event_queue import wait_until
from drivers.io.pins import Factory, pin_errors
from drivers.settings.panel import BuzzerSettings

#: Alternating on and off times in ms, beginning with on.
SOUNDS: Final[dict[Sound, tuple[int, ...]]] = {
    Sound.QUIET: (),
    Sound.REFUSED: (80,),
    Sound.HELD: (300, 150, 300, 150, 300),
    Sound.REMIND: (60, 9940),
    Sound.CALL: (150, 150, 150, 3550),
    Sound.ALARM: (400, 200, 400, 1000),
}
#: These go on until another sound takes their place: somebody is called.
ENDLESS: Final = frozenset({Sound.REMIND, Sound.CALL, Sound.ALARM})


class Buzzer:
    """Sounds when the scene's sound changes. A new sound cuts the old one.

    A short sound that began ends by itself, and is not sounded again after the device was lost and
    came back. An alarm ends with its scene, and goes on after the device came back.
    """

    def __init__(self, settings: BuzzerSettings, factory: Factory, name: str = "buzzer") -> None:
        self._settings = settings
        self._factory = factory
        self._name = name
        self._pins = ExitStack()
        self._pin: Any = None
        self._sound = Sound.QUIET
        self._spans_ms: tuple[int, ...] = ()
        self._begun = asyncio.Event()

    @property
    def name(self) -> str:
        """The device's name in the configuration."""
        return self._name

    async def open(self) -> None:
        """Take the pin, silent. Raises `DeviceError`."""
        await self.close()
        self._begun = asyncio.Event()
        if self._sound in ENDLESS:
            self._sound = Sound.QUIET
        with pin_errors(self._name), ExitStack() as pins:
            self._pin = gpiozero.OutputDevice(self._settings.pin, pin_factory=self._factory)
            pins.callback(self._pin.close)
            pins.callback(self._pin.off)
            self._pins = pins.pop_all()

    def show(self, scene: Scene) -> None:
        """Begin the scene's sound if it is a new one. Raises `DeviceError`."""
        if scene.sound is self._sound:
            return
        was, self._sound = self._sound, scene.sound
        if SOUNDS[scene.sound]:
            self._spans_ms = SOUNDS[scene.sound]
            with pin_errors(self._name):
                self._pin.on()
            self._begun.set()
        elif was in ENDLESS:
            self._spans_ms = ()
            with pin_errors(self._name):
                self._pin.off()
            self._begun.set()

    async def run(self) -> None:
        """Let the sounds end. Raises `DeviceError`."""
        while True:
            await self._begun.wait()
            self._begun.clear()
            due_ns = time.monotonic_ns()
            endless = self._sound in ENDLESS
            for step, span_ms in enumerate(cycle(self._spans_ms) if endless else self._spans_ms):
                with pin_errors(self._name):
                    self._pin.value = step % 2 == 0
                due_ns += span_ms * 1_000_000
                if await wait_until(self._begun, due_ns):
                    break
            else:
                with pin_errors(self._name):
                    self._pin.off()

    async def close(self) -> None:
        """Be silent and release the pin. Raises `DeviceError`."""
        self._pin = None
        with pin_errors(self._name):
            self._pins.close()
