"""Keeps the books beside the archive, in a thread of its own, for as long as this pit archives."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from sqlalchemy import Engine

from controller.pit.archive.books.entries import BooksOvertaken
from controller.pit.archive.books.follower import Follower
from controller.pit.archive.books.round_play import HolderFinder
from controller.pit.archive.storage.database import NO_ANSWER, why_none

log: Final = logging.getLogger(__name__)

#: When nothing was archived, while the archive is behind, and after a database that fails.
REST_S: Final = 1.0
#: When fewer records than that were taken: what tables that deal record meanwhile is taken and
#: written together, since a look at a thousand tables costs as much as some hundred records.
FEW_RECORDS, TOGETHER_S = 1_000, 0.25


class BookKeeper:
    """Runs a `Follower` of `engine`'s archive."""

    def __init__(self, engine: Engine, holders: HolderFinder, clock_ms: Callable[[], int]) -> None:
        self._engine = engine
        self._holders = holders
        self._clock_ms = clock_ms

    async def run(self, is_behind: Callable[[], bool]) -> None:
        """Keep the books until cancelled; they wait while the archive `is_behind`.

        The database may be away meanwhile.
        """
        follower = Follower(self._engine, self._holders, self._clock_ms)
        loop = asyncio.get_running_loop()
        thread = ThreadPoolExecutor(1, "tablectl-books")
        try:
            while True:
                taken = 0 if is_behind() else await loop.run_in_executor(thread, _follow, follower)
                if taken < FEW_RECORDS:
                    await asyncio.sleep(TOGETHER_S if taken else REST_S)
        finally:
            # It may be waiting for a database that is away; the loop does not.
            await asyncio.to_thread(thread.shutdown)


def _follow(follower: Follower) -> int:
    try:
        return follower.follow()
    except BooksOvertaken as error:
        log.warning("books: %s: reading them anew", error)
    except NO_ANSWER as error:
        log.warning("books: the database takes nothing (%s): trying again", why_none(error))
    return 0
