"""What every input device keeps to: what reads cards, and what is pressed."""

import asyncio
import dataclasses
from typing import Any

import pytest

from controller.devices.contracts import DeviceAbsent, DeviceBusy, DeviceError
from controller.devices.inputs import Reading
from controller.rules.cards import DECK_52
from controller.rules.sealed import Sealed
from drivers.driver import DriverRole

from .hands import Hands
from .subject import Subject
from .watch import SILENCE_S, DeviceEvents, can

pytestmark = [pytest.mark.anyio, pytest.mark.role("READER", "INPUT")]


async def test_it_can_be_opened_and_closed_at_any_time(device: Any) -> None:
    await device.close()
    for _ in range(2):
        await device.open()
        await device.close()
        await device.close()


async def test_each_thing_is_told_once_and_in_order(
    device: Any, hands: Hands, subject: Subject
) -> None:
    await device.open()
    events = DeviceEvents(device, hands)
    done, cards = [], []
    for _ in range(3):
        done.append(await hands.act())
        one = await events.next()
        reads = subject.driver.role is DriverRole.READER
        assert isinstance(one, Reading) is reads, "a reader tells cards, another input presses"
        cards.append(one.card.open() if isinstance(one, Reading) and one.card else None)
    more = asyncio.create_task(events.next())
    waited, _ = await asyncio.wait([more], timeout=SILENCE_S)
    more.cancel()
    await asyncio.wait([more])
    assert not waited, "something was reported that nobody did"
    known = [(kind, read) for kind, read in zip(done, cards, strict=True) if kind is not None]
    assert all(kind == read for kind, read in known), "another card was reported than left the shoe"


@pytest.mark.role("READER")
async def test_a_card_is_told_sealed_and_printing_it_tells_nothing(
    device: Any, hands: Hands
) -> None:
    await device.open()
    events = DeviceEvents(device, hands)
    await hands.act()
    reading = await events.next()
    await events.close()
    assert isinstance(reading, Reading)
    assert reading.source == device.name, "the source is the device's name and nothing else"
    assert reading.doubt is None
    assert reading.card is not None
    for kind in DECK_52:
        other = dataclasses.replace(reading, card=Sealed(kind, "000001"))
        assert repr(other) == repr(reading)


async def test_what_happens_while_it_is_closed_is_not_told_afterwards(
    device: Any, hands: Hands
) -> None:
    await device.open()
    await device.close()
    await hands.act()
    await device.open()
    events = DeviceEvents(device, hands)
    waiting = asyncio.create_task(events.next())
    done, _ = await asyncio.wait([waiting], timeout=SILENCE_S)
    assert not done, "it was done while the device was closed"
    await hands.act()
    await waiting
    await events.close()


async def test_a_second_program_is_refused_and_the_first_goes_on(
    device: Any, another: Any, hands: Hands
) -> None:
    await device.open()
    with pytest.raises(DeviceBusy) as refused:
        await another.open()
    assert str(refused.value)
    await another.close()
    events = DeviceEvents(device, hands)
    await hands.act()
    await events.next()
    await events.close()
    await device.close()
    await another.open()


async def test_who_waits_for_it_may_stop_waiting(device: Any, hands: Hands) -> None:
    await device.open()
    waiting = asyncio.create_task(DeviceEvents(device, hands).next())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    assert waiting.cancelled()
    await device.close()
    await device.open()
    events = DeviceEvents(device, hands)
    await hands.act()
    await events.next()
    await events.close()


async def test_a_lost_device_says_so_and_works_again_when_it_is_back(
    device: Any, hands: Hands
) -> None:
    await device.open()
    events = DeviceEvents(device, hands)
    waiting = asyncio.create_task(events.next())
    try:
        await can(hands.pull_plug())
        with pytest.raises(DeviceError):
            await waiting
    finally:
        waiting.cancel()
        await asyncio.wait([waiting])
    await device.close()
    with pytest.raises(DeviceAbsent) as away:
        await device.open()
    assert str(away.value)
    await hands.push_plug()
    await device.open()
    events = DeviceEvents(device, hands)
    await hands.act()
    await events.next()
    await events.close()
