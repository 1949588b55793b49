"""A camera that Linux makes of what is written to it (v4l2loopback): the panel, as a real node.

Sources: v4l2loopback's README (`exclusive_caps`, `card_label`); Linux, videodev2.h (VIDIOC_S_FMT on
an output). Unconfirmed: anything of a real camera; its locks, which it does not have, least of all.
"""

from __future__ import annotations

import fcntl
import os
import struct
from contextlib import suppress
from pathlib import Path
from typing import Final

#: The label by which the node is known as ours: others' loopbacks are left alone.
LABEL: Final = "tablectl"
LOAD: Final = f"sudo modprobe v4l2loopback exclusive_caps=1 card_label={LABEL}"
_NAMES: Final = "sys/class/video4linux/video*/name"
#: VIDIOC_S_FMT: _IOWR('V', 5, struct v4l2_format), of 208 bytes on 64-bit machines.
_SET_FORMAT: Final = 0xC0D05605
_OUTPUT: Final = 2
_NO_FIELDS: Final = 1
_SRGB: Final = 8
_MJPG: Final = int.from_bytes(b"MJPG", "little")


class LoopbackError(Exception):
    """The node cannot be written to as a camera; the message says what to change."""


def loopback_node(root: Path = Path("/")) -> Path | None:
    """The node of ours, if the module is loaded with our label."""
    for name in sorted(root.glob(_NAMES)):
        if name.read_text(errors="replace").strip() == LABEL:
            return root / "dev" / name.parent.name
    return None


class Loopback:
    """The writing end. While it is closed the node is no camera, as if unplugged."""

    def __init__(self, node: str, size: tuple[int, int]) -> None:
        self._node = node
        self._size = size
        self._descriptor: int | None = None

    def plug(self) -> None:
        """Become a camera of that size. Raises `LoopbackError`."""
        if self._descriptor is not None:
            return
        try:
            descriptor = os.open(self._node, os.O_RDWR)
        except OSError as error:
            raise LoopbackError(f"{self._node}: {error.strerror}: {LOAD}") from error
        try:
            fcntl.ioctl(descriptor, _SET_FORMAT, self._format())
        except OSError as error:
            os.close(descriptor)
            raise LoopbackError(
                f"{self._node} takes no MJPEG of {self._size[0]}x{self._size[1]}"
                f" ({error.strerror}): another program may have it"
            ) from error
        self._descriptor = descriptor

    def show(self, jpeg: bytes) -> None:
        """The next frame. One that nobody could take is dropped, as a camera's is."""
        if self._descriptor is not None:
            with suppress(OSError):
                os.write(self._descriptor, jpeg)

    def unplug(self) -> None:
        """Be no camera; safe to do twice."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _format(self) -> bytearray:
        wide, high = self._size
        # type, then (aligned to 8) width, height, format, field, bytes a line, of an image, colours
        head = struct.pack(
            "@I4x7I", _OUTPUT, wide, high, _MJPG, _NO_FIELDS, 0, 4 * wide * high, _SRGB
        )
        return bytearray(head.ljust(208, b"\0"))
