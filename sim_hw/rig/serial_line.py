"""A serial line on which the rig is the scanner: bytes out at the line's rate, answers back."""

from __future__ import annotations

import os
import termios
import time
import tty

from .node_line import FULL_S, NodeLine
from .protocol import RigError
from .settings import Serial


class SerialLine(NodeLine):
    """A serial line, by termios."""

    def __init__(self, name: str, settings: Serial) -> None:
        super().__init__(name, settings.device)
        self._baud = settings.baud

    @property
    def kind(self) -> str:
        """Serial, and its rate."""
        return f"serial:{self._baud}"

    def _put(self, fd: int, data: bytes) -> None:
        until_s, rest = time.monotonic() + FULL_S, data
        while rest:
            self._until_it_takes(fd, until_s, len(rest), len(data))
            rest = rest[os.write(fd, rest) :]
        try:
            termios.tcdrain(fd)
        except termios.error as error:
            raise OSError(*error.args) from error

    def _take(self, fd: int) -> None:
        try:
            tty.setraw(fd)
            _set_rate(fd, self._baud)
        except (termios.error, AttributeError) as error:
            raise RigError(f"{self._name}: {self._device} takes no rate of {self._baud}") from error


def _set_rate(fd: int, baud: int) -> None:
    """Set the rate both ways. Raises `AttributeError` for one that termios has no name for."""
    attributes = termios.tcgetattr(fd)
    attributes[4] = attributes[5] = getattr(termios, f"B{baud}")
    termios.tcsetattr(fd, termios.TCSANOW, attributes)
