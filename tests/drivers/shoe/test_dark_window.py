"""Lights are dark and quiet while a card passes the camera: the pins' history says so."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import Input
from controller.devices.scene import Light
from drivers.panel.guarded import GuardedOutput
from drivers.panel.lights import leds
from drivers.panel.lights.leds import PinLamps, SpotLights
from drivers.settings.camera import CameraSettings
from drivers.settings.panel import DEFAULT_SPOTS, LedSettings
from drivers.shoe.camera_shoe import CameraShoe
from drivers.supervision.supervise import Supervisor
from tests.drivers.dealing import BEAM, HandledShoe
from tests.drivers.outside import EventCollector, history, level, picture, pin, showing, until
from tests.drivers.panel.test_guard import guarding
from tests.support.stream import RecordingReader, Stream

pytestmark = pytest.mark.anyio
SPOTS = DEFAULT_SPOTS[1:4]  # the first has the pins of the beam beside it
ALL = [number for spot in SPOTS for number in spot]
SCENE = (Light.BET, Light.CARD, Light.STANDING)  # one steady, one quick, one steady


def lit(pins: MockFactory) -> list[int]:
    return [number for number in ALL if level(pins, number)]


def forget(pins: MockFactory) -> None:
    for number in ALL:
        pin(pins, number).clear_states()


def edges(pins: MockFactory) -> int:
    return sum(len(history(pins, number)) - 1 for number in ALL)


async def test_lights_behind_the_guard_are_dark_too(tmp_path: Path, pins: MockFactory) -> None:
    device = GuardedOutput("leds", LedSettings(SPOTS), tmp_path / "guard")
    async with guarding(tmp_path / "guard", pins), showing(device):
        device.show(picture((Light.BET, Light.BET, Light.BET)))
        await until(lambda: len(lit(pins)) == 3)
        device.darken(True)
        await until(lambda: not lit(pins))
        device.darken(False)
        await until(lambda: len(lit(pins)) == 3)


async def test_while_a_card_passes_the_camera_no_pin_of_a_light_changes(
    stream: Stream, settings: CameraSettings, reader: RecordingReader, pins: MockFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Beam, camera and lights of one table, kept going as the service does."""
    # On a busy machine a card passes for longer than the lights may be dark.
    monkeypatch.setattr(leds, "DARK_MAX_MS", 1_000_000)
    events: list[Input] = []
    ups = asyncio.Semaphore(0)

    async def offer(event: Input) -> None:
        events.append(event)
        ups.release()

    def passing(card: bool) -> None:
        table.darken(card)

    camera = CameraShoe(settings, reader, BEAM, pins, passing=passing)
    table = Supervisor(offer, (camera,), (SpotLights(PinLamps(LedSettings(SPOTS), pins)),))
    running = asyncio.create_task(table.run())
    for _ in range(2):
        await ups.acquire()
    table.show(picture((Light.CARD, Light.CARD, Light.CHOOSE)))
    unused = EventCollector(camera)  # the table takes what the camera tells
    shoe = HandledShoe(stream, pins, unused, reader)
    for code in ("Th", "9c"):
        shoe.beam(broken=True)
        await until(lambda: not lit(pins))
        forget(pins)
        table.show(picture((Light.BET, Light.BET, Light.BET)))
        await shoe.look(code)
        assert edges(pins) == 0
        shoe.beam(broken=False)
        await until(lambda: len(lit(pins)) == 3)
        await ups.acquire()
        await shoe.show()
        table.show(picture((Light.CARD, Light.CARD, Light.CHOOSE)))
    running.cancel()
    await asyncio.wait([running])
    await unused.close()
    assert len(events) == 4
