"""A scanner in HID POS mode: reports of 64 bytes on a hidraw node."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.contracts import DeviceError
from controller.devices.inputs import Doubt
from drivers.code_book import PrintedCode
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.scanners.hid_pos import REST_MS, HidPosFraming
from drivers.shoe.scanners.raw_code import RawCode
from drivers.shoe.serial_shoe import SerialShoe
from sim_hw.devices.wire.hid_pos import DESCRIPTOR, KEYBOARD_DESCRIPTOR, reports
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import ScannerLine, until, watching

MS = 1_000_000
#: The manual's own example: a code of 60 bytes in two reports.
FIRST = bytes([2, 56, *b"]Q0", *(b"M1" + b"A" * 54), *b"s", 0, 1])
SECOND = bytes([2, 4, *b"]Q0", *b"100 ", *bytes(52), *b"s", 0, 0])


def framing(**settings: object) -> HidPosFraming:
    return HidPosFraming(ScannerSettings(Path("-"), protocol="hid-pos", **settings))  # type: ignore[arg-type]


def test_a_report_is_a_code_with_its_aim_identifier_where_that_is_asked_for() -> None:
    assert framing().feed(reports(b"THX"), 0) == [b"THX"]
    assert framing(aim="required").feed(reports(b"THX", b"]d1"), 0) == [b"]d1THX"]


def test_a_code_in_two_reports_is_one() -> None:
    cut = framing()
    assert cut.feed(FIRST, 0) == []
    assert cut.feed(SECOND, MS) == [b"M1" + b"A" * 54 + b"100 "]
    assert cut.due_ns is None


def test_a_code_that_is_too_long_is_dropped_whole_and_bounded() -> None:
    cut = framing()
    assert cut.feed(reports(b"X" * 300) + reports(b"THX"), 0) == [Doubt.TOO_LONG, b"THX"]


def test_half_a_report_is_garbled_and_spoils_nothing_that_follows() -> None:
    cut = framing()
    assert cut.feed(reports(b"THX")[:40], 0) == [Doubt.GARBLED]
    assert cut.feed(reports(b"9CE"), MS) == [b"9CE"]


def test_a_shorter_report_of_another_number_costs_no_card() -> None:
    cut = framing()
    assert cut.feed(bytes([5, 1, 0, 0]), 0) == []
    assert cut.feed(reports(b"THX"), MS) == [b"THX"]
    assert cut.due_ns is None


def test_a_shorter_report_handed_on_with_a_card_is_a_doubt() -> None:
    cut = framing()
    assert cut.feed(bytes([5, 1, 0, 0]) + reports(b"THX"), 0) == [Doubt.GARBLED]
    assert cut.feed(reports(b"9CE"), MS) == [b"9CE"]


def test_what_never_ends_is_garbled_and_spoils_nothing_that_follows() -> None:
    cut = framing()
    assert cut.feed(FIRST, 0) == []
    assert cut.due_ns == REST_MS * MS
    assert cut.feed(reports(b"9CE"), REST_MS * MS) == [Doubt.GARBLED, b"9CE"]


@pytest.mark.parametrize(
    ("report", "comes"),
    [
        (bytes([2, 57, *bytes(62)]), [Doubt.GARBLED]),
        (reports(b"T\x07X"), [Doubt.GARBLED]),
        (reports(b""), []),
        (bytes([1, 3, *bytes(62)]), []),
    ],
    ids=["longer than it can be", "control", "empty", "another report"],
)
def test_what_is_no_code_of_a_card(report: bytes, comes: list[RawCode]) -> None:
    assert framing().feed(report, 0) == comes


@given(
    texts=st.lists(st.text("THX09", min_size=1, max_size=60), max_size=4),
    cuts=st.lists(st.integers(0, 8), max_size=6),
)
def test_however_many_reports_come_at_once_the_codes_are_the_same(
    texts: list[str], cuts: list[int]
) -> None:
    data = b"".join(reports(each.encode()) for each in texts)
    edges = [0, *sorted(min(64 * each, len(data)) for each in cuts), len(data)]
    cut, got = framing(), list[RawCode]()
    for start, end in pairwise(edges):
        got += cut.feed(data[start:end], 0)
    assert got == [each.encode() for each in texts]


def shoe(line: ScannerLine) -> SerialShoe:
    return SerialShoe(ScannerSettings(line.link, protocol="hid-pos"), PrintedCode())


@pytest.mark.anyio
async def test_cards_come_from_a_scanner_of_usage_page_8c(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_kernel(monkeypatch, Kernel(descriptor=DESCRIPTOR))
    line = ScannerLine(tmp_path / "hidraw0")
    line.plug()
    async with watching(shoe(line)) as events:
        line.say(reports(b"THX") + reports(b"9CE"))
        assert await events.card() == "Th"
        assert await events.card() == "9c"
    line.unplug()


@pytest.mark.anyio
async def test_a_report_of_another_number_before_a_card_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_kernel(monkeypatch, Kernel(descriptor=DESCRIPTOR))
    line = ScannerLine(tmp_path / "hidraw0")
    line.plug()
    device = shoe(line)
    async with watching(device) as events:
        line.say(bytes([5, 1, 0, 0]))
        await until(lambda: bool(device._queue._events))
        line.say(reports(b"THX"))
        assert await events.card() == "Th"
    line.unplug()


@pytest.mark.anyio
async def test_a_hid_device_of_another_page_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_kernel(monkeypatch, Kernel(descriptor=KEYBOARD_DESCRIPTOR))
    line = ScannerLine(tmp_path / "hidraw0")
    line.plug()
    with pytest.raises(DeviceError, match="another kind of device"):
        await shoe(line).open()
    line.unplug()
