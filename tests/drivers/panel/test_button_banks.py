"""Buttons that are a USB device's keys, or on a chip of an I2C bus."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from controller.devices.contracts import DeviceError, DeviceLost
from controller.devices.inputs import Button, Press
from controller.rules.cards import Pack
from drivers.door import built_in
from drivers.driver import DriverContext
from drivers.io.i2c import I2cChip
from drivers.panel.buttons import Buttons
from drivers.settings.checks import SettingsError
from drivers.settings.i2c import I2cButtonSettings
from drivers.settings.keypad import KEYS, KeypadSettings
from sim_hw.devices.wire.i2c import I2cBus, Mcp23017, OtherChip
from sim_hw.devices.wire.keyboard import KEYPAD, dropped, key, pressed
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import EventCollector, ScannerLine, watching

pytestmark = pytest.mark.anyio
KP_ENTER, KP_PLUS, KP_0 = 96, 78, 82


def made(section: str, settings: object, folder: Path) -> Buttons:
    """The device as a table makes it."""
    device = built_in(section).make(settings, DriverContext(folder, Pack(1, 0), 7)).device
    assert isinstance(device, Buttons)
    return device


async def press(events: EventCollector, source: str) -> Button:
    press = await events.next()
    assert isinstance(press, Press)
    assert press.source == source
    return press.button


async def test_a_chip_is_set_up_without_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = I2cBus({0x20: Mcp23017()})
    with_kernel(monkeypatch, Kernel(bus=bus))
    (tmp_path / "i2c-1").touch()
    threads = set[threading.Thread]()
    write = I2cChip.write

    def watched(chip: I2cChip, data: bytes) -> None:
        threads.add(threading.current_thread())
        write(chip, data)

    monkeypatch.setattr(I2cChip, "write", watched)
    settings = I2cButtonSettings(bus=str(tmp_path / "i2c-1"), next=0)
    async with watching(made("i2c_buttons", settings, tmp_path)):
        pass
    assert threads
    assert threading.current_thread() not in threads


async def test_keys_mean_what_the_configuration_says_and_type_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = with_kernel(monkeypatch, Kernel())
    line = ScannerLine(tmp_path / "event3")
    line.plug()
    settings = KeypadSettings(str(line.link), next="KPENTER", stand="KP0", hit="KPPLUS")
    async with watching(made("keypad", settings, tmp_path)) as events:
        assert kernel.grabbed == 1
        line.say(pressed(KP_ENTER))
        assert await press(events, "keypad") is Button.NEXT
        line.say(pressed(KEYPAD["7"]) + pressed(KP_0))  # another key means nothing
        assert await press(events, "keypad") is Button.STAND
        line.say(key(KP_PLUS, 1) + key(KP_PLUS, 2) * 20 + key(KP_PLUS, 0))
        assert await press(events, "keypad") is Button.HIT
        line.say(dropped())
        with pytest.raises(DeviceLost, match="press them again"):
            await events.next()
    line.unplug()


async def test_keys_that_go_down_together_are_a_hand_that_leant_on_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_kernel(monkeypatch, Kernel())
    line = ScannerLine(tmp_path / "event3")
    line.plug()
    settings = KeypadSettings(str(line.link), next="KPENTER", stand="KP0", debounce_ms=20)
    async with watching(made("keypad", settings, tmp_path)) as events:
        line.say(key(KP_ENTER, 1) + key(KP_0, 1) + key(KP_ENTER, 0) + key(KP_0, 0))
        line.say(key(KP_0, 1))
        assert await press(events, "keypad") is Button.STAND
    line.unplug()


async def test_a_key_that_was_down_when_the_service_started_was_not_pressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_kernel(monkeypatch, Kernel(down=(KP_ENTER, 30)))
    line = ScannerLine(tmp_path / "event3")
    line.plug()
    settings = KeypadSettings(str(line.link), next="KPENTER", stand="KP0")
    async with watching(made("pedal", settings, tmp_path)) as events:
        line.say(key(KP_ENTER, 0) + pressed(KP_0))
        assert await press(events, "pedal") is Button.STAND
    line.unplug()


async def test_a_key_that_stays_down_is_stuck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_kernel(monkeypatch, Kernel())
    line = ScannerLine(tmp_path / "event3")
    line.plug()
    settings = KeypadSettings(str(line.link), next="KPENTER", stuck_s=1)
    async with watching(made("keypad", settings, tmp_path)) as events:
        line.say(key(KP_ENTER, 1))
        assert await press(events, "keypad") is Button.NEXT
        with pytest.raises(DeviceError, match="the next button stays pressed"):
            await events.next()
    line.unplug()


async def test_a_keypad_that_is_pulled_while_a_key_is_down_is_lost_and_its_press_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_kernel(monkeypatch, Kernel())
    line = ScannerLine(tmp_path / "event3")
    line.plug()
    settings = KeypadSettings(str(line.link), next="KPENTER")
    device = made("keypad", settings, tmp_path)
    async with watching(device) as events:
        line.say(key(KP_ENTER, 1))
        assert await press(events, "keypad") is Button.NEXT
        line.unplug()
        with pytest.raises(DeviceLost, match="went away while in use"):
            await events.next()
    line.plug()
    async with watching(device) as events:
        line.say(pressed(KP_ENTER))
        assert await press(events, "keypad") is Button.NEXT
    line.unplug()


async def test_a_keypad_that_is_pulled_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_kernel(monkeypatch, Kernel())
    line = ScannerLine(tmp_path / "event3")
    line.plug()
    settings = KeypadSettings(str(line.link), next="KPENTER")
    async with watching(made("keypad", settings, tmp_path)) as events:
        line.unplug()
        with pytest.raises(DeviceLost, match=r"went away while in use .* \[keypad\]"):
            await events.next()


async def test_the_names_of_keys_are_linux_s() -> None:
    some = {"ESC": 1, "BACKSPACE": 14, "ENTER": 28, "A": 30, "KPENTER": 96, "KP0": 82, "F12": 88}
    assert {name: KEYS[name] for name in some} == some
    assert (KEYS["B"], KEYS["F13"], KEYS["PAGEDOWN"], KEYS["MOUSE_LEFT"]) == (48, 183, 109, 272)
    assert len(set(KEYS.values())) == len(KEYS)


def i2c(folder: Path, **keys: object) -> I2cButtonSettings:
    (folder / "i2c-1").touch()
    usual = {"bus": str(folder / "i2c-1"), "next": 0, "call": 9, "poll_ms": 1, "debounce_ms": 5}
    return I2cButtonSettings(**usual | keys)  # type: ignore[arg-type]


async def test_a_pin_that_is_pulled_low_is_a_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chip = Mcp23017()
    with_kernel(monkeypatch, Kernel(bus=I2cBus({0x20: chip})))
    async with watching(made("i2c_buttons", i2c(tmp_path), tmp_path)) as events:
        for pin, button in ((0, Button.NEXT), (9, Button.CALL), (0, Button.NEXT)):
            chip.pulled_low = {pin}
            assert await press(events, "i2c_buttons") is button
            chip.pulled_low = set()
        assert chip.inputs == set(range(16)) - {7, 15}, "as inputs they may spoil the bus"


async def test_a_chip_that_lost_its_power_or_went_away_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chip = Mcp23017()
    bus = I2cBus({0x20: chip})
    with_kernel(monkeypatch, Kernel(bus=bus))
    device = made("i2c_buttons", i2c(tmp_path), tmp_path)
    async with watching(device) as events:
        chip.power_up()
        with pytest.raises(DeviceError, match="lost its power"):
            await events.next()
    async with watching(device) as events:
        bus.chips.clear()
        with pytest.raises(DeviceLost, match="does not answer"):
            await events.next()
    bus.chips[0x20] = OtherChip()
    with pytest.raises(DeviceError, match="another kind of chip"):
        await device.open()
    await device.close()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: KeypadSettings("/dev/x"), "there is no key: give at least this one"),
        (lambda: KeypadSettings("event3", next="A"), "name its node with the whole path"),
        (lambda: KeypadSettings("/dev/x", next="KEY_A"), "there is no key KEY_A: .*perhaps A"),
        (lambda: KeypadSettings("/dev/x", next="A", hit="A"), "a key stands twice"),
        (lambda: I2cButtonSettings(next=16), "next is 16: choose 0 to 15"),
        (lambda: I2cButtonSettings(next=1, call=7), "pin 7 of an MCP23017 is an output alone"),
        (lambda: I2cButtonSettings(next=15), "pin 15 of an MCP23017 is an output alone"),
        (I2cButtonSettings, "there is no button"),
        (lambda: I2cButtonSettings(next=1, hit=1), "a pin stands twice"),
        (lambda: I2cButtonSettings(next=1, address=0x40), "an MCP23017 has 0x20 to 0x27"),
    ],
)  # fmt: skip
async def test_settings_that_cannot_be(make: object, says: str) -> None:
    assert callable(make)
    with pytest.raises(SettingsError, match=says):
        make()
