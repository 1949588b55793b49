"""When an SSI scanner reads: its mode set and read back, sessions by the beam, on its fake."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceError, DeviceLost
from controller.devices.inputs import Doubt
from drivers.code_book import PrintedCode
from drivers.settings.checks import SettingsError
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings
from drivers.shoe.scanners.ssi import SsiFraming, packet
from drivers.shoe.scanners.ssi_commands import START_SESSION, STOP_SESSION, SsiSetUp, SsiTrigger
from drivers.shoe.serial_shoe import SerialShoe
from sim_hw.devices.wire.ssi import (
    BY_HOST,
    DENIED,
    NAK,
    PACKETS,
    SESSION_TIME,
    TRIGGER_MODE,
    SsiScanner,
    ssi_packet,
)
from tests.drivers.outside import EventCollector, ScannerLine, pin, until, watching

BEAM = BeamSettings(5, glitch_ms=1, late_code_ms=20)
START, STOP = packet(START_SESSION), packet(STOP_SESSION)
MS = 1_000_000
ACKNOWLEDGED = ssi_packet(0xD0)


def settings(port: Path, trigger: Any) -> ScannerSettings:
    return ScannerSettings(port, protocol="ssi", trigger=trigger)


def shoe(line: ScannerLine, pins: MockFactory, trigger: Any) -> SerialShoe:
    return SerialShoe(settings(line.link, trigger), PrintedCode(), BEAM, pins)


@asynccontextmanager
async def answering(line: ScannerLine, scanner: SsiScanner) -> AsyncIterator[None]:
    async def run() -> None:
        while True:
            if answer := scanner.hears(line.heard()):
                line.say(answer)
            await asyncio.sleep(0.002)

    task = asyncio.create_task(run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


def set_up(trigger: Any, scanner: SsiScanner, spoilt: int = 0) -> SsiSetUp:
    """The whole exchange, byte by byte; the scanner's first `spoilt` answers ask for it again."""
    wanted = settings(Path("-"), trigger)
    exchange = SsiSetUp(wanted, SsiFraming(wanted))
    for _ in range(20):
        said, exchange.to_send = exchange.to_send, b""
        if said and spoilt:
            spoilt -= 1
            exchange.feed(ssi_packet(NAK, b"\x01"), 0)
            continue
        for byte in scanner.hears(said):
            exchange.feed(bytes((byte,)), 0)
    return exchange


@pytest.mark.parametrize(
    ("trigger", "has"),
    [("own", {TRIGGER_MODE: 0, SESSION_TIME: 5}), ("presentation", {TRIGGER_MODE: 7,
     SESSION_TIME: 5}), ("beam", {TRIGGER_MODE: 8, SESSION_TIME: 99})],
)  # fmt: skip
@pytest.mark.parametrize("spoilt", [0, 1])
def test_the_mode_is_set_and_read_back_and_nothing_else_is_touched(
    trigger: str, has: dict[int, int], spoilt: int
) -> None:
    scanner = SsiScanner()
    scanner.parameters[SESSION_TIME] = 5
    assert set_up(trigger, scanner, spoilt).done
    assert scanner.enabled
    assert scanner.parameters == {PACKETS: 1, **has}


@pytest.mark.parametrize(
    ("number", "name"), [(TRIGGER_MODE, "trigger mode host"), (SESSION_TIME, "decode session")]
)
@pytest.mark.parametrize("is_there", [True, False])
def test_a_scanner_that_does_not_take_it_is_refused(number: int, name: str, is_there: bool) -> None:
    scanner = SsiScanner(stubborn=(number,))
    scanner.parameters[SESSION_TIME] = 5
    if not is_there:
        del scanner.parameters[number]
    exchange = set_up("beam", scanner)
    assert exchange.refused.startswith(name)
    assert not exchange.done


def test_one_that_leaves_the_works_as_plain_text_is_told_to_send_packets() -> None:
    """No label of its manual has to be read: its codes come as packets from the opening on."""
    scanner = SsiScanner()
    scanner.enabled = True
    assert scanner.says(b"THX") == b"THX\r"
    assert set_up("own", scanner).done
    assert scanner.says(b"THX") == ssi_packet(0xF3, b"\x03THX")


def test_one_that_keeps_plain_text_is_refused() -> None:
    exchange = set_up("own", SsiScanner(stubborn=(PACKETS,)))
    assert exchange.refused == "decode data in packets"


class Denies(SsiScanner):
    """Refuses what it does not have, where others say nothing of it."""

    def _answer(self, opcode: int, data: bytes) -> bytes:
        if opcode in (0xC6, 0xC7) and PACKETS in data:
            return ssi_packet(NAK, b"\x06")
        return super()._answer(opcode, data)


@pytest.mark.parametrize("kind", [SsiScanner, Denies])
def test_one_that_knows_nothing_but_packets_is_taken_as_it_is(kind: type[SsiScanner]) -> None:
    scanner = kind()
    scanner.parameters[SESSION_TIME] = 5
    del scanner.parameters[PACKETS]
    assert set_up("beam", scanner).done
    assert scanner.parameters == {TRIGGER_MODE: 8, SESSION_TIME: 99}


def trigger() -> tuple[SsiFraming, SsiTrigger]:
    framing = SsiFraming(settings(Path("-"), "beam"))
    return framing, SsiTrigger(framing, 120 * MS)


def test_it_reads_from_the_first_card_in_the_beam_until_a_while_after_the_last() -> None:
    framing, ssi = trigger()
    due = []
    assert ssi.edge(True, 0) == START
    framing.feed(ACKNOWLEDGED, 1 * MS)
    assert ssi.edge(False, 100 * MS) == b""
    due.append(ssi.due_ns)
    assert ssi.edge(True, 200 * MS) == b"", "it reads still"
    due.append(ssi.due_ns)
    ssi.edge(False, 300 * MS)
    assert ssi.tick(420 * MS - 1) == b""
    assert ssi.tick(420 * MS) == STOP
    assert [*due, ssi.due_ns] == [220 * MS, None, None]


def test_a_code_ends_the_session_and_the_next_card_begins_one() -> None:
    framing, ssi = trigger()
    ssi.edge(True, 0)
    assert framing.feed(ssi_packet(0xF3, b"\x03THX"), 50 * MS) == [b"THX"]
    assert ssi.edge(False, 100 * MS) == b""
    assert ssi.due_ns is None, "nothing is to be stopped"
    assert ssi.edge(True, 150 * MS) == START


def test_a_session_that_is_denied_is_said_and_the_end_of_one_may_be() -> None:
    framing, ssi = trigger()
    ssi.edge(True, 0)
    framing.feed(ACKNOWLEDGED, 1 * MS)
    ssi.edge(False, 100 * MS)
    ssi.tick(220 * MS)
    framing.feed(ssi_packet(NAK, b"\x06"), 221 * MS)
    refused = [ssi.refused]
    ssi.edge(True, 500 * MS)
    framing.feed(ssi_packet(NAK, b"\x06"), 501 * MS)
    assert [*refused, ssi.refused] == ["", "START_SESSION"]


def test_a_session_that_was_not_understood_is_asked_for_again_at_once() -> None:
    """A bit that a cable turned costs no card and takes no scanner down."""
    framing, ssi = trigger()
    assert ssi.edge(True, 0) == START
    framing.feed(ssi_packet(NAK, b"\x01"), 12 * MS)
    assert ssi.due_ns is not None
    assert ssi.due_ns <= 12 * MS
    assert ssi.tick(12 * MS) == START
    framing.feed(ACKNOWLEDGED, 24 * MS)
    assert not ssi.refused
    assert not ssi.silent
    assert ssi.tick(10_000 * MS) == b"", "nothing is waited for"


def test_a_session_that_nobody_answers_is_asked_for_again_and_then_the_scanner_is_silent() -> None:
    framing, ssi = trigger()
    ssi.edge(True, 0)
    asked = [ssi.tick(at * 20 * MS) for at in range(1, 100)]
    assert asked.count(START) == 5
    assert ssi.silent
    assert ssi.due_ns is None
    assert not ssi.refused
    framing.feed(ACKNOWLEDGED, 3_000 * MS)


def test_one_that_answers_late_is_not_silent() -> None:
    framing, ssi = trigger()
    for card in range(20):
        began = card * 1_000 * MS
        assert ssi.edge(True, began) == START
        assert ssi.tick(began + 100 * MS) == START
        framing.feed(ACKNOWLEDGED, began + 110 * MS)
        framing.feed(ssi_packet(0xF3, b"\x03THX"), began + 120 * MS)
        ssi.edge(False, began + 200 * MS)
    assert not ssi.silent


async def passes(
    line: ScannerLine, pins: MockFactory, scanner: SsiScanner, events: EventCollector, code: bytes
) -> str:
    """The card that is told for a code that passes the beam."""
    pin(pins, BEAM.pin).drive_low()
    await until(lambda: scanner.reads)
    line.say(scanner.says(code))
    pin(pins, BEAM.pin).drive_high()
    return await events.card()


@pytest.mark.anyio
async def test_cards_are_read_in_the_beam_alone(line: ScannerLine, pins: MockFactory) -> None:
    """What lies before the scanner while no card passes is not read: it is not known to anybody."""
    scanner = SsiScanner()
    pin(pins, BEAM.pin).drive_high()
    async with answering(line, scanner), watching(shoe(line, pins, "beam")) as events:
        assert scanner.says(b"AS4") == b"", "the next card lies there"
        assert await passes(line, pins, scanner, events, b"THX") == "Th"
        assert scanner.says(b"AS4") == b""
        assert await passes(line, pins, scanner, events, b"9CE") == "9c"


@pytest.mark.anyio
async def test_of_a_card_without_a_code_the_scanner_stops_reading(
    line: ScannerLine, pins: MockFactory
) -> None:
    scanner = SsiScanner()
    pin(pins, BEAM.pin).drive_high()
    async with answering(line, scanner), watching(shoe(line, pins, "beam")) as events:
        pin(pins, BEAM.pin).drive_low()
        await until(lambda: scanner.reads)
        pin(pins, BEAM.pin).drive_high()
        assert (await events.reading()).doubt is Doubt.NO_CODE
        await until(lambda: not scanner.reads)


async def until_lost(events: EventCollector) -> None:
    while True:
        await events.next_event()


@pytest.mark.anyio
async def test_a_scanner_that_forgot_its_mode_is_lost_and_set_up_again(
    line: ScannerLine, pins: MockFactory
) -> None:
    scanner = SsiScanner()
    pin(pins, BEAM.pin).drive_high()
    async with answering(line, scanner):
        async with watching(shoe(line, pins, "beam")) as events:
            scanner.parameters[TRIGGER_MODE] = 0  # its power went, its adapter stayed
            pin(pins, BEAM.pin).drive_low()
            with pytest.raises(DeviceLost, match="does not take START_SESSION"):
                await until_lost(events)
        pin(pins, BEAM.pin).drive_high()
        async with watching(shoe(line, pins, "beam")) as events:
            assert await passes(line, pins, scanner, events, b"THX") == "Th"


def test_a_refusal_of_what_was_asked_before_the_opening_is_none_of_the_opening() -> None:
    """As late as it may come, and as often: a session was begun again while nobody answered."""
    wanted = settings(Path("-"), "beam")
    scanner, late = SsiScanner(), ssi_packet(NAK, bytes((DENIED,)))
    exchange = SsiSetUp(wanted, SsiFraming(wanted))
    said = 3 * late
    for _ in range(20):
        said, exchange.to_send = said + scanner.hears(exchange.to_send), b""
        exchange.feed(said, 0)
        said = b""
    assert exchange.done
    assert exchange.refused == ""
    assert scanner.parameters[TRIGGER_MODE] == BY_HOST
    refusing = SsiSetUp(wanted, SsiFraming(wanted))
    for _ in range(20):
        refusing.to_send = b""
        refusing.feed(late, 0)
    assert refusing.refused == "SCAN_ENABLE"


@pytest.mark.anyio
async def test_a_scanner_that_answers_nothing_any_more_is_lost(
    line: ScannerLine, pins: MockFactory
) -> None:
    """Its power is gone behind an adapter that stays: the port is there, and nothing comes."""
    pin(pins, BEAM.pin).drive_high()
    async with answering(line, SsiScanner()):
        device = shoe(line, pins, "beam")
        await device.open()
    events = EventCollector(device)
    pin(pins, BEAM.pin).drive_low()
    with pytest.raises(DeviceLost, match="does not answer as one of protocol ssi"):
        await until_lost(events)
    await events.close()
    await device.close()


@pytest.mark.anyio
async def test_a_card_that_is_in_the_beam_when_the_scanner_is_opened_is_read(
    line: ScannerLine, pins: MockFactory
) -> None:
    scanner = SsiScanner()
    pin(pins, BEAM.pin).drive_low()
    async with answering(line, scanner), watching(shoe(line, pins, "beam")) as events:
        assert await passes(line, pins, scanner, events, b"THX") == "Th"


@pytest.mark.anyio
async def test_one_that_does_not_take_its_mode_does_not_open(
    line: ScannerLine, pins: MockFactory
) -> None:
    async with answering(line, SsiScanner(stubborn=(TRIGGER_MODE,))):
        device = shoe(line, pins, "presentation")
        with pytest.raises(DeviceError, match="does not take trigger mode presentation"):
            await device.open()
        await device.close()


def test_a_trigger_that_nobody_pulls_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"there is no \[beam\]"):
        SerialShoe(settings(tmp_path, "beam"), PrintedCode())
    with pytest.raises(SettingsError, match='only protocol "ssi" has it'):
        ScannerSettings(tmp_path, trigger="presentation")
