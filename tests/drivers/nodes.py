"""Device nodes in these tests: a pty behind a link, and the answers of a kernel that has no such
device to the ioctls that a driver takes it by.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import struct
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:  # a program of the table loads this file, too
    import pytest

#: The letter of the requests of each kind of node, as the kernel's headers have them.
INPUT, HID, I2C, SPI = ord("E"), ord("H"), 0x07, ord("k")
#: SPI_IOC_MESSAGE, and `struct spi_ioc_transfer` of linux/spi/spidev.h: both buffers, their length.
_SPI_MESSAGE = 0
_SPI_TRANSFER = struct.Struct("=QQI12x")


class NodeBus(Protocol):
    """An I2C bus, wherever its chips are."""

    def transfer(self, address: int, data: bytes, count: int) -> bytes:
        """Write `data`, then read `count` bytes. Raises `OSError` where nothing answers."""
        ...


class NodeSelect(Protocol):
    """A chip at the select of an SPI bus."""

    def transfer(self, data: bytes) -> bytes:
        """What it says while that is said to it."""
        ...


class Kernel:
    """What the kernel answers, and what it was asked: `grabbed` counts the grabs.

    `selects` are the chips of SPI buses by their nodes.
    """

    def __init__(
        self, *, keys: bool = True, descriptor: bytes = b"", held: bool = False,
        bus: NodeBus | None = None, down: tuple[int, ...] = (),
        identity: tuple[int, int] = (0x0FD9, 0x0080),
        selects: Mapping[str, NodeSelect] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self._selects = selects
        self._identity = identity
        self._bus = bus
        self._down = down
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
        if letter == INPUT and number == 0x18:
            whole = sum(1 << code for code in self._down)
            argument[:] = whole.to_bytes(len(argument), "little")
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
        if letter == HID and number == 3:
            return struct.pack("@IHH", 3, *self._identity)
        if letter == HID and number == 6:
            self.features.append(bytes(argument))
            return 0
        if letter == I2C and self._bus is not None:
            return _transferred(self._bus, argument)
        raise OSError(errno.ENOTTY, "Inappropriate ioctl for device")

    def spi(self, descriptor: int, request: int, argument: Any) -> Any:
        """The same of SPI, where the node's name says which chip it is."""
        select = self._selects.get(os.readlink(f"/proc/self/fd/{descriptor}"))
        if select is None:
            raise OSError(errno.ENOTTY, "Inappropriate ioctl for device")
        if request & 0xFF != _SPI_MESSAGE:
            return 0
        out, into, length = _SPI_TRANSFER.unpack(argument)
        said = select.transfer(ctypes.string_at(out, length))
        ctypes.memmove(into, said, length)
        return length


class _I2cMsg(ctypes.Structure):
    """`struct i2c_msg` of linux/i2c.h."""

    _fields_ = (
        ("addr", ctypes.c_uint16), ("flags", ctypes.c_uint16), ("len", ctypes.c_uint16),
        ("buf", ctypes.c_void_p),
    )  # fmt: skip


class _I2cRdwr(ctypes.Structure):
    """`struct i2c_rdwr_ioctl_data` of linux/i2c-dev.h."""

    _fields_ = (("msgs", ctypes.c_void_p), ("nmsgs", ctypes.c_uint32))


def _transferred(bus: NodeBus, argument: Any) -> int:
    """Carry a transfer of messages to the chips of a bus."""
    whole = _I2cRdwr.from_buffer_copy(bytes(argument))
    messages = (_I2cMsg * whole.nmsgs).from_address(whole.msgs)
    written = b""
    for each in messages:
        if each.flags & 1:
            said = bus.transfer(each.addr, written, each.len)
            ctypes.memmove(each.buf, said, each.len)
            written = b""
        else:
            written = ctypes.string_at(each.buf, each.len)
    if written:
        bus.transfer(messages[0].addr, written, 0)
    return int(whole.nmsgs)


def ioctl_with(kernel: Kernel) -> Callable[..., Any]:
    """`fcntl.ioctl`, the requests of devices that this machine does not have answered by it."""
    real: Callable[..., Any] = fcntl.ioctl

    def ioctl(descriptor: Any, request: int, *more: Any) -> Any:
        if request >> 8 & 0xFF in (INPUT, HID, I2C):
            return kernel.ioctl(request, *more)
        if request >> 8 & 0xFF == SPI and more:
            return kernel.spi(descriptor, request, *more)
        return real(descriptor, request, *more)

    return ioctl


def with_kernel(monkeypatch: pytest.MonkeyPatch, kernel: Kernel) -> Kernel:
    """The kernel answers the requests of devices that this machine does not have."""
    monkeypatch.setattr(fcntl, "ioctl", ioctl_with(kernel))
    return kernel
