"""A device node that is read and written in whole events or reports, held for this program alone.

`input_events`, `hid_raw` and `i2c` say what is done with the descriptor once it is open; all other
parts of opening, reading and losing a node are the same.
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
from collections.abc import Callable, Iterator
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

READ_BYTES: Final = 4_096
#: This many reads empty the buffers of any kind of node.
DROPPED_MAX: Final = 64
#: A device that takes nothing for this long is lost.
TAKES_MS: Final = 500
_ABSENT: Final = frozenset({errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ENOTDIR})
_BUSY: Final = frozenset({errno.EBUSY, errno.EAGAIN})
_DENIED: Final = frozenset({errno.EACCES, errno.EPERM})

Take = Callable[[int], None]
"""Takes an opened descriptor into use; raises `OSError` for a node of another kind."""


class DeviceNode:
    """A node by its path. `section` is where its path stands in the configuration, for errors."""

    def __init__(self, path: str, section: str, take: Take) -> None:
        self._path = path
        self._section = section
        self._take = take
        self._descriptor: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether there is a descriptor."""
        return self._descriptor is not None

    def open(self) -> None:
        """Open and lock the node, and take it into use; what came before is dropped.

        Raises `DeviceError`.
        """
        self.close()
        with self.errors():
            # A line must not become our terminal: pulled, it would send SIGHUP to the service.
            flags = os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
            descriptor = os.open(self._path, flags)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._take(descriptor)
                _drop(descriptor)
            except BaseException:
                os.close(descriptor)
                raise
        self._descriptor = descriptor

    def fileno(self) -> int:
        """The descriptor. The node must be open."""
        assert self._descriptor is not None
        return self._descriptor

    def read(self) -> bytes:
        """Whole events or one report; empty if nothing has come. Raises `DeviceLost`."""
        try:
            data = os.read(self.fileno(), READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise self.lost(error) from error
        if not data:
            raise self.lost(OSError(errno.ENODEV, os.strerror(errno.ENODEV)))
        return data

    def write(self, data: bytes) -> None:
        """Send one report or message, once the device takes it. Raises `DeviceLost`."""
        try:
            sent = self._written(data)
        except OSError as error:
            raise self.lost(error) from error
        if sent != len(data):
            raise self.lost(OSError(errno.EIO, os.strerror(errno.EIO)))

    def _written(self, data: bytes) -> int:
        try:
            return os.write(self.fileno(), data)
        except BlockingIOError:
            waiting = select.poll()
            waiting.register(self.fileno(), select.POLLOUT)
            if not waiting.poll(TAKES_MS):
                raise
            return os.write(self.fileno(), data)

    def close(self) -> None:
        """Close the node; safe at any time, more than once."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def lost(self, error: OSError) -> DeviceLost:
        """The error for a node that failed while it was in use."""
        return DeviceLost(message(
            "node-lost", path=self._path, section=self._section, detail=_detail(error)
        ))  # fmt: skip

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn what opening raises into `DeviceError`."""
        try:
            yield
        except OSError as error:
            raise self._error(error) from error

    def _error(self, error: OSError) -> DeviceError:
        path, section = self._path, self._section
        if error.errno in _ABSENT:
            return DeviceAbsent(message("node-absent", path=path, section=section))
        if error.errno in _DENIED:
            return DeviceDenied(message("node-denied", path=path))
        if error.errno in _BUSY:
            return DeviceBusy(message("node-in-use", path=path))
        if error.errno in (errno.ENOTTY, errno.EINVAL):
            return DeviceError(message("node-of-another-kind", path=path, section=section))
        return DeviceError(message("node-cannot-open", path=path, detail=_detail(error)))


def _drop(descriptor: int) -> None:
    """Drop what came before the node was taken: it may have gone elsewhere, too."""
    try:
        for _ in range(DROPPED_MAX):  # one that never stops must not keep the table waiting
            if not os.read(descriptor, READ_BYTES):
                return
    except BlockingIOError:
        return


def _detail(error: OSError) -> str:
    return error.strerror or type(error).__name__
