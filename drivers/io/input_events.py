"""The kernel's input events (evdev): the one file that knows their bytes and their ioctls.

Source: Linux, Documentation/input/input.rst and include/uapi/linux/input.h. A device that is
grabbed gives its events to this program alone: nothing is typed into a console or another window.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

#: Time (two words of the machine), type, code, value.
_EVENT: Final = struct.Struct("@llHHi")
EVENT_BYTES: Final = _EVENT.size
EV_SYN: Final = 0x00
EV_KEY: Final = 0x01
#: A key's value: it is down; 0 is up, 2 is the keyboard's own repetition.
DOWN: Final = 1
UP: Final = 0
#: Events were lost in the kernel: what keys are down is unknown.
SYN_DROPPED: Final = 3

_EVIOCGRAB: Final = 0x40044590
#: Which keys the device has, one bit a key (KEY_MAX is 0x2FF).
_KEYS_BYTES: Final = 96
_EVIOCGBIT_KEY: Final = 2 << 30 | _KEYS_BYTES << 16 | ord("E") << 8 | 0x20 + EV_KEY
#: Which of them are down now.
_EVIOCGKEY: Final = 2 << 30 | _KEYS_BYTES << 16 | ord("E") << 8 | 0x18


class InputEvent(NamedTuple):
    """One event, without its time."""

    kind: int
    code: int
    value: int


class EventParts:
    """Puts what is read together to whole events; the end of one may come with the next read."""

    def __init__(self) -> None:
        self._part = b""

    def feed(self, data: bytes) -> Iterator[InputEvent]:
        """The events that are whole once `data` has come."""
        data = self._part + data
        whole = len(data) - len(data) % EVENT_BYTES
        self._part = data[whole:]
        for _, _, kind, code, value in _EVENT.iter_unpack(data[:whole]):
            yield InputEvent(kind, code, value)


def held(descriptor: int) -> frozenset[int]:
    """The codes of the keys that are down. Raises `OSError`."""
    keys = bytearray(_KEYS_BYTES)
    fcntl.ioctl(descriptor, _EVIOCGKEY, keys)
    whole = int.from_bytes(keys, "little")
    return frozenset(code for code in range(8 * _KEYS_BYTES) if whole >> code & 1)


def take(descriptor: int) -> None:
    """Grab a device that has keys. Raises `OSError`: EBUSY where another program has it."""
    keys = bytearray(_KEYS_BYTES)
    fcntl.ioctl(descriptor, _EVIOCGBIT_KEY, keys)
    if not any(keys):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    fcntl.ioctl(descriptor, _EVIOCGRAB, 1)
