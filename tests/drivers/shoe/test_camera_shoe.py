"""The shoe's camera on a real MJPEG stream: a card that passes is one reading, or one doubt."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceError
from controller.devices.inputs import Doubt
from controller.rules.cards import card
from drivers.io.camera.frame_quality import Frame
from drivers.settings.camera import CameraSettings
from drivers.shoe.camera_shoe import CameraShoe
from drivers.vision.frame_reading import FrameReading
from tests.drivers.dealing import BEAM, HandledShoe, code
from tests.drivers.outside import BREAK_S, pin, until, watching
from tests.support.patience import PATIENCE_S, Stopwatch
from tests.support.stream import RecordingReader, Stream, ground, picture_of

pytestmark = pytest.mark.anyio


async def test_a_card_that_passes_is_one_reading_with_its_evidence(shoe: HandledShoe) -> None:
    for drawn in ("Th", "9c", "9c", "Jo"):
        reading = await shoe.draw(drawn)
        assert (code(reading), reading.apart, reading.source) == (drawn, True, "camera")
        assert reading.confidence is not None
        assert 0.5 < reading.confidence <= 1
        picture = cv2.imdecode(np.frombuffer(reading.evidence, np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None


async def test_the_next_card_in_the_picture_is_not_looked_at_before_it_is_drawn(
    shoe: HandledShoe, reader: RecordingReader
) -> None:
    await shoe.show("As", frames=5)
    assert reader.cards == []
    # The picture may be under way for latency_ms: the next card comes to rest later than that.
    shoe.beam(broken=True)
    await shoe.look("As")
    await shoe.look(looks=1)
    shoe.beam(broken=False)
    reading = await shoe.events.reading()
    await shoe.show("Kd", frames=10)
    assert code(reading) == "As"
    assert {each.code for each in reader.cards if each} == {"As"}


async def test_a_card_is_told_before_the_next_one_can_come(shoe: HandledShoe) -> None:
    shoe.beam(broken=True)
    await shoe.look("2d")
    shoe.beam(broken=False)
    gone = Stopwatch()
    reading = await shoe.events.reading()
    assert code(reading) == "2d"
    assert reading.passed_ns is not None
    # Two cards a second leave half a second for each; this is a bound, the bench measures.
    assert gone.passed_s() < 0.5


async def test_two_cards_read_in_one_passage_are_none(shoe: HandledShoe) -> None:
    reading = await shoe.draw("Th", "Td")
    assert (reading.card, reading.doubt) == (None, Doubt.FRAMES_DIFFER)
    assert reading.evidence


async def test_two_cards_in_the_picture_are_none(shoe: HandledShoe) -> None:
    shoe.beam(broken=True)
    await shoe.look("Th", "Td", looks=3)
    shoe.beam(broken=False)
    reading = await shoe.events.reading()
    assert reading.doubt is Doubt.SEVERAL


async def test_a_card_that_nothing_was_seen_of_is_still_a_card_that_left(shoe: HandledShoe) -> None:
    shoe.beam(broken=True)
    await asyncio.sleep(BREAK_S)
    shoe.beam(broken=False)
    reading = await shoe.events.reading()
    assert reading.apart
    assert reading.doubt in (Doubt.NOT_SEEN, Doubt.NOT_RECOGNISED)


async def test_a_card_that_stays_in_the_beam_is_told(
    stream: Stream, settings: CameraSettings, reader: RecordingReader, pins: MockFactory
) -> None:
    beam = replace(BEAM, stuck_ms=2_000)
    async with watching(CameraShoe(settings, reader, beam, pins)) as events:
        shoe = HandledShoe(stream, pins, events, reader)
        shoe.beam(broken=True)
        await shoe.show("Th", frames=1)
        reading = await events.reading()
        assert (reading.doubt, reading.apart) == (Doubt.BEAM_STUCK, False)
        shoe.beam(broken=False)
        await shoe.show()
        # A card that a busy machine leaves in the beam for so long is stuck as well.
        tries, told = 0, None
        while told is None and tries < 10:
            tries, told = tries + 1, code(await shoe.draw("2c"))
        assert told == "2c"


async def test_the_reader_is_told_when_a_card_passes_and_when_it_has_gone(
    stream: Stream, settings: CameraSettings, reader: RecordingReader, pins: MockFactory
) -> None:
    said: list[bool] = []
    device = CameraShoe(settings, reader, BEAM, pins, passing=said.append)
    async with watching(device) as events:
        await HandledShoe(stream, pins, events, reader).draw("Th")
        assert said == [True, False]


async def test_the_first_frame_of_every_opening_is_given_and_no_other(
    stream: Stream, settings: CameraSettings, reader: RecordingReader, pins: MockFactory
) -> None:
    shapes: list[tuple[int, ...]] = []
    device = CameraShoe(
        settings, reader, BEAM, pins, opened=lambda frame: shapes.append(frame.shape)
    )
    for nth in (1, 2):
        async with watching(device) as events:
            await HandledShoe(stream, pins, events, reader).draw("Th")
            assert shapes == [(settings.height, settings.width, 3)] * nth


async def test_without_a_beam_motion_tells_that_a_card_passes(
    stream: Stream, settings: CameraSettings, reader: RecordingReader
) -> None:
    device = CameraShoe(replace(settings, trigger="motion"), reader)
    async with watching(device) as events:
        await asyncio.to_thread(stream.wait, 3)
        for drawn in ("Th", "9c", "9c"):
            stream.show(picture_of(drawn))
            await until(lambda drawn=drawn: reader.cards.count(card(drawn)) >= 2)  # type: ignore[misc]
            stream.show(ground())
            reading = await events.reading()
            reader.cards.clear()
            assert (code(reading), reading.apart) == (drawn, True)


async def test_light_that_changes_as_a_whole_is_no_card_by_motion(
    stream: Stream, settings: CameraSettings, reader: RecordingReader
) -> None:
    device = CameraShoe(replace(settings, trigger="motion"), reader)
    async with watching(device) as events:
        await asyncio.to_thread(stream.wait, 3)
        for level in (60, 90, 130, 40):
            stream.show(ground(level))
            await asyncio.to_thread(stream.wait, 3)
        stream.show(picture_of("Th"))
        await until(lambda: reader.cards.count(card("Th")) >= 2)
        stream.show(ground())
        assert code(await events.reading()) == "Th"
    assert {each.code for each in reader.cards if each} == {"Th"}


async def test_what_stays_in_the_picture_is_told_and_becomes_its_ground(
    stream: Stream, settings: CameraSettings, reader: RecordingReader
) -> None:
    # Longer than a busy machine stands still: a card that lay there meanwhile would have stayed.
    device = CameraShoe(replace(settings, trigger="motion", stuck_ms=2_500), reader)
    async with watching(device) as events:
        await asyncio.to_thread(stream.wait, 3)
        litter = ground()
        litter[200:, :] = 150
        stream.show(litter)
        assert (await events.reading()).doubt is Doubt.IN_VIEW
        await asyncio.to_thread(stream.wait, 3)
        stream.show(picture_of("Th", frame=litter))
        await until(lambda: reader.cards.count(card("Th")) >= 2)
        stream.show(litter)
        assert code(await events.reading()) == "Th"


async def test_a_card_that_has_left_is_told_when_its_reader_fails(
    stream: Stream, settings: CameraSettings, pins: MockFactory
) -> None:
    reads = asyncio.Event()
    loop = asyncio.get_running_loop()
    gone = threading.Event()

    def fails(_: Frame) -> FrameReading:
        loop.call_soon_threadsafe(reads.set)
        assert gone.wait(PATIENCE_S)
        raise RuntimeError

    async with watching(CameraShoe(settings, fails, BEAM, pins)) as events:
        pin(pins, BEAM.pin).drive_low()
        async with asyncio.timeout(PATIENCE_S):
            await reads.wait()
        pin(pins, BEAM.pin).drive_high()
        await asyncio.sleep(BREAK_S)
        gone.set()
        reading = await events.reading()
        assert (reading.card, reading.doubt) == (None, Doubt.READER_AWAY)
        with pytest.raises(DeviceError):
            await events.next_event()
