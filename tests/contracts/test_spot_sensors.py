"""What every sensor of bet spots keeps to: each spot as it is, and then what changes, once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from controller.devices.contracts import DeviceAbsent, DeviceBusy, DeviceError, InputDevice
from tests.contracts.conftest import SENSORS, TableWithHands, section
from tests.drivers.outside import EventCollector

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("device_name", SENSORS)]
SILENCE_S = 0.3
"""How long nothing more may come before it counts as nothing."""


@pytest.fixture
async def device(table: TableWithHands, device_name: str) -> AsyncIterator[InputDevice]:
    made = table.inputs()[section(device_name)]
    yield made
    await made.close()  # hands that cannot pull its plug skip the test while it is open


@pytest.fixture
def another(table: TableWithHands, device_name: str) -> InputDevice:
    """The same device, made a second time, as a second program would."""
    return table.inputs()[section(device_name)]


async def present(events: EventCollector, table: TableWithHands) -> bool:
    """Whether chips lie on the spot of which the sensor tells next."""
    async with asyncio.timeout(table.hands.patience_s):
        sensed = await events.spot()
    assert sensed.source == "bet_spots"
    assert sensed.seat in range(1, table.config.table.seats + 1)
    return sensed.chips.present


async def test_it_can_be_opened_and_closed_at_any_time(device: InputDevice) -> None:
    await device.close()
    for _ in range(2):
        await device.open()
        await device.close()
        await device.close()


async def test_every_spot_is_told_as_it_is_and_each_change_once(
    device: InputDevice, table: TableWithHands
) -> None:
    await device.open()
    events = EventCollector(device)
    assert not await present(events, table)
    for chips in (True, False, True):
        await table.hands.lay(chips)
        assert await present(events, table) is chips
    more = asyncio.create_task(events.spot())
    done, _ = await asyncio.wait([more], timeout=SILENCE_S)
    more.cancel()
    await asyncio.wait([more])
    await events.close()
    await device.close()
    assert not done


async def test_what_changed_while_it_was_closed_is_told_as_it_is(
    device: InputDevice, table: TableWithHands
) -> None:
    for chips in (False, True):
        await table.hands.lay(chips)
        await device.open()
        events = EventCollector(device)
        assert await present(events, table) is chips
        await events.close()
        await device.close()


async def test_a_second_program_is_refused_and_the_first_goes_on(
    device: InputDevice, another: InputDevice, table: TableWithHands
) -> None:
    await device.open()
    with pytest.raises(DeviceBusy) as refused:
        await another.open()
    assert str(refused.value)
    await another.close()
    events = EventCollector(device)
    assert not await present(events, table)
    await events.close()
    await device.close()
    await another.open()
    await another.close()


async def test_a_lost_sensor_says_so_and_works_again_when_it_is_back(
    device: InputDevice, table: TableWithHands
) -> None:
    await device.open()
    events = EventCollector(device)
    assert not await present(events, table)
    await table.hands.pull_plug(device.name)
    with pytest.raises(DeviceError):
        await present(events, table)
    await device.close()
    with pytest.raises(DeviceAbsent):
        await device.open()
    await device.close()
    await table.hands.push_plug(device.name)
    await device.open()
    again = EventCollector(device)
    assert not await present(again, table)
    await again.close()
    await device.close()
