"""The record as a feed: what is new is read once for all consumers; who is behind reads by itself.

Nothing is queued for anybody. A consumer is a number of a record; one that reads nothing costs
nothing but its connection. Everything comes from the disk, so that what is sent is on record.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from controller.record.files.database import JournalDamaged, JournalError
from controller.record.reading.record_tail import CannotGoOn, RecordTail
from controller.service.ports import Desk
from controller.web.feed.fact_event import BEGINS, ENDS, SentEvent, round_after, sent_event

log: Final = logging.getLogger(__name__)

#: The newest events stay in memory: whoever is not further behind costs no reading.
NEWEST: Final = 4_096
#: This much is read and sent at a time.
MOST_RECORDS: Final = 2_000
MOST_BYTES: Final = 500_000
#: After a failure the record is read ahead again this much later.
AGAIN_S: Final = 1.0
#: Digits of the table's identity in that of its rounds.
IDENTITY_CHARS: Final = 16
#: The place of nobody.
NOWHERE: Final = -1
_T = TypeVar("_T")


class NothingRecorded(Exception):
    """There is no record yet."""


class FactFeed:
    """The feed of the record in `folder`, for as many as look."""

    def __init__(self, folder: Path, desk: Desk) -> None:
        self._desk = desk
        self._newest: list[SentEvent] = []
        self._news = asyncio.Event()
        #: Up to which record it is read ahead.
        self._ahead = NOWHERE
        self._following = 0
        self._follower: asyncio.Task[None] | None = None
        self._folder = folder
        self._tail = RecordTail(folder)
        self._reading: ThreadPoolExecutor | None = None
        #: The service closes: everything up to the end is read ahead, and nothing more comes.
        self.over = asyncio.Event()

    @contextmanager
    def followed(self) -> Iterator[None]:
        """The record is read as long as somebody is in here."""
        self._following += 1
        if self._reading is None:
            # One thread, which alone has the tail: however many are behind, they read in turn.
            self._reading = ThreadPoolExecutor(1, "tablectl-feed")
            self._tail = RecordTail(self._folder)
            self._follower = asyncio.create_task(self._follow(), name="feed")
        try:
            yield
        finally:
            self._following -= 1
            if not self._following:
                self._end()

    def _end(self) -> None:
        if self._follower is not None:
            self._follower.cancel()
        if self._reading is not None:
            self._reading.submit(self._tail.close)
            self._reading.shutdown(wait=False)
        self._follower = self._reading = None
        self._newest, self._ahead = [], NOWHERE

    async def next(self, after: int, within_s: float) -> list[SentEvent]:
        """Events after record `after`, some at a time; none where there was none within that time,
        or where the feed is over. To be asked while `followed`.

        Raises `CannotGoOn`, `JournalError`, `NothingRecorded`.
        """
        try:
            async with asyncio.timeout(within_s):
                while True:
                    news = self._news  # before anything is looked at: nothing new is missed
                    if found := self._buffered(after):
                        return found
                    # Whoever is where the reading ahead is costs no reading of its own.
                    if after != self._ahead and (
                        found := await self._run(partial(self._read, after=after))
                    ):
                        return found
                    if self.over.is_set():
                        return []
                    await news.wait()
        except TimeoutError:
            return []

    async def head(self) -> int:
        """The number of the newest record. Raises `JournalError`, `NothingRecorded`."""
        return await self._run(self._head)

    async def back(self, count: int) -> int:
        """The place `count` records before the end, or the end where those are kept no longer.

        Raises `JournalError`, `NothingRecorded`.
        """
        return await self._run(partial(self._back, count=count))

    def _buffered(self, after: int) -> list[SentEvent]:
        newest = self._newest
        if not newest or newest[-1].seq <= after or newest[0].seq > after + 1:
            return []
        at = after + 1 - newest[0].seq
        return newest[at : at + MOST_RECORDS]

    async def _follow(self) -> None:
        """Read ahead as long as somebody looks; begin anew a while after it failed."""
        said = ""
        while True:
            try:
                await self._read_ahead()
                self.over.set()
                self._wake()
                return
            except (CannotGoOn, JournalError, NothingRecorded, OSError, sqlite3.Error) as error:
                # A reader reads by itself meanwhile, and gets the error.
                if said != (said := str(error)):
                    log.error("the feed is not read ahead: %s", error)
            # What is kept would have a gap before what is read next.
            self._newest, self._ahead = [], NOWHERE
            self._wake()
            await asyncio.sleep(AGAIN_S)

    async def _read_ahead(self) -> None:
        """Read what is new after each change, until the service closes."""
        self._ahead = await self.head()
        async for _ in self._desk.changes():
            await self._read_on()
        await self._read_on()  # the last change may have come with the end

    async def _read_on(self) -> None:
        """Read what is new, and wake whoever waits for it."""
        while found := await self._run(partial(self._read, after=self._ahead)):
            self._newest = [*self._newest[-NEWEST:], *found]
            self._ahead = found[-1].seq
            self._wake()

    def _wake(self) -> None:
        """Let whoever waits look again."""
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def _run(self, work: Callable[[RecordTail], _T]) -> _T:
        """Have the thread that has the tail do something with it."""
        assert self._reading is not None
        # The tail of now: what is still at work as the last consumer goes must not meet the next
        # one's, which another thread has.
        return await asyncio.get_running_loop().run_in_executor(self._reading, work, self._tail)

    def _head(self, tail: RecordTail) -> int:
        head = tail.head()
        if head is None:
            raise NothingRecorded
        return head[1].seq

    def _back(self, tail: RecordTail, count: int) -> int:
        head = self._head(tail)
        place = max(0, head - count)
        try:
            tail.position(place)
        except CannotGoOn:
            return head
        return place

    def _read(self, tail: RecordTail, after: int) -> list[SentEvent]:
        head = tail.head()
        if head is None:
            raise NothingRecorded
        identity = head[0].hex()[:IDENTITY_CHARS]
        mark = tail.position(after)
        rows = tail.after(mark, MOST_RECORDS, MOST_BYTES)
        playing = round_after(tail.newest_of((*BEGINS, *ENDS), mark)) if rows else 0
        found: list[SentEvent] = []
        for row in rows:
            try:
                found.append(sent_event(row, identity, playing))
            except (KeyError, msgspec.DecodeError) as error:
                what = f"record {row.seq} cannot be read"
                raise JournalDamaged(self._folder, what, row.seq - 1) from error
            playing = found[-1].round
        return found
