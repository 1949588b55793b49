"""A camera whose frames all come late by as much: its sensor's time says whose they are."""

from __future__ import annotations

import asyncio
import sys
import time

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from drivers.io.camera import pi_camera
from drivers.io.camera.frame_quality import Frame
from drivers.settings.camera import CameraSettings
from drivers.shoe.camera_shoe import CameraShoe
from tests.drivers.dealing import BEAM, code
from tests.drivers.io.fake_picamera2 import FakeSensor
from tests.drivers.outside import pin, watching
from tests.support.stream import FPS, HEIGHT, WIDTH, RecordingReader, ground, picture_of

pytestmark = pytest.mark.anyio

LATE_NS = 150_000_000
FRAMES = 20


class LateSensor(FakeSensor):
    """What it hands over was before it a while ago, and has a sensor's noise."""

    def __init__(self) -> None:
        super().__init__()
        self.age_ns, self.pause_s = LATE_NS, 1 / FPS
        self._noise = np.random.default_rng(1)
        self._shown: list[tuple[int, Frame]] = [(0, ground())]

    def show(self, picture: Frame) -> None:
        self._shown.append((time.monotonic_ns(), picture))

    def picture(self) -> Frame:
        then_ns = self.handed_ns - self.age_ns
        events = next(frame for since_ns, frame in reversed(self._shown) if since_ns <= then_ns)
        noise = self._noise.integers(-3, 4, events.shape, dtype=np.int16)
        return np.asarray(np.clip(events + noise, 0, 255), np.uint8)

    def wait(self, frames: int) -> None:
        """Until so many more frames were handed over."""
        with self.handed:
            until = len(self.requests) + frames
            assert self.handed.wait_for(lambda: len(self.requests) >= until, timeout=30)


async def test_what_was_taken_of_the_card_before_is_not_the_next_cards(
    monkeypatch: pytest.MonkeyPatch, pins: MockFactory, reader: RecordingReader
) -> None:
    sensor = LateSensor()
    monkeypatch.setitem(sys.modules, "picamera2", sensor.module())
    monkeypatch.setattr(pi_camera, "NODES", ())
    settings = CameraSettings("csi", WIDTH, HEIGHT, fps=FPS // 2)
    async with watching(CameraShoe(settings, reader, BEAM, pins)) as events:
        for kind in ("Th", "9c", "2d"):
            sensor.show(picture_of(kind))
            pin(pins, BEAM.pin).drive_low()
            await asyncio.to_thread(sensor.wait, FRAMES)
            pin(pins, BEAM.pin).drive_high()
            assert code(await events.reading()) == kind
