"""How long tests wait, and how a promise of time is measured on a machine that has other work.

Whoever waits for something waits for the event, and at most `PATIENCE_S`: a bound for what never
comes, and no measure. What is promised within a time is measured by a `Stopwatch`, which leaves
out the time in which the machine had no core for somebody who wanted to run, or stood still.
"""

from __future__ import annotations

import re
import threading
import time
import weakref
from pathlib import Path
from typing import Final

PATIENCE_S: Final = 180.0

_PRESSURE: Final = Path("/proc/pressure/cpu")
#: A stopwatch looks at the clock so often, and whoever looks so late was stopped in between.
_LOOK_S: Final = 0.02
_STILL_S: Final = 0.25


def _starved_s() -> float:
    """For how long, since the machine started, somebody has waited for a core.

    0 on a kernel that does not measure it (PSI, Linux 4.20): there a busy machine counts as slow.
    """
    try:
        found = re.match(r"some .*total=(\d+)", _PRESSURE.read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1e6 if found else 0.0


class Stopwatch:
    """Runs from when it is made."""

    def __init__(self) -> None:
        self.began_ns = time.monotonic_ns()
        self._starved_s = _starved_s()
        self.still_s = 0.0
        """For how long this process, as a part of the machine, did not run at all."""
        threading.Thread(target=_watch, args=(weakref.ref(self),), daemon=True).start()

    def elapsed_s(self) -> float:
        """Seconds since, by the clock on the wall: for what bounds the waiting."""
        return (time.monotonic_ns() - self.began_ns) / 1e9

    def passed_s(self) -> float:
        """Seconds since, without those in which somebody waited for a core, or nobody ran.

        A busy machine looks late at its clock, too: of the two the longer is left out.
        """
        return max(0.0, self.elapsed_s() - self.lost_s())

    def lost_s(self) -> float:
        """Those that are left out."""
        return max(_starved_s() - self._starved_s, self.still_s)


def _watch(of: weakref.ref[Stopwatch]) -> None:
    """Add up how long the machine stands still, while there is that stopwatch."""
    looked_s = time.monotonic()
    while True:
        time.sleep(_LOOK_S)
        now_s = time.monotonic()
        stopwatch = of()
        if stopwatch is None:
            return
        if now_s - looked_s > _STILL_S:
            stopwatch.still_s += now_s - looked_s - _LOOK_S
        looked_s = now_s
        del stopwatch


#: Why a table wants a card entered whose machine was too busy to look in time: nobody's mistake.
NOT_SEEN_IN_TIME = "too close together to tell which code is whose"
#: More of them in one walk are no busy machine's.
MOST_NOT_SEEN = 2
