"""Why a camera does not open, found out before or after: the true cause, in the words of its text.

The video4linux part follows the kernel's description of `VIDIOC_QUERYCAP` and `VIDIOC_REQBUFS`
(struct v4l2_capability, struct v4l2_requestbuffers); no real camera was at hand.
"""

from __future__ import annotations

import errno
import fcntl
import http.client
import os
import socket
import struct
import urllib.error
import urllib.request
from pathlib import Path
from typing import Final

from controller.devices.contracts import DeviceAbsent, DeviceBusy, DeviceDenied
from controller.rules.messages import Message, message

#: _IOR('V', 0, struct v4l2_capability) and _IOWR('V', 8, struct v4l2_requestbuffers).
QUERYCAP: Final = 0x80685600
REQBUFS: Final = 0xC0145608
#: What is asked of the capabilities: any device's own ones, and that it gives pictures.
DEVICE_CAPS: Final = 0x80000000
VIDEO_CAPTURE: Final = 0x00000001
_CAPABILITY: Final = struct.Struct("=16s32s32s3I3I")
#: No buffers, of a capture, in mapped memory: what is free of them is taken and given back.
_NO_BUFFERS: Final = struct.pack("=4IB3x", 0, 1, 1, 0, 0)
_IN_USE: Final = frozenset((errno.EBUSY,))
_GONE: Final = frozenset((errno.ENODEV, errno.ENXIO, errno.ENOENT))


def check_device(path: Path) -> None:
    """Whether a camera is there, may be opened, gives pictures and is free.

    Raises `DeviceAbsent`, `DeviceDenied`, `DeviceBusy`, each with the cause.
    """
    if not path.exists():
        raise DeviceAbsent(message("camera-device-absent", path=str(path)))
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        if error.errno in _IN_USE:
            raise DeviceBusy(message("camera-device-in-use", path=str(path))) from error
        if error.errno in _GONE:
            raise DeviceAbsent(message("camera-device-absent", path=str(path))) from error
        raise DeviceDenied(message("camera-device-denied", path=str(path))) from error
    try:
        _check_open(descriptor, str(path))
    finally:
        os.close(descriptor)


def _check_open(descriptor: int, path: str) -> None:
    try:
        found = fcntl.ioctl(descriptor, QUERYCAP, bytes(_CAPABILITY.size))
    except OSError as error:
        raise DeviceAbsent(message("camera-no-video-device", path=path)) from error
    *_, capabilities, own, _, _, _ = _CAPABILITY.unpack(found)
    if not (own if capabilities & DEVICE_CAPS else capabilities) & VIDEO_CAPTURE:
        raise DeviceAbsent(message("camera-no-pictures", path=path))
    try:
        fcntl.ioctl(descriptor, REQBUFS, _NO_BUFFERS)
    except OSError as error:
        if error.errno in _IN_USE:
            raise DeviceBusy(message("camera-device-in-use", path=path)) from error


def stream_problem(url: str, timeout_s: float) -> Message:
    """Why an MJPEG stream does not come: asked of it once more, by HTTP alone."""
    try:
        # `is_stream` lets http and https through, nothing else.
        with urllib.request.urlopen(url, timeout=timeout_s) as answer:  # noqa: S310
            kind = answer.headers.get_content_type()
    except urllib.error.HTTPError as error:
        error.close()
        return message("camera-stream-refused", status=error.code)
    except urllib.error.URLError as error:
        return _unreachable(error.reason)
    except (OSError, http.client.HTTPException) as error:
        return _unreachable(error)
    if kind != "multipart/x-mixed-replace":
        return message("camera-stream-kind", kind=kind)
    return message("camera-does-not-answer")


def _unreachable(reason: object) -> Message:
    if isinstance(reason, ConnectionRefusedError):
        return message("camera-stream-nobody")
    if isinstance(reason, socket.gaierror):
        return message("camera-stream-no-host")
    if isinstance(reason, TimeoutError):
        return message("camera-stream-silent")
    return message("camera-does-not-answer")
