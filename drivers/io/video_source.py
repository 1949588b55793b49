"""Where frames come from: the only file that knows cv2.VideoCapture and picamera2.

Opening and reading block, bounded by the settings' time-outs: a thread's work, not the loop's.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np

from controller.devices.contracts import (
    DeviceAbsent,
    DeviceBusy,
    DeviceDenied,
    DeviceError,
    DeviceLost,
)
from drivers.io.frame_quality import Frame
from drivers.settings import CameraSettings

#: What locks a setting of a UVC camera: first its automatic off, then the value.
_LOCKS: Final[dict[str, tuple[tuple[int, float] | None, int]]] = {
    "exposure": ((cv2.CAP_PROP_AUTO_EXPOSURE, 1.0), cv2.CAP_PROP_EXPOSURE),
    "gain": (None, cv2.CAP_PROP_GAIN),
    "white_balance": ((cv2.CAP_PROP_AUTO_WB, 0.0), cv2.CAP_PROP_WB_TEMPERATURE),
    "focus": ((cv2.CAP_PROP_AUTOFOCUS, 0.0), cv2.CAP_PROP_FOCUS),
}
#: A setting counts as taken when it reads back this close: cameras round to steps of their own.
_NEAR: Final = 0.02

# One core's work: the table has others, and its threads must not wait for each other.
cv2.setNumThreads(1)

_CHECK: Final = "check its cable and [camera] source, and that no other program has it"


class VideoSource(Protocol):
    """An open camera. Every method may block for the time-outs of the settings."""

    def grab(self) -> None:
        """Wait for the next frame. Raises `DeviceError`."""
        ...

    def take(self) -> Frame:
        """The frame that was grabbed. Raises `DeviceError`."""
        ...

    def has(self) -> dict[str, int]:
        """What it has now, in its own units, of `[camera]`'s lockable settings, as far as told."""
        ...

    def close(self) -> None:
        """Let go of it; safe to call at any time."""
        ...


def open_video_source(settings: CameraSettings) -> VideoSource:
    """The camera, open, with its settings locked and read back. Raises `DeviceError`."""
    lock = _only_one(settings.source)
    try:
        if settings.is_csi:
            return _PiCamera(settings, lock)
        return _Capture(settings, lock)
    except BaseException:
        lock.close()
        raise


def _only_one(source: str) -> socket.socket:
    """Held while the camera is open: two programs would take each other's frames.

    A name in Linux's own list of sockets, gone with the program that has it. Raises `DeviceBusy`.
    """
    lock = socket.socket(socket.AF_UNIX)
    name = hashlib.sha256(source.encode()).hexdigest()[:16]
    try:
        lock.bind(f"\0tablectl-camera-{name}")
    except OSError:
        lock.close()
        raise DeviceBusy(
            "the camera is in use by another program of this table: stop the service before"
            " calibrating, or the calibration before dealing"
        ) from None
    return lock


def camera_lost(what: str) -> DeviceLost:
    """The camera went away: what happened, and what to do."""
    return DeviceLost(f"the camera was lost: {what}; {_CHECK}")


class _Capture:
    """A USB camera, an MJPEG stream or a file, by OpenCV."""

    def __init__(self, settings: CameraSettings, lock: socket.socket) -> None:
        self._settings = settings
        self._lock = lock
        self._pause_s = 0.0
        self._due_s = 0.0
        self._open = self._opened()
        try:
            self._set_up()
        except BaseException:
            self._open.release()
            raise

    def _opened(self) -> cv2.VideoCapture:
        settings = self._settings
        timeouts = [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, settings.open_ms,
            cv2.CAP_PROP_READ_TIMEOUT_MSEC, settings.read_ms,
        ]  # fmt: skip
        try:
            if settings.is_device:
                _look_at_device(Path(settings.source))
                size = [
                    cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"),
                    cv2.CAP_PROP_FRAME_WIDTH, settings.width,
                    cv2.CAP_PROP_FRAME_HEIGHT, settings.height,
                    cv2.CAP_PROP_FPS, settings.fps,
                ]  # fmt: skip
                opened = cv2.VideoCapture(settings.source, cv2.CAP_V4L2, size)
            elif settings.is_stream:
                opened = cv2.VideoCapture(settings.source, cv2.CAP_FFMPEG, timeouts)
            elif not Path(settings.source).exists() and "%" not in settings.source:
                raise DeviceAbsent(f"there is no file {settings.source}: change [camera] source")
            else:
                opened = cv2.VideoCapture(settings.source)
        except cv2.error as error:
            raise DeviceError(f"the camera cannot be opened ({error.code}): {_CHECK}") from error
        if not opened.isOpened():
            opened.release()
            what = "does not answer" if settings.is_stream else "is not there, or gives no picture"
            raise DeviceAbsent(f"the camera {what}: {_CHECK}")
        return opened

    def _set_up(self) -> None:
        settings, opened = self._settings, self._open
        if not settings.is_device and not settings.is_stream:
            # A file would be read as fast as the disk is; a camera has its pace.
            rate = opened.get(cv2.CAP_PROP_FPS)
            self._pause_s = 1 / (rate if 1 <= rate <= 240 else settings.fps)
        for name, value in settings.locks.items():
            automatic, setting = _LOCKS[name]
            if automatic is not None:
                opened.set(*automatic)
            opened.set(setting, value)
        for name, value in settings.locks.items():
            automatic, setting = _LOCKS[name]
            check_lock(name, value, opened.get(setting))
            if automatic is not None and opened.get(automatic[0]) != automatic[1]:
                raise DeviceError(
                    f"the camera keeps its automatic {name}: this camera cannot be locked. Use"
                    " another one: cards would be read in changing light"
                )

    def grab(self) -> None:
        """Wait for the next frame. Raises `DeviceLost`."""
        if self._pause_s:
            now_s = time.monotonic()
            self._due_s = max(self._due_s + self._pause_s, now_s)
            time.sleep(self._due_s - now_s)
        try:
            there = self._open.grab()
        except cv2.error:
            there = False
        if not there:
            raise camera_lost("no frame came")

    def take(self) -> Frame:
        """The frame that was grabbed. Raises `DeviceLost`."""
        try:
            there, frame = self._open.retrieve()
        except cv2.error:
            there, frame = False, None
        if not there or frame is None:
            raise camera_lost("a frame could not be decoded")
        return np.asarray(frame, dtype=np.uint8)

    def has(self) -> dict[str, int]:
        """What a camera of this machine tells of itself; a stream and a file tell nothing."""
        if not self._settings.is_device:
            return {}
        return reported_settings(
            {name: self._open.get(setting) for name, (_, setting) in _LOCKS.items()}
        )

    def close(self) -> None:
        """Let go of it."""
        self._open.release()
        self._lock.close()


def check_lock(name: str, wanted: float, got: float) -> None:
    """Raises `DeviceError` where a setting does not read back as it was set."""
    if abs(got - wanted) > max(_NEAR * abs(wanted), 0.5):
        raise DeviceError(
            f"the camera does not keep its {name}: {wanted:g} was set, {got:g} is read back."
            f" Calibrate the camera again, or leave {name} out of [camera] where it has none"
        )


def check_size(frame: Frame, settings: CameraSettings) -> None:
    """Raises `DeviceError` where a frame is not of the configured size."""
    height, width = frame.shape[:2]
    if (width, height) != (settings.width, settings.height):
        raise DeviceError(
            f"the camera gives {width}x{height}, not {settings.width}x{settings.height}: choose"
            " a size that it has as width and height of [camera], and calibrate it again"
        )


def reported_settings(values: Mapping[str, float]) -> dict[str, int]:
    """Those of a camera's values that say something: drivers give -1 or 0 for what they have not.

    A gain and a focus of 0 are values as others are.
    """
    least = {"exposure": 1, "gain": 0, "white_balance": 1, "focus": 0}
    return {name: round(value) for name, value in values.items() if value >= least[name]}


def _look_at_device(path: Path) -> None:
    if not path.exists():
        raise DeviceAbsent(f"there is no camera at {path}: plug it in, or change [camera] source")
    if not os.access(path, os.R_OK | os.W_OK):
        raise DeviceDenied(
            f"the service may not open {path}: add its user to the group video and start it again"
        )


class _PiCamera:
    """A Raspberry Pi camera on its ribbon, by picamera2, which only Debian carries."""

    def __init__(self, settings: CameraSettings, lock: socket.socket) -> None:
        self._lock = lock
        try:
            module: Any = importlib.import_module("picamera2")
        except ImportError as error:
            raise DeviceAbsent(
                'source is "csi", but picamera2 is not installed: run `apt install'
                " python3-picamera2`, and make the environment with system site packages"
            ) from error
        try:
            self._camera = module.Picamera2()
            size = (settings.width, settings.height)
            # "RGB888" is blue, green, red in memory, as OpenCV wants it.
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": size, "format": "RGB888"}, buffer_count=3
                )
            )
            self._camera.set_controls(_csi_controls(settings))
            self._camera.start()
        except (RuntimeError, OSError, IndexError) as error:
            with suppress(AttributeError):
                self._camera.close()
            raise DeviceAbsent(
                f"the camera on the ribbon cannot be opened ({type(error).__name__}): check the"
                " ribbon, and `rpicam-hello --list-cameras`"
            ) from error
        self._timeout_s = settings.read_ms / 1_000
        self._wanted = settings.locks
        self._frame: Frame | None = None
        self._checked = False

    def grab(self) -> None:
        """Wait for the next frame. Raises `DeviceLost`."""
        try:
            request = self._camera.capture_request(wait=self._timeout_s)
        except (RuntimeError, TimeoutError) as error:
            raise camera_lost("no frame came") from error
        try:
            self._frame = np.asarray(request.make_array("main"), dtype=np.uint8)
            if not self._checked:
                self._check(request.get_metadata())
        finally:
            request.release()

    def take(self) -> Frame:
        """The frame that was grabbed. Raises `DeviceLost`."""
        if self._frame is None:
            raise camera_lost("no frame came")
        return self._frame

    def has(self) -> dict[str, int]:
        """What libcamera tells of the next frame."""
        made = self._camera.capture_metadata(wait=self._timeout_s)
        names = {**_CSI_NAMES, "white_balance": "ColourTemperature"}
        return reported_settings(
            {name: float(made[key]) for name, key in names.items() if key in made}
        )

    def close(self) -> None:
        """Let go of it."""
        self._camera.stop()
        self._camera.close()
        self._lock.close()

    def _check(self, told: dict[str, Any]) -> None:
        for name, key in _CSI_NAMES.items():
            if name in self._wanted and key in told:
                check_lock(name, self._wanted[name], float(told[key]))
        self._checked = True


#: The settings' names in what a frame of libcamera tells of itself.
_CSI_NAMES: Final = {"exposure": "ExposureTime", "gain": "AnalogueGain", "focus": "LensPosition"}


def _csi_controls(settings: CameraSettings) -> dict[str, object]:
    """The locked settings in libcamera's terms: exposure in us, gain as a factor, focus in 1/m."""
    controls: dict[str, object] = {"FrameRate": float(settings.fps)}
    if settings.exposure is not None:
        controls |= {"AeEnable": False, "ExposureTime": settings.exposure}
    if settings.gain is not None:
        controls |= {"AeEnable": False, "AnalogueGain": float(settings.gain)}
    if settings.white_balance is not None:
        controls |= {"AwbEnable": False, "ColourTemperature": settings.white_balance}
    if settings.focus is not None:
        controls |= {"AfMode": 0, "LensPosition": float(settings.focus)}
    return controls
