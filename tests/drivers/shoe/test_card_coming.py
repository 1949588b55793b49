"""A shoe says that a card comes before it has read it: by its beam, or the code's first bytes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from gpiozero.pins.mock import MockFactory

from drivers.code_book import PrintedCode
from drivers.settings.camera import CameraSettings
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings
from drivers.shoe.camera_shoe import CameraShoe
from drivers.shoe.fused_shoe import FusedShoe
from drivers.shoe.serial_shoe import SerialShoe
from drivers.supervision.supervise import Supervisor
from tests.drivers.dealing import BEAM
from tests.drivers.outside import ScannerLine, pin, until
from tests.drivers.test_supervise import TableStub
from tests.support.stream import RecordingReader

pytestmark = pytest.mark.anyio

Made = Callable[[BeamSettings | None], SerialShoe]


@asynccontextmanager
async def running(shoe: SerialShoe | CameraShoe | FusedShoe) -> AsyncIterator[list[int]]:
    """The device is up; how many readings there were each time a card was said to come."""
    table, coming = TableStub(), list[int]()
    supervisor = Supervisor(
        table.offer, [shoe], card_coming=lambda: coming.append(len(table.cards()))
    )
    task = asyncio.create_task(supervisor.run())
    try:
        await until(lambda: bool(table.inputs))
        yield coming
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
def scanner(line: ScannerLine, pins: MockFactory) -> Made:
    def made(beam: BeamSettings | None) -> SerialShoe:
        return SerialShoe(ScannerSettings(line.link), PrintedCode(), beam, pins)

    return made


async def test_the_first_bytes_of_a_code_say_it_once(scanner: Made, line: ScannerLine) -> None:
    async with running(scanner(None)) as coming:
        for part in (b"T", b"H0001", b"23I"):
            line.say(part)
            await until(lambda: line.unread == 0)
        line.say(b"\r")
        await until(lambda: line.unread == 0)

        def comes() -> bool:
            # On a busy machine the end of a code and what begins the next are read together.
            line.say(b"9")
            return len(coming) > 1

        await until(comes)
        # There a code with a pause in it is several readings, too: each was said once at most.
        assert len(set(coming)) == len(coming)


async def test_a_code_that_comes_whole_was_not_said_to_come(
    scanner: Made, line: ScannerLine
) -> None:
    async with running(scanner(None)) as coming:
        line.say(b"TH000123I\r")
        await until(lambda: line.unread == 0)
        line.say(b"9CE\r9")
        await until(lambda: line.unread == 0)
        line.say(b"D")
        await until(lambda: line.unread == 0)
        assert coming in ([], [2]), "by the last two bytes at the most"


async def test_what_breaks_the_beam_says_it(scanner: Made, pins: MockFactory) -> None:
    pin(pins, BEAM.pin).drive_high()
    async with running(scanner(BEAM)) as coming:
        pin(pins, BEAM.pin).drive_low()
        await until(lambda: coming == [0])


async def test_a_camera_and_both_together_say_it_too(
    scanner: Made, pins: MockFactory, settings: CameraSettings, reader: RecordingReader
) -> None:
    pin(pins, BEAM.pin).drive_high()
    async with running(CameraShoe(settings, reader, BEAM, pins)) as coming:
        pin(pins, BEAM.pin).drive_low()
        await until(lambda: coming == [0])
    pin(pins, BEAM.pin).drive_high()
    camera = CameraShoe(settings, reader, BEAM, own_beam=False)
    async with running(FusedShoe(scanner(BEAM), camera, "both", 2_000)) as coming:
        pin(pins, BEAM.pin).drive_low()
        await until(lambda: coming == [0])
