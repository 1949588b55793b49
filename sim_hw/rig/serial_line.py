"""A serial line on which the rig is the scanner: bytes out at the line's rate, answers back."""

from __future__ import annotations

import os
import select
import termios
import time
import tty
from pathlib import Path
from typing import Final

from .protocol import SAY_MAX, RigError
from .settings import Serial

#: A line that takes nothing for so long has nobody at its other end.
FULL_S: Final = 2.0


class SerialLine:
    """One line, opened when it is first used and again after it was lost."""

    def __init__(self, name: str, settings: Serial) -> None:
        self._name = name
        self._settings = settings
        self._fd: int | None = None

    def say(self, data: bytes) -> int:
        """Put bytes on the line; when the last bit of them had left, as far as the driver knows.

        Raises `RigError` where the line is away or full.
        """
        fd = self._opened()
        until_s, rest = time.monotonic() + FULL_S, data
        try:
            while rest:
                left_s = until_s - time.monotonic()
                if left_s <= 0 or not select.select([], [fd], [], left_s)[1]:
                    raise RigError(
                        f"{self._name}: the line is full, {len(rest)} of {len(data)} bytes were"
                        " not said: nobody reads it"
                    )
                rest = rest[os.write(fd, rest) :]
            termios.tcdrain(fd)
        except (OSError, termios.error) as error:
            self.close()
            raise RigError(f"{self._name}: the line was lost ({error.args[-1]})") from error
        return time.monotonic_ns()

    def heard(self) -> bytes:
        """What was sent to the scanner since it was last asked. Raises `RigError`."""
        fd = self._opened()
        try:
            return os.read(fd, SAY_MAX)
        except BlockingIOError:
            return b""
        except OSError as error:
            self.close()
            raise RigError(f"{self._name}: the line was lost ({error.strerror})") from error

    def close(self) -> None:
        """Let go of the line; safe at any time."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _opened(self) -> int:
        if self._fd is not None:
            return self._fd
        path: Path = self._settings.device
        try:
            fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError as error:
            raise RigError(f"{self._name}: {path} cannot be opened ({error.strerror})") from error
        try:
            tty.setraw(fd)
            _set_rate(fd, self._settings.baud)
        except (termios.error, AttributeError) as error:
            os.close(fd)
            raise RigError(
                f"{self._name}: {path} takes no rate of {self._settings.baud}"
            ) from error
        self._fd = fd
        return fd


def _set_rate(fd: int, baud: int) -> None:
    """Set the rate both ways. Raises `AttributeError` for one that termios has no name for."""
    attributes = termios.tcgetattr(fd)
    attributes[4] = attributes[5] = getattr(termios, f"B{baud}")
    termios.tcsetattr(fd, termios.TCSANOW, attributes)
