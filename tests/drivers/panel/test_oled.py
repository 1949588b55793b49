"""The small OLED display: which pixels shine, by the commands of its data sheet."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Literal

import pytest

from controller.devices.contracts import DeviceBusy, DeviceLost
from controller.devices.scene import Scene
from drivers.panel.displays import oled, oled_chips
from drivers.panel.displays.oled import OledDisplay
from drivers.panel.displays.oled_chips import switch_off
from drivers.settings.checks import SettingsError
from drivers.settings.displays import OledSettings
from sim_hw.devices.wire.i2c import I2cBus
from sim_hw.devices.wire.oled import OledGlass
from sim_hw.devices.wire.sh1106 import Sh1106Glass
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import WatchedLock, picture, showing, until

pytestmark = pytest.mark.anyio
Glass = OledGlass | Sh1106Glass


def saying(headline: str) -> Scene:
    plain = picture(())
    dealer = replace(plain.dealer, headline=headline)
    return Scene((), plain.sound, lambda: (dealer, plain.players))


@pytest.fixture(params=[(OledGlass, 64), (OledGlass, 32), (Sh1106Glass, 64)])
def glass(request: pytest.FixtureRequest) -> Glass:
    kind, height = request.param
    made: Glass = kind(height)
    return made


@pytest.fixture
def bus(glass: Glass, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> I2cBus:
    (tmp_path / "i2c-1").touch()
    made = I2cBus({0x3C: glass})
    with_kernel(monkeypatch, Kernel(bus=made))
    return made


@pytest.fixture
def settings(bus: I2cBus, glass: Glass, tmp_path: Path) -> OledSettings:
    chip = "sh1106" if isinstance(glass, Sh1106Glass) else "ssd1306"
    return OledSettings(str(tmp_path / "i2c-1"), height=glass.height, chip=chip)  # type: ignore[arg-type]


def shape(lit: list[list[bool]]) -> list[str]:
    return ["".join(".#"[each] for each in row) for row in lit]


def is_large_in_the_middle(lit: list[list[bool]]) -> bool:
    """Whether what is written takes a quarter of the height, and as much is dark above as below."""
    height, rows = len(lit), [at for at, row in enumerate(lit) if any(row)]
    return bool(rows) and rows[-1] - rows[0] > height / 4 and abs(rows[0] + rows[-1] - height) < 12


async def test_the_dealer_reads_the_sentence_and_an_empty_display_is_dark(
    glass: Glass, settings: OledSettings
) -> None:
    async with showing(device := OledDisplay(settings)):
        assert (glass.on, glass.pumped, glass.upright) == (True, True, True)
        assert not any(map(any, glass.lit))
        device.show(saying("Box 3: hit or stand?"))
        await until(lambda: any(map(any, glass.lit)))
        first = shape(glass.lit)
        device.show(saying("Hit"))
        await until(lambda: shape(glass.lit) != first)
        # A picture comes piece by piece.
        await until(lambda: is_large_in_the_middle(glass.lit))
    assert not any(map(any, glass.lit))


async def test_letters_stand_upright_from_left_to_right(
    glass: Glass, settings: OledSettings
) -> None:
    async with showing(device := OledDisplay(settings)):
        device.show(saying("L"))

        def stands_upright() -> bool:
            rows = [row for row in glass.lit if any(row)]
            left = min((row.index(True) for row in rows), default=0)
            stem_is_left = all(any(row[left : left + 2]) for row in rows)
            return bool(rows) and stem_is_left and sum(rows[-1]) > 2 * sum(rows[0])

        await until(stands_upright)  # a picture comes piece by piece, the foot of a letter last


async def test_a_display_that_lost_its_power_is_set_up_and_sent_again(
    glass: Glass, settings: OledSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oled, "AGAIN_NS", 20_000_000)
    async with showing(device := OledDisplay(settings)):
        device.show(saying("Hit"))
        await until(lambda: is_large_in_the_middle(glass.lit))
        glass.power_up()
        await until(lambda: is_large_in_the_middle(glass.lit))
        assert glass.switched_off == 0, "sent again each few seconds it would blink"


async def test_a_display_that_lost_its_power_is_set_up_again_while_much_is_shown(
    glass: Glass, settings: OledSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oled, "AGAIN_NS", 200_000_000)
    async with showing(device := OledDisplay(settings)):
        device.show(saying("No more bets"))
        await until(lambda: any(map(any, glass.lit)))
        glass.power_up()

        def is_on() -> bool:
            device.show(saying("No more bets"))  # each time it is looked at: every 2 ms
            return glass.on

        await until(is_on)


async def test_it_never_shows_what_its_memory_holds_at_first(
    glass: Glass, settings: OledSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A memory that has just got its power holds anything: it is written before it is lit."""
    monkeypatch.setattr(oled, "AGAIN_NS", 20_000_000)
    lit: list[bool] = []
    heard = glass.write

    def write(data: bytes) -> None:
        heard(data)
        lit.append(any(map(any, glass.lit)))

    glass.full_of_noise()
    monkeypatch.setattr(glass, "write", write)
    async with showing(OledDisplay(settings)):
        assert not any(lit)
        glass.power_up()
        glass.full_of_noise()
        await until(lambda: glass.on)
    assert not any(lit)


async def test_it_hangs_the_other_way_and_is_as_bright_as_it_may(
    glass: Glass, settings: OledSettings
) -> None:
    async with showing(OledDisplay(replace(settings, turned=True, brightness=9))):
        assert not glass.upright
        assert glass.contrast == 9


async def test_it_shares_its_bus_and_not_its_address(
    bus: I2cBus, glass: Glass, settings: OledSettings
) -> None:
    async with showing(OledDisplay(settings)):
        second = OledDisplay(settings)
        with pytest.raises(DeviceBusy, match=r"a chip of \[oled\]"):
            await second.open()
        bus.chips[0x3D] = type(glass)(glass.height)
        async with showing(OledDisplay(replace(settings, address=0x3D))):
            pass


async def test_a_display_that_goes_away_is_lost(bus: I2cBus, settings: OledSettings) -> None:
    device = OledDisplay(settings)
    await device.open()
    bus.chips.clear()
    device.show(saying("No more bets"))
    with pytest.raises(DeviceLost, match="does not answer"):
        await device.run()
    with pytest.raises(DeviceLost, match="does not answer"):
        await device.close()
    await device.close()


async def test_the_loop_never_waits_for_a_picture_that_is_being_sent(
    bus: I2cBus, settings: OledSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = WatchedLock()
    monkeypatch.setattr(oled, "threading", SimpleNamespace(Lock=lambda: watched))
    async with showing(OledDisplay(settings)):
        pass
    assert watched.threads
    assert threading.current_thread() not in watched.threads


@pytest.mark.parametrize("text", ["No more bets", "Wednesdayafternoonshoe " * 9, "♥", ""])
async def test_every_text_fits(text: str) -> None:
    for height in (32, 64):
        assert len(oled.picture(text, height)) == 128 * height // 8


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"bus": "i2c-1"}, "bus: name the bus's node"),
        ({"address": 0x40}, "address: such a display has 0x3c or 0x3d"),
        ({"brightness": 0}, "brightness is 0"),
    ],
)
async def test_settings_that_cannot_be(keys: dict[str, object], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        OledSettings(**keys)  # type: ignore[arg-type]


@pytest.mark.parametrize("height", [32, 64])
async def test_a_picture_stands_at_the_same_place_on_either_chip(height: Literal[32, 64]) -> None:
    sent = oled.picture("Box 3: hit or stand?", height)
    lit = []
    for chip, made in (("ssd1306", OledGlass(height)), ("sh1106", Sh1106Glass(height))):
        of_it = OledSettings(height=height, chip=chip)  # type: ignore[arg-type]
        for each in (switch_off(of_it), *oled_chips.showing(of_it, sent, whole=True)):
            made.write(each)
        lit.append(made.lit)
    assert lit[0] == lit[1]
    assert any(map(any, lit[0]))
