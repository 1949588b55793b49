"""Lights by a DMX interface on USB: what its fixtures are lit with, and what it is asked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceAbsent, DeviceBusy, DeviceError, DeviceLost
from controller.devices.lights import LOOKS
from controller.devices.scene import Light
from drivers.panel.guarded import GuardedOutput
from drivers.panel.lights import dmx
from drivers.panel.lights.dmx import DmxLamps
from drivers.panel.lights.dmx_messages import DmxMessages, packet, request
from drivers.panel.lights.leds import SpotLights
from drivers.settings.checks import SettingsError
from drivers.settings.dmx import DmxSettings
from sim_hw.devices.wire.dmx_usb import DmxUsbPro, message
from tests.drivers.answering import answering
from tests.drivers.outside import ScannerLine, picture, showing, until
from tests.drivers.panel.test_guard import guarding
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
SPOTS = 3


@pytest.fixture
def pro() -> DmxUsbPro:
    return DmxUsbPro()


@pytest.fixture
def line(tmp_path: Path, pro: DmxUsbPro, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScannerLine]:
    monkeypatch.setattr(dmx, "ANSWERS_S", PATIENCE_S)
    made = ScannerLine(tmp_path / "dmx")
    made.plug()
    with answering(made, pro):
        yield made
    made.unplug()


def lights(line: ScannerLine, **keys: object) -> SpotLights:
    return SpotLights(DmxLamps(settings(line, **keys)), "dmx")


def settings(line: ScannerLine, **keys: object) -> DmxSettings:
    return DmxSettings(**{"port": str(line.link), "spots": SPOTS} | keys)  # type: ignore[arg-type]


def slots(*shown: Light, level: int = 255) -> bytes:
    return bytes(level * on for light in shown for on in LOOKS[light].colour).ljust(24, b"\0")


@pytest.mark.parametrize("light", list(Light))
async def test_every_light_is_in_its_slots(line: ScannerLine, pro: DmxUsbPro, light: Light) -> None:
    async with showing(device := lights(line)):
        device.show(picture((light, Light.BET, Light.EMPTY)))
        await until(lambda: pro.lit == slots(light, Light.BET, Light.EMPTY))


async def test_it_is_asked_who_it_is_before_it_begins_dark_and_is_left_dark(
    line: ScannerLine, pro: DmxUsbPro, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, dmx.__name__)
    async with showing(device := lights(line)):
        await until(lambda: pro.lit == bytes(24))
        assert pro.asked == [10, 3, 6]
        device.show(picture((Light.BET,) * SPOTS))
        await until(lambda: pro.lit != bytes(24))
    await until(lambda: pro.lit == bytes(24))
    (said,) = caplog.records
    assert said.getMessage() == (
        "dmx: interface 01234567, firmware 1.44, 40 packets a second (0: as many as fit)"
    )


async def test_a_picture_is_repeated_and_its_output_never_ends(
    line: ScannerLine, pro: DmxUsbPro, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that lost its power for a moment has no picture, and cannot say so."""
    monkeypatch.setattr(DmxLamps, "refresh_ns", 20_000_000)
    monkeypatch.setattr(dmx, "UNANSWERED_MAX", 1_000)
    async with showing(device := lights(line)):
        device.show(picture((Light.BET,) * SPOTS))
        await until(lambda: pro.lit == slots(*(Light.BET,) * SPOTS))
        pro.power_up()
        await until(lambda: pro.lit == slots(*(Light.BET,) * SPOTS))
        await until(lambda: pro.packets >= 3)
        assert pro.asked.count(10) == 1, "it ends the output"
        assert pro.asked.count(3) >= 3


async def test_one_that_answers_no_more_is_lost_and_what_the_line_says_is_no_answer(
    line: ScannerLine, pro: DmxUsbPro, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DmxLamps, "refresh_ns", 20_000_000)
    device = lights(line)
    await device.open()
    pro.silent = True
    line.say(message(5, bytes(514)) + message(10, bytes(4)))
    with pytest.raises(DeviceLost, match="answers no more"):
        await asyncio.wait_for(device.run(), PATIENCE_S)
    pro.silent = False
    pro.power_up()
    await device.close()
    async with showing(device):
        device.show(picture((Light.BET,) * SPOTS))
        await until(lambda: pro.lit == slots(*(Light.BET,) * SPOTS))


@pytest.mark.parametrize("says", [b"", message(5, bytes(514)), message(10, b"\1"), b"OK\r\n" * 9])
async def test_what_is_no_such_interface_is_refused_and_let_go(
    tmp_path: Path, says: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dmx, "ANSWERS_S", 0.05)
    other = ScannerLine(tmp_path / "dmx")
    other.plug()
    device = lights(other)
    opening = asyncio.create_task(device.open())
    await until(lambda: other.heard() == request(10))
    other.say(says)
    with pytest.raises(DeviceError, match=r"as a DMX USB Pro does: correct `port` in \[dmx\]"):
        await opening
    assert other.heard() == b"", "nothing is lit by what is another device's"
    with pytest.raises(DeviceError, match="as a DMX USB Pro does"):  # not: is in use
        await device.open()
    other.unplug()
    with pytest.raises(DeviceAbsent):
        await device.open()


async def test_a_plug_that_is_pulled_is_said_and_another_program_kept_out(
    line: ScannerLine, pro: DmxUsbPro
) -> None:
    async with showing(device := lights(line)):
        with pytest.raises(DeviceBusy):
            await lights(line).open()
    await device.open()
    line.unplug()
    with pytest.raises(DeviceLost, match=r"check its plug, its cable and \[dmx\]"):
        device.show(picture((Light.BET,) * SPOTS))
    with pytest.raises(DeviceLost):
        await device.close()
    await device.close()


@pytest.mark.parametrize(("order", "of_a_white"), [("rgb", (9, 9, 9)), ("drgbw", (9, 9, 9, 9, 0))])
async def test_fixtures_have_their_own_order_place_and_brightness(
    line: ScannerLine, pro: DmxUsbPro, order: str, of_a_white: tuple[int, ...]
) -> None:
    white = next(light for light in Light if all(LOOKS[light].colour))
    async with showing(device := lights(line, order=order, first=31, brightness=9, spots=2)):
        device.show(picture((white, Light.EMPTY)))
        wanted = bytes(30) + bytes(of_a_white) + bytes(len(of_a_white))
        await until(lambda: pro.lit == wanted)


async def test_the_guard_holds_them_like_every_light(
    line: ScannerLine, pro: DmxUsbPro, tmp_path: Path
) -> None:
    async with guarding(tmp_path / "guard", MockFactory(revision="c04170")):
        async with showing(device := GuardedOutput("dmx", settings(line), tmp_path / "guard")):
            device.show(picture((Light.BET,) * SPOTS))
            await until(lambda: pro.lit == slots(*(Light.BET,) * SPOTS))
        await until(lambda: pro.lit == slots(*(Light.HELD,) * SPOTS))


async def test_one_that_is_set_to_send_seldom_is_told_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dmx, "ANSWERS_S", PATIENCE_S)
    slow = ScannerLine(tmp_path / "dmx")
    slow.plug()
    with answering(slow, DmxUsbPro(bytes((0x2C, 1, 9, 1, 2)))):
        async with showing(lights(slow)):
            pass
    slow.unplug()
    assert "is set to 2 packets a second" in caplog.text


def test_messages_come_in_any_pieces_and_noise_before_them_is_passed_over() -> None:
    noise = b"\x00\xe7\x7e\x03\xff\xff\x7e\x7e\x03\x02\x00ab\x00"
    whole = noise + message(3, b"\x7e\xe7abc") + message(10, b"1234") + message(5, bytes(513))
    for size in (1, 7, len(whole)):
        messages = DmxMessages()
        pieces = (whole[at : at + size] for at in range(0, len(whole), size))
        found = [each for piece in pieces for each in messages.of(piece)]
        assert found == [(3, b"\x7e\xe7abc"), (10, b"1234"), (5, bytes(513))]


def test_the_longest_and_the_shortest_packet_are_as_it_takes_them() -> None:
    assert packet(b"\xff") == b"\x7e\x06\x19\x00\x00\xff" + bytes(23) + b"\xe7"
    assert packet(bytes(512))[:5] == b"\x7e\x06\x01\x02\x00"


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"port": "ttyUSB0"}, "port: name its node with the whole path"),
        ({"first": 505, "spots": 3}, "first is 505: choose 1 to 504"),
        ({"brightness": 0}, "brightness is 0"),
        ({"spots": 0}, "spots is 0"),
    ],
)
def test_settings_that_cannot_be(keys: dict[str, object], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        DmxSettings(**{"port": "/dev/dmx"} | keys)  # type: ignore[arg-type]
