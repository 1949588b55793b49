"""SSI scanners: packets with checksums and acknowledgements, on a real pty."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.contracts import DeviceError, DeviceLost
from controller.devices.inputs import Doubt
from controller.rules.messages import message
from drivers.code_book import PrintedCode
from drivers.io.serial_port import SerialPort
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.scanners.raw_code import RawCode
from drivers.shoe.scanners.ssi import AGAIN_MS, BROKEN_MS, SsiFraming
from drivers.shoe.serial_shoe import SerialShoe
from tests.drivers.outside import ScannerLine, watching
from tests.support.patience import PATIENCE_S

MS = 1_000_000
#: As the guide prints it: the host's acknowledgement.
ACK = bytes.fromhex("04d00400ff28")
NAK_RESEND = bytes.fromhex("05d1040001ff25")
CODE_128 = 3


def said(text: str, status: int = 0, kind: int = CODE_128, opcode: int = 0xF3) -> bytes:
    """DECODE_DATA of a scanner, by the guide: length, opcode, source 0, status, type, text, sum."""
    body = [0, opcode, 0, status, kind, *text.encode()]
    body[0] = len(body)
    total = 0x10000 - sum(body)
    return bytes([*body, total >> 8, total & 0xFF])


SPOILT = said("9CE")[:-1] + b"\x00"


def framing(**settings: object) -> SsiFraming:
    return SsiFraming(ScannerSettings(Path("-"), protocol="ssi", **settings))  # type: ignore[arg-type]


def test_a_packet_is_a_code_and_is_acknowledged() -> None:
    cut = framing()
    assert cut.feed(said("THX"), 0) == [b"THX"]
    assert cut.to_send == ACK
    assert cut.due_ns is None


def test_what_is_sent_again_is_the_same_card_and_acknowledged_again() -> None:
    cut = framing()
    assert cut.feed(said("THX"), 0) == [b"THX"]
    assert cut.feed(said("THX", status=1), 300 * MS) == []
    assert cut.to_send == ACK + ACK
    assert cut.feed(said("THX"), 900 * MS) == [b"THX"], "the next card, of the same kind"


def test_a_spoilt_packet_is_asked_for_again_and_taken_once() -> None:
    cut = framing()
    cut.feed(said("THX"), 0)
    assert cut.feed(SPOILT, 500 * MS) == []
    assert cut.to_send == ACK + NAK_RESEND
    assert cut.feed(said("9CE", status=1), 700 * MS) == [b"9CE"]
    assert cut.due_ns is None


def test_after_a_spoilt_packet_the_last_code_sent_again_may_be_either_card() -> None:
    cut = framing()
    cut.feed(said("THX"), 0)
    assert cut.feed(SPOILT, 500 * MS) == []
    assert cut.feed(said("THX", status=1), 700 * MS) == [Doubt.GARBLED]
    assert cut.due_ns is None


def test_a_card_that_the_scanner_gave_up_is_a_doubt_when_the_next_one_comes() -> None:
    cut = framing()
    for at_ns in (0, 2_000 * MS, 4_000 * MS):
        assert cut.feed(SPOILT, at_ns) == []
    assert cut.feed(said("9CE"), 4_500 * MS) == [Doubt.GARBLED, b"9CE"]
    assert cut.due_ns is None


def test_what_a_code_in_several_packets_ends_with_is_no_code() -> None:
    cut = framing()
    assert cut.feed(said("A", status=2), 100 * MS) == [Doubt.TOO_LONG]
    assert cut.feed(said("A", status=3), 200 * MS) == [], "the same part"
    assert cut.feed(said("THX"), 300 * MS) == []
    assert cut.feed(said("THX", status=1), 400 * MS) == []
    assert cut.feed(said("9CE"), 500 * MS) == [b"9CE"], "the next card"


def test_the_end_of_a_code_that_never_comes_costs_no_later_card() -> None:
    cut = framing()
    assert cut.feed(said("A", status=2), 100 * MS) == [Doubt.TOO_LONG]
    assert cut.feed(said("9CE"), (100 + AGAIN_MS) * MS) == [b"9CE"]


def test_a_spoilt_packet_that_never_comes_again_is_a_doubt() -> None:
    cut = framing()
    assert cut.feed(said("THX")[:-1] + b"\x00", 0) == []
    assert cut.due_ns == AGAIN_MS * MS
    assert cut.tick(AGAIN_MS * MS - 1) == []
    assert cut.tick(AGAIN_MS * MS) == [Doubt.GARBLED]
    assert cut.due_ns is None


def test_half_a_packet_does_not_spoil_the_next() -> None:
    cut = framing()
    assert cut.feed(said("THX")[:5], 0) == []
    assert cut.due_ns == BROKEN_MS * MS
    assert cut.feed(said("9CE", status=1), 400 * MS) == [b"9CE"]


@pytest.mark.parametrize(
    ("packet", "comes"),
    [
        (said("X" * 100), [Doubt.TOO_LONG]),
        (said("THX", status=2), [Doubt.TOO_LONG]),
        (said("T\x07X"), [Doubt.GARBLED]),
        (said(""), []),
        (said("THX", opcode=0xF6), []),
        (bytes.fromhex("04d00000ff2c"), []),
    ],
    ids=["long", "continued", "control", "empty", "event", "ack"],
)
def test_what_is_no_code_of_a_card(packet: bytes, comes: list[RawCode]) -> None:
    assert framing().feed(packet, 0) == comes


@pytest.mark.parametrize(("kind", "aim"), [(3, b"]C0THX"), (0x1B, b"]d0THX"), (0x55, b"]?0THX")])
def test_the_kind_of_code_is_held_against_the_allowed_ones(kind: int, aim: bytes) -> None:
    assert framing(aim="required").feed(said("THX", kind=kind), 0) == [aim]


@given(
    texts=st.lists(st.text("T9CX0", min_size=1, max_size=8), max_size=6),
    cuts=st.lists(st.integers(0, 90), max_size=6),
    noise=st.binary(max_size=12),
)
def test_however_the_bytes_are_split_the_codes_are_the_same(
    texts: list[str], cuts: list[int], noise: bytes
) -> None:
    data = b"".join(map(said, texts)) + noise
    whole, split = framing(), framing()
    expected = whole.feed(data, 0)
    edges = [0, *sorted(min(each, len(data)) for each in cuts), len(data)]
    got: list[RawCode] = []
    for start, end in pairwise(edges):
        got += split.feed(data[start:end], 0)
    if noise == b"":
        assert got == expected == [each.encode() for each in texts]
    assert not any(isinstance(each, bytes) and each not in map(str.encode, texts) for each in got)


#: A NAK of the scanner: denied.
DENIED = bytes.fromhex("05d1000006ff24")


class SsiFarEnd:
    """A scanner at the far end of the line: it answers the greeting, and waits for each answer."""

    before_it_is_enabled = b""

    def __init__(self, line: ScannerLine, *, speaks: bool = True) -> None:
        self._line = line
        self._speaks = speaks
        self._came = b""
        self.heard = b""

    async def run(self) -> None:
        while True:
            self.hear()
            await asyncio.sleep(0.005)

    def hear(self) -> None:
        """It is enabled when it is told to, and has no parameter that it is told to set."""
        self._came += self._line.heard()
        while self._came and len(self._came) >= self._came[0] + 2:
            size = self._came[0] + 2
            packet, self._came = self._came[:size], self._came[size:]
            if self._speaks and packet[1] == 0xE9:
                self._line.say(self.before_it_is_enabled + bytes.fromhex("04d00000ff2c"))
            elif self._speaks and packet[1] == 0xC6:
                self._line.say(DENIED)
            else:
                self.heard += packet

    async def until_heard(self, answer: bytes) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while answer not in self.heard:  # noqa: ASYNC110  (a line has no event)
                await asyncio.sleep(0.005)


@asynccontextmanager
async def scanner(line: ScannerLine, *, speaks: bool = True) -> AsyncIterator[SsiFarEnd]:
    line.plug()
    far = SsiFarEnd(line, speaks=speaks)
    task = asyncio.create_task(far.run())
    try:
        yield far
    finally:
        task.cancel()
        await asyncio.wait([task])
        line.unplug()


def shoe(line: ScannerLine) -> SerialShoe:
    return SerialShoe(ScannerSettings(line.link, protocol="ssi"), PrintedCode())


@pytest.mark.anyio
async def test_cards_come_from_an_ssi_scanner_and_each_is_acknowledged(tmp_path: Path) -> None:
    line = ScannerLine(tmp_path / "scanner")
    async with scanner(line) as far, watching(shoe(line)) as events:
        line.say(said("THX"))
        assert await events.card() == "Th"
        await far.until_heard(ACK)
        line.say(said("THX", status=1))  # the acknowledgement was lost on the way
        line.say(said("9CE"))
        assert await events.card() == "9c"
        await far.until_heard(ACK * 3)


class ReadsEarly(SsiFarEnd):
    """A scanner that reads a card before it answers the greeting."""

    before_it_is_enabled = said("THX")


@pytest.mark.anyio
async def test_a_card_read_during_the_greeting_is_acknowledged_and_never_delivered(
    tmp_path: Path,
) -> None:
    line = ScannerLine(tmp_path / "scanner")
    line.plug()
    far = ReadsEarly(line)
    task = asyncio.create_task(far.run())
    async with watching(shoe(line)) as events:
        await far.until_heard(ACK)
        line.say(said("THX", status=1))  # the acknowledgement was lost on the way
        line.say(said("9CE"))
        assert await events.card() == "9c"
        await far.until_heard(ACK * 3)
    task.cancel()
    await asyncio.wait([task])
    line.unplug()


class OneWayPort(SerialPort):
    """A line that is lost when an acknowledgement is written."""

    def write(self, data: bytes) -> None:
        if data == ACK:
            raise DeviceLost(message("port-lost", port="-"))
        super().write(data)


@pytest.mark.anyio
async def test_a_line_that_takes_no_acknowledgement_ends_after_the_cards_that_came(
    tmp_path: Path,
) -> None:
    line = ScannerLine(tmp_path / "scanner")
    settings = ScannerSettings(line.link, protocol="ssi")
    device = SerialShoe(settings, PrintedCode(), port=OneWayPort(settings))
    async with scanner(line), watching(device) as events:
        line.say(said("THX"))
        assert await events.card() == "Th"
        with pytest.raises(DeviceLost):
            await events.next()


@pytest.mark.anyio
async def test_a_scanner_that_speaks_something_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.shoe.scanners.set_up.ANSWERS_S", 0.05)
    line = ScannerLine(tmp_path / "scanner")
    async with scanner(line, speaks=False):
        device = shoe(line)
        with pytest.raises(DeviceError, match="does not answer as one of protocol ssi"):
            await device.open()
        await device.close()
