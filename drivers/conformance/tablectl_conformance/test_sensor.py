"""What every sensor of bet spots keeps to: each spot as it is, and then what changes, once."""

import asyncio
from typing import Any

import pytest

from controller.devices.contracts import DeviceAbsent, DeviceBusy, DeviceError

from .hands import Hands
from .subject import Subject
from .watch import SILENCE_S, SpotEvents, can

pytestmark = [pytest.mark.anyio, pytest.mark.role("SENSOR")]


async def test_it_can_be_opened_and_closed_at_any_time(device: Any) -> None:
    await device.close()
    for _ in range(2):
        await device.open()
        await device.close()
        await device.close()


async def test_every_spot_is_reported_as_it_is_and_each_change_once(
    device: Any, hands: Hands, subject: Subject
) -> None:
    await can(hands.lay(False))
    await device.open()
    events = SpotEvents(device, hands, subject)
    assert not await events.present()
    for chips in (True, False, True):
        await hands.lay(chips)
        assert await events.present() is chips
    more = asyncio.create_task(events.present())
    waited, _ = await asyncio.wait([more], timeout=SILENCE_S)
    more.cancel()
    await asyncio.wait([more])
    assert not waited, "a change was reported that nobody made"


async def test_what_changed_while_it_was_closed_is_reported_as_it_is(
    device: Any, hands: Hands, subject: Subject
) -> None:
    for chips in (False, True):
        await can(hands.lay(chips))
        await device.open()
        events = SpotEvents(device, hands, subject)
        assert await events.present() is chips
        await events.close()
        await device.close()


async def test_a_second_program_is_refused_and_the_first_goes_on(
    device: Any, another: Any, hands: Hands, subject: Subject
) -> None:
    await can(hands.lay(True))
    await device.open()
    with pytest.raises(DeviceBusy) as refused:
        await another.open()
    assert str(refused.value)
    await another.close()
    events = SpotEvents(device, hands, subject)
    assert await events.present()
    await events.close()
    await device.close()
    await another.open()


async def test_a_lost_sensor_says_so_and_works_again_when_it_is_back(
    device: Any, hands: Hands, subject: Subject
) -> None:
    await can(hands.lay(False))
    await device.open()
    events = SpotEvents(device, hands, subject)
    assert not await events.present()
    await can(hands.pull_plug())
    with pytest.raises(DeviceError):
        await events.present()
    await device.close()
    with pytest.raises(DeviceAbsent) as away:
        await device.open()
    assert str(away.value)
    await hands.push_plug()
    await device.open()
    again = SpotEvents(device, hands, subject)
    assert not await again.present()
    await again.close()
