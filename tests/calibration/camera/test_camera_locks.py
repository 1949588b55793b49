"""Settings that a camera changes by itself are reported, with the values to lock them at."""

from __future__ import annotations

import fcntl
from collections.abc import Awaitable, Sequence
from typing import TypeVar

import cv2
import pytest

from calibration.camera.flow import propose_locks
from calibration.camera.stills import StillCamera
from calibration.guide import Choice, DeckCard, NotGoodEnough, Step
from calibration.measure import Measurement
from controller.devices.contracts import DeviceError
from drivers.io.camera.video_source import open_video_source
from drivers.settings.camera import CameraSettings
from tests.drivers.io.fake_video_node import CAMERA
from tests.drivers.shoe.test_camera_troubles import ForgetfulWebcam

pytestmark = pytest.mark.anyio
T = TypeVar("T")

UNLOCKED = CameraSettings("/dev/null", width=640, height=480, gain=3)


class OneKeyGuide:
    """A guide that answers every question with one key, and keeps what was asked."""

    def __init__(self, key: str) -> None:
        self._key = key
        self.asked: list[str] = []

    def tell(self, text: str) -> None:
        """Nothing is told."""

    def measured(self, measurement: Measurement) -> None:
        """Nothing is measured."""

    def step(self, step: Step) -> None:
        """It is one step."""

    def hint(self, text: str) -> None:
        """There is none."""

    async def choose(self, text: str, choices: Sequence[Choice]) -> str:
        assert self._key in {each.key for each in choices}
        self.asked.append(text)
        return self._key

    def deck(self, cards: Sequence[DeckCard]) -> None:
        """There is none."""

    async def watch(self, text: str, work: Awaitable[T]) -> T:
        return await work

    async def watch_or_choose(
        self, text: str, work: Awaitable[T], choices: Sequence[Choice]
    ) -> T | Choice:
        return await work


def test_a_webcam_tells_what_it_has_and_a_stream_tells_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    webcam = ForgetfulWebcam()
    webcam.set(cv2.CAP_PROP_WB_TEMPERATURE, -1.0)  # as drivers say that they have none
    webcam.set(cv2.CAP_PROP_FOCUS, -1.0)
    monkeypatch.setattr(fcntl, "ioctl", CAMERA)
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: webcam)
    camera = open_video_source(UNLOCKED)
    assert camera.has() == {"exposure": 157, "gain": 3}
    camera.close()
    stream = open_video_source(CameraSettings("http://127.0.0.1/shoe"))
    assert stream.has() == {}
    stream.close()


async def test_values_to_be_locked_are_said_and_nothing_is_captured_before_they_are() -> None:
    guide = OneKeyGuide("s")
    has = {"exposure": 157, "gain": 3, "focus": 0}
    with pytest.raises(NotGoodEnough, match=r"\[camera\].*\nexposure = 157\nfocus = 0$"):
        await propose_locks(guide, has, UNLOCKED)
    (asked,) = guide.asked
    assert "its exposure, focus by itself" in asked


async def test_who_cannot_lock_a_camera_may_go_on() -> None:
    guide = OneKeyGuide("g")
    await propose_locks(guide, {"exposure": 157}, UNLOCKED)
    assert len(guide.asked) == 1
    await propose_locks(guide, {"gain": 3}, UNLOCKED)
    await propose_locks(guide, {}, UNLOCKED)
    assert len(guide.asked) == 1, "what is locked or not told is not asked"


async def test_what_the_camera_has_is_known_once_a_frame_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fcntl, "ioctl", CAMERA)
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: ForgetfulWebcam())
    async with StillCamera(UNLOCKED).watched() as stills:
        await stills.next()
        assert stills.has()["exposure"] == 157


async def test_a_picture_of_another_size_than_configured_is_not_calibrated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fcntl, "ioctl", CAMERA)
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: ForgetfulWebcam())
    async with StillCamera(CameraSettings("/dev/null", width=800, height=600)).watched() as stills:
        with pytest.raises(DeviceError, match="640x480, not 800x600"):
            await stills.next()
