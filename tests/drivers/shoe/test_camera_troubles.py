"""What can be the matter with a camera: each is a typed error or doubt that says what to do."""

from __future__ import annotations

import asyncio
import fcntl
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceAbsent, DeviceBusy, DeviceError, DeviceLost
from controller.devices.inputs import Doubt
from drivers.io.camera.video_source import VideoSource, open_video_source
from drivers.settings.camera import CameraSettings
from drivers.shoe import camera_shoe
from drivers.shoe.camera_session import CHECK_NS
from drivers.shoe.camera_shoe import CameraShoe
from tests.drivers.dealing import BEAM, HandledShoe, code
from tests.drivers.io.fake_video_node import CAMERA
from tests.drivers.outside import BREAK_S, EventCollector, pin, until, watching
from tests.support.patience import PATIENCE_S, Stopwatch
from tests.support.stream import FPS, HEIGHT, WIDTH, RecordingReader, Stream, ground, picture_of

pytestmark = pytest.mark.anyio


async def test_a_camera_lost_in_mid_card_says_so_and_works_again_when_it_is_back(
    stream: Stream, settings: CameraSettings, reader: RecordingReader, pins: MockFactory
) -> None:
    device = CameraShoe(settings, reader, BEAM, pins)
    await device.open()
    events = EventCollector(device)
    shoe = HandledShoe(stream, pins, events, reader)
    shoe.beam(broken=True)
    await shoe.look("Th", looks=1)
    await asyncio.to_thread(stream.unplug)
    with pytest.raises(DeviceLost, match="the camera was lost"):
        await events.next()
    await device.close()
    with pytest.raises(DeviceAbsent, match="nothing listens"):
        await device.open()
    stream.plug()
    shoe.beam(broken=False)
    await device.open()
    shoe.events = EventCollector(device)
    assert code(await shoe.draw("9c")) == "9c"
    await shoe.events.close()
    await device.close()


async def test_a_camera_that_hangs_is_noticed_within_its_time_out(
    stream: Stream, settings: CameraSettings, reader: RecordingReader, pins: MockFactory
) -> None:
    async with watching(CameraShoe(replace(settings, read_ms=500), reader, BEAM, pins)) as events:
        stream.hanging.set()
        began = Stopwatch()
        with pytest.raises(DeviceLost, match="no frame came"):
            await events.next()
    assert began.passed_s() < 4  # a bound: it looks twice in that time


async def test_frames_that_waited_in_a_buffer_are_not_the_next_cards(
    stream: Stream, shoe: HandledShoe
) -> None:
    """The line stops while one card leaves; what it says then, it says as the next one passes."""
    shoe.beam(broken=True)
    await shoe.show()
    stream.hanging.set()
    await asyncio.sleep(BREAK_S)
    shoe.beam(broken=False)
    assert (await shoe.events.reading()).doubt in (Doubt.NOT_SEEN, Doubt.NOT_RECOGNISED)
    shoe.beam(broken=True)
    stream.burst(picture_of("Th"), 5)
    stream.hanging.clear()
    await shoe.look("9c", looks=4)
    shoe.beam(broken=False)
    assert code(await shoe.events.reading()) == "9c"


async def test_a_camera_that_gives_fewer_frames_than_was_said_is_refused(
    stream: Stream, settings: CameraSettings, reader: RecordingReader, pins: MockFactory
) -> None:
    async with watching(CameraShoe(replace(settings, fps=240), reader, BEAM, pins)) as events:
        with pytest.raises(DeviceError, match="fewer than the 240 a second"):
            await events.next()


@pytest.mark.parametrize(("level", "says"), [(2, "black"), (255, "white")])
async def test_a_picture_without_anything_in_it_is_no_camera(
    stream: Stream, settings: CameraSettings, reader: RecordingReader, level: int, says: str
) -> None:
    stream.show(ground(level))
    stream.noisy = level < 255
    device = CameraShoe(replace(settings, trigger="motion"), reader)
    with pytest.raises(DeviceError, match=says):
        await device.open()
    await device.close()


@pytest.mark.parametrize("level", [2, 255])
async def test_a_picture_that_goes_black_or_white_is_noticed(
    stream: Stream, shoe: HandledShoe, level: int
) -> None:
    stream.show(ground(level))
    with pytest.raises(DeviceError, match="sees nothing"):
        await shoe.events.next()


async def test_a_hand_before_the_lens_is_no_broken_camera(
    stream: Stream, shoe: HandledShoe
) -> None:
    stream.show(ground(2))
    await asyncio.sleep(1.5 * CHECK_NS / 1e9)
    stream.show(ground())
    assert code(await shoe.draw("Th")) == "Th"


async def test_a_picture_that_stands_still_is_noticed(stream: Stream, shoe: HandledShoe) -> None:
    stream.noisy = False
    with pytest.raises(DeviceError, match="stands still"):
        await shoe.events.next()


async def test_a_picture_that_is_sent_again_is_not_the_next_card(
    stream: Stream, shoe: HandledShoe
) -> None:
    """A driver that hangs sends its last frames for ever; until that is noticed cards may pass."""
    shoe.beam(broken=True)
    await shoe.look("Th")
    stream.noisy = False
    await shoe.show("Th", frames=2)
    shoe.beam(broken=False)
    assert code(await shoe.events.reading()) == "Th"
    shoe.beam(broken=True)
    await shoe.show("Th", frames=6)
    shoe.beam(broken=False)
    reading = await shoe.events.reading()
    assert (code(reading), reading.doubt) == (None, Doubt.NOT_SEEN)


async def test_the_wrong_size_is_refused_with_what_to_change(
    settings: CameraSettings, reader: RecordingReader
) -> None:
    device = CameraShoe(replace(settings, width=640, height=480, trigger="motion"), reader)
    with pytest.raises(DeviceError, match="gives 320x240, not 640x480: choose"):
        await device.open()
    await device.close()


async def test_a_second_program_is_refused(
    shoe: HandledShoe, settings: CameraSettings, reader: RecordingReader
) -> None:
    another = CameraShoe(replace(settings, trigger="motion"), reader)
    with pytest.raises(DeviceBusy, match="stop the service before"):
        await another.open()
    assert code(await shoe.draw("Th")) == "Th"


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("/dev/v4l/by-id/nowhere", "there is no camera at"),
        ("/nowhere/film.avi", "there is no file"),
        ("http://127.0.0.1:9/shoe.mjpg", "nothing listens"),
        ("csi", "apt install python3-picamera2"),
        ("/dev/null", "is no camera"),
    ],
)
async def test_no_camera_says_what_to_do(source: str, says: str, reader: RecordingReader) -> None:
    device = CameraShoe(CameraSettings(source, trigger="motion", open_ms=500), reader)
    with pytest.raises(DeviceAbsent, match=says):
        await device.open()
    await device.close()


@pytest.fixture
def film(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a film is, by a name that is no device's wherever the tests write."""
    monkeypatch.chdir(tmp_path)
    return Path("film.avi")


async def test_a_film_is_played_at_its_pace_and_ends(film: Path, reader: RecordingReader) -> None:
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (WIDTH, HEIGHT))
    chance = np.random.default_rng(1)
    for shown in [ground()] * 6 + [picture_of("Th")] * 6 + [ground()] * 6:
        writer.write(cv2.add(shown, chance.integers(0, 4, shown.shape, np.uint8)))
    writer.release()
    settings = CameraSettings(str(film), WIDTH, HEIGHT, trigger="motion")
    async with watching(CameraShoe(settings, reader)) as events:
        assert code(await events.reading()) == "Th"
        with pytest.raises(DeviceLost):
            await events.next()


async def test_a_film_that_is_no_picture_is_no_camera(film: Path, reader: RecordingReader) -> None:
    film.write_bytes(b"this is no film" * 100)  # noqa: ASYNC240
    device = CameraShoe(CameraSettings(str(film), trigger="motion"), reader)
    with pytest.raises(DeviceAbsent):
        await device.open()


async def test_a_reader_that_fails_takes_the_device_down_and_its_words_are_not_told(
    stream: Stream, settings: CameraSettings, pins: MockFactory
) -> None:
    def fails(_: object) -> Any:
        raise RuntimeError("the ten of hearts")

    async with watching(CameraShoe(settings, fails, BEAM, pins)) as events:
        pin(pins, BEAM.pin).drive_low()
        with pytest.raises(DeviceError, match="RuntimeError") as raised:
            await events.next()
    assert "hearts" not in str(raised.value)


class ForgetfulWebcam:
    """A UVC camera as OpenCV shows it: it has settings, and some that it does not keep."""

    def __init__(self, *, keeps: bool = True, stays_automatic: bool = False) -> None:
        self._settings = {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_EXPOSURE: 157.0}
        self._keeps = keeps
        self._automatic = stays_automatic
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def set(self, setting: int, value: float) -> bool:
        automatic = setting in (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB)
        if self._keeps and not (automatic and self._automatic):
            self._settings[setting] = value
        return True

    def get(self, setting: int) -> float:
        return self._settings.get(setting, 0.0)

    def grab(self) -> bool:
        return True

    def retrieve(self) -> tuple[bool, Any]:
        noise = np.random.default_rng().integers(40, 60, (480, 640, 3), dtype=np.uint8)
        return True, noise

    def release(self) -> None:
        self.released = True


LOCKED = CameraSettings("/dev/null", exposure=80, white_balance=4_600, focus=30, trigger="motion")


async def test_exposure_white_balance_and_focus_are_locked_and_read_back(
    monkeypatch: pytest.MonkeyPatch, reader: RecordingReader
) -> None:
    webcam = ForgetfulWebcam()
    monkeypatch.setattr(fcntl, "ioctl", CAMERA)
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: webcam)
    device = CameraShoe(LOCKED, reader)
    await device.open()
    await device.close()
    assert webcam.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1
    assert webcam.get(cv2.CAP_PROP_EXPOSURE) == 80
    assert webcam.get(cv2.CAP_PROP_WB_TEMPERATURE) == 4_600
    assert webcam.get(cv2.CAP_PROP_FOCUS) == 30
    assert webcam.released


@pytest.mark.parametrize(
    ("webcam", "says"),
    [
        (ForgetfulWebcam(keeps=False), "does not keep its exposure: 80 was set, 157 is read back"),
        (ForgetfulWebcam(stays_automatic=True), "keeps its automatic exposure"),
    ],
)
async def test_a_setting_that_the_camera_does_not_keep_is_refused(
    monkeypatch: pytest.MonkeyPatch, reader: RecordingReader, webcam: ForgetfulWebcam, says: str
) -> None:
    monkeypatch.setattr(fcntl, "ioctl", CAMERA)
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: webcam)
    with pytest.raises(DeviceError, match=says):
        await CameraShoe(LOCKED, reader).open()
    assert webcam.released


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"source": ""}, "source: it is empty"),
        ({"frames_min": 1}, "frames_min is 1: choose 2 to 20"),
        ({"source": "http://a/b", "exposure": 5}, "on a device only"),
    ],
)
def test_wrong_settings_say_what_to_choose(changed: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        CameraSettings(**({"source": "/dev/video0"} | changed))


def test_a_beam_and_motion_do_not_go_together(reader: RecordingReader) -> None:
    with pytest.raises(ValueError, match="needs \\[beam\\]"):
        CameraShoe(CameraSettings("/dev/video0"), reader)
    with pytest.raises(ValueError, match="tells more than motion"):
        CameraShoe(CameraSettings("/dev/video0", trigger="motion"), reader, BEAM)


async def test_who_waits_for_a_card_may_stop_waiting(shoe: HandledShoe) -> None:
    waiting = asyncio.create_task(shoe.events.next())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    assert waiting.cancelled()


async def test_closing_while_it_opens_leaves_no_camera_open(
    settings: CameraSettings, reader: RecordingReader
) -> None:
    device = CameraShoe(replace(settings, trigger="motion"), reader)
    opening = asyncio.create_task(device.open())
    await asyncio.sleep(0)
    opening.cancel()
    await asyncio.wait([opening])

    while True:
        # Until the thread that was under way has let go of it.
        try:
            await device.open()
        except (DeviceBusy, DeviceLost):
            await asyncio.sleep(0.005)
            continue
        break
    await device.close()


async def test_a_camera_whose_opening_was_given_up_does_not_answer_and_is_no_others(
    monkeypatch: pytest.MonkeyPatch, settings: CameraSettings, reader: RecordingReader
) -> None:
    """Its thread has it until its library comes back: no other program is to be looked for."""
    began, goes_on = threading.Event(), threading.Event()

    def opens(wanted: CameraSettings) -> VideoSource:
        source = open_video_source(wanted)
        began.set()
        assert goes_on.wait(PATIENCE_S)
        return source

    device = CameraShoe(replace(settings, trigger="motion"), reader)
    with monkeypatch.context() as hanging:
        hanging.setattr(camera_shoe, "open_video_source", opens)
        opening = asyncio.create_task(device.open())
        await until(began.is_set)
        opening.cancel()
        await asyncio.wait([opening])
        with pytest.raises(DeviceLost, match="does not answer"):
            await device.open()
        goes_on.set()
        given_up = device._given_up
        assert given_up is not None
        await asyncio.wait([given_up])
    await device.open()
    await device.close()
