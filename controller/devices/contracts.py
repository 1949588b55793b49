"""What a driver is: the contracts that every input and output device keeps, real or simulated."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Protocol, runtime_checkable

from controller.devices.english import ENGLISH
from controller.devices.inputs import Health, Press, Reading, Repeats, SpotSensed
from controller.devices.scene import Scene
from controller.rules.messages import Message


class DeviceError(Exception):
    """A device failed: `message` says what happened and what to do; as text it is English.

    Drivers raise this, and only this, for anything the device does; `supervise` alone handles it.
    No parameter may hold a card or a code, nor a library's own text where it could quote one.
    """

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return ENGLISH.say(self.message)


class DeviceAbsent(DeviceError):
    """The device is not there: unplugged, or its path is wrong."""


class DeviceBusy(DeviceError):
    """Another program has the device."""


class DeviceDenied(DeviceError):
    """The service may not open the device."""


class DeviceLost(DeviceError):
    """The device went away while it was in use."""


Input = Reading | Press | SpotSensed | Health


class InputDevice(Protocol):
    """An input device: reports what it reads, in order, each thing once."""

    @property
    def name(self) -> str:
        """The device's name in the configuration, on displays and in metrics."""
        ...

    async def open(self) -> None:
        """Open the device. Raises `DeviceError`."""
        ...

    def inputs(self) -> AsyncGenerator[Reading | Press | SpotSensed | Repeats]:
        """What is read, pressed, sensed from now on, until the device is lost (`DeviceError`).

        A reader that sends one code again and again gives a few, and the number of the others. A
        sensor of bet spots first gives each of them as it is, and then what changes.
        """
        ...

    async def close(self) -> None:
        """Release the device; safe to call at any time, more than once."""
        ...


@runtime_checkable
class Watches(Protocol):
    """An input device that still notices cards while it is down, by something that works on."""

    def watch(self) -> AsyncGenerator[Reading]:
        """Readings without a card from now until the device is open again, in order.

        Begun before the device is closed, so that nothing falls between. Raises `DeviceError`.
        """
        ...


class OutputDevice(Protocol):
    """An output device: shows the newest whole scene.

    `show` is idempotent: it brings the device to the picture, whatever was there before.
    """

    @property
    def name(self) -> str:
        """The device's name in the configuration, on displays and in metrics."""
        ...

    async def open(self) -> None:
        """Open the device. Raises `DeviceError`."""
        ...

    def show(self, scene: Scene) -> None:
        """Bring the device to `scene`; quick, never blocks. Raises `DeviceError`."""
        ...

    async def run(self) -> None:
        """Keep the picture alive between scenes (patterns, beeps) while the device is open.

        Never returns by itself; raises `DeviceError` when the device fails in the meantime.
        """
        ...

    async def close(self) -> None:
        """Leave the device dark, or held by its guard, and let go; safe at any time and again."""
        ...


@runtime_checkable
class ShowsKeys(Protocol):
    """An input device that shows what may be pressed: it keeps the newest scene, open or not."""

    def show(self, scene: Scene) -> None:
        """Show `scene` soon; quick, draws nothing itself, raises nothing."""
        ...


@runtime_checkable
class AnnouncesCards(Protocol):
    """An input device that notices a card before it has read it: by a beam, or by the first bytes
    of its code. It calls `on_card_coming` on the loop, where somebody has set it.
    """

    on_card_coming: Callable[[], None] | None


@runtime_checkable
class Darkens(Protocol):
    """An output whose light would be seen by a camera: dark and quiet while a card passes it."""

    def darken(self, dark: bool) -> None:
        """Be dark, bounded in time, or as the scene says again. Raises `DeviceError`."""
        ...
