"""Lights over streaming ACN: the packets on a socket, read by the standard."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceBusy, DeviceLost
from controller.devices.lights import LOOKS
from controller.devices.scene import Light
from drivers.panel.guarded import GuardedOutput
from drivers.panel.lights import sacn
from drivers.panel.lights.leds import SpotLights
from drivers.panel.lights.sacn import SacnLamps
from drivers.settings.checks import SettingsError
from drivers.settings.sacn import SacnSettings
from tests.drivers.outside import picture, showing, until
from tests.drivers.panel.sacn_fixtures import Fixtures, listening
from tests.drivers.panel.test_guard import guarding

pytestmark = pytest.mark.anyio
UNIVERSE = 1_207


@pytest.fixture
def fixtures(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fixtures]:
    with listening(monkeypatch) as at:
        monkeypatch.setattr(sacn, "FROM_PORT", 0 - UNIVERSE)  # any free one
        yield at


def settings(**keys: object) -> SacnSettings:
    return SacnSettings(**{"universe": UNIVERSE, "host": "127.0.0.1", "spots": 3} | keys)  # type: ignore[arg-type]


def lights(**keys: object) -> SpotLights:
    return SpotLights(SacnLamps(settings(**keys)), "sacn")


def slots(*shown: Light, level: int = 255) -> bytes:
    return bytes(level * on for light in shown for on in LOOKS[light].colour)


@pytest.mark.parametrize("light", list(Light))
async def test_every_light_is_in_its_slots_before_show_returns(
    fixtures: Fixtures, light: Light
) -> None:
    async with showing(device := lights(priority=140)):
        device.show(picture((light, Light.BET, Light.EMPTY)))
        packet = fixtures.look()
        assert packet.slots == slots(light, Light.BET, Light.EMPTY)
        assert (packet.universe, packet.priority, packet.ended) == (UNIVERSE, 140, False)


async def test_it_begins_dark_and_says_three_times_that_it_ends(fixtures: Fixtures) -> None:
    async with showing(device := lights()):
        assert fixtures.slots == bytes(9)
        device.show(picture((Light.BET,) * 3))
    fixtures.look()
    assert [each.ended for each in fixtures.packets[-4:]] == [False, True, True, True]
    assert all(each.slots == bytes(9) for each in fixtures.packets[-4:])
    numbers = [each.number for each in fixtures.packets]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert len({each.source for each in fixtures.packets}) == 1


async def test_an_unchanged_picture_is_repeated(
    fixtures: Fixtures, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert SacnLamps.refresh_ns <= 1_000_000_000, "E1.31, 6.6.1"
    monkeypatch.setattr(SacnLamps, "refresh_ns", 5_000_000)
    async with showing(device := lights()):
        device.show(picture((Light.BET,) * 3))
        sent = fixtures.look().number
        await until(lambda: fixtures.look().number >= sent + 2)
        assert fixtures.slots == slots(*(Light.BET,) * 3)


async def test_the_dark_before_the_first_bet_is_repeated_too(
    fixtures: Fixtures, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A desk that says nothing for 2.5 s is gone (E1.31, 6.7.1): another one lights the spots."""
    monkeypatch.setattr(SacnLamps, "refresh_ns", 5_000_000)
    async with showing(device := lights()):
        sent = fixtures.look().number
        await until(lambda: fixtures.look().number >= sent + 2)
        device.show(picture((Light.EMPTY,) * 3))
        sent = fixtures.look().number
        await until(lambda: fixtures.look().number >= sent + 2)
        assert fixtures.slots == bytes(9)


@pytest.mark.parametrize(
    ("order", "of_a_white", "of_a_dark"),
    [
        ("rgb", (9, 9, 9), (0, 0, 0)),
        ("rgbw", (9, 9, 9, 0), (0, 0, 0, 0)),
        ("drgb", (9, 9, 9, 9), (0, 0, 0, 0)),
        ("drgbw", (9, 9, 9, 9, 0), (0, 0, 0, 0, 0)),
    ],
)
async def test_fixtures_have_their_own_order_place_and_brightness(
    fixtures: Fixtures, order: str, of_a_white: tuple[int, ...], of_a_dark: tuple[int, ...]
) -> None:
    white = next(light for light in Light if all(LOOKS[light].colour))
    device = lights(order=order, first=11, brightness=9, spots=2)
    async with showing(device):
        device.show(picture((white, Light.EMPTY)))
        assert fixtures.slots == bytes(10) + bytes((*of_a_white, *of_a_dark))


async def test_the_guard_holds_them_like_every_light(fixtures: Fixtures, tmp_path: Path) -> None:
    async with guarding(tmp_path / "guard", MockFactory(revision="c04170")):
        async with showing(device := GuardedOutput("sacn", settings(), tmp_path / "guard")):
            device.show(picture((Light.BET,) * 3))
            await until(lambda: fixtures.slots == slots(*(Light.BET,) * 3))
        await until(lambda: fixtures.slots == slots(*(Light.HELD,) * 3))


async def test_one_program_of_a_machine_lights_a_universe(
    fixtures: Fixtures, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("", 0))
        port = free.getsockname()[1]
    monkeypatch.setattr(sacn, "FROM_PORT", port - UNIVERSE)
    async with showing(lights()):
        with pytest.raises(DeviceBusy, match=f"lights universe {UNIVERSE}"):
            await lights().open()
        assert not fixtures.look().ended


async def test_a_network_that_leads_nowhere_is_said() -> None:
    with pytest.raises(DeviceLost, match="cannot be sent to"):
        await lights(via="203.0.113.9").open()


async def test_without_a_host_the_group_of_the_universe_is_sent_to() -> None:
    assert SacnSettings(universe=0x1234).address == "239.255.18.52"


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"universe": 0}, "universe is 0: choose 1 to 63999"),
        ({"host": "lamps.local"}, "host: write an IPv4 address"),
        ({"first": 505, "spots": 3}, "first is 505: choose 1 to 504"),
        ({"priority": 201}, "priority is 201"),
    ],
)
async def test_settings_that_cannot_be(keys: dict[str, object], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        settings(**keys)
