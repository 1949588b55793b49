"""A line by its device node: opened when it is first used, and again after it was lost."""

from __future__ import annotations

import os
import select
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Final

from .listening import Listener, OnAway, OnHeard
from .protocol import SAY_MAX, RigError

#: A line that takes nothing for this long has nobody at its other end.
FULL_S: Final = 2.0
#: So often is read what waits, and dropped: more than any line of the kernel's keeps.
_DROPPED_MAX: Final = 1_000


class NodeLine(ABC):
    """What serial lines and USB functions have in common."""

    def __init__(self, name: str, device: Path) -> None:
        self._name = name
        self._device = device
        self._fd: int | None = None
        self._listener: Listener | None = None

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
            self._let_go()
            raise RigError(f"{self._name}: the line was lost ({error.args[-1]})") from error
        return time.monotonic_ns()

    def heard(self) -> bytes:
        """What the table sent since it was last asked. Raises `RigError`."""
        if self._listener is not None:
            raise RigError(f"{self._name}: it is listened to: what comes is told as it comes")
        fd = self._opened()
        try:
            heard = os.read(fd, SAY_MAX)
        except BlockingIOError:
            return b""
        except OSError as error:
            self._let_go()
            raise RigError(f"{self._name}: the line was lost ({error.strerror})") from error
        if not heard:
            # Where nothing was said a read would wait: an adapter or a board was pulled out.
            self._let_go()
            raise RigError(f"{self._name}: the line was lost (it hung up)")
        return heard

    def listen(self, on_heard: OnHeard, on_away: OnAway) -> None:
        """Tell of what the table sends from now on; what it sent before is dropped.

        Raises `RigError` where the line is away.
        """
        if self._listener is None:
            for _ in range(_DROPPED_MAX):
                if not self.heard():
                    break
            self._listener = Listener(self._name, self._open, on_heard, on_away)

    def deaf(self) -> None:
        """Listen no more; safe at any time."""
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.close()

    def close(self) -> None:
        """Release the line; safe at any time."""
        self.deaf()
        self._let_go()

    def _let_go(self) -> None:
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
        if self._fd is None:
            self._fd = self._open()
        return self._fd

    def _open(self) -> int:
        """A descriptor of the line, set up. Raises `RigError`."""
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
        return fd
