"""A camera's sensor time, how it hangs, and why it does not open, each by its true cause."""

from __future__ import annotations

import fcntl
import importlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest

from controller.devices.contracts import (
    DeviceAbsent,
    DeviceBusy,
    DeviceDenied,
    DeviceError,
    DeviceLost,
)
from drivers.io.camera import pi_camera
from drivers.io.camera.sensor_time import OLD_NS, SensorClock
from drivers.io.camera.video_source import open_video_source
from drivers.settings.camera import CameraSettings
from tests.drivers.io.fake_picamera2 import FakeSensor
from tests.drivers.io.fake_video_node import VideoNode
from tests.support.patience import PATIENCE_S

MS = 1_000_000
CSI = CameraSettings("csi")


@pytest.fixture
def sensor(monkeypatch: pytest.MonkeyPatch) -> FakeSensor:
    made = FakeSensor()
    monkeypatch.setitem(sys.modules, "picamera2", made.module())
    monkeypatch.setattr(pi_camera, "NODES", ())
    return made


def test_a_ribbon_camera_says_when_the_exposure_of_a_frame_began(sensor: FakeSensor) -> None:
    camera = open_video_source(CSI)
    before_ns = time.monotonic_ns()
    taken = camera.grab()
    after_ns = time.monotonic_ns()
    assert taken is not None
    assert taken.exposure_began
    assert before_ns - sensor.age_ns <= taken.ns <= after_ns - sensor.age_ns
    assert np.array_equal(camera.take(), sensor.frame)
    assert all(each.released for each in sensor.requests)
    camera.close()


@pytest.mark.parametrize("error", [TimeoutError(), RuntimeError("gone")])
def test_a_ribbon_camera_that_is_gone_is_lost_and_closed(
    sensor: FakeSensor, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def gone(*_: object, **__: object) -> None:
        raise error

    def no_stop(*_: object) -> None:
        raise RuntimeError("gone")

    camera = open_video_source(CSI)
    made = sys.modules["picamera2"].Picamera2
    monkeypatch.setattr(made, "capture_metadata", gone)
    monkeypatch.setattr(made, "stop", no_stop)
    with pytest.raises(DeviceLost):
        camera.has()
    camera.close()
    assert sensor.closed == 1
    open_video_source(CSI).close()  # nobody has it any more


def test_a_stamp_of_another_clock_or_of_the_same_frame_is_none() -> None:
    clock = SensorClock(exposure_began=False, boot_clock=False)
    now_ns = time.monotonic_ns()
    assert clock.time_of(0) is None
    assert clock.time_of(now_ns - 2 * OLD_NS) is None
    assert clock.time_of(now_ns + 10_000 * MS) is None
    taken = clock.time_of(now_ns - 20 * MS)
    assert taken is not None
    assert (taken.ns, taken.exposure_began) == (now_ns - 20 * MS, False)
    assert clock.time_of(now_ns - 20 * MS) is None, "the same buffer again"


def test_a_frame_that_waited_in_a_buffer_has_its_old_time() -> None:
    clock = SensorClock(exposure_began=False, boot_clock=False)
    now_ns = time.monotonic_ns()
    clock._last_ns = now_ns - 10 * OLD_NS
    taken = clock.time_of(now_ns - 9 * OLD_NS)
    assert taken is not None
    assert taken.ns == now_ns - 9 * OLD_NS


def test_a_usb_camera_gives_the_time_of_its_buffer(monkeypatch: pytest.MonkeyPatch) -> None:
    webcam = MonochromeWebcam()
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: webcam)
    monkeypatch.setattr("drivers.io.camera.opencv_camera.check_device", lambda _: None)
    camera = open_video_source(CameraSettings("/dev/video9", format="grey"))
    webcam.stamp_ms = time.monotonic_ns() / 1e6 - 30
    taken = camera.grab()
    assert taken is not None
    assert taken.ns == pytest.approx(webcam.stamp_ms * 1e6, abs=1_000)
    assert not taken.exposure_began
    picture = camera.take()
    assert picture.shape == (480, 640, 3), "a monochrome sensor's frames have one channel"
    camera.close()


class MonochromeWebcam:
    """A monochrome UVC camera as OpenCV shows it."""

    def __init__(self) -> None:
        self.stamp_ms = 0.0

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def get(self, setting: int) -> float:
        return self.stamp_ms if setting == cv2.CAP_PROP_POS_MSEC else 0.0

    def grab(self) -> bool:
        return True

    def retrieve(self) -> tuple[bool, Any]:
        return True, np.full((480, 640), 90, np.uint8)

    def release(self) -> None:
        """It is closed."""


@pytest.mark.parametrize(
    ("turn", "mirror", "at"),
    [
        (90, False, (0, 0)),
        (180, False, (0, -1)),
        (270, False, (-1, -1)),
        (0, True, (-1, -1)),
        (90, True, (-1, 0)),
    ],
)
def test_a_picture_is_mirrored_and_turned_as_the_camera_hangs(
    sensor: FakeSensor, turn: Any, mirror: bool, at: tuple[int, int]
) -> None:
    """What lies at the lower left of the sensor's picture comes to where it is said."""
    sensor.frame = np.zeros((480, 640, 3), np.uint8)
    sensor.frame[-1, 0] = 255
    settings = CameraSettings("csi", turn=turn, mirror=mirror)
    camera = open_video_source(settings)
    camera.grab()
    picture = camera.take()
    assert picture.shape[1::-1] == settings.picture_size
    assert picture[at].tolist() == [255, 255, 255]
    assert int(picture.astype(np.int64).sum()) == 3 * 255
    camera.close()


def test_the_sensor_is_cropped_in_its_own_pixels(sensor: FakeSensor) -> None:
    camera = open_video_source(CameraSettings("csi", crop=(0.25, 0.5, 0.5, 0.25)))
    assert sensor.set["ScalerCrop"] == (364, 544, 728, 272)
    camera.close()


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"crop": (0.5, 0.5, 0.6, 0.5)}, "shares of the sensor"),
        ({"crop": (0.0, 0.0, 0.05, 1.0)}, "0.1 and more"),
        ({"source": "/dev/video0", "crop": (0.0, 0.0, 0.5, 0.5)}, "Raspberry Pi camera"),
        ({"source": "http://shoe/x", "format": "grey"}, "USB camera"),
        ({"format": "yuyv"}, "USB camera"),
    ],
)
def test_what_a_camera_cannot_do_is_refused_with_the_settings(
    changed: dict[str, Any], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        CameraSettings(**({"source": "csi"} | changed))


def test_what_the_sensor_lacks_is_said_by_name(sensor: FakeSensor) -> None:
    del sensor.controls["ColourTemperature"]
    assert refused(CameraSettings("csi", white_balance=4_600)) == (
        DeviceError, "the camera on the ribbon has no white_balance: leave it out of [camera]"
    )  # fmt: skip
    assert sensor.closed == 1


def test_no_camera_on_the_ribbon_and_one_in_use_are_told_apart(sensor: FakeSensor) -> None:
    sensor.fails = RuntimeError("Camera __init__ sequence did not complete.")
    assert refused(CSI)[0] is DeviceBusy
    sensor.fails = RuntimeError("Failed to acquire camera: Device or resource busy")
    assert refused(CSI)[0] is DeviceBusy
    sensor.fails = RuntimeError("ISP is on fire")
    assert "cannot be opened (RuntimeError)" in refused(CSI)[1]
    sensor.cameras = []
    kind, text = refused(CSI)
    assert (kind, "seat the ribbon anew" in text) == (DeviceAbsent, True)


def test_a_node_that_the_service_may_not_open_is_named(
    sensor: FakeSensor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    node = tmp_path / "media0"
    node.touch()
    monkeypatch.setattr(pi_camera, "NODES", (str(tmp_path / "media*"),))
    monkeypatch.setattr(os, "access", lambda path, _: str(path) != str(node))
    kind, text = refused(CSI)
    assert (kind, str(node) in text, "group video" in text) == (DeviceDenied, True, True)


@pytest.mark.parametrize(
    ("error", "numpy", "says"),
    [
        (ModuleNotFoundError("no", name="picamera2"), "2.2.0", "picamera2 is not installed"),
        (ModuleNotFoundError("no", name="libcamera"), "2.2.0", "lacks libcamera"),
        (ValueError("numpy.dtype size changed, may indicate"), "2.2.0", "pip install 'numpy<2'"),
        (ValueError("numpy.dtype size changed, may indicate"), "1.26.4", "'numpy>=2'"),
    ],
)
def test_a_picamera2_that_cannot_be_imported_says_what_is_wrong_with_it(
    monkeypatch: pytest.MonkeyPatch, error: Exception, numpy: str, says: str
) -> None:
    def broken(name: str) -> ModuleType:
        assert name == "picamera2"
        raise error

    monkeypatch.setattr(importlib, "import_module", broken)
    monkeypatch.setattr(np, "__version__", numpy)
    kind, text = refused(CSI)
    assert kind is DeviceAbsent
    assert says in text


def test_an_error_of_picamera2_that_is_none_of_those_is_not_swallowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(name: str) -> ModuleType:
        raise ValueError(f"{name} has a fault of its own")

    monkeypatch.setattr(importlib, "import_module", broken)
    with pytest.raises(ValueError, match="a fault of its own"):
        open_video_source(CSI)


@pytest.mark.parametrize(
    ("node", "kind", "says"),
    [
        (VideoNode(capabilities=0x84A00001, own=0x04A00000), DeviceAbsent, "-index0"),
        (VideoNode(capabilities=0x00000002), DeviceAbsent, "gives no pictures"),
        (VideoNode(capabilities=0x84200001, own=0x04200001, busy=True), DeviceBusy, "fuser"),
    ],
)
def test_a_node_without_pictures_and_one_in_use_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, node: VideoNode, kind: type[DeviceError], says: str
) -> None:
    monkeypatch.setattr(fcntl, "ioctl", node)
    found, text = refused(CameraSettings("/dev/null"))
    assert found is kind
    assert says in text


def test_a_node_that_is_no_camera_is_said_to_be_none() -> None:
    kind, text = refused(CameraSettings("/dev/null"))
    assert (kind, "/dev/null is no camera" in text) == (DeviceAbsent, True)


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    class SourceHandler(BaseHTTPRequestHandler):
        timeout = PATIENCE_S  # who connects and asks nothing must not hold it for ever

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            found = self.path == "/page"
            self.send_response(200 if found else 401)
            self.send_header("Content-Type", "text/html")
            self.end_headers()

    made = HTTPServer(("127.0.0.1", 0), SourceHandler)
    serving = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
    serving.start()
    yield made
    made.shutdown()
    made.server_close()
    serving.join()


def test_a_stream_that_is_none_says_what_its_address_answered(server: HTTPServer) -> None:
    at = f"http://127.0.0.1:{server.server_port}"
    assert "status 401" in refused(CameraSettings(f"{at}/shoe", open_ms=500))[1]
    assert "text/html, which is no MJPEG stream" in refused(CameraSettings(f"{at}/page"))[1]
    assert "nothing listens" in refused(CameraSettings("http://127.0.0.1:9/shoe"))[1]


def refused(settings: CameraSettings) -> tuple[type[DeviceError], str]:
    """What opening the camera raises, and its words."""
    with pytest.raises(DeviceError) as raised:
        open_video_source(settings)
    return type(raised.value), str(raised.value)
