"""Scanner and camera on one shoe: a real pty, a real stream, one beam."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceAbsent, DeviceError
from controller.devices.inputs import Doubt, Reading
from drivers.code_book import PrintedCode
from drivers.settings.camera import CameraSettings
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.camera_passage import CameraPassages
from drivers.shoe.camera_shoe import CameraShoe
from drivers.shoe.fused_shoe import FusedShoe
from drivers.shoe.serial_shoe import SerialShoe
from tests.drivers.dealing import BEAM, HandledShoe, code
from tests.drivers.outside import BREAK_S, EventCollector, ScannerLine, until
from tests.support.stream import RecordingReader, Stream

pytestmark = pytest.mark.anyio
TEN, NINE = b"TH000123I\r", b"9CE\r"


@pytest.fixture
def fused(
    line: ScannerLine, settings: CameraSettings, reader: RecordingReader, pins: MockFactory
) -> FusedShoe:
    scanner = SerialShoe(ScannerSettings(line.link), PrintedCode(), BEAM, pins)
    camera = CameraShoe(settings, reader, BEAM, own_beam=False)
    return FusedShoe(scanner, camera, "both", 2_000)


@pytest.fixture
async def shoe(
    fused: FusedShoe, stream: Stream, pins: MockFactory, reader: RecordingReader
) -> AsyncIterator[HandledShoe]:
    await fused.open()
    made = HandledShoe(stream, pins, EventCollector(fused), reader)
    yield made
    await made.events.close()
    await fused.close()


async def test_a_card_that_both_read_alike_is_told_once(
    shoe: HandledShoe, line: ScannerLine
) -> None:
    for said, drawn in ((TEN, "Th"), (NINE, "9c")):
        line.say(said)
        reading = await shoe.draw(drawn)
        assert (code(reading), reading.source, reading.doubt) == (drawn, "shoe", None)
        assert reading.evidence


async def test_two_that_differ_are_told_with_both_and_the_picture(
    shoe: HandledShoe, line: ScannerLine
) -> None:
    line.say(TEN)
    reading = await shoe.draw("9c")
    assert reading.doubt is Doubt.READERS_DIFFER
    assert [(each.source, code(each)) for each in reading.parts] == [
        ("scanner", "Th"), ("camera", "9c"),
    ]  # fmt: skip
    assert reading.evidence


async def test_a_card_without_a_code_is_a_question(shoe: HandledShoe) -> None:
    reading = await shoe.draw("9c")
    assert reading.doubt is Doubt.ONE_READER


async def test_it_is_lost_with_either_reader_and_says_which(
    fused: FusedShoe, shoe: HandledShoe, line: ScannerLine, stream: Stream
) -> None:
    line.unplug()
    with pytest.raises(DeviceError, match="scanner"):
        await shoe.events.next()
    await fused.close()
    with pytest.raises(DeviceAbsent):
        await fused.open()
    line.plug()
    stream.unplug()
    with pytest.raises(DeviceAbsent, match="nothing listens"):
        await fused.open()
    stream.plug()
    await fused.open()
    shoe.events = EventCollector(fused)
    line.say(NINE)
    assert code(await shoe.draw("9c")) == "9c"


async def test_a_defect_of_one_reader_is_the_end_of_both(
    fused: FusedShoe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the shoe would seem to be up, and each card be a question."""

    async def broken(_: SerialShoe) -> AsyncGenerator[Reading]:
        for each in list[Reading]():
            yield each
        raise RuntimeError

    monkeypatch.setattr(SerialShoe, "inputs", broken)
    await fused.open()
    events = EventCollector(fused)
    with pytest.raises(RuntimeError):
        await events.next_event()
    await events.close()
    await fused.close()


async def test_a_card_that_waits_for_its_other_reading_is_told_when_that_reader_is_lost(
    shoe: HandledShoe, fused: FusedShoe, line: ScannerLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CameraPassages, "tick", lambda *_: [])  # it never says what it saw
    line.say(TEN)
    shoe.beam(broken=True)
    await asyncio.sleep(BREAK_S)
    shoe.beam(broken=False)
    await until(lambda: line.unread == 0)
    await asyncio.sleep(BREAK_S)
    line.unplug()
    reading = await shoe.events.reading()
    assert (reading.card, reading.doubt, reading.apart) == (None, Doubt.READER_AWAY, True)
    with pytest.raises(DeviceError):
        await shoe.events.next_event()
