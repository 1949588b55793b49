"""Archives while this pit is the one on duty, and looks on while another one is."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Final

from sqlalchemy import Engine

from controller.host.tried_again import tried_again
from controller.pit.archive.archivist import Archivist, Arrived
from controller.pit.archive.books.keeper import BookKeeper
from controller.pit.archive.books.round_play import HolderFinder
from controller.pit.archive.branching import BranchKeeper
from controller.pit.archive.duty import Duty
from controller.pit.archive.findings.standstill import ANSWER_S
from controller.pit.archive.refill import Ask
from controller.pit.archive.storage.database import NO_ANSWER, why_none
from controller.pit.archive.store import Store

log: Final = logging.getLogger(__name__)

#: A pit that looks on tries this often to take over.
DUTY_S: Final = 1.0
#: An error that has not come again for so long, the rest after it included, is over.
WELL_S: Final = 15.0

Look = Callable[[], Awaitable[None]]
"""Looks at what the archive has, once in a while."""


class ArchiveKeeper:
    """The archive in `engine`'s database, with its books; `ask` reaches the tables.

    `holders` knows what is expected of a game's options.
    """

    def __init__(
        self, engine: Engine, holders: HolderFinder, ask: Ask, clock_ms: Callable[[], int]
    ) -> None:
        self._engine = engine
        self._ask = ask
        self._clock_ms = clock_ms
        self._books = BookKeeper(engine, holders, clock_ms)
        self._duty = Duty(engine)
        self._archivist: Archivist | None = None
        #: Since when the pit that archives has been silent, by the loop's time; None: this one
        #: archives, or nobody knows.
        self.silent_since_s: float | None = None
        #: When it began its last turn, by the loop's time: to archive, or to look on.
        self.turned_s = -math.inf
        self._asks_since_s: float | None = None
        self._failed_since_s = self._failed_s = -math.inf

    @property
    def archives(self) -> bool:
        """Whether this pit is the one that archives."""
        return self._archivist is not None

    @property
    def judges(self) -> bool:
        """Whether what the pit on duty does beside archiving is this one's: it archives, or would
        but for an error, or whoever archives is silent. Two may think so for a while.
        """
        silent_s = self.silent_since_s
        is_silent = silent_s is not None and _now_s() - silent_s >= ANSWER_S
        return self.archives or self.failed_since_s is not None or is_silent

    @property
    def waits_since_s(self) -> float | None:
        """Since when something waits for the database, by the loop's time; None: nothing does."""
        written_s = self._archivist.waits_since_s if self._archivist is not None else None
        waits = [each for each in (written_s, self._asks_since_s) if each is not None]
        return min(waits, default=None)

    @property
    def failed_since_s(self) -> float | None:
        """Since when an error of our own keeps this pit from archiving, by the loop's time; None:
        none does, or has for a while.
        """
        return self._failed_since_s if _now_s() - self._failed_s <= WELL_S else None

    async def run(
        self, look: Look, expect: Callable[[Iterable[str]], None], begin_anew: Callable[[], None]
    ) -> None:
        """Archive or look on until cancelled; `look` is called every second.

        When the duty begins, `expect` hears which tables there are, and `begin_anew` that the
        buffer is to be read from where the archive is. An error of ours ends the duty: another pit
        may do better, and where there is none this one begins again from what is committed.
        """
        turns = partial(self._archive_or_look_on, look, expect, begin_anew)
        try:
            await tried_again("nothing is archived", turns, self._rest)
        finally:
            self._duty.give_back()

    async def _rest(self) -> None:
        since_s = self.failed_since_s
        self._failed_s = _now_s()
        self._failed_since_s = self._failed_s if since_s is None else since_s
        await asyncio.to_thread(self._duty.give_back)

    async def _archive_or_look_on(
        self, look: Look, expect: Callable[[Iterable[str]], None], begin_anew: Callable[[], None]
    ) -> None:
        while True:
            self.turned_s = _now_s()
            if await self._is_on_duty():
                await self._on_duty(look, expect, begin_anew)
            await look()
            await asyncio.sleep(DUTY_S)

    async def _is_on_duty(self) -> bool:
        self._asks_since_s = _now_s()
        try:
            taken = await asyncio.to_thread(self._duty.take)
        except (*NO_ANSWER, OSError) as error:
            log.warning("archive: %s", error)
            taken = False
        finally:
            self._asks_since_s = None
        silent_ms = self._duty.silent_ms
        self.silent_since_s = None if silent_ms is None else _now_s() - silent_ms / 1_000
        if silent_ms is not None:
            self._failed_s = -math.inf  # another one archives
        return taken

    async def _on_duty(
        self, look: Look, expect: Callable[[Iterable[str]], None], begin_anew: Callable[[], None]
    ) -> None:
        """Archive until the duty is lost."""
        store = Store(self._engine, self._clock_ms)
        archivist = Archivist(store, self._ask, self._clock_ms)
        self._asks_since_s = _now_s()
        try:
            await archivist.load()
        except NO_ANSWER as error:
            log.warning("archive: the database cannot be read (%s)", why_none(error))
            return
        finally:
            self._asks_since_s = None
        expect(store.cursors)
        self._archivist = archivist
        # What came before was nobody's.
        begin_anew()
        books = partial(self._books.run, lambda: archivist.is_behind)
        branches = BranchKeeper(archivist, store, self._ask).run
        working = (
            asyncio.ensure_future(archivist.run()),
            asyncio.ensure_future(tried_again("heads are not looked at", archivist.heads.run)),
            asyncio.ensure_future(tried_again("books are not kept", books)),
            asyncio.ensure_future(tried_again("nothing is set aside", branches)),
        )
        try:
            while not any(each.done() for each in working) and await self._is_on_duty():
                self.turned_s = _now_s()
                await look()
                await asyncio.wait(working, timeout=DUTY_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._archivist = None
            # What is being written is waited for.
            self._asks_since_s = _now_s()
            await _end(working)
            self._asks_since_s = None
        for each in working:
            if not each.cancelled():
                each.result()  # nothing of these ends but by an error of ours

    async def buffer_read(self) -> int | None:
        """How far the buffer was read; None while another pit reads it."""
        try:
            return None if self._archivist is None else await self._archivist.buffer_read()
        except NO_ANSWER as error:
            log.warning("archive: the database cannot be read (%s)", why_none(error))
            return None

    async def hear_records(self, name: str, body: bytes, buffer: int) -> None:
        """Take records that came; nothing while another pit archives."""
        if self._archivist is not None:
            await self._archivist.hear_records(Arrived(name, body, buffer))

    def hear_head(self, name: str, body: bytes) -> None:
        """Take a head that was announced; nothing while another pit archives."""
        if self._archivist is not None:
            self._archivist.heads.put(name, body)


def _now_s() -> float:
    """The loop's time."""
    return asyncio.get_running_loop().time()


async def _end(working: Sequence[asyncio.Future[None]]) -> None:
    """End these, the last first, and wait until they have ended; a stop that comes meanwhile is
    one.
    """
    try:
        for each in reversed(working):
            each.cancel()
            await asyncio.wait((each,))
    finally:
        for each in working:
            each.cancel()
