"""A scanner's bytes become whole codes, however they come."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.inputs import Doubt
from drivers.settings.scanner import ScannerSettings, Terminator
from drivers.shoe.scanners.framing import UNFINISHED_MS, Framer
from drivers.shoe.scanners.raw_code import RawCode

MS = 1_000_000
ENDINGS: dict[Terminator, bytes] = {"cr": b"\r", "lf": b"\n", "crlf": b"\r\n", "etx": b"\x03"}


def framer(terminator: Terminator = "cr", max_bytes: int = 8, idle_ms: int = 60) -> Framer:
    return Framer(
        ScannerSettings(Path("-"), terminator=terminator, max_bytes=max_bytes, idle_ms=idle_ms)
    )


@pytest.mark.parametrize(("terminator", "ending"), ENDINGS.items())
def test_a_code_is_whole_at_its_terminator(terminator: Terminator, ending: bytes) -> None:
    frames = framer(terminator)
    assert frames.feed(b"THX", 0) == []
    assert frames.feed(ending + b"9CE" + ending, 0) == [b"THX", b"9CE"]


def test_without_terminator_a_silence_ends_the_code() -> None:
    frames = framer("idle", idle_ms=60)
    assert frames.feed(b"TH", 0) == []
    assert frames.feed(b"X", 59 * MS) == []
    assert frames.due_ns == 119 * MS
    assert frames.tick(118 * MS) == []
    assert frames.tick(119 * MS) == [b"THX"]
    assert frames.due_ns is None


def test_bytes_after_the_silence_begin_a_new_code_even_if_nobody_looked_at_the_clock() -> None:
    frames = framer("idle", idle_ms=60)
    frames.feed(b"THX", 0)
    assert frames.feed(b"9CE", 61 * MS) == [b"THX"]


@pytest.mark.parametrize(("terminator", "ending"), ENDINGS.items())
def test_a_code_as_long_as_allowed_is_taken(terminator: Terminator, ending: bytes) -> None:
    assert framer(terminator).feed(b"12345678" + ending, 0) == [b"12345678"]


@pytest.mark.parametrize(("terminator", "ending"), ENDINGS.items())
def test_an_overlong_code_is_dropped_whole_and_told_once(
    terminator: Terminator, ending: bytes
) -> None:
    frames = framer(terminator)
    assert frames.feed(b"123456789" * 50, 0) == [Doubt.TOO_LONG]
    assert frames.feed(b"THX" + ending + b"9CE" + ending, 0) == [b"9CE"]


def test_an_overlong_code_without_terminator_ends_with_a_silence() -> None:
    frames = framer("idle", idle_ms=60)
    assert frames.feed(b"123456789", 0) == [Doubt.TOO_LONG]
    assert frames.feed(b"THX", 60 * MS) == []
    assert frames.tick(120 * MS) == [b"THX"]


@pytest.mark.parametrize("bad", [b"\x00", b"\x07", b"\x7f", b"\x80", b"\xff", b"\n"])
def test_what_is_not_printable_makes_a_code_garbled(bad: bytes) -> None:
    assert framer().feed(b"T" + bad + b"X\r9CE\r", 0) == [Doubt.GARBLED, b"9CE"]


def test_a_code_left_unfinished_is_garbled_and_does_not_spoil_the_next() -> None:
    frames = framer()
    frames.feed(b"T", 0)
    assert frames.feed(b"9CE\r", UNFINISHED_MS * MS) == [Doubt.GARBLED, b"9CE"]


def framed(prefix: str = "\x02", suffix: str = "", terminator: Terminator = "etx") -> Framer:
    return Framer(
        ScannerSettings(Path("-"), terminator=terminator, max_bytes=8, prefix=prefix, suffix=suffix)
    )


def test_codes_between_stx_and_etx_are_taken_out() -> None:
    assert framed().feed(b"\x02THX\x03\x029CE\x03", 0) == [b"THX", b"9CE"]


@pytest.mark.parametrize("data", [b"THX\x03", b"\x02\x03", b"\x02TH\x02THX\x03", b"xTHX\x03"])
def test_a_code_without_its_prefix_lost_a_byte(data: bytes) -> None:
    assert framed().feed(data + b"\x029CE\x03", 0) == [Doubt.GARBLED, b"9CE"]


def test_prefix_and_suffix_are_no_part_of_the_code_nor_of_its_length() -> None:
    cut = framed("~0", "END", "crlf")
    assert cut.feed(b"~012345678END\r\n", 0) == [b"12345678"]
    assert cut.feed(b"~0THX\r\n~0END\r\n~0THXEND\r\n", 0) == [
        Doubt.GARBLED, Doubt.GARBLED, b"THX",
    ]  # fmt: skip
    assert cut.feed(b"~0123456789END\r\n", 0) == [Doubt.TOO_LONG]


def test_a_bare_terminator_is_nothing() -> None:
    assert framer().feed(b"\r\r\r", 0) == []


@given(
    data=st.lists(st.sampled_from(list(b"T9CX]\r\n\x00\xff")), max_size=60).map(bytes),
    cuts=st.lists(st.integers(0, 60), max_size=8),
    terminator=st.sampled_from(["cr", "lf", "crlf", "idle"]),
)
def test_however_the_bytes_are_split_the_frames_are_the_same(
    data: bytes, cuts: list[int], terminator: Terminator
) -> None:
    whole, split = framer(terminator, max_bytes=5), framer(terminator, max_bytes=5)
    pieces = [data[a:b] for a, b in pairwise([0, *sorted(cuts), len(data)])]
    expected = whole.feed(data, 0) + whole.tick(UNFINISHED_MS * MS)
    got: list[RawCode] = []
    for piece in pieces:
        got += split.feed(piece, 0)
    assert got + split.tick(UNFINISHED_MS * MS) == expected
