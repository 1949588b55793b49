"""A camera before which something flaps, on a real stream: bounded, said, and no card kept back."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import groupby

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.inputs import Condition, Doubt, Health, Reading
from controller.rules.cards import card
from drivers.settings.camera import CameraSettings
from drivers.shoe.camera_shoe import CameraShoe
from drivers.supervision.babble import DOUBTS
from tests.drivers.dealing import BEAM
from tests.drivers.outside import pin, until
from tests.drivers.test_supervise import TableStub, running
from tests.support.stream import RecordingReader, Stream, ground, picture_of

pytestmark = pytest.mark.anyio

FLAPS = 60


def doubts(table: TableStub) -> int:
    return sum(isinstance(each, Reading) and each.card is None for each in table.inputs)


def babble(table: TableStub) -> list[str]:
    """What was said of the camera's trouble, and that it works again.

    Frames that came late are left out, and with them an UP that follows another: a busy machine
    is no fault here.
    """
    reported = [each for each in table.inputs if isinstance(each, Health)]
    said = [each.why.code if each.why else each.condition.name for each in reported]
    return [each for each, _ in groupby(code for code in said if code != "camera-frames-late")]


async def a_card_comes(table: TableStub, shown: str) -> None:
    try:
        await until(lambda: shown in table.cards())
    except TimeoutError:
        raise AssertionError(f"no {shown}: {table.inputs[-3:]}") from None


async def all_is_said(table: TableStub, passed: int) -> None:
    """Once it is quiet: how much was left out, and that the camera works."""
    all_said = ["UP", "device-babbles", "device-babbled", "UP"]
    try:
        await until(lambda: babble(table) == all_said)
    except TimeoutError:
        raise AssertionError(babble(table)) from None
    reported = [each.why for each in table.inputs if isinstance(each, Health) and each.why]
    count = next(why["count"] for why in reported if why.code == "device-babbled")
    assert isinstance(count, int)
    # A camera that is served late may see two things that pass as one; it invents none.
    assert 0 < count <= passed - doubts(table)


@pytest.mark.long
async def test_something_that_flaps_in_the_picture_is_a_camera_in_trouble(
    stream: Stream, settings: CameraSettings, reader: RecordingReader
) -> None:
    """By motion: a cable before the lens. Each time it goes is no card, and soon none is said."""
    table, passed = TableStub(), 0
    cable = picture_of("Th", "9c")  # two things at once: no card
    async with running(table, (CameraShoe(replace(settings, trigger="motion"), reader),)):
        await until(lambda: table.conditions("camera") == [Condition.UP])
        await asyncio.to_thread(stream.wait, 3)
        while table.conditions("camera")[-1] is Condition.UP:
            before = reader.cards.count(None)
            stream.show(cable)
            await until(lambda before=before: reader.cards.count(None) >= before + 2)  # type: ignore[misc]
            stream.show(ground())
            await asyncio.to_thread(stream.wait, 4)
            passed += 1
            assert passed < FLAPS, "it is in trouble long before"
        assert doubts(table) >= DOUBTS.at_once
        stream.show(picture_of("Th"))
        await until(lambda: reader.cards.count(card("Th")) >= 2)
        stream.show(ground())
        await a_card_comes(table, "Th")
        await all_is_said(table, passed)


async def test_a_beam_that_flaps_before_a_camera_is_a_camera_in_trouble(
    stream: Stream, settings: CameraSettings, reader: RecordingReader, pins: MockFactory
) -> None:
    """Nothing passes: the picture stays as it is, and the beam breaks again and again."""
    table = TableStub()
    async with running(table, (CameraShoe(settings, reader, BEAM, pins),)):
        await until(lambda: table.conditions("camera") == [Condition.UP])
        for _ in range(FLAPS):
            pin(pins, BEAM.pin).drive_low()
            await asyncio.sleep(BEAM.glitch_ms / 1_000)
            await until(lambda: pin(pins, BEAM.pin).state == 0)
            await asyncio.to_thread(stream.wait, 1)
            pin(pins, BEAM.pin).drive_high()
        await until(lambda: Condition.DOWN in table.conditions("camera"))
        await asyncio.to_thread(stream.wait, 15)
        pin(pins, BEAM.pin).drive_low()
        stream.show(picture_of("9c"))
        await until(lambda: reader.cards.count(card("9c")) >= 2)
        pin(pins, BEAM.pin).drive_high()
        stream.show(ground())
        await a_card_comes(table, "9c")
        await all_is_said(table, FLAPS)
    found = {each.doubt for each in table.inputs if isinstance(each, Reading) and not each.card}
    assert found <= {Doubt.NOT_SEEN, Doubt.NOT_RECOGNISED, Doubt.TOO_CLOSE}
