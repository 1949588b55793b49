"""A serial line that is written to: raw, eight bits, no parity, at a rate."""

from __future__ import annotations

import errno
import os
import termios
import tty
from typing import Final

from drivers.io.device_node import Take

#: The rates that the kernel has a name for.
RATES: Final = {
    each: getattr(termios, f"B{each}") for each in (2_400, 4_800, 9_600, 19_200, 38_400, 115_200)
}


def at_rate(baud: int) -> Take:
    """Takes a serial line at one of `RATES`; `OSError` for what is none."""

    def take(descriptor: int) -> None:
        try:
            tty.setraw(descriptor)
            mode = termios.tcgetattr(descriptor)
            mode[2] |= termios.CLOCAL | termios.CREAD
            mode[4] = mode[5] = RATES[baud]
            termios.tcsetattr(descriptor, termios.TCSANOW, mode)
        except termios.error as error:
            raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY)) from error

    return take
