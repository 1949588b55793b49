"""Scanners that are set up at opening, read back, and refused where they do not take it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceError
from controller.devices.inputs import Doubt
from drivers.code_book import PrintedCode
from drivers.settings.checks import SettingsError
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings
from drivers.shoe.scanners import protocols
from drivers.shoe.scanners.gm65 import AGAIN_NS, Gm65SetUp, command, crc
from drivers.shoe.serial_shoe import SerialShoe
from sim_hw.devices.wire.gm65 import Gm65, checksum
from sim_hw.devices.wire.newland import Newland
from tests.drivers.outside import ScannerLine, pin, watching

pytestmark = pytest.mark.anyio
LINES = ScannerSettings(Path("-"), protocol="gm65")
BEAM = BeamSettings(5, glitch_ms=1, late_code_ms=20)
#: What a GM65 has no setting for, so that its mode is all that is set.
ENDLESS = ScannerSettings(Path("-"), protocol="gm65", terminator="etx")


class LineListener(Protocol):
    def hears(self, data: bytes) -> bytes: ...


class Deaf:
    """A scanner of another make: it says what it reads, whatever it hears."""

    def hears(self, data: bytes) -> bytes:
        return b"THX\r" if data else b""


class Echo:
    """A line whose far end is looped back."""

    def hears(self, data: bytes) -> bytes:
        return data


@asynccontextmanager
async def at_the_line(line: ScannerLine, scanner: LineListener) -> AsyncIterator[None]:
    line.plug()

    async def run() -> None:
        while True:
            if answer := scanner.hears(line.heard()):
                line.say(answer)
            await asyncio.sleep(0.005)

    task = asyncio.create_task(run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])
        line.unplug()


def shoe(line: ScannerLine, **settings: object) -> SerialShoe:
    return SerialShoe(ScannerSettings(line.link, **settings), PrintedCode())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("body", "sum_"),
    [
        ("0701002a02", "d80f"), ("0802002a3901", "a7ea"), ("0901000000", "dec8"),
        ("070100e201", "7791"), ("000100", "3331"), ("00023901", "c14c"),
    ],
)  # fmt: skip
async def test_checksums_are_those_of_published_exchanges(body: str, sum_: str) -> None:
    assert crc(bytes.fromhex(body)).hex() == checksum(bytes.fromhex(body)).hex() == sum_


async def test_a_gm65_is_put_into_induction_mode_and_keeps_its_lamps_as_they_are(
    tmp_path: Path,
) -> None:
    line, reader = ScannerLine(tmp_path / "scanner"), Gm65()
    async with at_the_line(line, reader), watching(shoe(line, protocol="gm65")) as events:
        assert reader.zones[0] == 0xD7
        line.say(b"THX\r")
        assert await events.card() == "Th"


async def test_a_gm65_that_is_as_it_should_be_is_not_written_to() -> None:
    set_up = Gm65SetUp(LINES)
    assert set_up.to_send == command(7, 0, 1)
    reader = Gm65({0: 0xD7, 0x60: 0x1F})
    set_up.to_send = b""
    set_up.feed(b"THX\r" + reader.hears(command(7, 0, 1)), 0)
    assert set_up.to_send == command(7, 0x60, 1)
    set_up.to_send = b""
    set_up.feed(reader.hears(command(7, 0x60, 1)), 0)
    assert set_up.done
    assert set_up.to_send == b""
    assert reader.zones == {0: 0xD7, 5: 0x0A, 0x13: 0x85, 0x60: 0x1F}


@pytest.mark.parametrize("before", [0x00, 0x1E, 0x60, 0xFF])
@pytest.mark.parametrize("terminator", ["cr", "crlf", "idle"])
async def test_a_gm65_ends_its_codes_as_the_configuration_has_them(
    tmp_path: Path, terminator: str, before: int
) -> None:
    """However somebody left it: in packets, with a tab, with nothing."""
    line, reader = ScannerLine(tmp_path / "scanner"), Gm65({0x60: before})
    device = shoe(line, protocol="gm65", terminator=terminator)
    async with at_the_line(line, reader), watching(device) as events:
        for code, card in ((b"THX", "Th"), (b"9CE", "9c")):
            line.say(reader.says(code))
            assert await events.card() == card
        assert reader.zones[0x60] & 0x1E == before & 0x1E, "prefix and suffix are its labels'"


@pytest.mark.parametrize("terminator", ["lf", "etx"])
async def test_what_a_gm65_has_no_setting_for_is_left_as_its_labels_have_it(
    tmp_path: Path, terminator: str
) -> None:
    line, reader = ScannerLine(tmp_path / "scanner"), Gm65({0x60: 0x0E})
    device = shoe(line, protocol="gm65", terminator=terminator)
    async with at_the_line(line, reader), watching(device):
        assert reader.zones == {0: 0xD7, 5: 0x0A, 0x13: 0x85, 0x60: 0x0E}


async def test_a_gm65_before_a_beam_makes_no_equal_card_wait(
    tmp_path: Path, pins: MockFactory
) -> None:
    """Its labels may have had it pause for a second, and the same code for half of one."""
    line, reader = ScannerLine(tmp_path / "scanner"), Gm65()
    settings = ScannerSettings(line.link, protocol="gm65")
    device = SerialShoe(settings, PrintedCode(), BEAM, pins)
    async with at_the_line(line, reader), watching(device):
        assert reader.zones == {0: 0xD7, 5: 0x01, 0x13: 0x05, 0x60: 0x61 & 0x1E | 0x01}


async def test_a_card_that_a_gm65_reads_on_after_it_has_left_is_not_the_next_one(
    tmp_path: Path, pins: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a delay of the same code it says what lies before it, as long as that lies there."""
    gm65 = protocols._PROTOCOLS["gm65"]
    assert gm65.again_ns == AGAIN_NS
    # However long this machine takes from one code to the next.
    monkeypatch.setitem(protocols._PROTOCOLS, "gm65", gm65._replace(again_ns=60_000_000_000))
    line, reader = ScannerLine(tmp_path / "scanner"), Gm65()
    settings = ScannerSettings(line.link, protocol="gm65")
    beam = BeamSettings(5, glitch_ms=0, late_code_ms=1_000)
    device = SerialShoe(settings, PrintedCode(), beam, pins)
    async with at_the_line(line, reader), watching(device) as events:
        for code, card in ((b"THX\r", "Th"), (b"9CE\r", "9c")):
            line.say(code)
            pin(pins, 5).drive_low()
            pin(pins, 5).drive_high()
            assert await events.card() == card
        line.say(b"9CE\r")
        pin(pins, 5).drive_low()
        pin(pins, 5).drive_high()
        assert (await events.reading()).doubt is Doubt.NO_CODE


@pytest.mark.parametrize(
    ("zone", "says"),
    [(0x05, "does not take 0.1 s between two readings"), (0x13, "not take no delay of the same")],
)
async def test_a_gm65_before_a_beam_that_keeps_its_delays_is_refused(
    tmp_path: Path, pins: MockFactory, zone: int, says: str
) -> None:
    line = ScannerLine(tmp_path / "scanner")
    settings = ScannerSettings(line.link, protocol="gm65")
    device = SerialShoe(settings, PrintedCode(), BEAM, pins)
    async with at_the_line(line, Gm65(stubborn=(zone,))):
        with pytest.raises(DeviceError, match=says):
            await device.open()
        await device.close()


async def test_an_answer_in_pieces_and_a_spoilt_one_before_it_are_the_same() -> None:
    set_up = Gm65SetUp(ENDLESS)
    answer = Gm65({0: 0xD7}).hears(command(7, 0, 1))
    for byte in answer[:-1] + b"\x00" + answer:
        set_up.feed(bytes((byte,)), 0)
    assert set_up.done


@pytest.mark.parametrize(
    ("settings", "scanner", "says"),
    [
        ({"protocol": "gm65"}, Gm65(stubborn=(0,)), "does not take induction mode"),
        ({"protocol": "gm65"}, Gm65(stubborn=(0x60,)), "does not take CR after each code"),
        ({"protocol": "newland", "setup": ("SCNMOD2",)}, Newland(("SCNMOD",)), "not take SCNMOD2"),
        ({"protocol": "newland", "setup": ("NOSUCH1",)}, Newland(), "does not take NOSUCH1"),
    ],
    ids=["gm65", "gm65, its end", "newland forgets", "newland does not know"],
)
async def test_a_scanner_that_does_not_take_its_settings_is_refused(
    tmp_path: Path, settings: dict[str, object], scanner: LineListener, says: str
) -> None:
    line = ScannerLine(tmp_path / "scanner")
    async with at_the_line(line, scanner):
        device = shoe(line, **settings)
        with pytest.raises(DeviceError, match=says):
            await device.open()
        await device.close()


@pytest.mark.parametrize("protocol", ["gm65", "newland", "ssi"])
@pytest.mark.parametrize("other", [Deaf(), Echo()], ids=["speaks otherwise", "echoes"])
async def test_a_scanner_of_another_make_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, protocol: str, other: LineListener
) -> None:
    monkeypatch.setattr("drivers.shoe.scanners.set_up.ANSWERS_S", 0.1)
    line = ScannerLine(tmp_path / "scanner")
    async with at_the_line(line, other):
        device = shoe(line, protocol=protocol)
        with pytest.raises(DeviceError, match=f"does not answer as one of protocol {protocol}"):
            await device.open()
        await device.close()


async def test_a_newland_takes_each_setting_and_is_asked_for_it(tmp_path: Path) -> None:
    line, scanner = ScannerLine(tmp_path / "scanner"), Newland()
    device = shoe(line, protocol="newland", setup=("SCNMOD2", "ILLSCN0"))
    async with at_the_line(line, scanner), watching(device) as events:
        assert scanner.settings == {"SCNMOD": "2", "ILLSCN": "0"}
        line.say(b"9CE\r")
        assert await events.card() == "9c"


async def test_a_newland_without_settings_has_to_answer_what_its_mode_is(tmp_path: Path) -> None:
    line, scanner = ScannerLine(tmp_path / "scanner"), Newland()
    async with at_the_line(line, scanner), watching(shoe(line, protocol="newland")):
        assert scanner.settings["SCNMOD"] == "0"


@pytest.mark.parametrize(
    "each", ["SCN", "scnmod2", "SCNMOD*", "SCNMOD2;SETUPT1", "SCNMOD2\x03", ""]
)
async def test_what_is_no_setting_of_a_newland_is_refused(tmp_path: Path, each: str) -> None:
    with pytest.raises(SettingsError, match="write tag, subtag and value"):
        ScannerSettings(tmp_path, protocol="newland", setup=(each,))
