"""The exposure is held against the speed of the card; how late frames come is measured."""

from __future__ import annotations

import asyncio
import sys

import numpy as np
import pytest

from calibration.camera.speed import FASTER, Sighting, exposure_us, measure_speed, smear, speed_mm_s
from calibration.camera.stills import LAG_AT_MOST_MS, StillCamera
from calibration.guide import Step
from controller.rules.cards import card
from drivers.io.camera import pi_camera
from drivers.settings.camera import CameraSettings
from drivers.vision.calibrated.camera_geometry import CameraView, PixelRegion
from sim_hw.devices.deck_art import DECKS, face
from sim_hw.devices.lens import CARD_PX, Lens, Slide, small
from tests.calibration.camera.test_camera_locks import OneKeyGuide
from tests.drivers.io.fake_picamera2 import FakeSensor

pytestmark = pytest.mark.anyio

MM = 88 / CARD_PX
VIEW = CameraView(640, 480, PixelRegion(0, 0, 640, 480), (MM, 0, 0, 0, MM, 0, 0, 0, 1))
RIBBON = CameraSettings("csi", exposure=400)


def test_a_short_exposure_is_good_and_a_long_one_says_the_longest() -> None:
    assert smear(RIBBON, 600).good
    found = smear(CameraSettings("csi", exposure=2_000), 600)
    assert (found.value, found.good) == (600 * FASTER * 2_000 / 1e6, False)
    assert "900 mm/s: write exposure = 555 or less" in found.remedy
    found = smear(CameraSettings("/dev/video0", exposure=50), 600)
    assert "write exposure = 5 or less" in found.remedy, "UVC counts in 100 us"
    assert exposure_us(CameraSettings("/dev/video0")) is None


def test_the_speed_is_that_of_the_fastest_pair() -> None:
    ms = 1_000_000
    sightings = [Sighting(0, 0, 0), Sighting(10 * ms, 0, -1), Sighting(20 * ms, 3, -5)]
    assert speed_mm_s(sightings) == pytest.approx(500)
    assert speed_mm_s(sightings[:1]) == 0


async def test_how_late_frames_come_is_measured_by_their_sensors_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sensor = FakeSensor()
    sensor.pause_s = 0.002
    monkeypatch.setitem(sys.modules, "picamera2", sensor.module())
    monkeypatch.setattr(pi_camera, "NODES", ())
    async with StillCamera(CameraSettings("csi")).watched() as stills:
        for _ in range(3):
            await stills.next()
        lag = stills.lag()
    assert lag is not None
    assert lag.value is not None
    assert lag.value >= sensor.age_ns / 1e6
    assert lag.at_most == LAG_AT_MOST_MS


def test_a_stream_has_no_lag_that_could_be_measured() -> None:
    stills = StillCamera(CameraSettings("http://127.0.0.1/shoe"))
    assert stills.lag() is None


class TimedFrames(StillCamera):
    """Frames of pulled cards with their times."""

    def __init__(self, step_px: int) -> None:
        super().__init__(RIBBON)
        self._step_px = step_px
        printed, lens = small(face(DECKS["kotka"], card("Th"))), Lens(7)
        how = Slide(320, 0.0, CARD_PX)
        self._empty = lens.picture(0.0, None, how, 0.0, None)
        self._card = lens.picture(0.0, printed, how, 0.0, None)
        self._count = 0

    async def next(self) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        await asyncio.sleep(0)
        self._count += 1
        self.newest_ns = self._count * 20_000_000
        nth = self._count % 20
        return np.roll(self._card, -self._step_px * nth, axis=0) if nth < 10 else self._empty


async def test_the_speed_of_pulled_cards_is_measured_on_their_plane() -> None:
    fastest = await measure_speed(
        OneKeyGuide(""), TimedFrames(step_px=12), VIEW, Step(4, 4, "pulled")
    )
    assert fastest == pytest.approx(12 * MM / 0.02, rel=0.1)
