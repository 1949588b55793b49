"""Asks tables for records that did not come, whatever lost them.

Answers wait with what comes over the bus, so that those of many tables are one transaction; a table
is asked on while what it said before is being written.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from controller.bus.messages import (
    BadMessage,
    ChainMark,
    RecordBatch,
    RefillRefused,
    RefillRequest,
    mark_of,
)
from controller.host.defects import report
from controller.pit.archive.cursor import Cursor, identity_of, two_tables
from controller.pit.archive.findings.findings import ArchiveFinding, FindingKind, no_message

Ask = Callable[[str, RefillRequest], Awaitable[RecordBatch | RefillRefused | None]]
"""Asks a table for records; None where it does not answer. Raises `BadMessage`."""

#: This many tables are asked for records at the same time.
MOST_ASKED: Final = 16
#: This many answers of a table wait to be written at most.
MOST_AHEAD: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class RefillAnswered:
    """Records that table `name` was asked for; `archived` says whether all of them are, then."""

    name: str
    batch: RecordBatch
    archived: asyncio.Future[bool] = field(default_factory=asyncio.Future)
    #: No number of the broker's buffer.
    buffer: int = 0


class Refiller:
    """Asks by `ask` from where `cursor` says that the archive is; answers go to `take`.

    `find` hears why there is no answer.
    """

    def __init__(
        self,
        ask: Ask,
        cursor: Callable[[str], Cursor | None],
        take: Callable[[RefillAnswered], Awaitable[None]],
        find: Callable[[str, ArchiveFinding], Awaitable[None]],
    ) -> None:
        self._ask = ask
        self._cursor = cursor
        self._take = take
        self._find = find
        self._asked: dict[str, asyncio.Task[None]] = {}
        self._slots = asyncio.Semaphore(MOST_ASKED)

    @property
    def asks(self) -> bool:
        """Whether any table is asked."""
        return bool(self._asked)

    def soon(self, name: str, begun: Cursor | None = None) -> None:
        """Ask a table for the records after the archive's last one, unless it is being asked.

        `begun`: from there, where the archive has none of it.
        """
        if name not in self._asked:
            task = asyncio.ensure_future(self._refill(name, begun))
            self._asked[name] = task
            task.add_done_callback(lambda done: self._refilled(name, done))

    async def close(self) -> None:
        """Ask nobody any longer."""
        for each in self._asked.values():
            each.cancel()
        await asyncio.gather(*self._asked.values(), return_exceptions=True)

    def _refilled(self, name: str, done: asyncio.Task[None]) -> None:
        del self._asked[name]
        if not done.cancelled() and (error := done.exception()) is not None:
            assert isinstance(error, Exception)
            report(f"archive: asking {name} for records ended", error)

    async def _refill(self, name: str, begun: Cursor | None) -> None:
        """Ask until the table has no more, or until it does not go on."""
        async with self._slots:
            while (at := self._cursor(name) or begun) is not None:
                try:
                    said = await self._take_all(name, mark_of(at.at))
                except BadMessage as error:
                    await self._find(name, no_message(error))
                    return
                except _NotArchived:
                    if (self._cursor(name) or begun) == at:
                        return
                    continue
                now = self._cursor(name) or begun
                if now is not None and not isinstance(said, RecordBatch):
                    await self._find(name, _not_to_be_had(now, said))
                return

    async def _take_all(self, name: str, mark: ChainMark) -> RecordBatch | RefillRefused | None:
        """Take all that a table has after `mark`; its last answer.

        Raises `_NotArchived`, `BadMessage`.
        """
        ahead: deque[asyncio.Future[bool]] = deque()
        while True:
            answer = await self._ask(name, RefillRequest(mark))
            is_last = not isinstance(answer, RecordBatch) or not answer.records
            if isinstance(answer, RecordBatch) and answer.records:
                waiting = RefillAnswered(name, answer)
                ahead.append(waiting.archived)
                await self._take(waiting)
                last = answer.records[-1]
                # Somebody who says the same for ever is no table.
                is_last = last.seq <= mark.seq
                mark = ChainMark(last.seq, last.hash)
            while ahead and (is_last or len(ahead) >= MOST_AHEAD or ahead[0].done()):
                if not await ahead.popleft():
                    raise _NotArchived
            if is_last:
                return answer


class _NotArchived(Exception):
    """An answer was not archived as a whole."""


def _not_to_be_had(at: Cursor, answer: RefillRefused | None) -> ArchiveFinding:
    if answer is None:
        text = f"records from {at.at.seq + 1} on did not come, and the table does not answer"
        return ArchiveFinding(FindingKind.GAP, at.at.seq + 1, text)
    if answer.identity != at.identity.hex():
        return two_tables(at.identity, identity_of(answer.identity))
    kind = FindingKind.FORK if answer.fork else FindingKind.GAP
    if answer.fork and answer.head.seq < at.at.seq:
        kind = FindingKind.BEHIND
    return ArchiveFinding(kind, at.at.seq + (kind is FindingKind.GAP), answer.why)
