"""An SPI bus: the one file that knows the kernel's spidev.

Source: Linux, Documentation/spi/spidev.rst and uapi/linux/spi/spidev.h: a write is a transfer of
which nothing is read; SPI_IOC_MESSAGE carries one both ways, under one select.
"""

from __future__ import annotations

import ctypes
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
#: SPI_IOC_MESSAGE(1), and its `struct spi_ioc_transfer`: both buffers, their length, and clock,
#: delay, bits and all else as they were set up.
_MESSAGE: Final = 0x40206B00
_TRANSFER: Final = struct.Struct("=QQI12x")


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
        """Turn what the bus of a strip raises into `DeviceError`."""
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
        descriptor = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            set_up(descriptor, self._hertz)
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor

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

    def transfer(self, data: bytes) -> bytes:
        """What comes in while `data` goes out, in one transfer. Raises `OSError`."""
        assert self._descriptor is not None, "used while it is open"
        assert len(data) <= TRANSFER_BYTES, "the caller bounds it"
        out = (ctypes.c_uint8 * len(data)).from_buffer_copy(data)
        into = (ctypes.c_uint8 * len(data))()
        asked = _TRANSFER.pack(ctypes.addressof(out), ctypes.addressof(into), len(data))
        if fcntl.ioctl(self._descriptor, _MESSAGE, bytearray(asked)) != len(data):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return bytes(into)

    def close(self) -> None:
        """Close the bus; safe at any time, more than once."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)


@contextmanager
def spi_errors(path: str, section: str) -> Iterator[None]:
    """Turn what the bus of any other device raises into `DeviceError`."""
    try:
        yield
    except OSError as error:
        raise _error_of(error, path, section) from error


def _error_of(error: OSError, path: str, section: str) -> DeviceError:
    if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return DeviceAbsent(message("spi-node-absent", path=path, section=section))
    if error.errno in (errno.EACCES, errno.EPERM):
        return DeviceDenied(message("spi-denied", path=path))
    if error.errno in (errno.EAGAIN, errno.EBUSY):
        return DeviceBusy(message("spi-in-use", path=path))
    if error.errno in (errno.ENOTTY, errno.EINVAL):
        return DeviceError(message("node-of-another-kind", path=path, section=section))
    detail = error.strerror or type(error).__name__
    return DeviceLost(message("node-lost", path=path, section=section, detail=detail))
