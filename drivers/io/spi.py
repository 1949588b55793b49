"""An SPI bus that is only written to: the one file that knows the kernel's spidev."""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from controller.devices.contracts import (
    DeviceAbsent,
    DeviceBusy,
    DeviceDenied,
    DeviceError,
    DeviceLost,
)
from controller.rules.messages import message

#: What spidev takes in one transfer unless its module is configured otherwise (`bufsiz`).
TRANSFER_BYTES: Final = 4_096
# linux/spi/spidev.h: mode 0, 8 bits a word, the clock in Hz.
_MODE: Final = 0x40016B01
_BITS: Final = 0x40016B03
_SPEED: Final = 0x40046B04


def set_up(descriptor: int, hertz: int) -> None:
    """Mode 0, whole bytes, that clock. Raises `OSError` for what is no SPI bus."""
    fcntl.ioctl(descriptor, _MODE, struct.pack("B", 0))
    fcntl.ioctl(descriptor, _BITS, struct.pack("B", 8))
    fcntl.ioctl(descriptor, _SPEED, struct.pack("I", hertz))


class SpiBus:
    """An SPI bus by its node, for this program alone."""

    def __init__(self, path: str, hertz: int) -> None:
        self._path = path
        self._hertz = hertz
        self._descriptor: int | None = None

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn what the bus raises into `DeviceError`."""
        try:
            yield
        except OSError as error:
            raise self._error(error) from error

    def _error(self, error: OSError) -> DeviceError:
        if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
            return DeviceAbsent(message("spi-absent", path=self._path))
        if error.errno in (errno.EACCES, errno.EPERM):
            return DeviceDenied(message("spi-denied", path=self._path))
        if error.errno in (errno.EAGAIN, errno.EBUSY):
            return DeviceBusy(message("spi-in-use", path=self._path))
        detail = error.strerror or type(error).__name__
        return DeviceLost(message("spi-failed", path=self._path, detail=detail))

    def open(self) -> None:
        """Open, lock and set up the bus. Raises `OSError`."""
        self._descriptor = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        set_up(self._descriptor, self._hertz)

    @property
    def is_open(self) -> bool:
        """Whether there is a descriptor."""
        return self._descriptor is not None

    def write(self, data: bytes) -> None:
        """Put `data` on the wire in one transfer; returns when it is over. Raises `OSError`."""
        assert self._descriptor is not None, "written to while it is open"
        assert len(data) <= TRANSFER_BYTES, "the settings bound it"
        if os.write(self._descriptor, data) != len(data):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def close(self) -> None:
        """Close the bus; safe at any time, more than once."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)
