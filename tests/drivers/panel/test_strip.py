"""A light strip: what its pixels receive, decoded from the bytes on the bus by the data sheets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceAbsent, DeviceBusy, DeviceError
from controller.devices.lights import BLUE, LOOKS, OFF, RED, WHITE
from controller.devices.scene import Light, Sound
from drivers.io import spi
from drivers.panel.guarded import GuardedOutput
from drivers.panel.lights.leds import SpotLights
from drivers.panel.lights.strip import HERTZ, StripLamps, brightness_of, frame
from drivers.settings.checks import SettingsError
from drivers.settings.panel import STRIP_BYTES_MAX, StripSettings
from tests.drivers.outside import picture, showing, until
from tests.drivers.panel.strip_bus import StripBus, decoded
from tests.drivers.panel.test_guard import guarding

pytestmark = pytest.mark.anyio


def strip_of(bus: str, **settings: object) -> StripSettings:
    return StripSettings(bus, spots=3, pixels=2, **settings)  # type: ignore[arg-type]


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StripBus]:
    """A bus whose transfers end here; only its set-up is left out, which a pipe does not have."""
    monkeypatch.setattr(spi, "set_up", lambda descriptor, hertz: None)
    path = tmp_path / "spidev0.0"
    far = StripBus(path)
    yield far
    far.close()


def spots(bus: StripBus, channels: int = 3) -> list[set[tuple[int, ...]]]:
    """What the pixels of each spot show, as (green, red, blue)."""
    pixels = decoded(bus.look(), channels)
    return [set(pixels[at : at + 2]) for at in range(0, len(pixels), 2)]


def grb(light: Light, level: int = 96) -> tuple[int, ...]:
    red, green, blue = LOOKS[light].colour
    return (level * green, level * red, level * blue)


def lights(bus: StripBus) -> SpotLights:
    return SpotLights(StripLamps(strip_of(str(bus.path))), "strip")


@pytest.mark.parametrize("light", list(Light))
async def test_every_light_is_on_the_wire_in_its_colour_before_show_returns(
    bus: StripBus, light: Light
) -> None:
    async with showing(device := lights(bus)):
        device.show(picture((light, Light.BET, Light.EMPTY)))
        assert spots(bus) == [{grb(light)}, {grb(Light.BET)}, {(0, 0, 0)}]


async def test_opening_and_closing_leave_it_dark(bus: StripBus) -> None:
    device = lights(bus)
    await device.open()
    assert spots(bus) == [{(0, 0, 0)}] * 3
    device.show(picture((Light.BET,) * 3))
    assert spots(bus) == [{grb(Light.BET)}] * 3
    await device.close()
    assert spots(bus) == [{(0, 0, 0)}] * 3


async def test_what_other_settings_lit_behind_it_goes_out(bus: StripBus) -> None:
    """A strip that is longer than its settings say, or was."""
    await (device := lights(bus)).open()
    bus.look()
    behind = decoded(bus.transfers[0], 3)
    assert set(behind) == {(0, 0, 0)}
    assert len(behind) == STRIP_BYTES_MAX // 12 > 300
    assert len(bus.transfers[0]) <= spi.TRANSFER_BYTES
    await device.close()


async def test_the_same_picture_is_sent_once_and_a_camera_finds_it_dark(bus: StripBus) -> None:
    device = lights(bus)
    await device.open()
    device.show(picture((Light.BET,) * 3))
    bus.look()
    sent = len(bus.transfers)
    device.show(picture((Light.BET,) * 3, Sound.HELD))
    device.darken(True)
    device.darken(True)
    assert spots(bus) == [{(0, 0, 0)}] * 3
    assert len(bus.transfers) == sent + 1
    device.darken(False)
    assert spots(bus) == [{grb(Light.BET)}] * 3
    await device.close()


async def test_a_strip_that_lost_its_power_gets_its_picture_again(
    bus: StripBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StripLamps, "refresh_ns", 10_000_000)
    async with showing(device := lights(bus)):
        device.show(picture((Light.BET,) * 3))
        bus.look()
        sent = len(bus.transfers)
        await until(lambda: bool(bus.look()) and len(bus.transfers) > sent + 1)
        assert spots(bus) == [{grb(Light.BET)}] * 3


async def test_the_guard_holds_a_strip_like_every_light(bus: StripBus, tmp_path: Path) -> None:
    settings = strip_of(str(bus.path))
    async with guarding(tmp_path / "guard", MockFactory(revision="c04170")):
        device = GuardedOutput("strip", settings, tmp_path / "guard")
        async with showing(device):
            device.show(picture((Light.BET, Light.EMPTY, Light.EMPTY)))
            await until(lambda: spots(bus)[0] == {grb(Light.BET)})
        await until(lambda: spots(bus) == [{grb(Light.HELD)}] * 3)


def test_one_program_has_the_bus(bus: StripBus) -> None:
    first, second = (StripLamps(strip_of(str(bus.path))) for _ in range(2))
    first.open()
    with pytest.raises(DeviceBusy), second.errors():
        second.open()
    second.close()
    first.close()


@pytest.mark.parametrize(("path", "kind"), [("none", DeviceAbsent), ("file", DeviceError)])
def test_what_is_no_bus_is_said(path: str, kind: type[DeviceError], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    bus = spi.SpiBus(str(tmp_path / path), HERTZ)
    with pytest.raises(kind), bus.errors():
        bus.open()
    bus.close()


def test_white_pixels_leave_their_white_dark() -> None:
    settings = StripSettings(spots=1, pixels=1, order="grbw", brightness=255)
    assert decoded(frame(settings, [WHITE]), 4) == [(255, 255, 255, 0)]
    assert decoded(frame(StripSettings(spots=2, pixels=1, order="rgb"), [RED, BLUE]), 3) == [
        (96, 0, 0), (0, 0, 96),
    ]  # fmt: skip


@pytest.mark.parametrize("spots", [1, 7, 10, 12])
def test_it_never_takes_more_current_than_it_may(spots: int) -> None:
    settings = StripSettings(spots=spots, pixels=8, brightness=255, max_ma=1_000)
    level = brightness_of(settings, [WHITE] * spots)
    takes_ma = spots * 8 * (1 + 3 * 20 * level / 255)
    assert takes_ma <= 1_000
    assert brightness_of(settings, [OFF] * spots) == 255
    assert brightness_of(settings, [RED] + [OFF] * (spots - 1)) == 255


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"device": "spidev0.0"}, "name the bus's node"),
        ({"spots": 13}, "choose 1 to 12"),
        ({"spots": 12, "pixels": 27}, "choose 1 to 26"),
        ({"brightness": 0}, "choose 1 to 255"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, object], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        StripSettings(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("order", ["grb", "rgb", "grbw"])
def test_the_longest_strip_fits_one_transfer(order: str) -> None:
    most = 26 if len(order) == 3 else 20
    settings = StripSettings(spots=12, pixels=most, order=order)  # type: ignore[arg-type]
    assert len(frame(settings, [WHITE] * 12)) <= spi.TRANSFER_BYTES
