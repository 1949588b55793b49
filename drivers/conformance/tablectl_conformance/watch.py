"""Waiting for what a device tells, and keeping one alive while it shows."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from controller.devices.contracts import InputDevice, OutputDevice
from controller.devices.inputs import Press, Reading, Repeats, SpotSensed
from controller.devices.safe import safe_scene
from controller.devices.scene import Light, Scene, Sound

from .hands import Hands
from .subject import Subject

#: How long nothing more may come before it counts as nothing.
SILENCE_S = 0.3


class DeviceEvents:
    """What an input device tells from now on."""

    def __init__(self, device: InputDevice, hands: Hands) -> None:
        self._inputs = device.inputs()
        self._patience_s = hands.patience_s

    async def next(self) -> Reading | Press:
        """The next card or press. Raises `TimeoutError`, and what the device raises."""
        async with asyncio.timeout(self._patience_s):
            event = await anext(self._inputs)
        assert not isinstance(event, Repeats), "one thing was done, and repeats were reported"
        assert not isinstance(event, SpotSensed), "a reader or a button tells of no chips"
        return event

    async def close(self) -> None:
        """Listen no longer."""
        await self._inputs.aclose()


class SpotEvents:
    """What a sensor of bet spots reports from now on. It has one spot: a test lays chips there."""

    def __init__(self, device: InputDevice, hands: Hands, subject: Subject) -> None:
        self._inputs = device.inputs()
        self._name = device.name
        self._patience_s = hands.patience_s
        self._seats = subject.seats

    async def present(self) -> bool:
        """Whether chips lie on the spot that is reported next, which is one of the table's."""
        async with asyncio.timeout(self._patience_s):
            event = await anext(self._inputs)
        assert isinstance(event, SpotSensed), "a sensor reports what lies on spots, nothing else"
        assert event.source == self._name, "the source is the device's name and nothing else"
        assert event.seat in range(1, self._seats + 1)
        return event.chips.present

    async def close(self) -> None:
        """Listen no longer."""
        await self._inputs.aclose()


@asynccontextmanager
async def showing(device: OutputDevice) -> AsyncIterator[None]:
    """The device, open, with its patterns running."""
    await device.open()
    alive = asyncio.create_task(device.run())
    try:
        yield
        assert not alive.done(), "run() ended while the device was open"
    finally:
        alive.cancel()
        await asyncio.wait([alive])
        await device.close()


def picture(seats: int, first: Light, sound: Sound = Sound.QUIET) -> Scene:
    """A picture of a table: one spot speaks, the others have bets, the displays have its word."""
    safe = safe_scene(seats)
    dealer = dataclasses.replace(safe.dealer, headline=first.value)
    players = dataclasses.replace(safe.players, notice=first.value)
    lights = (first, *(Light.BET,) * (seats - 1))
    return Scene(lights, sound, lambda: (dealer, players))


async def can(action: object) -> None:
    """Do what hands may not be able to: then the contract is not shown."""
    try:
        await action  # type: ignore[misc]
    except NotImplementedError as error:
        pytest.skip(f"these hands cannot do that: {error}")
