"""Scanners that wait for ACK or NAK after each code."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.devices.inputs import Doubt
from drivers.code_book import PrintedCode
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.scanners.acknowledged import ACK, AGAIN_MS, NAK, AcknowledgedFraming
from drivers.shoe.serial_shoe import SerialShoe
from tests.drivers.outside import Line, until, watching

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
    assert cut.feed(b"T\xffX\r", 50 * MS) == []
    assert cut.feed(b"THX\r", 100 * MS) == [b"THX"]
    assert cut.to_send == NAK + NAK + ACK
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
    assert cut.feed(b"9CE\r", AGAIN_MS * MS) == [Doubt.GARBLED, b"9CE"]


def test_an_overlong_code_is_not_asked_for_again() -> None:
    cut = framing()
    assert cut.feed(b"X" * 40 + b"\r", 0) == [Doubt.TOO_LONG]
    assert cut.to_send == ACK


@pytest.mark.anyio
async def test_cards_come_from_such_a_scanner_and_it_hears_its_answers(tmp_path: Path) -> None:
    line = Line(tmp_path / "scanner")
    line.plug()
    settings = ScannerSettings(line.link, protocol="datalogic")
    heard = bytearray()
    async with watching(SerialShoe(settings, PrintedCode())) as seen:
        line.say(b"TH\x07\r")
        line.say(b"THX\r")
        assert await seen.card() == "Th"

        def answered() -> bool:
            heard.extend(line.heard())
            return bytes(heard) == NAK + ACK

        await until(answered)
    line.unplug()
