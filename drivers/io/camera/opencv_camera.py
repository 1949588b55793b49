"""A USB camera, an MJPEG stream or a file, by OpenCV; no other driver knows cv2.VideoCapture."""

from __future__ import annotations

import socket
import time
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from controller.devices.contracts import DeviceAbsent, DeviceError, DeviceLost
from controller.rules.messages import message
from drivers.io.camera.camera_settings import check_lock, reported_settings
from drivers.io.camera.camera_trouble import check_device, stream_problem
from drivers.io.camera.frame_quality import Frame
from drivers.io.camera.sensor_time import SensorClock, SensorTime
from drivers.settings.camera import CameraSettings

#: What locks a setting of a UVC camera: first its automatic off, then the value.
_LOCKS: Final[dict[str, tuple[tuple[int, float] | None, int]]] = {
    "exposure": ((cv2.CAP_PROP_AUTO_EXPOSURE, 1.0), cv2.CAP_PROP_EXPOSURE),
    "gain": (None, cv2.CAP_PROP_GAIN),
    "white_balance": ((cv2.CAP_PROP_AUTO_WB, 0.0), cv2.CAP_PROP_WB_TEMPERATURE),
    "focus": ((cv2.CAP_PROP_AUTOFOCUS, 0.0), cv2.CAP_PROP_FOCUS),
}
_FORMATS: Final = {"mjpg": "MJPG", "yuyv": "YUYV", "grey": "GREY"}
# One core's work: the table has others, and its threads must not wait for each other.
cv2.setNumThreads(1)


class OpenCvCamera:
    """A USB camera, an MJPEG stream or a file, by OpenCV."""

    def __init__(self, settings: CameraSettings, lock: socket.socket) -> None:
        self._settings = settings
        self._lock = lock
        self._pause_s = 0.0
        self._due_s = 0.0
        self._clock = SensorClock(exposure_began=False, boot_clock=False)
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
                check_device(Path(settings.source))
                size = [
                    cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*_FORMATS[settings.format]),
                    cv2.CAP_PROP_FRAME_WIDTH, settings.width,
                    cv2.CAP_PROP_FRAME_HEIGHT, settings.height,
                    cv2.CAP_PROP_FPS, settings.fps,
                ]  # fmt: skip
                opened = cv2.VideoCapture(settings.source, cv2.CAP_V4L2, size)
            elif settings.is_stream:
                opened = cv2.VideoCapture(settings.source, cv2.CAP_FFMPEG, timeouts)
            elif not Path(settings.source).exists() and "%" not in settings.source:
                raise DeviceAbsent(message("camera-file-absent", file=settings.source))
            else:
                opened = cv2.VideoCapture(settings.source)
        except cv2.error as error:
            raise DeviceError(message("camera-cannot-open", code=error.code)) from error
        if not opened.isOpened():
            opened.release()
            if settings.is_stream:
                raise DeviceAbsent(stream_problem(settings.source, settings.open_ms / 1_000))
            raise DeviceAbsent(message("camera-absent"))
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
                raise DeviceError(message("camera-stays-automatic", setting=name))

    def grab(self) -> SensorTime | None:
        """Wait for the next frame; when it was taken, if a camera says so. Raises `DeviceLost`."""
        if self._pause_s:
            now_s = time.monotonic()
            self._due_s = max(self._due_s + self._pause_s, now_s)
            time.sleep(self._due_s - now_s)
        try:
            there = self._open.grab()
        except cv2.error:
            there = False
        if not there:
            raise DeviceLost(message("camera-no-frame"))
        if not self._settings.is_device:
            return None
        # OpenCV's V4L2 gives the buffer's own time stamp so.
        return self._clock.time_of(round(self._open.get(cv2.CAP_PROP_POS_MSEC) * 1e6))

    def take(self) -> Frame:
        """The frame that was grabbed. Raises `DeviceLost`."""
        try:
            there, frame = self._open.retrieve()
        except cv2.error:
            there, frame = False, None
        if not there or frame is None:
            raise DeviceLost(message("camera-frame-broken"))
        if frame.ndim == 2:
            frame = cv2.cvtColor(frame, cv2.COLOR_GRAY2BGR)
        return np.asarray(frame, dtype=np.uint8)

    def has(self) -> dict[str, int]:
        """What a camera of this machine reports of itself; a stream and a file report nothing."""
        if not self._settings.is_device:
            return {}
        return reported_settings(
            {name: self._open.get(setting) for name, (_, setting) in _LOCKS.items()}
        )

    def close(self) -> None:
        """Release it."""
        self._open.release()
        self._lock.close()
