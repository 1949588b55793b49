"""Device nodes in these tests: a pty behind a link, and the answers of a kernel that has no such
device to the ioctls that a driver takes it by.
"""

from __future__ import annotations

import errno
import fcntl
import struct
from collections.abc import Callable
from typing import Any

import pytest

#: The letter of the requests of each kind of node, as the kernel's headers have them.
INPUT, HID = ord("E"), ord("H")


class Kernel:
    """What the kernel answers, and what it was asked: `grabbed` counts the grabs."""

    def __init__(self, *, keys: bool = True, descriptor: bytes = b"", held: bool = False) -> None:
        self._keys = keys
        self._descriptor = descriptor
        self._held = held
        self.grabbed = 0
        self.features: list[bytes] = []

    def ioctl(self, request: int, argument: Any) -> Any:
        letter, number = request >> 8 & 0xFF, request & 0xFF
        if letter == INPUT and number == 0x21:
            if self._keys:
                argument[0:12] = bytes(12 * (0xFF,))
            return 0
        if letter == INPUT and number == 0x90:
            if self._held:
                raise OSError(errno.EBUSY, "Device or resource busy")
            self.grabbed += argument
            return 0
        if letter == HID and number == 1:
            return struct.pack("I", len(self._descriptor))
        if letter == HID and number == 2:
            argument[4 : 4 + len(self._descriptor)] = self._descriptor
            return 0
        if letter == HID and number == 6:
            self.features.append(bytes(argument))
            return 0
        raise OSError(errno.ENOTTY, "Inappropriate ioctl for device")


def with_kernel(monkeypatch: pytest.MonkeyPatch, kernel: Kernel) -> Kernel:
    """The kernel answers the requests of devices that this machine does not have."""
    real: Callable[..., Any] = fcntl.ioctl

    def ioctl(descriptor: Any, request: int, *more: Any) -> Any:
        if request >> 8 & 0xFF in (INPUT, HID):
            return kernel.ioctl(request, *more)
        return real(descriptor, request, *more)

    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    return kernel
