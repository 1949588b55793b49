"""A video node as the kernel describes it, below `fcntl.ioctl`, for machines that have none."""

from __future__ import annotations

import errno
import os
import struct
from typing import Final

from drivers.io.camera import camera_trouble


class VideoNode:
    """A video node: what its two requests answer."""

    def __init__(self, *, capabilities: int, own: int = 0, busy: bool = False) -> None:
        self._capability = struct.pack(
            "=16s32s32s3I3I", b"uvcvideo", b"Cam", b"usb", 1, capabilities, own, 0, 0, 0
        )
        self._busy = busy

    def __call__(self, descriptor: int, request: int, argument: bytes) -> bytes:
        os.fstat(descriptor)
        if request == camera_trouble.QUERYCAP:
            assert len(argument) == 104
            return self._capability
        assert request == camera_trouble.REQBUFS
        assert len(argument) == 20
        if self._busy:
            raise OSError(errno.EBUSY, "busy")
        return argument


#: A USB camera's first node, which nobody else has open.
CAMERA: Final = VideoNode(capabilities=0x84A00001, own=0x04200001)
