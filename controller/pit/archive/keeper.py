"""Archives while this pit is the one on duty, and looks on while another one is."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Final

from sqlalchemy import Engine

from controller.pit.archive.archivist import Archivist, Arrived
from controller.pit.archive.books.keeper import BookKeeper
from controller.pit.archive.books.round_play import HolderFinder
from controller.pit.archive.branching import BranchKeeper
from controller.pit.archive.database import NO_ANSWER, why_none
from controller.pit.archive.duty import Duty
from controller.pit.archive.refill import Ask
from controller.pit.archive.store import Store
from controller.pit.tried_again import tried_again

log: Final = logging.getLogger(__name__)

#: A pit that looks on tries this often to take over.
DUTY_S: Final = 1.0

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
        #: Since when the pit that archives has been silent (this pit's clock); None: this one
        #: archives, or nobody knows.
        self.silent_since_ms: int | None = None

    @property
    def archives(self) -> bool:
        """Whether this pit is the one that archives."""
        return self._archivist is not None

    @property
    def waits_since_ms(self) -> int | None:
        """Since when messages wait for the database; None: none does."""
        return self._archivist.waits_since_ms if self._archivist is not None else None

    async def run(
        self, look: Look, expect: Callable[[Iterable[str]], None], begin_anew: Callable[[], None]
    ) -> None:
        """Archive or look on until cancelled; `look` is called every second.

        When the duty begins, `expect` hears which tables there are, and `begin_anew` that the
        buffer is to be read from where the archive is.
        """
        try:
            while True:
                if await self._is_on_duty():
                    await self._on_duty(look, expect, begin_anew)
                await look()
                await asyncio.sleep(DUTY_S)
        finally:
            self._duty.give_back()

    async def _is_on_duty(self) -> bool:
        try:
            taken = await asyncio.to_thread(self._duty.take)
        except (*NO_ANSWER, OSError) as error:
            log.warning("archive: %s", error)
            taken = False
        silent_ms = self._duty.silent_ms
        self.silent_since_ms = None if silent_ms is None else self._clock_ms() - silent_ms
        return taken

    async def _on_duty(
        self, look: Look, expect: Callable[[Iterable[str]], None], begin_anew: Callable[[], None]
    ) -> None:
        """Archive until the duty is lost."""
        store = Store(self._engine, self._clock_ms)
        archivist = Archivist(store, self._ask, self._clock_ms)
        try:
            await archivist.load()
        except NO_ANSWER as error:
            log.warning("archive: the database cannot be read (%s)", why_none(error))
            return
        expect(store.cursors)
        self._archivist = archivist
        # What came before was nobody's.
        begin_anew()
        books = partial(self._books.run, lambda: archivist.is_behind)
        working = (
            asyncio.ensure_future(archivist.run()),
            asyncio.ensure_future(tried_again("books are not kept", books)),
            asyncio.ensure_future(BranchKeeper(archivist, store, self._ask).run()),
        )
        try:
            while not any(each.done() for each in working) and await self._is_on_duty():
                await look()
                await asyncio.wait(working, timeout=DUTY_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._archivist = None
            await _end(working)
        for each in working:
            if not each.cancelled():
                each.result()  # nothing of these ends but by a defect

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

    async def hear_head(self, name: str, body: bytes) -> None:
        """Take a head that was announced; nothing while another pit archives."""
        if self._archivist is not None:
            try:
                await self._archivist.hear_head(name, body)
            except NO_ANSWER as error:
                # It comes again in a few seconds.
                log.warning("archive: the database takes nothing (%s)", why_none(error))


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
