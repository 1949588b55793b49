"""Where frames come from: an open camera, stream or file, which no other program has.

Opening and reading block, bounded by the settings' time-outs: a thread's work, not the loop's.
"""

from __future__ import annotations

import hashlib
import socket
from typing import Protocol

from controller.devices.contracts import DeviceBusy
from controller.rules.messages import message
from drivers.io.frame_quality import Frame
from drivers.io.opencv_camera import OpenCvCamera
from drivers.io.pi_camera import PiCamera
from drivers.settings import CameraSettings


class VideoSource(Protocol):
    """An open camera. Every method may block for the time-outs of the settings."""

    def grab(self) -> None:
        """Wait for the next frame. Raises `DeviceError`."""
        ...

    def take(self) -> Frame:
        """The frame that was grabbed. Raises `DeviceError`."""
        ...

    def has(self) -> dict[str, int]:
        """Its present values, in its own units, of `[camera]`'s lockable settings, if reported."""
        ...

    def close(self) -> None:
        """Let go of it; safe to call at any time."""
        ...


def open_video_source(settings: CameraSettings) -> VideoSource:
    """The camera, open, with its settings locked and read back. Raises `DeviceError`."""
    lock = _exclusive(settings.source)
    try:
        if settings.is_csi:
            return PiCamera(settings, lock)
        return OpenCvCamera(settings, lock)
    except BaseException:
        lock.close()
        raise


def _exclusive(source: str) -> socket.socket:
    """Held while the camera is open: two programs would take each other's frames.

    A name in Linux's own list of sockets, gone with the program that has it. Raises `DeviceBusy`.
    """
    lock = socket.socket(socket.AF_UNIX)
    name = hashlib.sha256(source.encode()).hexdigest()[:16]
    try:
        lock.bind(f"\0tablectl-camera-{name}")
    except OSError:
        lock.close()
        raise DeviceBusy(message("camera-in-use")) from None
    return lock
