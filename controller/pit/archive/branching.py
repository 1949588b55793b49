"""Does what people have said of two histories of a table, while this pit archives.

Whatever makes that fail for one table is said of it, so that the others' turn comes: a broad
`except` stands here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from controller.bus.messages import BadMessage, RecordBatch, RefillRefused, RefillRequest
from controller.host.defects import report
from controller.pit.archive.archivist import Archivist
from controller.pit.archive.branches.fork_point import NoForkPoint, TableIsAway, last_common
from controller.pit.archive.branches.rows import BranchRow
from controller.pit.archive.commit import Overtaken
from controller.pit.archive.of_a_table import is_of_a_table
from controller.pit.archive.refill import Ask
from controller.pit.archive.storage.database import NO_ANSWER, why_none
from controller.pit.archive.store import Store

log: Final = logging.getLogger(__name__)

#: How often it is looked whether anything was said, and a table asked that did not answer.
LOOK_S: Final = 1.0


class BranchKeeper:
    """Sets aside what does not stand in `store`, in the thread of `archivist`; `ask` as its own."""

    def __init__(self, archivist: Archivist, store: Store, ask: Ask) -> None:
        self._archivist = archivist
        self._store = store
        self._ask = ask

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            try:
                for each in await self._archivist.at_store(self._store.waiting_branches):
                    await self._follow_or_say(each)
            except Overtaken as error:
                log.warning("archive: %s", error)
            except NO_ANSWER as error:
                log.warning("archive: the database takes nothing (%s)", why_none(error))
            await asyncio.sleep(LOOK_S)

    async def _follow_or_say(self, branch: BranchRow) -> None:
        """Do it, or note why it cannot be done. Raises `DBAPIError`, `Overtaken`."""
        try:
            await self._follow(branch)
        except Overtaken:
            raise
        except Exception as error:
            if not is_of_a_table(error):
                raise
            # Nothing of it was written: it is one transaction. People may say it once more.
            why = report("an error of this software kept the records from being set aside", error)
            await self._at_store(lambda: self._store.no_branch(branch, why))

    async def _follow(self, branch: BranchRow) -> None:
        """Find where the two part, set aside what comes after it, and ask the table for its own."""
        name = branch.table
        cursor = self._store.cursor(name)
        if cursor is None:
            await self._at_store(lambda: self._store.no_branch(branch, "no record is archived"))
            return

        async def ask(request: RefillRequest) -> RecordBatch | RefillRefused | None:
            return await self._ask(name, request)

        async def hash_of(seq: int) -> bytes | None:
            return await self._archivist.at_store(lambda: self._store.hash_of(name, seq))

        try:
            at = await last_common(cursor, ask, hash_of)
        except TableIsAway:
            return
        except (NoForkPoint, BadMessage) as error:
            why = str(error)
            await self._at_store(lambda: self._store.no_branch(branch, why))
            return
        await self._at_store(lambda: self._store.set_aside(branch, cursor, at))
        log.warning("archive: %s: its own history stands from record %s on", name, at.seq + 1)
        self._archivist.ask_for_more(name)

    async def _at_store(self, what: Callable[[], None]) -> None:
        await self._archivist.at_store(what)
