"""Raw HID reports of a USB device (hidraw): the one file that knows its ioctls.

Source: Linux, Documentation/hid/hidraw.rst. Each read is one report, its number first; a write
likewise. A feature report goes by an ioctl.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Callable
from typing import Final

_HIDIOCGRDESCSIZE: Final = 0x80044801
_HIDIOCGRDESC: Final = 0x90044802
_HIDIOCGRAWINFO: Final = 0x80084803
#: Kind of bus, maker, product.
_INFO: Final = struct.Struct("@IHH")
_DESCRIPTOR_MAX: Final = 4_096


def descriptor_of(descriptor: int) -> bytes:
    """The report descriptor of an opened device. Raises `OSError` for what is no HID device."""
    size = struct.unpack("I", fcntl.ioctl(descriptor, _HIDIOCGRDESCSIZE, bytes(4)))[0]
    whole = bytearray(struct.pack("I", size) + bytes(_DESCRIPTOR_MAX))
    fcntl.ioctl(descriptor, _HIDIOCGRDESC, whole)
    return bytes(whole[4 : 4 + size])


def identity(descriptor: int) -> tuple[int, int]:
    """The numbers of maker and product. Raises `OSError` for what is no HID device."""
    _, vendor, product = _INFO.unpack(fcntl.ioctl(descriptor, _HIDIOCGRAWINFO, bytes(_INFO.size)))
    return vendor, product


def takes(usage_page: int) -> Callable[[int], None]:
    """Takes a device whose report descriptor names `usage_page`; `OSError` for any other."""
    # Global item, tag Usage Page, of one byte (Device Class Definition for HID 1.11, 6.2.2.7).
    wanted = bytes((0x05, usage_page))

    def take(descriptor: int) -> None:
        if wanted not in descriptor_of(descriptor):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    return take


def send_feature(descriptor: int, report: bytes) -> None:
    """Send a feature report, its number first. Raises `OSError`."""
    request = 3 << 30 | len(report) << 16 | ord("H") << 8 | 0x06
    fcntl.ioctl(descriptor, request, report)
