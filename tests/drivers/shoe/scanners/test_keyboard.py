"""A scanner that types: input events on a node that is grabbed, to readings of cards."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.contracts import DeviceBusy, DeviceDenied, DeviceError, DeviceLost
from controller.devices.inputs import Doubt
from drivers.code_book import PrintedCode
from drivers.settings.checks import SettingsError
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.scanners.framing import UNFINISHED_MS
from drivers.shoe.scanners.keyboard import KeyboardFraming
from drivers.shoe.scanners.raw_code import RawCode
from drivers.shoe.serial_shoe import SerialShoe
from sim_hw.devices.wire.keyboard import KEYPAD, dropped, event, key, pressed, typed
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import ScannerLine, watching

LEFT_ALT, CAPS_LOCK, RIGHT_SHIFT = 56, 58, 54


def framing(**settings: object) -> KeyboardFraming:
    keys = {"protocol": "keyboard", **settings}
    return KeyboardFraming(ScannerSettings(Path("-"), **keys))  # type: ignore[arg-type]


def shoe(line: ScannerLine) -> SerialShoe:
    return SerialShoe(ScannerSettings(line.link, protocol="keyboard"), PrintedCode())


def test_what_is_typed_is_the_code() -> None:
    assert framing().feed(typed("TH000123I\r]C0THX\r9c-\r"), 0) == [b"TH000123I", b"]C0THX", b"9c-"]


def test_the_keypad_s_digits_and_the_other_shift_are_the_same() -> None:
    digits = b"".join(pressed(KEYPAD[each]) for each in "147")
    capital = key(RIGHT_SHIFT, 1) + pressed(20) + key(RIGHT_SHIFT, 0)
    assert framing().feed(capital + digits + pressed(96), 0) == [b"T147"]


def test_a_key_that_repeats_is_typed_once() -> None:
    held = key(20, 1) + key(20, 2) * 5 + key(20, 0)
    assert framing().feed(held + typed("\r"), 0) == [b"t"]


@pytest.mark.parametrize("code", [LEFT_ALT, CAPS_LOCK, 103, 0x2FF])
def test_a_key_without_a_character_spoils_its_code_alone(code: int) -> None:
    cut = framing()
    said = typed("TH") + pressed(code) + typed("X\r9CE\r")
    assert cut.feed(said, 0) == [Doubt.GARBLED, b"9CE"]


def test_a_code_without_its_enter_is_garbled_once_nothing_more_comes() -> None:
    cut = framing()
    assert cut.feed(typed("THX"), 0) == []
    assert cut.due_ns == UNFINISHED_MS * 1_000_000
    assert cut.tick(UNFINISHED_MS * 1_000_000) == [Doubt.GARBLED]


def test_other_events_are_no_keys() -> None:
    moved = event(2, 0, 5) + event(17, 0, 1)  # a mouse's, a lamp's
    assert framing().feed(moved + typed("THX\r"), 0) == [b"THX"]


def test_events_that_the_kernel_dropped_lose_the_scanner() -> None:
    with pytest.raises(DeviceLost, match="keys that the scanner at - typed were lost"):
        framing().feed(typed("TH") + dropped(), 0)


@given(
    texts=st.lists(st.text("THX09c", min_size=1, max_size=6), max_size=4),
    cuts=st.lists(st.integers(0, 3_000), max_size=6),
)
def test_however_the_events_are_split_the_codes_are_the_same(
    texts: list[str], cuts: list[int]
) -> None:
    data = b"".join(typed(each + "\r") for each in texts)
    edges = [0, *sorted(min(each, len(data)) for each in cuts), len(data)]
    cut, got = framing(), list[RawCode]()
    for start, end in pairwise(edges):
        got += cut.feed(data[start:end], 0)
    assert got == [each.encode() for each in texts]


@pytest.mark.anyio
async def test_cards_come_from_a_scanner_that_types_and_nothing_is_typed_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = with_kernel(monkeypatch, Kernel())
    line = ScannerLine(tmp_path / "event7")
    line.plug()
    line.say(typed("AS004217T\r"))  # before it was ours: it went elsewhere
    async with watching(shoe(line)) as device_events:
        assert kernel.grabbed == 1
        line.say(typed("THX\r9CE\r"))
        assert await device_events.card() == "Th"
        assert await device_events.card() == "9c"
        line.say(dropped())
        with pytest.raises(DeviceLost):
            await device_events.next()
    line.unplug()


@pytest.mark.anyio
async def test_a_scanner_that_is_pulled_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_kernel(monkeypatch, Kernel())
    line = ScannerLine(tmp_path / "event7")
    line.plug()
    async with watching(shoe(line)) as device_events:
        line.unplug()
        with pytest.raises(DeviceLost, match="went away while in use"):
            await device_events.next()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("kernel", "error", "says"),
    [
        (Kernel(held=True), DeviceBusy, "in use by another program"),
        (Kernel(keys=False), DeviceError, "another kind of device"),
    ],
    ids=["grabbed by another program", "a mouse"],
)
async def test_what_cannot_be_had_alone_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kernel: Kernel, error: type, says: str
) -> None:
    with_kernel(monkeypatch, kernel)
    line = ScannerLine(tmp_path / "event7")
    line.plug()
    device = shoe(line)
    with pytest.raises(error, match=says):
        await device.open()
    await device.close()
    line.unplug()


@pytest.mark.anyio
async def test_a_node_that_is_not_there_or_not_ours_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = shoe(ScannerLine(tmp_path / "event7"))
    with pytest.raises(DeviceError, match="is not there: plug it in"):
        await absent.open()
    file = tmp_path / "file"
    file.touch()
    plain = SerialShoe(ScannerSettings(file, protocol="keyboard"), PrintedCode())
    with pytest.raises(DeviceError, match="another kind of device"):
        await plain.open()

    def denied(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", denied)
    with pytest.raises(DeviceDenied, match="udev rule"):
        await plain.open()


@pytest.mark.parametrize(
    ("keys", "wrong"),
    [
        ({"baud": 115_200}, "baud: it is no serial line"),
        ({"parity": "odd"}, "parity: it is no serial line"),
        ({"terminator": "lf"}, 'terminator: its Enter key is "cr"'),
        ({"setup": ("SCNMOD2",)}, "setup: only a Newland takes it"),
    ],
)
def test_settings_that_it_does_not_have_are_refused(keys: dict[str, object], wrong: str) -> None:
    with pytest.raises(SettingsError, match=wrong):
        framing(**keys)
