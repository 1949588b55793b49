"""Where frames come from: an open camera, stream or file, which no other program has.

Opening and reading block, bounded by the settings' time-outs: a thread's work, not the loop's.
"""

from __future__ import annotations

import hashlib
import socket
from typing import Final, Protocol

import cv2
import numpy as np

from controller.devices.contracts import DeviceBusy
from controller.rules.messages import message
from drivers.io.camera.frame_quality import Frame
from drivers.io.camera.opencv_camera import OpenCvCamera
from drivers.io.camera.pi_camera import PiCamera
from drivers.io.camera.sensor_time import SensorTime
from drivers.settings.camera import CameraSettings

#: Under these names, on the whole machine, cameras are held by the program that has them open.
LOCKS: Final = "tablectl-camera"


class VideoSource(Protocol):
    """An open camera. Every method may block for the time-outs of the settings."""

    def grab(self) -> SensorTime | None:
        """Wait for the next frame; when it was taken, where that is known. Raises `DeviceError`."""
        ...

    def take(self) -> Frame:
        """The frame that was grabbed. Raises `DeviceError`."""
        ...

    def has(self) -> dict[str, int]:
        """Its present values, in its own units, of `[camera]`'s lockable settings, if reported."""
        ...

    def close(self) -> None:
        """Release it; safe to call at any time."""
        ...


def open_video_source(settings: CameraSettings) -> VideoSource:
    """The camera, open, with its settings locked and read back. Raises `DeviceError`."""
    lock = _exclusive(settings.source)
    try:
        if settings.is_csi:
            return _mounted(PiCamera(settings, lock), settings)
        return _mounted(OpenCvCamera(settings, lock), settings)
    except BaseException:
        lock.close()
        raise


_TURNS: Final = {
    90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE,
}  # fmt: skip


class MountedCamera:
    """A camera that hangs another way than its picture is read: mirrored first, then turned."""

    def __init__(self, camera: VideoSource, turn: int, *, mirror: bool) -> None:
        self._camera = camera
        self._turn = _TURNS.get(turn)
        self._mirror = mirror
        self.grab, self.has, self.close = camera.grab, camera.has, camera.close

    def take(self) -> Frame:
        """The frame that was grabbed, as it is to be read. Raises `DeviceError`."""
        frame: object = self._camera.take()
        if self._mirror:
            frame = cv2.flip(np.asarray(frame), 1)
        if self._turn is not None:
            frame = cv2.rotate(np.asarray(frame), self._turn)
        return np.asarray(frame, np.uint8)


def _mounted(camera: VideoSource, settings: CameraSettings) -> VideoSource:
    if not settings.turn and not settings.mirror:
        return camera
    return MountedCamera(camera, settings.turn, mirror=settings.mirror)


def _exclusive(source: str) -> socket.socket:
    """Held while the camera is open: two programs would take each other's frames.

    A name in Linux's own list of sockets, gone with the program that has it. Raises `DeviceBusy`.
    """
    lock = socket.socket(socket.AF_UNIX)
    name = hashlib.sha256(source.encode()).hexdigest()[:16]
    try:
        lock.bind(f"\0{LOCKS}-{name}")
    except OSError:
        lock.close()
        raise DeviceBusy(message("camera-in-use")) from None
    return lock
