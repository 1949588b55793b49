"""What tables said last, and when the pit heard it, by a clock that somebody may set meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import msgspec

from controller.pit.wall.status import TableNews
from controller.pit.wall.tile import Heard, Unread

#: A clock that differs by more from what it was has been set: a table's, or the pit's.
AGREE_MS: Final = 2_000
#: So much is said of why a status cannot be read.
MOST_WHY: Final = 200


class HeardTables:
    """`heard` is the newest status of each table; `unread` are tables that speak, and say what is
    no status. `clock_ms` is the pit's wall clock, `steady_ms` one that nobody sets.
    """

    def __init__(self, clock_ms: Callable[[], int], steady_ms: Callable[[], int]) -> None:
        self.heard: dict[str, Heard] = {}
        self.unread: dict[str, Unread] = {}
        self._clock_ms = clock_ms
        self._steady_ms = steady_ms
        #: By how much the pit's clock is ahead of that.
        self._ahead_ms = clock_ms() - steady_ms()

    def hear(self, news: TableNews) -> bool:
        """Take a table's status; False: it is older than the one that is there already."""
        self.unread.pop(news.table, None)
        known = self.heard.get(news.table)
        if known is not None and news.seq < known.status.seq and not _began_anew(known, news):
            return False
        now_ms = self._clock_ms()
        # The way only makes a clock look slower: the greatest of differences that agree is it.
        clock_ms = news.at_ms - now_ms
        if known is not None and abs(clock_ms - known.clock_ms) < AGREE_MS:
            clock_ms = max(clock_ms, known.clock_ms)
        heard = Heard(news.status, now_ms, clock_ms, body=news.body)
        if heard.stopped:
            before_ms = known.stopped_ms if known is not None else None
            heard = msgspec.structs.replace(
                heard, stopped_ms=now_ms if before_ms is None else before_ms
            )
        self.heard[news.table] = heard
        return True

    def hear_unread(self, table: str, why: str) -> None:
        """A table speaks, and what it says is no status: it is not offline, and shows nothing."""
        now_ms, known = self._clock_ms(), self.unread.get(table)
        text = f"What {table} says of itself cannot be read: {why[:MOST_WHY]}"
        self.unread[table] = Unread(text, now_ms if known is None else known.since_ms, now_ms)

    def is_heard(self, table: str, silent_ms: float) -> bool:
        """Whether the table said anything within that time."""
        heard, unread = self.heard.get(table), self.unread.get(table)
        last_ms = max(0 if each is None else each.at_ms for each in (heard, unread))
        return self._clock_ms() - last_ms <= silent_ms

    def follow_clock(self) -> bool:
        """Where the pit's clock was set, what was heard before keeps its age: a table would be
        offline at once, or not before the clock is where it was. Whether it was set.
        """
        ahead_ms = self._clock_ms() - self._steady_ms()
        by_ms = ahead_ms - self._ahead_ms
        if abs(by_ms) < AGREE_MS:
            return False
        self._ahead_ms = ahead_ms
        for table, each in self.heard.items():
            stopped_ms = None if each.stopped_ms is None else each.stopped_ms + by_ms
            self.heard[table] = msgspec.structs.replace(
                each, at_ms=each.at_ms + by_ms, clock_ms=each.clock_ms - by_ms,
                stopped_ms=stopped_ms, before_set=True,
            )  # fmt: skip
        for table, unread in self.unread.items():
            since_ms, at_ms = unread.since_ms + by_ms, unread.at_ms + by_ms
            self.unread[table] = replace(unread, since_ms=since_ms, at_ms=at_ms)
        return True


def _began_anew(known: Heard, news: TableNews) -> bool:
    """Whether a table whose numbers fell was put back to an older record, rather than late news.

    Messages of one table come in order: what is later by its own clock is newer.
    """
    return news.at_ms > known.at_ms + known.clock_ms
