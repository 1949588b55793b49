"""Whether records are archived, or since when not, and why: for the wall and whoever watches it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

#: A database that has not answered for this long is away, and so is a pit that archives and has
#: not asked for its duty: it does so every second.
ANSWER_MS: Final = 10_000


class ArchiveStandstill(Struct, frozen=True):
    """Nothing is archived since `since_ms` (the pit's wall time); `why` is for people."""

    since_ms: int
    why: str


def why_still(
    now_ms: int, bus: str, database_ms: int | None, duty_ms: int | None
) -> tuple[str, int | None]:
    """Why nothing is archived, and since when if that is known; empty where it goes on.

    `bus`: why nothing comes from there. `database_ms`: since when the database has not answered,
    `duty_ms`: since when another pit that archives has been silent; None: nothing of that.
    """
    if bus:
        return "nothing comes from the bus", None
    if database_ms is not None and now_ms - database_ms >= ANSWER_MS:
        return "the archive's database takes nothing", database_ms
    if duty_ms is not None and now_ms - duty_ms >= ANSWER_MS:
        return "the pit that archives is silent, and no other can take over yet", duty_ms
    return "", None


class ArchiveWatch:
    """Notes when the archive came to a stand; `clock_ms` is the pit's clock."""

    def __init__(self, clock_ms: Callable[[], int]) -> None:
        self._clock_ms = clock_ms
        #: None while records are archived.
        self.standstill: ArchiveStandstill | None = None

    def look(self, why: str, since_ms: int | None = None) -> None:
        """Nothing is archived for this reason; empty: it goes on. Its beginning stays.

        `since_ms`: it began then, where that is known; else now.
        """
        if not why:
            self.standstill = None
        elif self.standstill is None:
            self.standstill = ArchiveStandstill(
                self._clock_ms() if since_ms is None else since_ms, why
            )
        else:
            self.standstill = ArchiveStandstill(self.standstill.since_ms, why)
