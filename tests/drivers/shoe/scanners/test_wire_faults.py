"""What a broken scanner, cable or adapter puts on the wire, for every protocol: a doubt or a typed
error, never another card, and the next card is read without a restart.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.devices.contracts import DeviceError, DeviceLost
from controller.devices.inputs import Doubt, Reading, Repeats
from drivers.code_book import PrintedCode
from drivers.settings.scanner import Protocol, ScannerSettings
from drivers.shoe.scanners import set_up
from drivers.shoe.scanners.protocols import framing_of
from drivers.shoe.scanners.ssi import CMD_ACK, packet
from drivers.shoe.serial_shoe import SerialShoe
from sim_hw.devices.scanner import PROTOCOLS, Speech
from sim_hw.devices.wire.gm65 import Gm65
from sim_hw.devices.wire.hid_pos import DESCRIPTOR
from sim_hw.devices.wire.keyboard import pressed, typed
from sim_hw.devices.wire.newland import Newland
from sim_hw.devices.wire.ssi import NAK, SsiScanner, ssi_packet
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import EventCollector, ScannerLine, until, watching
from tests.drivers.shoe.scanners.test_set_up import LineListener, at_the_line

pytestmark = pytest.mark.anyio
FLOOD_BYTES = 100_000
PART_BYTES = 2_048
TEN, ACE = b"TH000123I", b"AS004217T"
_RESEND = b"\x01"
#: Where text is what is said, whatever else is.
TEXT = b"\x00\xff~#\x80garbage"
GARBAGE: dict[str, bytes] = {
    "ssi": b"\xf3\x04\x00\x00" + bytes(range(200, 256)),
    "keyboard": pressed(183) + pressed(58) + typed("zz"),
    "hid-pos": bytes((2, 200, *range(62))) + bytes((7, 1, *range(62))),
}


@pytest.fixture(params=list(PROTOCOLS))
def protocol(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Protocol:
    with_kernel(monkeypatch, Kernel(descriptor=DESCRIPTOR))
    found: Protocol = request.param
    return found


def shoe(line: ScannerLine, protocol: Protocol) -> SerialShoe:
    return SerialShoe(ScannerSettings(line.link, protocol=protocol), PrintedCode())


@asynccontextmanager
async def reading(
    tmp_path: Path, protocol: Protocol
) -> AsyncIterator[tuple[ScannerLine, Speech, EventCollector]]:
    """A scanner of that kind, plugged in, and its driver, open."""
    line, speech = ScannerLine(tmp_path / "scanner"), PROTOCOLS[protocol]()
    async with at_the_line(line, speech):
        device = shoe(line, protocol)
        await device.open()
        events = EventCollector(device)
        try:
            yield line, speech, events
        finally:
            await events.close()
            await device.close()


async def flood(line: ScannerLine, data: bytes, part_bytes: int = PART_BYTES) -> None:
    """Say all of it, as fast as it is taken, in parts of so many bytes."""
    while data:
        await until(lambda: line.unread == 0)
        data = data[line.say_some(data[:part_bytes]) :]


async def doubt(events: EventCollector) -> None:
    """The next thing that is told is that there was something, and no card."""
    event = await events.next_event()
    assert isinstance(event, Reading)
    assert event.card is None
    assert event.doubt is not None


async def first_card(events: EventCollector) -> tuple[str, int]:
    """The next card that is told, and how much else was before it: no card that was not there."""
    others = 0
    while True:
        event = await events.next_event()
        if isinstance(event, Repeats):
            others += event.count
            continue
        assert isinstance(event, Reading)
        if event.card is None:
            others += 1
            continue
        kind = event.card.open()
        assert kind is not None
        return kind.code, others


async def test_garbage_between_codes_costs_a_doubt_at_most_and_no_card_after_it(
    protocol: Protocol, tmp_path: Path
) -> None:
    async with reading(tmp_path, protocol) as (line, speech, events):
        line.say(speech.says(TEN))
        assert await first_card(events) == ("Th", 0)
        line.say(GARBAGE.get(protocol, TEXT))
        await doubt(events)
        line.say(speech.says(ACE))
        assert (await first_card(events))[0] == "As"


@pytest.mark.parametrize(
    "protocol", ["plain", "ssi", "gm65", "newland", "datalogic"], indirect=True
)
async def test_a_flood_without_an_end_is_some_doubts_and_the_cards_after_it_are_right(
    protocol: Protocol, tmp_path: Path
) -> None:
    async with reading(tmp_path, protocol) as (line, speech, events):
        await flood(line, b"\xff\xf3" * (FLOOD_BYTES // 2))
        await doubt(events)
        line.say(speech.says(TEN))  # what ends the flood may be its end
        await until(lambda: line.unread == 0)
        line.say(speech.says(ACE))
        code, others = await first_card(events)
        if code == "Th":
            code, more = await first_card(events)
            others += more
        assert code == "As"
        assert others < 200


@pytest.mark.parametrize("protocol", ["keyboard", "hid-pos"], indirect=True)
async def test_events_and_reports_without_an_end_are_a_few_doubts_and_then_a_code(
    protocol: Protocol,
) -> None:
    """Of these the kernel hands on whole ones: what is cut at a pty is never cut there."""
    framing = framing_of(ScannerSettings(Path("-"), protocol=protocol))
    flood = typed("7") if protocol == "keyboard" else bytes((2, 56, *61 * b"A", 1))
    codes = framing.feed(flood * (FLOOD_BYTES // len(flood)), 0)
    codes += framing.tick(60_000_000_000)
    assert 0 < len(codes) < 4
    assert all(isinstance(each, Doubt) for each in codes)
    assert framing.feed(PROTOCOLS[protocol]().says(ACE), 60_000_000_001) == [ACE]


async def test_half_a_code_and_the_plug_pulled_is_a_lost_scanner_and_no_half_of_the_next(
    protocol: Protocol, tmp_path: Path
) -> None:
    line, speech = ScannerLine(tmp_path / "scanner"), PROTOCOLS[protocol]()
    device = shoe(line, protocol)
    async with at_the_line(line, speech):
        await device.open()
        events = EventCollector(device)
        said = speech.says(TEN)
        line.say(said[: len(said) // 2])
        await until(lambda: line.unread == 0)
        line.unplug()
        with pytest.raises(DeviceLost, match=str(line.link)):
            await first_card(events)
        await device.close()
    speech = PROTOCOLS[protocol]()
    async with at_the_line(line, speech):
        await device.open()
        again = EventCollector(device)
        line.say(speech.says(ACE))
        assert await first_card(again) == ("As", 0)
        await again.close()
        await device.close()


# Keys have no such characters: one that has none spoils its code (test_keyboard).
@pytest.mark.parametrize(
    "protocol", [each for each in PROTOCOLS if each != "keyboard"], indirect=True
)
@pytest.mark.parametrize("code", [b"TH\x00000123I", b"\xc3\x84S004217T", b"TH000123\x7f"])
async def test_a_code_with_what_is_in_no_code_is_a_doubt(
    protocol: Protocol, code: bytes, tmp_path: Path
) -> None:
    async with reading(tmp_path, protocol) as (line, speech, events):
        line.say(speech.says(code))
        await doubt(events)
        line.say(speech.says(ACE))
        assert (await first_card(events))[0] == "As"


class Late:
    """A scanner whose answers come when nobody waits for them any longer."""

    def __init__(self, scanner: LineListener) -> None:
        self._scanner = scanner
        self.held_back = b""
        self.in_time = False

    def hears(self, data: bytes) -> bytes:
        answer = self._scanner.hears(data)
        if self.in_time:
            return answer
        self.held_back += answer
        return b""


@pytest.mark.parametrize(
    ("protocol", "made"), [("ssi", SsiScanner), ("gm65", Gm65), ("newland", Newland)]
)
async def test_an_answer_that_comes_too_late_is_an_error_and_none_to_the_next_question(
    protocol: Protocol, made: Callable[[], LineListener], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    line, scanner = ScannerLine(tmp_path / "scanner"), Late(made())
    device = shoe(line, protocol)
    async with at_the_line(line, scanner):
        monkeypatch.setattr(set_up, "ANSWERS_S", 0.2)
        with pytest.raises(DeviceError, match=protocol):
            await device.open()
        monkeypatch.undo()
        await until(lambda: bool(scanner.held_back))
        scanner.in_time = True
        line.say(scanner.held_back)  # while nobody has the line
        await device.open()
        await device.close()


class Refusing(SsiScanner):
    """A scanner that understands nothing, and says so twice."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def hears(self, data: bytes) -> bytes:
        self.asked += bool(data)
        return 2 * ssi_packet(NAK, _RESEND) if data else b""


async def test_a_scanner_that_understands_nothing_is_not_asked_without_end(tmp_path: Path) -> None:
    line, scanner = ScannerLine(tmp_path / "scanner"), Refusing()
    async with at_the_line(line, scanner):
        with pytest.raises(DeviceError, match="SCAN_ENABLE"):
            await shoe(line, "ssi").open()
    assert scanner.asked <= 20


class Listening(SsiScanner):
    """A scanner that keeps what it heard."""

    def __init__(self) -> None:
        super().__init__()
        self.heard = b""

    def hears(self, data: bytes) -> bytes:
        self.heard += data
        return super().hears(data)


async def test_a_storm_of_refusals_is_answered_with_silence_and_costs_no_card(
    tmp_path: Path,
) -> None:
    line, scanner = ScannerLine(tmp_path / "scanner"), Listening()
    async with at_the_line(line, scanner), watching(shoe(line, "ssi")) as events:
        # The last word of the set-up is on its way yet: that to the answer to the last question.
        await until(lambda: scanner.heard.endswith(packet(CMD_ACK)))
        set_up = scanner.heard
        # Parts of whole packets, short enough for a pty to hand on at once: within a packet that is
        # cut a busy machine makes a pause, and a packet with a pause is rightly asked for again.
        refusal = ssi_packet(NAK, _RESEND)
        await flood(line, 1_000 * refusal, part_bytes=25 * len(refusal))
        await until(lambda: line.unread == 0)
        line.say(scanner.says(ACE))
        assert await first_card(events) == ("As", 0)
        await until(lambda: scanner.acknowledged == 1)
        assert scanner.heard == set_up + packet(CMD_ACK), "of all that only the card is answered"
