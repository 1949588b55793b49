"""What every input device keeps to: the shoe, with and without a beam, by scanner, by camera and
by both, and the buttons."""

import asyncio
import dataclasses

import pytest

from controller.devices.contracts import (
    DeviceAbsent,
    DeviceBusy,
    DeviceError,
    DeviceLost,
    InputDevice,
)
from controller.devices.inputs import Press, Reading
from controller.rules.cards import DECK_52
from controller.rules.sealed import Sealed
from tests.contracts.conftest import CARDS, INPUTS, TableWithHands, section
from tests.drivers.outside import EventCollector
from tests.support.forms import quick_first

pytestmark = pytest.mark.anyio
SILENCE_S = 0.3
"""How long nothing more may come before it counts as nothing: longer than any late code."""


@pytest.fixture
def device(table: TableWithHands, device_name: str) -> InputDevice:
    return table.inputs()[section(device_name)]


@pytest.fixture
def another(table: TableWithHands, device_name: str) -> InputDevice:
    """The same device, made a second time, as a second program would."""
    return table.inputs()[section(device_name)]


async def next_of(events: EventCollector, table: TableWithHands) -> Reading | Press:
    async with asyncio.timeout(table.hands.patience_s):
        return await events.next()


async def test_it_can_be_opened_and_closed_at_any_time(device: InputDevice) -> None:
    await device.close()
    for _ in range(2):
        await device.open()
        await device.close()
        await device.close()


async def test_each_thing_is_told_once_and_in_order(
    device: InputDevice, table: TableWithHands
) -> None:
    await device.open()
    events = EventCollector(device)
    readings = []
    for _ in range(3):
        await table.hands.act(device.name)
        readings.append(await next_of(events, table))
    more = asyncio.create_task(events.next())
    done, _ = await asyncio.wait([more], timeout=SILENCE_S)
    more.cancel()
    await asyncio.wait([more])
    await device.close()
    assert not done
    assert {each.source for each in readings} == {device.name}


@pytest.mark.parametrize("device_name", CARDS)
async def test_a_card_is_told_sealed_and_printing_it_tells_nothing(
    device: InputDevice, table: TableWithHands
) -> None:
    await device.open()
    events = EventCollector(device)
    pulled = await table.hands.act(device.name)
    reading = await next_of(events, table)
    await events.close()
    await device.close()
    assert isinstance(reading, Reading)
    assert reading.doubt is None
    assert reading.card is not None
    assert pulled in (None, reading.card.open())  # of a real shoe only the person knows
    for kind in DECK_52:
        assert repr(dataclasses.replace(reading, card=Sealed(kind, "000001"))) == repr(reading)


async def test_what_happens_while_it_is_closed_is_not_told_afterwards(
    device: InputDevice, table: TableWithHands
) -> None:
    await device.open()
    await device.close()
    await table.hands.act(device.name, unseen=True)
    await device.open()
    events = EventCollector(device)
    waiting = asyncio.create_task(events.next())
    done, _ = await asyncio.wait([waiting], timeout=SILENCE_S)
    assert not done
    await table.hands.act(device.name)
    async with asyncio.timeout(table.hands.patience_s):
        await waiting
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
    await table.hands.act(device.name)
    await next_of(events, table)
    await events.close()
    await device.close()
    await another.open()
    await another.close()


async def test_who_waits_for_it_may_stop_waiting(
    device: InputDevice, table: TableWithHands
) -> None:
    await device.open()
    events = EventCollector(device)
    waiting = asyncio.create_task(events.next())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    assert waiting.cancelled()
    await device.close()
    await device.open()
    events = EventCollector(device)
    await table.hands.act(device.name)
    await next_of(events, table)
    await events.close()
    await device.close()


#: Buttons on header pins have no plug.
PLUGGED = [each for each in INPUTS if each != "buttons"]


@pytest.mark.parametrize(
    "device_name", quick_first(PLUGGED, ("scanner", "camera", "keypad", "i2c_buttons"))
)
async def test_a_lost_device_says_so_and_works_again_when_it_is_back(
    device: InputDevice, table: TableWithHands
) -> None:
    await device.open()
    events = EventCollector(device)
    waiting = asyncio.create_task(events.next())
    try:
        # Hands that have no way to this plug leave the test out here.
        await table.hands.pull_plug(device.name)
        with pytest.raises(DeviceError):
            await waiting
    finally:
        waiting.cancel()
        await asyncio.wait([waiting])
        await device.close()
    # A chip that is away is one of a bus that is there.
    with pytest.raises(DeviceLost if device.name == "i2c_buttons" else DeviceAbsent):
        await device.open()
    await table.hands.push_plug(device.name)
    await device.open()
    events = EventCollector(device)
    await table.hands.act(device.name)
    await next_of(events, table)
    await events.close()
    await device.close()
