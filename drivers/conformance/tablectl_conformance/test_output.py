"""What every output device keeps to: lights of the spots, sounds, displays."""

from typing import Any

import pytest

from controller.devices.contracts import DeviceBusy
from controller.devices.scene import Light, Sound

from .hands import Hands
from .subject import Subject
from .watch import picture, showing

pytestmark = [pytest.mark.anyio, pytest.mark.role("OUTPUT", "DISPLAY")]


async def test_it_can_be_opened_and_closed_at_any_time_and_is_dark(
    device: Any, hands: Hands
) -> None:
    await device.close()
    for _ in range(2):
        await device.open()
        await hands.check_dark()
        await device.close()
        await device.close()
    await hands.check_dark()


@pytest.mark.parametrize("light", list(Light))
async def test_it_shows_every_scene(
    device: Any, hands: Hands, subject: Subject, light: Light
) -> None:
    async with showing(device):
        shown = picture(subject.seats, light)
        device.show(shown)
        await hands.check(shown)


@pytest.mark.parametrize("sound", list(Sound))
async def test_it_takes_every_sound(
    device: Any, hands: Hands, subject: Subject, sound: Sound
) -> None:
    async with showing(device):
        shown = picture(subject.seats, Light.BET, sound)
        device.show(shown)
        await hands.check(shown)


async def test_the_same_scene_again_changes_nothing(
    device: Any, hands: Hands, subject: Subject
) -> None:
    async with showing(device):
        shown = picture(subject.seats, Light.STANDING)
        for _ in range(3):
            device.show(shown)
        await hands.check(shown)


async def test_the_newest_scene_wins(device: Any, hands: Hands, subject: Subject) -> None:
    async with showing(device):
        for light in Light:
            device.show(picture(subject.seats, light))
        newest = picture(subject.seats, Light.WON)
        device.show(newest)
        await hands.check(newest)


async def test_it_is_dark_when_closed_and_shows_the_scene_again_when_opened(
    device: Any, hands: Hands, subject: Subject
) -> None:
    shown = picture(subject.seats, Light.STANDING)
    for _ in range(2):
        async with showing(device):
            device.show(shown)
            await hands.check(shown)
        await hands.check_dark()


async def test_a_second_program_is_refused_and_the_first_goes_on(
    device: Any, another: Any, hands: Hands, subject: Subject
) -> None:
    async with showing(device):
        with pytest.raises(DeviceBusy):
            await another.open()
        await another.close()
        shown = picture(subject.seats, Light.LOST)
        device.show(shown)
        await hands.check(shown)
