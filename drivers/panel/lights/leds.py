"""The lights of the bet spots, as `controller.devices.lights` says, on lamps of any kind."""

from __future__ import annotations

import asyncio
import time
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Final, Protocol, runtime_checkable

import gpiozero

from controller.devices.contracts import DeviceError
from controller.devices.lights import LOOKS, OFF, Colour, Look
from controller.devices.scene import Light, Scene
from controller.rules.messages import message
from drivers.event_queue import wait_until
from drivers.io.pins import Factory, pin_errors
from drivers.settings.panel import LedSettings

_DARK = LOOKS[Light.EMPTY]

#: A card that stays before a camera for longer must not leave the table dark.
DARK_MAX_MS: Final = 600


class SpotLampSet(Protocol):
    """The lamps of the spots, which can be of any kind: each shows an on/off mixture."""

    spots: int
    refresh_ns: int
    """How often the same picture is sent again, to lamps that may have lost it (0: never)."""

    def errors(self) -> AbstractContextManager[None]:
        """Turns what the lamps raise into `DeviceError`."""
        ...

    def open(self) -> None:
        """Take the lamps; all are dark."""
        ...

    def put(self, spot: int, was: Colour, colour: Colour) -> None:
        """Let a spot, counted from 0, have a colour; seen at the latest once flushed."""
        ...

    def flush(self) -> None:
        """Let everything that was put be seen."""
        ...

    def again(self) -> None:
        """Send the picture at the next flush, changed or not; at the least the next part of it."""
        ...

    def close(self) -> None:
        """Leave all lamps dark and release them."""
        ...


@runtime_checkable
class AnswersAtOpening(Protocol):
    """Lamps behind what can say what it is: they are used once it has."""

    async def meet(self) -> None:
        """Wait for what it says, the lamps being open; all are dark then, or closed again where it
        says nothing. Raises `DeviceError`.
        """
        ...


class PinLamps:
    """Three on/off pins a spot. Only pins that change are written."""

    refresh_ns = 0

    def __init__(self, settings: LedSettings, factory: Factory, name: str = "leds") -> None:
        self.spots = len(settings.spots)
        self._settings = settings
        self._factory = factory
        self._name = name
        self._held = ExitStack()
        self._pins: tuple[tuple[Any, ...], ...] = ()

    def errors(self) -> AbstractContextManager[None]:
        """Turns what the pins raise into `DeviceError`."""
        return pin_errors(self._name)

    def open(self) -> None:
        """Take the pins; all lights are dark."""
        with ExitStack() as held:
            self._pins = tuple(
                tuple(self._lamp(pin, held) for pin in spot) for spot in self._settings.spots
            )
            self._held = held.pop_all()

    def _lamp(self, number: int, held: ExitStack) -> Any:
        lamp = gpiozero.OutputDevice(
            number, active_high=not self._settings.active_low, pin_factory=self._factory
        )
        held.callback(lamp.close)
        held.callback(lamp.off)  # before closing it, and closed even if this fails
        return lamp

    def put(self, spot: int, was: Colour, colour: Colour) -> None:
        """Write the pins that differ, at once."""
        for pin, before, is_on in zip(self._pins[spot], was, colour, strict=True):
            if before is not is_on:
                pin.value = is_on

    def flush(self) -> None:
        """Pins show what is put at once."""

    def again(self) -> None:
        """Pins lose nothing."""

    def close(self) -> None:
        """Leave all lights dark and release the pins."""
        self._pins = ()
        self._held.close()


class _Spot:
    """One light: its colour now, and the pattern that it follows."""

    __slots__ = ("began_ns", "colour", "index", "lamps", "look")

    def __init__(self, lamps: SpotLampSet, index: int) -> None:
        self.lamps = lamps
        self.index = index
        self.colour = OFF
        self.look: Look = _DARK
        self.began_ns = 0

    def begin(self, look: Look, at_ns: int) -> None:
        self.look, self.began_ns = look, at_ns

    def put(self, colour: Colour) -> None:
        if colour is not self.colour:
            self.lamps.put(self.index, self.colour, colour)
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
    """Shows the scene's lights. Lamps on a bus wait for it: such lights are `supervision/apart`.

    Lights that change together begin together, with "on", and so blink in unison.
    """

    def __init__(self, lamps: SpotLampSet, name: str = "leds") -> None:
        self._lamps = lamps
        self._name = name
        self._spots: tuple[_Spot, ...] = ()
        self._shown: tuple[Light, ...] = ()
        self._changed = asyncio.Event()
        self._dark_until_ns = self._again_ns = 0

    @property
    def name(self) -> str:
        """The device's name in the configuration."""
        return self._name

    async def open(self) -> None:
        """Take the lamps; all lights are dark. Raises `DeviceError`."""
        await self.close()
        self._changed = asyncio.Event()
        self._dark_until_ns = 0
        with self._lamps.errors():
            self._lamps.open()
            if isinstance(self._lamps, AnswersAtOpening):
                await self._lamps.meet()
        self._spots = tuple(_Spot(self._lamps, index) for index in range(self._lamps.spots))
        self._shown = (Light.EMPTY,) * self._lamps.spots

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
        with self._lamps.errors():
            for spot, was, light in zip(self._spots, self._shown, lights, strict=True):
                if light is not was:
                    spot.begin(LOOKS[light], now_ns)
                    if now_ns >= self._dark_until_ns:
                        spot.put(spot.look.colour)
            self._lamps.flush()
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
        """Put all present colours; returns when to draw again, in ns (None: at the next change)."""
        with self._lamps.errors():
            if now_ns < self._dark_until_ns:
                for spot in self._spots:
                    spot.put(OFF)
                self._lamps.flush()
                return self._dark_until_ns
            due = [spot.advance(now_ns) for spot in self._spots]
            self._lamps.flush()
        if self._lamps.refresh_ns:
            due.append(self._again_ns)
        return min((each for each in due if each is not None), default=None)

    async def run(self) -> None:
        """Let the patterns run, and lamps that may lose their picture get it again, whatever is
        shown. Raises `DeviceError`.
        """
        self._again_ns = time.monotonic_ns() + self._lamps.refresh_ns
        while True:
            self._changed.clear()
            due_ns = self._draw(time.monotonic_ns())
            await wait_until(self._changed, due_ns)
            now_ns = time.monotonic_ns()
            # Pictures that follow each other put it off no longer; a card before the camera does.
            if self._lamps.refresh_ns and self._again_ns <= now_ns >= self._dark_until_ns:
                self._again_ns = now_ns + self._lamps.refresh_ns
                self._lamps.again()

    async def close(self) -> None:
        """Leave all lights dark and release the lamps. Raises `DeviceError`."""
        self._spots, self._shown = (), ()
        with self._lamps.errors():
            self._lamps.close()
