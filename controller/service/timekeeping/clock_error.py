"""How far this machine's clock may be off, as the kernel knows it from whatever keeps the clock.

chrony, ntpd and systemd-timesyncd tell the kernel (adjtimex(2)): `maxerror`, the bound, and
whether the clock is synchronised at all. It asks nothing of them itself.
"""

from __future__ import annotations

import ctypes
from typing import Final

from controller.rules.frozen import frozen

#: `STA_UNSYNC` of `status`, and `STA_NANO`, by which the fields here do not change (timex.h).
UNSYNCHRONISED: Final = 0x40
US_PER_MS: Final = 1_000


class _Timex(ctypes.Structure):
    """`struct timex` of the C library, as far as it is read; the rest is room to write in."""

    _fields_ = (
        ("modes", ctypes.c_uint), ("offset", ctypes.c_long), ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long), ("esterror", ctypes.c_long), ("status", ctypes.c_int),
        ("rest", ctypes.c_long * 40),
    )  # fmt: skip


@frozen
class ClockError:
    """The wall clock is off by `error_ms` at most; None: nobody keeps it, or nobody knows."""

    error_ms: float | None


def clock_error() -> ClockError:
    """What the kernel knows now."""
    timex = _Timex()
    try:
        answer = ctypes.CDLL(None).adjtimex(ctypes.byref(timex))
    except (AttributeError, OSError):  # no such call here
        return ClockError(None)
    if answer < 0 or timex.status & UNSYNCHRONISED:
        return ClockError(None)
    return ClockError(timex.maxerror / US_PER_MS)
