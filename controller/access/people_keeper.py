"""Keeps a table's people as its pit sends them: on the disk, then on record, then in force."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from controller.access.sent_people import SentPeople
from controller.people.document import PeopleDocument, PeopleMark
from controller.table.inputs import DirectoryReport

log: Final = logging.getLogger(__name__)

#: A document that was brought as a file is noticed this late.
LOOK_S: Final = 1.0

PutOnRecord = Callable[[DirectoryReport], Awaitable[bool]]
"""Has it on record when it returns True; False: it cannot be recorded, or the table refuses it."""


class PeopleKeeper:
    """Takes documents, one at a time."""

    def __init__(self, people: SentPeople, put: PutOnRecord) -> None:
        self.people: Final = people
        self._put = put
        self._one_at_a_time = asyncio.Lock()
        self._recorded: PeopleMark | None = None

    async def begin(self, recorded: PeopleMark | None) -> None:
        """Begin with what lies on the disk, as far as it fits what the record says is in force."""
        async with self._one_at_a_time:
            self._recorded = recorded
            if (found := await asyncio.to_thread(self.people.begin, recorded)) is not None:
                await self._install(found)

    async def run(self) -> None:
        """Look at the disk for what is brought there, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
            async with self._one_at_a_time:
                if (found := await asyncio.to_thread(self.people.find)) is not None:
                    await self._install(found)

    async def take(self, body: bytes) -> None:
        """Take a document that came over the bus. Raises `PeopleRefused`."""
        async with self._one_at_a_time:
            if (taken := await asyncio.to_thread(self.people.take, body)) is not None:
                await self._install(taken)

    async def _install(self, document: PeopleDocument) -> None:
        """It is on the disk: a kill between any two of these lines is caught up with at the start.

        Where it cannot be put on record it is not in force: a table that is stopped lets nobody
        act, and takes it up at its next start.
        """
        head = document.head
        report = DirectoryReport(
            head.serial, document.digest, document.roster, len(document.people), head.issued_ms,
            head.good_until_ms,
        )  # fmt: skip
        if document.mark != self._recorded:
            if not await self._put(report):
                log.warning("people: directory %s is not on record, so not in force", head.serial)
                return
            self._recorded = document.mark
        await asyncio.to_thread(self.people.use, document)
