"""One chip on an I2C bus: the one file that knows the kernel's i2c-dev.

Source: Linux, Documentation/i2c/dev-interface.rst: I2C_RDWR carries whole transfers, so that a
register is read in one go. Several chips, of several programs, share a bus; a chip belongs to one.
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

_I2C_RDWR: Final = 0x0707
_READ: Final = 1
#: `struct flock` of a 64-bit machine.
_LOCK: Final = struct.Struct("@hhqqi")


class _Message(ctypes.Structure):
    _fields_ = (
        ("address", ctypes.c_uint16), ("flags", ctypes.c_uint16), ("length", ctypes.c_uint16),
        ("data", ctypes.POINTER(ctypes.c_uint8)),
    )  # fmt: skip


class _Transfer(ctypes.Structure):
    _fields_ = (("messages", ctypes.POINTER(_Message)), ("count", ctypes.c_uint32))


class I2cChip:
    """A chip by its bus and address, for this program alone. Raises `OSError`."""

    def __init__(self, bus: str, address: int) -> None:
        self._bus = bus
        self._address = address
        self._descriptor: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether there is a descriptor."""
        return self._descriptor is not None

    def open(self) -> None:
        """Open the bus; the chip is ours. EAGAIN: it is another program's."""
        descriptor = os.open(self._bus, os.O_RDWR | os.O_CLOEXEC)
        try:
            # The byte of the address: the bus itself is shared.
            lock = _LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, self._address, 1, 0)
            fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, lock)
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor

    def write(self, data: bytes) -> None:
        """Send `data`, the number of the first register before it."""
        self._transfer((_buffer(data), 0))

    def read(self, register: int, count: int) -> bytes:
        """What stands in `count` registers from `register` on."""
        answer = _buffer(bytes(count))
        self._transfer((_buffer(bytes((register,))), 0), (answer, _READ))
        return bytes(answer)

    def receive(self, count: int) -> bytes:
        """So many bytes, of a chip that has no registers."""
        answer = _buffer(bytes(count))
        self._transfer((answer, _READ))
        return bytes(answer)

    def close(self) -> None:
        """Release the chip; safe at any time, more than once."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def _transfer(self, *parts: tuple[ctypes.Array[ctypes.c_uint8], int]) -> None:
        assert self._descriptor is not None, "used while it is open"
        messages = (_Message * len(parts))(*(
            _Message(
                self._address, flags, len(data), ctypes.cast(data, ctypes.POINTER(ctypes.c_uint8))
            )
            for data, flags in parts
        ))  # fmt: skip
        transfer = _Transfer(messages, len(parts))
        fcntl.ioctl(self._descriptor, _I2C_RDWR, transfer)


def _buffer(data: bytes) -> ctypes.Array[ctypes.c_uint8]:
    return (ctypes.c_uint8 * len(data))(*data)


@contextmanager
def i2c_errors(bus: str, section: str) -> Iterator[None]:
    """Turn what a chip raises into `DeviceError`; EPROTO: another chip answers there."""
    try:
        yield
    except OSError as error:
        raise _error(error, bus, section) from error


def _error(error: OSError, bus: str, section: str) -> DeviceError:
    if error.errno in (errno.ENOENT, errno.ENODEV):
        return DeviceAbsent(message("i2c-absent", path=bus, section=section))
    if error.errno in (errno.EACCES, errno.EPERM):
        return DeviceDenied(message("i2c-denied", path=bus))
    if error.errno in (errno.EAGAIN, errno.EBUSY):
        return DeviceBusy(message("i2c-in-use", path=bus, section=section))
    if error.errno == errno.ENOTTY:
        return DeviceError(message("i2c-no-bus", path=bus, section=section))
    if error.errno == errno.EPROTO:
        return DeviceError(message("i2c-other-chip", path=bus, section=section))
    detail = error.strerror or type(error).__name__
    return DeviceLost(message("i2c-no-answer", path=bus, section=section, detail=detail))
