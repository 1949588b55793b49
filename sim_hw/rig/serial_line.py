"""A serial line on which the rig is the scanner: bytes out at the line's rate, answers back."""

from __future__ import annotations

import fcntl
import os
import struct
import termios
import time
import tty
from contextlib import suppress
from typing import Final

from .node_line import FULL_S, NodeLine
from .protocol import RigError
from .settings import Serial

#: How often the driver is asked whether bytes still wait. A code's time is known to that.
LOOK_AGAIN_S: Final = 0.0001
#: The bits of a byte on the line.
_BITS: Final = 10


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
        try:
            while rest:
                self._until_it_takes(fd, until_s, len(rest), len(data))
                rest = rest[os.write(fd, rest) :]
            self._until_it_left(fd, until_s + len(data) * _BITS / self._baud)
            termios.tcdrain(fd)
        except RigError:
            # Half a code would come to whoever reads next, as a card of its own.
            with suppress(termios.error):
                termios.tcflush(fd, termios.TCOFLUSH)
            raise
        except termios.error as error:
            raise OSError(*error.args) from error

    def _until_it_left(self, fd: int, until_s: float) -> None:
        """`tcdrain` waits for whoever reads nothing, and the rig with it: not before all has left.

        Raises `RigError` where nobody reads it.
        """
        while left := _waiting(fd):
            if time.monotonic() > until_s:
                raise RigError(
                    f"{self._name}: {left} bytes were not said, and none will be: nobody reads it"
                )
            time.sleep(LOOK_AGAIN_S)

    def _take(self, fd: int) -> None:
        try:
            tty.setraw(fd)
            _set_rate(fd, self._baud)
        except (termios.error, AttributeError) as error:
            raise RigError(f"{self._name}: {self._device} takes no rate of {self._baud}") from error


def _waiting(fd: int) -> int:
    """How many bytes the driver of a line still has. Raises `OSError`."""
    said = fcntl.ioctl(fd, termios.TIOCOUTQ, bytes(4))
    return int(struct.unpack("i", said)[0])


def _set_rate(fd: int, baud: int) -> None:
    """Set the rate both ways. Raises `AttributeError` for one that termios has no name for."""
    attributes = termios.tcgetattr(fd)
    attributes[4] = attributes[5] = getattr(termios, f"B{baud}")
    # Whatever another program left: no wire of a code's line says when it may be sent.
    attributes[2] = attributes[2] & ~termios.CRTSCTS | termios.CLOCAL
    termios.tcsetattr(fd, termios.TCSANOW, attributes)
