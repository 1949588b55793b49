"""A lamp shines while a card passes and while the camera is opened, and never for long."""

from __future__ import annotations

import asyncio
import sys
import threading

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceError
from drivers.io.camera import pi_camera
from drivers.io.camera.frame_quality import Frame
from drivers.io.camera.video_source import VideoSource, open_video_source
from drivers.settings.camera import CameraSettings
from drivers.shoe import camera_shoe, strobe
from drivers.shoe.camera_shoe import CameraShoe
from drivers.shoe.strobe import Strobe
from tests.drivers.dealing import BEAM, code
from tests.drivers.outside import history, pin, until, watching
from tests.drivers.shoe.test_sensor_time import LateSensor
from tests.support.patience import PATIENCE_S
from tests.support.stream import FPS, HEIGHT, WIDTH, RecordingReader, ground, picture_of

pytestmark = pytest.mark.anyio

LAMP = 26


class DarkShoe(LateSensor):
    """A shoe without any light but the lamp's."""

    def __init__(self, pins: MockFactory) -> None:
        super().__init__()
        self.age_ns = 0
        self._pins = pins

    def picture(self) -> Frame:
        lit = pin(self._pins, LAMP).state
        return super().picture() if lit else np.zeros_like(ground())


async def test_the_lamp_shines_for_each_card_and_dark_between_them_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, pins: MockFactory, reader: RecordingReader
) -> None:
    sensor = DarkShoe(pins)
    monkeypatch.setitem(sys.modules, "picamera2", sensor.module())
    monkeypatch.setattr(pi_camera, "NODES", ())
    settings = CameraSettings("csi", WIDTH, HEIGHT, fps=FPS, strobe=LAMP, frozen_ms=500)
    async with watching(CameraShoe(settings, reader, BEAM, pins)) as events:
        for kind in ("Th", "9c"):
            assert not pin(pins, LAMP).state
            await asyncio.to_thread(sensor.wait, 2 * FPS)  # two seconds in the dark
            sensor.show(picture_of(kind))
            pin(pins, BEAM.pin).drive_low()
            await until(lambda: bool(pin(pins, LAMP).state))
            await asyncio.to_thread(sensor.wait, 12)
            pin(pins, BEAM.pin).drive_high()
            assert code(await events.reading()) == kind
            await until(lambda: not pin(pins, LAMP).state)
    assert not pin(pins, LAMP).state


async def test_what_stays_in_the_beam_when_the_lamp_is_out_is_no_black_camera(
    monkeypatch: pytest.MonkeyPatch, pins: MockFactory, reader: RecordingReader
) -> None:
    monkeypatch.setattr(strobe, "SHINES_MAX_S", 0.1)
    sensor = DarkShoe(pins)
    monkeypatch.setitem(sys.modules, "picamera2", sensor.module())
    monkeypatch.setattr(pi_camera, "NODES", ())
    settings = CameraSettings("csi", WIDTH, HEIGHT, fps=FPS, strobe=LAMP)
    async with watching(CameraShoe(settings, reader, BEAM, pins)) as events:
        pin(pins, LAMP).clear_states()
        pin(pins, BEAM.pin).drive_low()
        await until(lambda: history(pins, LAMP) == [False, True, False])
        await asyncio.to_thread(sensor.wait, 3 * FPS)  # three seconds in the dark
        pin(pins, BEAM.pin).drive_high()
        assert code(await events.reading()) is None


class BufferingShoe(DarkShoe):
    """What was taken in the dark still waits in it when its lamp is lit again."""

    def picture(self) -> Frame:
        frame = super().picture()
        return np.zeros_like(frame) if len(self.requests) < 6 else frame


async def test_the_lamp_does_not_burn_for_a_camera_that_takes_its_time_to_open(
    monkeypatch: pytest.MonkeyPatch, pins: MockFactory, reader: RecordingReader
) -> None:
    monkeypatch.setattr(strobe, "SHINES_MAX_S", 0.01)
    monkeypatch.setattr(camera_shoe, "LIT_S", PATIENCE_S)
    sensor = BufferingShoe(pins)
    monkeypatch.setitem(sys.modules, "picamera2", sensor.module())
    monkeypatch.setattr(pi_camera, "NODES", ())
    goes_on = threading.Event()

    def opens(settings: CameraSettings) -> VideoSource:
        assert goes_on.wait(PATIENCE_S)
        return open_video_source(settings)

    monkeypatch.setattr(camera_shoe, "open_video_source", opens)
    device = CameraShoe(
        CameraSettings("csi", WIDTH, HEIGHT, fps=FPS, strobe=LAMP), reader, BEAM, pins
    )
    opening = asyncio.create_task(device.open())
    try:
        await until(lambda: history(pins, LAMP) == [False, True, False])
        monkeypatch.setattr(strobe, "SHINES_MAX_S", PATIENCE_S)
    finally:
        goes_on.set()
        await opening
    assert history(pins, LAMP) == [False, True, False, True, False]
    await device.close()


async def test_a_camera_that_does_not_open_leaves_the_lamp_out(
    monkeypatch: pytest.MonkeyPatch, pins: MockFactory, reader: RecordingReader
) -> None:
    sensor = LateSensor()
    sensor.cameras = []
    monkeypatch.setitem(sys.modules, "picamera2", sensor.module())
    monkeypatch.setattr(pi_camera, "NODES", ())
    device = CameraShoe(CameraSettings("csi", WIDTH, HEIGHT, strobe=LAMP), reader, BEAM, pins)
    with pytest.raises(DeviceError):
        await device.open()
    assert not pin(pins, LAMP).state


async def test_a_lamp_that_fails_costs_no_card(
    monkeypatch: pytest.MonkeyPatch, pins: MockFactory, reader: RecordingReader
) -> None:
    sensor = LateSensor()
    sensor.age_ns = 0
    monkeypatch.setitem(sys.modules, "picamera2", sensor.module())
    monkeypatch.setattr(pi_camera, "NODES", ())
    settings = CameraSettings("csi", WIDTH, HEIGHT, fps=FPS, strobe=LAMP)
    device = CameraShoe(settings, reader, BEAM, pins)

    def fails(_state: object) -> None:
        raise OSError

    async with watching(device) as events:
        session = device._session
        assert session is not None
        sensor.show(picture_of("Th"))
        with monkeypatch.context() as broken:
            broken.setattr(pin(pins, LAMP), "_set_state", fails)
            pin(pins, BEAM.pin).drive_low()
            await asyncio.to_thread(sensor.wait, 12)
            pin(pins, BEAM.pin).drive_high()
            await until(lambda: bool(session.queue._events))
        assert code(await events.reading()) == "Th"
        with pytest.raises(DeviceError):
            await events.next()


async def test_a_card_that_stays_does_not_burn_the_lamp(
    monkeypatch: pytest.MonkeyPatch, pins: MockFactory
) -> None:
    monkeypatch.setattr(strobe, "SHINES_MAX_S", 0.0)
    lamp = Strobe(LAMP, pins, "camera", lambda error: pytest.fail(str(error)))
    lamp.open()
    assert pin(pins, LAMP).state
    lamp.shine(True)
    await until(lambda: not pin(pins, LAMP).state)
    lamp.close()


async def test_a_lamp_that_cannot_go_out_by_itself_is_reported(
    monkeypatch: pytest.MonkeyPatch, pins: MockFactory
) -> None:
    monkeypatch.setattr(strobe, "SHINES_MAX_S", 0.0)
    failed: list[DeviceError] = []
    lamp = Strobe(LAMP, pins, "camera", failed.append)
    lamp.open()
    lamp.shine(True)
    pin(pins, LAMP).function = "input"  # as if another program had taken it
    await until(lambda: bool(failed))
    assert failed[0].message.code == "pins-failed"
    pin(pins, LAMP).function = "output"
    lamp.close()


def test_a_strobe_needs_a_beam() -> None:
    with pytest.raises(ValueError, match="only a beam says when to shine"):
        CameraSettings("csi", strobe=LAMP, trigger="motion")
