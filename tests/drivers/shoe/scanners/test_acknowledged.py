"""Scanners that wait for ACK or NAK after each code."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.devices.inputs import Doubt
from drivers.code_book import PrintedCode
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.scanners.acknowledged import ACK, AGAIN_MS, NAK, AcknowledgedFraming
from drivers.shoe.serial_shoe import SerialShoe
from tests.drivers.outside import ScannerLine, until, watching

MS = 1_000_000


def framing() -> AcknowledgedFraming:
    return AcknowledgedFraming(ScannerSettings(Path("-"), protocol="datalogic", max_bytes=16))


def test_each_code_is_acknowledged() -> None:
    cut = framing()
    assert cut.feed(b"THX\r9CE\r", 0) == [b"THX", b"9CE"]
    assert cut.to_send == ACK * 2
    assert cut.due_ns is None


def test_a_garbled_code_is_asked_for_again_and_taken_once() -> None:
    cut = framing()
    assert cut.feed(b"T\x07X\r", 0) == []
    assert cut.to_send == NAK
    assert cut.feed(b"THX\r", 50 * MS) == [b"THX"]
    assert cut.to_send == NAK + ACK
    assert cut.due_ns is None


def test_a_code_in_the_same_read_as_a_garbled_one_is_another_card_s() -> None:
    cut = framing()
    assert cut.feed(b"AB\xffCD\rNEXTCARD\r", 0) == [Doubt.GARBLED, b"NEXTCARD"]
    assert cut.to_send == ACK * 2, "what is a doubt already is not asked for again"
    assert cut.due_ns is None


def test_a_code_that_begins_in_the_same_read_as_a_garbled_one_is_another_card_s() -> None:
    cut = framing()
    assert cut.feed(b"AB\xffCD\rNEXT", 0) == [Doubt.GARBLED]
    assert cut.feed(b"CARD\r", MS) == [b"NEXTCARD"]
    assert cut.to_send == ACK * 2


def test_two_garbled_codes_and_a_good_one_are_a_doubt_and_a_card() -> None:
    cut = framing()
    assert cut.feed(b"T\x07X\r", 0) == []
    assert cut.feed(b"T\xffX\r", 50 * MS) == [Doubt.GARBLED]
    assert cut.feed(b"THX\r", 120 * MS) == [b"THX"]
    assert cut.to_send == NAK + NAK + ACK
    assert cut.due_ns is None


def test_a_slow_line_s_code_that_began_in_time_is_the_one_that_was_refused() -> None:
    cut = framing()
    cut.feed(b"T\x07X\r", 0)
    assert cut.feed(b"T", 90 * MS) == []
    assert cut.tick(AGAIN_MS * MS) == []
    assert cut.feed(b"HX\r", 300 * MS) == [b"THX"]
    assert cut.due_ns is None


def test_a_garbled_code_that_does_not_come_again_is_a_doubt() -> None:
    cut = framing()
    cut.feed(b"T\x07X\r", 0)
    assert cut.due_ns == AGAIN_MS * MS
    assert cut.tick(AGAIN_MS * MS - 1) == []
    assert cut.tick(AGAIN_MS * MS) == [Doubt.GARBLED]
    assert cut.due_ns is None


def test_a_code_that_comes_later_is_another_card_s() -> None:
    cut = framing()
    cut.feed(b"T\x07X\r", 0)
    assert cut.feed(b"9CE\r", 450 * MS) == [Doubt.GARBLED, b"9CE"]


def test_an_overlong_code_is_not_asked_for_again() -> None:
    cut = framing()
    assert cut.feed(b"X" * 40 + b"\r", 0) == [Doubt.TOO_LONG]
    assert cut.to_send == ACK


@pytest.mark.anyio
async def test_cards_come_from_such_a_scanner_and_it_hears_its_answers(tmp_path: Path) -> None:
    line = ScannerLine(tmp_path / "scanner")
    line.plug()
    settings = ScannerSettings(line.link, protocol="datalogic")
    heard = bytearray()
    async with watching(SerialShoe(settings, PrintedCode())) as events:

        def answered(answer: bytes) -> bool:
            heard.extend(line.heard())
            return bytes(heard) == answer

        card = asyncio.create_task(events.card())
        line.say(b"TH\x07\r")
        await until(lambda: answered(NAK))
        line.say(b"THX\r")
        assert await card == "Th"
        await until(lambda: answered(NAK + ACK))
    line.unplug()


@pytest.mark.anyio
async def test_a_card_after_a_garbled_one_does_not_take_its_place(tmp_path: Path) -> None:
    line = ScannerLine(tmp_path / "scanner")
    line.plug()
    settings = ScannerSettings(line.link, protocol="datalogic")
    async with watching(SerialShoe(settings, PrintedCode())) as events:
        line.say(b"TH\x07\r9CE\r")
        assert (await events.reading()).doubt is Doubt.GARBLED
        assert await events.card() == "9c"
    line.unplug()
