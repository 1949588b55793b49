"""Announced heads held against the archive: the newest of each table, and those of many together.

A look waits once for what is being written, however many tables have announced meanwhile: one head
after the other, each of them would wait, and those of a large pit come faster than it writes. A
broad `except` stands here: what a table says may make fail whatever reads it, and no other waits
for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from controller.bus.messages import BadMessage, HeadNews, decode, position_of
from controller.host.defects import report
from controller.pit.archive.cursor import Cursor, begun, identity_of, two_tables
from controller.pit.archive.findings.findings import ArchiveFinding, FindingKind, no_message
from controller.pit.archive.of_a_table import is_of_a_table
from controller.pit.archive.storage.database import NO_ANSWER, why_none

log: Final = logging.getLogger(__name__)

#: A table's clock may be off by this much.
CLOCK_MS: Final = 300_000
#: Heads of so many tables wait for a look; each comes again in a few seconds.
MOST_WAITING: Final = 10_000


@dataclass(frozen=True, slots=True)
class _Announced:
    """The head that a table announced last, and where the archive stood then."""

    seq: int
    cursor_seq: int


@dataclass(slots=True)
class SaidByHeads:
    """What heads come to, by table: findings, kinds of them that are over, and heads that are to be
    compared, each with the number below which it is no late one (`look_at_head`).
    """

    found: list[tuple[str, ArchiveFinding]] = field(default_factory=list)
    over: list[tuple[str, FindingKind]] = field(default_factory=list)
    compared: list[tuple[str, HeadNews, int]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.found or self.over or self.compared)

    def by_table(self) -> list[Self]:
        """The same, each table by itself."""
        apart: dict[str, Self] = {}
        for each in self.found:
            apart.setdefault(each[0], type(self)()).found.append(each)
        for over in self.over:
            apart.setdefault(over[0], type(self)()).over.append(over)
        for compared in self.compared:
            apart.setdefault(compared[0], type(self)()).compared.append(compared)
        return list(apart.values())


class Heads:
    """Takes heads as they come. `cursor` is where the archive is in a table's record, `soon` asks a
    table for what it has beyond that, `hear` writes what they come to, and blocks for the database
    (it raises one of `NO_ANSWER`); `clock_ms` is the pit's clock.
    """

    def __init__(
        self,
        cursor: Callable[[str], Cursor | None],
        soon: Callable[[str, Cursor | None], None],
        hear: Callable[[SaidByHeads], Awaitable[Any]],
        clock_ms: Callable[[], int],
    ) -> None:
        self._cursor = cursor
        self._soon = soon
        self._hear = hear
        self._clock_ms = clock_ms
        self._waiting: dict[str, bytes] = {}
        self._come = asyncio.Event()
        self._announced: dict[str, _Announced] = {}
        #: Tables whose clock was far from the pit's when they were heard last.
        self.clock_off: set[str] = set()

    def put(self, name: str, body: bytes) -> None:
        """A head that came: an older one of its table that nobody has looked at is passed over."""
        if name in self._waiting or len(self._waiting) < MOST_WAITING:
            self._waiting[name] = body
            self._come.set()

    def forget(self, name: str) -> None:
        """What the table announced before says nothing of what comes now."""
        self._announced.pop(name, None)

    async def run(self) -> None:
        """Look at what has come until cancelled."""
        while True:
            await self._come.wait()
            self._come.clear()
            heads, self._waiting = self._waiting, {}
            try:
                await self.look(heads)
            except NO_ANSWER as error:
                # They come again in a few seconds.
                log.warning("archive: the database takes nothing (%s)", why_none(error))

    async def look(self, heads: Mapping[str, bytes]) -> None:
        """Hold heads of tables against the archive; ask for what did not come.

        Raises one of `NO_ANSWER`.
        """
        said = SaidByHeads()
        for name, body in heads.items():
            try:
                self._look(name, decode(body, HeadNews), said)
            except BadMessage as error:
                said.found.append((name, no_message(error)))
        if said:
            await self._until_said(said)

    async def _until_said(self, said: SaidByHeads) -> None:
        try:
            await self._hear(said)
        except Exception as error:
            if not is_of_a_table(error):
                raise
            apart = said.by_table()
            if len(apart) == 1:
                report("a head of a table was passed over", error)
                return
            for each in apart:
                await self._until_said(each)

    def _look(self, name: str, news: HeadNews, said: SaidByHeads) -> None:
        """What a head says. Raises `BadMessage`."""
        if news.table != name:
            text = f"a head under this table's subject says that it is of table {news.table!r}"
            said.found.append((name, ArchiveFinding(FindingKind.OTHER_TABLE, 0, text)))
            return
        identity, head = identity_of(news.identity), position_of(news.head)
        self._look_at_clock(name, news.at_ms, said)
        cursor = self._cursor(name)
        if cursor is None:
            if head.seq:
                self._soon(name, begun(identity))
            return
        before = self._announced.get(name, _Announced(0, 0))
        self._announced[name] = _Announced(head.seq, cursor.at.seq)
        if identity != cursor.identity:
            said.found.append((name, two_tables(cursor.identity, identity)))
        elif head.seq <= cursor.at.seq:
            # A head that is further than the one before it is late, however far the archive was.
            stood = before.cursor_seq if head.seq <= before.seq else 0
            said.compared.append((name, news, stood))
        elif before.seq > cursor.at.seq and before.cursor_seq == cursor.at.seq:
            # What was announced the last time should have come since, and nothing has.
            self._soon(name, None)

    def _look_at_clock(self, name: str, at_ms: int, said: SaidByHeads) -> None:
        off_ms = at_ms - self._clock_ms()
        if abs(off_ms) <= CLOCK_MS:
            if name in self.clock_off:
                self.clock_off.discard(name)
                said.over.append((name, FindingKind.CLOCK))
            return
        self.clock_off.add(name)
        way = "ahead of" if off_ms > 0 else "behind"
        text = (
            f"the table's clock is {abs(off_ms) // 60_000} minutes {way} the pit's: times of its "
            "records are its own"
        )
        said.found.append((name, ArchiveFinding(FindingKind.CLOCK, 0, text)))
