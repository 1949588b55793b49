"""The shoe on a real pty with a beam on mock pins: from bytes and edges to cards."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceAbsent, DeviceError, DeviceLost
from controller.devices.inputs import Doubt, Reading, Repeats
from controller.rules.messages import message
from drivers.code_book import PrintedCode, check_character
from drivers.event_queue import EVENTS_MAX
from drivers.io.pin_edges import InputPin
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings
from drivers.shoe.serial_shoe import SerialShoe
from tests.drivers.outside import EventCollector, ScannerLine, pin, until, watching

pytestmark = pytest.mark.anyio
BEAM_PIN = 5


def plain(line: ScannerLine, **settings: Any) -> SerialShoe:
    return SerialShoe(ScannerSettings(line.link, **settings), PrintedCode())


def with_beam(line: ScannerLine, pins: MockFactory, **settings: Any) -> SerialShoe:
    beam = BeamSettings(BEAM_PIN, **settings)
    return SerialShoe(ScannerSettings(line.link), PrintedCode(), beam, pins)


@asynccontextmanager
async def shoe(line: ScannerLine, **settings: Any) -> AsyncIterator[EventCollector]:
    async with watching(plain(line, **settings)) as events:
        yield events


async def test_a_code_is_a_card(line: ScannerLine) -> None:
    async with shoe(line) as events:
        line.say(b"THX\r")
        reading = await events.reading()
        assert reading.source == "scanner"
        assert reading.card is not None
        assert repr(reading.card.open()) == "Th"
        assert not reading.apart
        assert line.heard() == b""


async def test_codes_in_one_burst_come_one_by_one_in_order(line: ScannerLine) -> None:
    async with shoe(line) as events:
        line.say(b"THX\r9CE\rJOO\r")
        assert [await events.card() for _ in range(3)] == ["Th", "9c", "Jo"]


async def test_a_code_in_pieces_is_one_code(line: ScannerLine) -> None:
    async with shoe(line) as events:
        for piece in (b"T", b"H0001", b"23I", b"\r"):
            line.say(piece)
        reading = await events.reading()
        assert reading.card is not None
        assert reading.card.open_serial() == "000123"
        assert reading.apart


async def test_without_terminator_silence_ends_a_code(line: ScannerLine) -> None:
    async with shoe(line, terminator="idle", idle_ms=10) as events:
        line.say(b"THX")
        assert await events.card() == "Th"
        line.say(b"9CE")
        assert await events.card() == "9c"


@pytest.mark.parametrize(
    ("said", "doubt"),
    [
        (b"\x00\xfe!\r", Doubt.GARBLED),
        (b"THY\r", Doubt.GARBLED),
        (b"XX" + check_character("XX").encode() + b"\r", Doubt.UNKNOWN_CODE),
        (b"A" * 65 + b"\r", Doubt.TOO_LONG),
    ],
)
async def test_what_is_no_card_is_a_doubt_and_the_next_card_is_well(
    line: ScannerLine, said: bytes, doubt: Doubt
) -> None:
    async with shoe(line) as events:
        line.say(said)
        assert (await events.reading()).doubt is doubt
        line.say(b"9CE\r")
        assert await events.card() == "9c"


async def test_another_kind_of_code_is_refused(line: ScannerLine) -> None:
    async with shoe(line, aim="required", symbologies=("C",)) as events:
        line.say(b"]Q1THX\r]C0THX\r")
        assert (await events.reading()).doubt is Doubt.WRONG_SYMBOLOGY
        assert await events.card() == "Th"


async def test_more_codes_than_may_wait_are_kept_by_the_line(line: ScannerLine) -> None:
    device = plain(line)
    async with watching(device) as events:
        inbox, count = device._queue, 0
        while inbox.has_room:  # every code an event of its own
            line.say((b"9CE\r", b"THX\r")[count % 2])
            count += 1
            await until(lambda: len(inbox._events) == count)  # noqa: B023  (awaited at once)
        line.say(b"9CE\r" * 3)
        await until(lambda: device._paused)
        cards = [await events.card() for _ in range(count)]
        assert cards == [("9c", "Th")[each % 2] for each in range(count)]
        assert [await events.card() for _ in range(3)] == ["9c"] * 3


async def test_a_code_without_end_is_a_few_cards_and_a_number(line: ScannerLine) -> None:
    async with watching(plain(line)) as events:
        line.say(b"THX\r" * 900 + b"9CE\r")
        cards: list[str] = []
        repeats = 0
        while len(cards) + repeats < 901:
            received = await events.next_event()
            if isinstance(received, Repeats):
                repeats += received.count
            else:
                assert isinstance(received, Reading)
                assert received.card is not None
                kind = received.card.open()
                assert kind is not None
                cards.append(kind.code)
        assert cards.count("Th") < 30
        assert cards[-1] == "9c"


async def test_a_pulled_plug_ends_the_readings_after_the_last_card(line: ScannerLine) -> None:
    device = plain(line)
    async with watching(device) as events:
        line.say(b"THX\r")
        assert await events.card() == "Th"
        line.unplug()
        with pytest.raises(DeviceLost, match="went away while in use"):
            await events.next()
    with pytest.raises(DeviceAbsent):
        await device.open()
    line.plug()
    async with watching(device) as events:
        line.say(b"9CE\r")
        assert await events.card() == "9c"


# With the beam


async def test_the_card_counts_when_the_beam_clears(line: ScannerLine, pins: MockFactory) -> None:
    async with watching(with_beam(line, pins, glitch_ms=0)) as events:
        beam = pin(pins, BEAM_PIN)
        line.say(b"THX\r")
        beam.drive_low()
        beam.drive_high()
        reading = await events.reading()
        assert reading.apart
        assert repr(reading.card and reading.card.open()) == "Th"


async def test_a_card_without_a_code_is_told(line: ScannerLine, pins: MockFactory) -> None:
    async with watching(with_beam(line, pins, glitch_ms=0, late_code_ms=10)) as events:
        pin(pins, BEAM_PIN).drive_low()
        pin(pins, BEAM_PIN).drive_high()
        assert (await events.reading()).doubt is Doubt.NO_CODE


async def test_a_code_after_the_card_still_counts(line: ScannerLine, pins: MockFactory) -> None:
    async with watching(with_beam(line, pins, glitch_ms=0, late_code_ms=1_000)) as events:
        pin(pins, BEAM_PIN).drive_low()
        pin(pins, BEAM_PIN).drive_high()
        line.say(b"THX\r")
        assert await events.card() == "Th"


async def test_a_card_in_the_exit_when_the_service_starts_is_a_card(
    line: ScannerLine, pins: MockFactory
) -> None:
    # A mock pin goes to its pull when it is opened; to this beam that is a card in the exit.
    device = with_beam(line, pins, glitch_ms=0, late_code_ms=1_000, active_low=False)
    async with watching(device) as events:
        pin(pins, BEAM_PIN).drive_low()
        line.say(b"THX\r")
        assert await events.card() == "Th"


async def test_a_covered_exit_is_told_and_then_goes_on(
    line: ScannerLine, pins: MockFactory
) -> None:
    async with watching(with_beam(line, pins, glitch_ms=0, stuck_ms=200)) as events:
        beam = pin(pins, BEAM_PIN)
        beam.drive_low()
        assert (await events.reading()).doubt is Doubt.BEAM_STUCK
        beam.drive_high()
        beam.drive_low()
        beam.drive_high()
        assert (await events.reading()).doubt is Doubt.NO_CODE


@pytest.mark.parametrize(
    ("active_low", "pull_up"), [(True, True), (True, False), (False, True), (False, False)]
)
async def test_the_beam_may_be_wired_either_way(
    line: ScannerLine, pins: MockFactory, active_low: bool, pull_up: bool
) -> None:
    device = with_beam(
        line, pins, glitch_ms=0, late_code_ms=10, active_low=active_low, pull_up=pull_up
    )
    beam = pin(pins, BEAM_PIN)
    async with watching(device) as events:
        clear, covered = (beam.drive_high, beam.drive_low)
        if not active_low:
            clear, covered = covered, clear
        if active_low is not pull_up:
            clear()  # the pull alone looks like a card in the exit: this one leaves now
            assert (await events.reading()).doubt is Doubt.NO_CODE
        covered()
        clear()
        assert (await events.reading()).doubt is Doubt.NO_CODE


async def test_edges_that_nobody_takes_are_a_failure_not_a_loss(
    line: ScannerLine, pins: MockFactory
) -> None:
    device = with_beam(line, pins, glitch_ms=0, late_code_ms=0)
    async with watching(device) as events:
        beam = pin(pins, BEAM_PIN)
        for _ in range(200):
            beam.drive_low()
            beam.drive_high()
        for _ in range(EVENTS_MAX // 2):  # what fitted is still told
            assert (await events.reading()).doubt is Doubt.NO_CODE
        with pytest.raises(DeviceLost, match="compare the cards on the felt"):
            await events.next()


async def test_an_edge_counts_whatever_becomes_of_the_other_reader(
    line: ScannerLine, pins: MockFactory
) -> None:
    device = with_beam(line, pins, glitch_ms=0, late_code_ms=10)
    async with watching(device) as events:

        def fails(_covered: bool, _at_ns: int) -> None:
            raise DeviceError(message("camera-frozen"))

        device.on_edge = fails
        for covered in (True, False):
            with pytest.raises(DeviceError):
                device._edge(covered, time.monotonic_ns())
        assert (await events.reading()).doubt is Doubt.NO_CODE


async def test_a_beam_pin_that_is_taken_leaves_the_port_free(
    line: ScannerLine, pins: MockFactory
) -> None:
    device = with_beam(line, pins)
    taken = InputPin(BEAM_PIN, pins, "buttons", active_low=True)
    taken.open(lambda *_: None)
    with pytest.raises(DeviceError, match="Give every device its own pins"):
        await device.open()
    taken.close()
    async with watching(plain(line)) as events:
        line.say(b"THX\r")
        assert await events.card() == "Th"


def test_a_pause_that_is_longer_than_the_late_time_is_refused(
    line: ScannerLine, pins: MockFactory
) -> None:
    with pytest.raises(ValueError, match="set late_code_ms higher"):
        SerialShoe(
            ScannerSettings(line.link, terminator="idle", idle_ms=200),
            PrintedCode(),
            BeamSettings(BEAM_PIN, late_code_ms=120),
            pins,
        )


async def test_nothing_that_can_be_printed_shows_a_card(line: ScannerLine) -> None:
    device = plain(line)
    async with watching(device) as events:
        line.say(b"TH000123I\r")
        await until(lambda: not device._queue.has_room or bool(device._queue._events))
        shown = [repr(event) for event in device._queue._events]
        health = await events.next()
        shown += [repr(health), str(health), repr(device), repr(device._decoder)]
        assert not any("TH" in each or "Th" in each or "000123" in each for each in shown)
