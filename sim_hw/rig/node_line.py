"""A line by its device node: opened when it is first used, and again after it was lost."""

from __future__ import annotations

import os
import select
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Final

from .protocol import SAY_MAX, RigError

#: A line that takes nothing for this long has nobody at its other end.
FULL_S: Final = 2.0


class NodeLine(ABC):
    """What serial lines and USB functions have in common."""

    def __init__(self, name: str, device: Path) -> None:
        self._name = name
        self._device = device
        self._fd: int | None = None

    @property
    @abstractmethod
    def kind(self) -> str:
        """What it is, as `lines` answers it."""

    def say(self, data: bytes) -> int:
        """Put bytes on the line; when the last of them had left, as far as the driver knows.

        Raises `RigError` where the line is away or full, or takes no such bytes.
        """
        fd = self._opened()
        try:
            self._put(fd, data)
        except OSError as error:
            self.close()
            raise RigError(f"{self._name}: the line was lost ({error.args[-1]})") from error
        return time.monotonic_ns()

    def heard(self) -> bytes:
        """What the table sent since it was last asked. Raises `RigError`."""
        fd = self._opened()
        try:
            heard = os.read(fd, SAY_MAX)
        except BlockingIOError:
            return b""
        except OSError as error:
            self.close()
            raise RigError(f"{self._name}: the line was lost ({error.strerror})") from error
        if not heard:
            # Where nothing was said a read would wait: an adapter or a board was pulled out.
            self.close()
            raise RigError(f"{self._name}: the line was lost (it hung up)")
        return heard

    def close(self) -> None:
        """Release the line; safe at any time."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    @abstractmethod
    def _put(self, fd: int, data: bytes) -> None:
        """Write everything and wait until it has left. Raises `OSError`, `RigError`."""

    @abstractmethod
    def _take(self, fd: int) -> None:
        """Set up a node that was opened. Raises `RigError`."""

    def _until_it_takes(self, fd: int, until_s: float, left: int, whole: int) -> None:
        """Wait until it takes bytes. Raises `RigError` where nobody reads it."""
        left_s = until_s - time.monotonic()
        if left_s <= 0 or not select.select([], [fd], [], left_s)[1]:
            raise RigError(
                f"{self._name}: the line is full, {left} of {whole} bytes were not said: nobody"
                " reads it"
            )

    def _opened(self) -> int:
        if self._fd is not None:
            return self._fd
        try:
            fd = os.open(self._device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError as error:
            raise RigError(
                f"{self._name}: {self._device} cannot be opened ({error.strerror})"
            ) from error
        try:
            self._take(fd)
        except RigError:
            os.close(fd)
            raise
        self._fd = fd
        return fd
