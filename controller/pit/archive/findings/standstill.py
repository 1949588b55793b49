"""Whether records are archived, or since when not, and why: for the wall and whoever watches it.

What lasts is measured by the loop's time (`_s`), which nobody sets; what is shown is the pit's wall
time (`_ms`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

#: A database that has not answered for this long is away, and so is a pit that archives and has
#: not asked for its duty: it does so every second.
ANSWER_S: Final = 10.0
#: What is shown moves by more than this only where the pit's clock was set.
_AGREE_MS: Final = 2_000


class ArchiveStandstill(Struct, frozen=True):
    """Nothing is archived since `since_ms` (the pit's wall time); `why` is for people."""

    since_ms: int
    why: str


def why_still(
    now_s: float, bus: str, database_s: float | None, duty_s: float | None, defect_s: float | None
) -> tuple[str, float | None]:
    """Why nothing is archived, and since when if that is known; empty where it goes on.

    `bus`: why nothing comes from there. `database_s`: since when the database has not answered,
    `duty_s`: since when another pit that archives has been silent, `defect_s`: since when an error
    of our own keeps this one from it; None: nothing of that.
    """
    if bus:
        return "nothing comes from the bus", None
    if defect_s is not None:
        return "an error of the pit's own stops it, and it is tried again: see its log", defect_s
    if database_s is not None and now_s - database_s >= ANSWER_S:
        return "the archive's database takes nothing", database_s
    if duty_s is not None and now_s - duty_s >= ANSWER_S:
        return "the pit that archives is silent, and no other can take over yet", duty_s
    return "", None


class ArchiveWatch:
    """Notes when the archive came to a stand; `clock_ms` is the pit's clock, `steady_s` one that
    nobody sets.
    """

    def __init__(self, clock_ms: Callable[[], int], steady_s: Callable[[], float]) -> None:
        self._clock_ms = clock_ms
        self._steady_s = steady_s
        self._since_s = 0.0
        #: None while records are archived.
        self.standstill: ArchiveStandstill | None = None

    def look(self, why: str, since_s: float | None = None) -> None:
        """Nothing is archived for this reason; empty: it goes on. Its beginning stays.

        `since_s`: it began then, where that is known; else now.
        """
        if not why:
            self.standstill = None
            return
        now_s = self._steady_s()
        before = self.standstill
        if before is None:
            self._since_s = now_s if since_s is None else since_s
        since_ms = self._clock_ms() - round((now_s - self._since_s) * 1_000)
        if before is not None and abs(since_ms - before.since_ms) <= _AGREE_MS:
            since_ms = before.since_ms
        self.standstill = ArchiveStandstill(since_ms, why)
