"""While the scanner is away the beam still counts: each card that leaves is a reading, at once."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceError
from controller.devices.inputs import Condition, Doubt, Health, Reading
from controller.rules.messages import message
from drivers.code_book import PrintedCode
from drivers.io.pin_edges import InputPin
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings
from drivers.shoe.serial_shoe import SerialShoe
from drivers.supervision import babble
from drivers.supervision.babble import DOUBTS
from drivers.supervision.supervise import Supervisor
from tests.drivers.outside import BREAK_S, ScannerLine, pin, until
from tests.drivers.test_supervise import TableStub
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
BEAM = BeamSettings(5, glitch_ms=1)


@asynccontextmanager
async def running(line: ScannerLine, pins: MockFactory) -> AsyncIterator[TableStub]:
    table = TableStub()
    shoe = SerialShoe(ScannerSettings(line.link), PrintedCode(), BEAM, pins)
    running = asyncio.create_task(Supervisor(table.offer, [shoe]).run())
    try:
        yield table
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def card_passes(pins: MockFactory) -> None:
    pin(pins, BEAM.pin).drive_low()
    await asyncio.sleep(BREAK_S)
    pin(pins, BEAM.pin).drive_high()


async def card_slips_through(pins: MockFactory) -> None:
    """As a loose contact lets it seem."""
    pin(pins, BEAM.pin).drive_low()
    await asyncio.sleep(2 * BEAM.glitch_ms / 1_000)
    pin(pins, BEAM.pin).drive_high()
    await asyncio.sleep(0)


def away(table: TableStub) -> int:
    readings = [each for each in table.inputs if isinstance(each, Reading)]
    return sum(each.doubt is Doubt.READER_AWAY for each in readings)


async def test_cards_that_leave_while_the_scanner_is_away_are_counted_as_they_leave(
    line: ScannerLine, pins: MockFactory
) -> None:
    pin(pins, BEAM.pin).drive_high()
    async with running(line, pins) as table:
        await until(lambda: table.conditions("scanner") == [Condition.UP])
        line.unplug()
        await until(lambda: table.conditions("scanner") == [Condition.UP, Condition.DOWN])
        await card_passes(pins)
        await until(lambda: away(table) == 1)  # at once, and not when the scanner is back
        await card_passes(pins)
        await until(lambda: away(table) == 2)
        line.plug()
        await until(lambda: table.conditions("scanner")[-1] is Condition.UP)
        line.say(b"THX\r")
        await card_passes(pins)
        await until(lambda: table.cards()[-1] == "Th")
        assert away(table) == 2
        up = max(at for at, each in enumerate(table.inputs) if isinstance(each, Health))
        assert all(
            at < up
            for at, each in enumerate(table.inputs)
            if isinstance(each, Reading) and each.doubt is Doubt.READER_AWAY
        )


async def test_a_beam_that_flaps_while_the_scanner_is_away_is_no_pack_of_cards(
    line: ScannerLine, pins: MockFactory
) -> None:
    flaps = 60
    pin(pins, BEAM.pin).drive_high()
    async with running(line, pins) as table:
        await until(lambda: table.conditions("scanner") == [Condition.UP])
        line.unplug()
        await until(lambda: table.conditions("scanner")[-1] is Condition.DOWN)
        began_s = time.monotonic()
        for _ in range(flaps):
            await card_slips_through(pins)
        await until(lambda: "device-babbles" in codes(table))
        line.plug()
        await until(lambda: table.conditions("scanner")[-1] is Condition.UP)
        earned = (time.monotonic() - began_s) * DOUBTS.per_s
        assert away(table) <= DOUBTS.at_once + earned, "as many as hands can deal"
        assert away(table) + left_out(table) == flaps
        assert codes(table)[-2:] == ["device-babbled", None]


async def test_a_beam_that_is_quiet_again_while_the_scanner_is_away_says_why_that_is(
    line: ScannerLine, pins: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(babble, "QUIET_S", 0.05)
    pin(pins, BEAM.pin).drive_high()
    async with running(line, pins) as table:
        await until(lambda: table.conditions("scanner") == [Condition.UP])
        line.unplug()
        await until(lambda: "port-absent" in codes(table))
        async with asyncio.timeout(PATIENCE_S):
            while "device-babbles" not in codes(table):
                await card_slips_through(pins)
        await until(lambda: codes(table)[-2:] == ["device-babbled", "port-absent"])
        assert Condition.UP not in table.conditions("scanner")[1:]


async def test_a_beam_that_fails_as_the_scanner_comes_back_is_watched_on(
    line: ScannerLine, pins: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scanner is opened again seconds later: what leaves in between was seen by nobody."""
    pin(pins, BEAM.pin).drive_high()
    async with running(line, pins) as table:
        await until(lambda: table.conditions("scanner") == [Condition.UP])
        line.unplug()
        await until(lambda: table.conditions("scanner")[-1] is Condition.DOWN)
        with monkeypatch.context() as broken:
            broken.setattr(InputPin, "active", property(fails))
            line.plug()
            await until(lambda: "pins-failed" in codes(table))
            await card_passes(pins)
            await until(lambda: away(table) == 1)
        await until(lambda: table.conditions("scanner")[-1] is Condition.UP)
        assert away(table) == 1


def fails(_: InputPin) -> bool:
    raise DeviceError(message("pins-failed", device="beam", detail="as if it were broken"))


def codes(table: TableStub) -> list[str | None]:
    """Why the scanner was down, each time; None: it works."""
    told = [each for each in table.inputs if isinstance(each, Health)]
    return [None if each.why is None else each.why.code for each in told]


def left_out(table: TableStub) -> int:
    whys = [each.why for each in table.inputs if isinstance(each, Health) and each.why]
    return sum(int(str(why["count"])) for why in whys if why.code == "device-babbled")


async def test_a_card_in_the_exit_when_the_scanner_is_lost_is_counted_once(
    line: ScannerLine, pins: MockFactory
) -> None:
    pin(pins, BEAM.pin).drive_high()
    async with running(line, pins) as table:
        await until(lambda: table.conditions("scanner") == [Condition.UP])
        pin(pins, BEAM.pin).drive_low()
        line.unplug()
        await until(lambda: table.conditions("scanner")[-1] is Condition.DOWN)
        await asyncio.sleep(BREAK_S)  # what leaves at once was a glitch
        pin(pins, BEAM.pin).drive_high()
        await until(lambda: away(table) == 1)
        line.plug()
        await until(lambda: table.conditions("scanner")[-1] is Condition.UP)
        assert len(table.cards()) == 1


async def test_a_card_in_the_exit_when_the_scanner_is_back_is_counted_once(
    line: ScannerLine, pins: MockFactory
) -> None:
    pin(pins, BEAM.pin).drive_high()
    async with running(line, pins) as table:
        await until(lambda: table.conditions("scanner") == [Condition.UP])
        line.unplug()
        await until(lambda: table.conditions("scanner")[-1] is Condition.DOWN)
        pin(pins, BEAM.pin).drive_low()
        line.plug()
        await until(lambda: table.conditions("scanner")[-1] is Condition.UP)
        await asyncio.sleep(BREAK_S)  # what leaves at once was a glitch
        pin(pins, BEAM.pin).drive_high()
        await until(lambda: len(table.cards()) == 1)


async def test_a_beam_that_sees_no_card_is_said_and_the_shoe_is_opened_again(
    line: ScannerLine, pins: MockFactory
) -> None:
    pin(pins, BEAM.pin).drive_high()
    async with running(line, pins) as table:
        await until(lambda: table.conditions("scanner") == [Condition.UP])
        for each in (b"THX\r", b"9CE\r", b"KD5\r"):
            line.say(each)
        await until(lambda: Condition.DOWN in table.conditions("scanner"))
        assert "none came into the beam" in table.health("scanner")[1][1]
        await until(lambda: table.conditions("scanner")[-1] is Condition.UP)
