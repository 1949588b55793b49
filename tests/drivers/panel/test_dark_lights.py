"""Lights are dark while a card passes, and no longer than one may take: in virtual time."""

from __future__ import annotations

import asyncio

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.scene import Light
from drivers.panel.lights.leds import DARK_MAX_MS, PinLamps, SpotLights
from drivers.settings.panel import LedSettings
from tests.drivers.conftest import Backend
from tests.drivers.outside import level, picture, showing, until
from tests.drivers.shoe.test_dark_window import SCENE, SPOTS, edges, forget, lit

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend(virtual_time: Backend) -> Backend:
    return virtual_time


async def test_dark_and_no_edge_until_it_ends_whatever_the_pattern_or_the_scene(
    pins: MockFactory,
) -> None:
    device = SpotLights(PinLamps(LedSettings(SPOTS), pins))
    async with showing(device):
        device.show(picture(SCENE))
        device.darken(True)
        assert lit(pins) == []
        forget(pins)
        device.show(picture((Light.STANDING, Light.CARD, Light.LOST)))
        await asyncio.sleep(DARK_MAX_MS / 1_000 - 0.01)
        assert edges(pins) == 0
        device.darken(False)
        assert [level(pins, number) for number in SPOTS[0]] == [False, True, True]
        forget(pins)
        await until(lambda: edges(pins) > 0)  # patterns go on


async def test_a_card_that_stays_does_not_leave_the_table_dark(pins: MockFactory) -> None:
    device = SpotLights(PinLamps(LedSettings(SPOTS), pins))
    async with showing(device):
        device.show(picture((Light.HELD, Light.BET, Light.BET)))
        device.darken(True)
        await asyncio.sleep(DARK_MAX_MS / 1_000 - 0.01)
        assert not lit(pins)
        await asyncio.sleep(0.02)
        assert lit(pins)
