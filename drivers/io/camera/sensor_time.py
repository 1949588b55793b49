"""When a frame was taken, by its sensor: the driver's time stamp, as far as it can be believed.

V4L2 stamps a buffer on the monotonic clock (`V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC`); uvcvideo takes
the moment at which the frame's first byte came, or what the camera itself says of it. libcamera's
`SensorTimestamp` is the start of the first row's exposure, on the boot clock, which goes on while
the machine sleeps. Built against these descriptions; no real camera was at hand.
"""

from __future__ import annotations

import time
from typing import Final, NamedTuple

#: A first stamp that is older than this, or one of a moment that is yet to come, is of another
#: clock. Later ones may be older: frames that waited in a buffer are.
OLD_NS: Final = 2_000_000_000
AHEAD_NS: Final = 1_000_000


class SensorTime(NamedTuple):
    """When a frame was taken, in ns of the monotonic clock.

    `exposure_began`: it is the start of its exposure; else the frame's first byte, which comes
    later by what the camera needs (`latency_ms`).
    """

    ns: int
    exposure_began: bool


def slept_ns() -> int:
    """By how much the boot clock is ahead of the monotonic one, in ns.

    Whoever loses the core between the two readings sees too much: the least of a few is right.
    """

    def difference_ns() -> int:
        monotonic_ns = time.monotonic_ns()
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) - monotonic_ns

    return min(difference_ns() for _ in range(3))


class SensorClock:
    """Checks a source's stamps: one that cannot be is none, and the frame counts as unstamped."""

    def __init__(self, *, exposure_began: bool, boot_clock: bool) -> None:
        self._exposure_began = exposure_began
        self._boot_clock = boot_clock
        self._last_ns = 0

    def time_of(self, stamp_ns: int) -> SensorTime | None:
        """The time of the frame that has just come with this stamp."""
        now_ns = time.monotonic_ns()
        if self._boot_clock:
            stamp_ns -= slept_ns()
        since_ns = self._last_ns or now_ns - OLD_NS
        if not since_ns < stamp_ns <= now_ns + AHEAD_NS:
            return None
        self._last_ns = stamp_ns
        return SensorTime(min(stamp_ns, now_ns), self._exposure_began)
