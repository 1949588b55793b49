"""The buzzer: a short sound when an input was refused, a long one when the table is held."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack
from typing import Any, Final

import gpiozero

from controller.devices.scene import Scene, Sound
from drivers.inbox import wait_until
from drivers.pins import Factory, pin_errors
from drivers.settings import BuzzerSettings

#: Alternating on and off times in ms, beginning with on.
SOUNDS: Final[dict[Sound, tuple[int, ...]]] = {
    Sound.QUIET: (),
    Sound.REFUSED: (80,),
    Sound.HELD: (300, 150, 300, 150, 300),
}


class Buzzer:
    """Sounds when the scene's sound changes. A sound that began ends by itself; a new one cuts it.

    What was heard before the device was lost is not sounded again after it came back.
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
        with pin_errors(self._name), ExitStack() as pins:
            self._pin = gpiozero.OutputDevice(self._settings.pin, pin_factory=self._factory)
            pins.callback(self._pin.close)
            pins.callback(self._pin.off)
            self._pins = pins.pop_all()

    def show(self, scene: Scene) -> None:
        """Begin the scene's sound if it is a new one. Raises `DeviceError`."""
        if scene.sound is self._sound:
            return
        self._sound = scene.sound
        if SOUNDS[scene.sound]:
            self._spans_ms = SOUNDS[scene.sound]
            with pin_errors(self._name):
                self._pin.on()
            self._begun.set()

    async def run(self) -> None:
        """Let the sounds end. Raises `DeviceError`."""
        while True:
            await self._begun.wait()
            self._begun.clear()
            due_ns = time.monotonic_ns()
            for step, span_ms in enumerate(self._spans_ms):
                with pin_errors(self._name):
                    self._pin.value = step % 2 == 0
                due_ns += span_ms * 1_000_000
                if await wait_until(self._begun, due_ns):
                    break
            else:
                with pin_errors(self._name):
                    self._pin.off()

    async def close(self) -> None:
        """Be silent and let go of the pin. Raises `DeviceError`."""
        self._pin = None
        with pin_errors(self._name):
            self._pins.close()
