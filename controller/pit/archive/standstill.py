"""Whether records are archived, or since when not, and why: for the wall and whoever watches it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

#: A database that has not answered for this long is away.
ANSWER_MS: Final = 10_000


class ArchiveStandstill(Struct, frozen=True):
    """Nothing is archived since `since_ms` (the pit's wall time); `why` is for people."""

    since_ms: int
    why: str


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
