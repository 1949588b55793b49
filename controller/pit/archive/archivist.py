"""Archives what comes over the bus: messages in batches, gaps asked for.

Nothing is acknowledged to the broker: what is archived is what is committed, and whatever was lost
on the way the table is asked for, as soon as a later record or its head shows it. Of what cannot be
archived at all its table is named, and no other's waits for it: a broad `except` stands here, since
what a table sends may make fail whatever reads it.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, TypeVar

from controller.bus.messages import BadMessage, RecordBatch, decode
from controller.host.defects import report
from controller.pit.archive.commit import Overtaken, Taken
from controller.pit.archive.cursor import Cursor
from controller.pit.archive.findings.findings import ArchiveFinding, FindingKind, no_message
from controller.pit.archive.heads import Heads
from controller.pit.archive.of_a_table import is_of_a_table
from controller.pit.archive.refill import Ask, RefillAnswered, Refiller
from controller.pit.archive.storage.database import NO_ANSWER, why_none
from controller.pit.archive.store import Store

log: Final = logging.getLogger(__name__)

#: This many messages wait for the archive at most; then the broker's buffer holds the others.
MOST_WAITING: Final = 500
#: This many go into one transaction at most.
MOST_AT_ONCE: Final = 400
#: From the beginning of one transaction to that of the next at least: what comes meanwhile is
#: written together, since a transaction costs as much as some ten records. The first after a rest
#: is written at once.
TOGETHER_S: Final = 0.01
#: A transaction of so many records is one of many that come after a time away, and more will come
#: within that time.
MANY_RECORDS: Final = 1_000
_MORE_S: Final = 0.5
#: After a database that fails, this long.
RETRY_S: Final = 1.0
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Arrived:
    """Records as they came, under the subject of table `name`.

    `buffer` is the broker's number, 0 where the table was asked.
    """

    name: str
    body: bytes
    buffer: int = 0


class Archivist:
    """Writes what comes into `store`; `ask` reaches the tables, `clock_ms` is the pit's clock."""

    def __init__(
        self,
        store: Store,
        ask: Ask,
        clock_ms: Callable[[], int],
    ) -> None:
        self._store = store
        self._waiting: asyncio.Queue[Arrived | RefillAnswered] = asyncio.Queue(MOST_WAITING)
        self._refiller = Refiller(ask, store.cursor, self._waiting.put, self._find)
        #: Announced heads, held against the archive.
        self.heads = Heads(
            store.cursor, self._refiller.soon,
            lambda said: self._in_thread(lambda: store.hear(said)), clock_ms,
        )  # fmt: skip
        self._writing = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, "tablectl-archive")
        self._many_s = self._wrote_s = -math.inf
        #: Records archived since the start.
        self.records = 0
        #: Since when messages wait for the database, by the loop's time; None: none does.
        self.waits_since_s: float | None = None
        #: What was reported of tables already: each comes again as often as its table is asked.
        self._reported: set[tuple[str, str]] = set()

    @property
    def is_behind(self) -> bool:
        """Many messages wait, or records of a long time come: what can wait should."""
        more = asyncio.get_running_loop().time() - self._many_s < _MORE_S
        return more or self._waiting.qsize() >= MOST_AT_ONCE

    @property
    def asks(self) -> bool:
        """Whether any table is asked for records."""
        return self._refiller.asks

    async def load(self) -> None:
        """Read where every table stands."""
        await self._in_thread(self._store.load)
        self.heads.clock_off |= await self._in_thread(
            lambda: self._store.found_of(FindingKind.CLOCK)
        )

    async def buffer_read(self) -> int:
        """How far the broker's buffer was read and archived."""
        return await self._in_thread(self._store.buffer_read)

    async def hear_records(self, message: Arrived) -> None:
        """Take records that came; waits while the archive is behind."""
        await self._waiting.put(message)

    async def run(self) -> None:
        """Archive until cancelled."""
        try:
            while True:
                came = [await self._waiting.get()]
                await self._others()
                while len(came) < MOST_AT_ONCE and not self._waiting.empty():
                    came.append(self._waiting.get_nowait())
                self.waits_since_s = asyncio.get_running_loop().time()
                await self._until_written(came)
                self.waits_since_s = None
                for each in came:
                    if isinstance(each, RefillAnswered) and not each.archived.done():
                        each.archived.set_result(self._has(each))
        finally:
            await self._refiller.close()
            # It may be waiting for a database that is away; the loop does not.
            await asyncio.to_thread(self._thread.shutdown)

    async def _others(self) -> None:
        """Wait for what is written together with what came, if the last transaction began just
        now.
        """
        now_s = asyncio.get_running_loop().time()
        left_s = self._wrote_s + TOGETHER_S - now_s
        if left_s > 0 and self._waiting.qsize() < MOST_AT_ONCE:
            await asyncio.sleep(left_s)
            now_s = asyncio.get_running_loop().time()
        self._wrote_s = now_s

    def _has(self, answer: RefillAnswered) -> bool:
        """Whether the archive has all of it."""
        cursor = self._store.cursor(answer.name)
        return cursor is not None and cursor.at.seq >= answer.batch.records[-1].seq

    async def _until_written(self, came: list[Arrived | RefillAnswered]) -> None:
        """Messages are not let go before they are committed."""
        stood: list[Cursor | None] = []
        while True:
            try:
                taken = await self._write(lambda: self._take(came))
            except Overtaken as error:
                log.warning("archive: %s: reading anew where every table stands", error)
                await asyncio.sleep(RETRY_S)
                if not await self._reload():
                    continue
                stands = [self._store.cursor(each.name) for each in came]
                if stands == stood:
                    # Nobody else has written: what a table says collides with itself.
                    await self._one_by_one(came, error)
                    return
                stood = stands
            except Exception as error:
                if is_of_a_table(error):
                    await self._one_by_one(came, error)
                    return
                if not isinstance(error, NO_ANSWER):
                    raise
                log.warning(
                    "archive: the database takes nothing (%s): trying again", why_none(error)
                )
                await asyncio.sleep(RETRY_S)
            else:
                for each in taken.missing:
                    self._refiller.soon(each)
                return

    async def _one_by_one(self, came: list[Arrived | RefillAnswered], error: Exception) -> None:
        """One of these messages cannot be archived: no other table's waits for it."""
        if len(came) > 1:
            for each in came:
                await self._until_written([each])
            return
        name, kind = came[0].name, type(error).__name__
        if (name, kind) not in self._reported:
            self._reported.add((name, kind))
            report(f"records of {name} cannot be archived", error)
        text = f"records of it cannot be archived ({kind}): the pit's log says where it failed"
        await self._until_found(name, ArchiveFinding(FindingKind.NO_MESSAGE, 0, text))

    async def _until_found(self, name: str, finding: ArchiveFinding) -> None:
        """What a table sent is not let go before it is said of it."""
        while True:
            try:
                await self._find(name, finding)
            except NO_ANSWER as error:
                log.warning(
                    "archive: the database takes nothing (%s): trying again", why_none(error)
                )
                await asyncio.sleep(RETRY_S)
            else:
                return

    async def _reload(self) -> bool:
        """Read anew where every table stands; whether that could be read."""
        try:
            await self._in_thread(self._store.load)
        except NO_ANSWER as error:
            log.warning("archive: the database cannot be read (%s)", why_none(error))
            return False
        return True

    def _take(self, came: list[Arrived | RefillAnswered]) -> Taken:
        batches: list[tuple[str, RecordBatch]] = []
        for each in came:
            if isinstance(each, RefillAnswered):
                batches.append((each.name, each.batch))
                continue
            try:
                batches.append((each.name, decode(each.body, RecordBatch)))
            except BadMessage as error:
                self._store.find(each.name, no_message(error))
        return self._store.take(batches, max(each.buffer for each in came))

    async def at_store(self, what: Callable[[], _T]) -> _T:
        """Do something with the store, in its thread and between two transactions."""
        async with self._writing:
            return await self._in_thread(what)

    def ask_for_more(self, name: str) -> None:
        """Ask a table for what it has after the archive's last record."""
        self.heads.forget(name)
        self._refiller.soon(name)

    async def _write(self, write: Callable[[], Taken]) -> Taken:
        async with self._writing:
            taken = await self._in_thread(write)
        self.records += taken.records
        if taken.records >= MANY_RECORDS:
            self._many_s = asyncio.get_running_loop().time()
        return taken

    async def _find(self, name: str, finding: ArchiveFinding) -> None:
        await self._in_thread(lambda: self._store.find(name, finding))

    async def _in_thread(self, what: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, what)
