"""The rig's USB functions: what types and what reports, up to the table's nodes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from drivers.settings.scanner import ScannerSettings
from drivers.shoe.scanners.keyboard import KeyboardFraming
from drivers.shoe.scanners.raw_code import RawCode
from sim_hw.devices.wire.hid_pos import DESCRIPTOR, reports
from sim_hw.devices.wire.usb_keyboard import REPORT_BYTES, USAGES, KeyboardHost, stroke, strokes
from sim_hw.rig import gadget, hid_line
from sim_hw.rig.protocol import RigError
from sim_hw.rig.settings import Hid, load
from tests.hil.rig.rig_client import RigRefused, connected
from tests.hil.stands.simulated import SimulatedRig, simulated_rig
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedRig]:
    with simulated_rig(tmp_path_factory.mktemp("rig")) as made:
        yield made


@contextmanager
def node(rig: SimulatedRig, name: str) -> Iterator[int]:
    """The table's end of one of the rig's lines."""
    fd = os.open(rig.folder / name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        yield fd
    finally:
        os.close(fd)


async def came(fd: int, count: int) -> bytes:
    """So many bytes, once they have come."""
    data = b""
    async with asyncio.timeout(PATIENCE_S):
        while len(data) < count:
            try:
                data += os.read(fd, count - len(data))
            except BlockingIOError:
                await asyncio.sleep(0)
    return data


def codes(events: bytes) -> list[RawCode]:
    """What a scanner that types has said by these events."""
    return KeyboardFraming(ScannerSettings(Path("-"), protocol="keyboard")).feed(events, 0)


@pytest.mark.parametrize("text", ["TH000123I\r", "9c-]\r", "aaAA11\r"])
def test_what_a_keyboard_reports_is_what_the_kernel_has_typed(text: str) -> None:
    said = strokes(text)
    whole = KeyboardHost()(said)
    assert codes(whole) == [text[:-1].encode()]
    host = KeyboardHost()
    assert b"".join(host(said[at : at + 5]) for at in range(0, len(said), 5)) == whole


async def test_a_code_that_is_typed_and_one_that_is_reported_come_to_the_tables_nodes(
    rig: SimulatedRig,
) -> None:
    typed, reported = strokes("TH000123I\r"), reports(b"TH000123I")
    events = KeyboardHost()(typed)
    async with connected("127.0.0.1", rig.port) as client:
        assert client.lines["keys"].kind == client.lines["reports"].kind == "hid"
        with node(rig, "keys") as keys, node(rig, "reports") as hid:
            await client.do("say", "keys", typed.hex())
            assert codes(await came(keys, len(events))) == [b"TH000123I"]
            await client.do("say", "reports", reported.hex())
            assert await came(hid, len(reported)) == reported


async def test_half_a_report_is_refused(rig: SimulatedRig) -> None:
    async with connected("127.0.0.1", rig.port) as client:
        with pytest.raises(RigRefused, match="a report has 8 bytes, and 9 are no whole"):
            await client.do("say", "keys", bytes(9).hex())


def test_what_is_away_or_fetches_nothing_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hid_line, "FULL_S", 0.01)
    line = hid_line.HidLine("keys", Hid(tmp_path / "node", REPORT_BYTES))
    with pytest.raises(RigError, match="cannot be opened"):
        line.say(stroke(USAGES["B"]))
    os.mkfifo(tmp_path / "node")
    fd = os.open(tmp_path / "node", os.O_RDWR | os.O_NONBLOCK)
    try:
        with suppress(BlockingIOError):
            while True:
                os.write(fd, bytes(4_096))
        with pytest.raises(RigError, match="16 of 16 bytes were not said: nobody reads it"):
            line.say(stroke(USAGES["B"]))
    finally:
        line.close()
        os.close(fd)


def test_a_gadget_has_the_functions_that_the_example_names(tmp_path: Path) -> None:
    gadget.make(tmp_path, "fe980000.usb")
    made = tmp_path / gadget.NAME
    assert (made / "UDC").read_text() == "fe980000.usb"
    functions = sorted((made / "configs/c.1").iterdir())
    assert [each.name for each in functions] == ["acm.usb0", "hid.usb0", "hid.usb1"]
    example = load(Path(gadget.__file__).parent / "rig.toml")
    for number, name in enumerate(("keys", "reports")):
        assert example.hid[name].device == Path(f"/dev/hidg{number}")
        length = (functions[1 + number] / "report_length").read_text()
        assert int(length) == example.hid[name].report_bytes
    assert (functions[2] / "report_desc").read_bytes() == DESCRIPTOR
    with pytest.raises(FileExistsError):
        gadget.make(tmp_path, "fe980000.usb")


async def test_one_plug_takes_all_functions_away_and_keys_that_were_down_are_up_again(
    rig: SimulatedRig,
) -> None:
    ends = [rig.folder / name for name in ("scanner", "keys", "reports", "deck")]
    held = stroke(USAGES["B"])[:REPORT_BYTES]
    async with connected("127.0.0.1", rig.port) as client:
        await client.do("say", "keys", held.hex())
        for what in ("out", "in"):
            await client.do("plug", "scanner", what)
            async with asyncio.timeout(PATIENCE_S):
                while any(end.exists() is not (what == "in") for end in ends):  # noqa: ASYNC110
                    await asyncio.sleep(0)
        with node(rig, "keys") as keys:
            await client.do("say", "keys", held.hex())
            fresh = KeyboardHost()(held)
            assert await came(keys, len(fresh)) == fresh
