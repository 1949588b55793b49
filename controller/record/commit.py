"""A commit: records that are written as one, and the thread or task that waits until they are."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from threading import Lock
from time import perf_counter

from controller.table.facts import Record


class Commit:
    """Records that are being written as one, and the one caller that waits until they are.

    The loop's thread first waits for a lock, as long as a fast disk takes, and awaits a future only
    where that is not enough (`writer_thread.PATIENCE_S`). `began_s` is on `time.perf_counter`.
    """

    __slots__ = ("_awaited", "_done", "_failed", "_lock", "began_s", "loop", "records")

    def __init__(self, records: Sequence[Record], loop: asyncio.AbstractEventLoop) -> None:
        self.records = records
        self.loop = loop
        self.began_s = perf_counter()
        self._lock = Lock()
        self._lock.acquire()
        self._done = False
        self._failed: BaseException | None = None
        self._awaited: asyncio.Future[None] | None = None

    def notify(self, failed: BaseException | None) -> None:
        """Called by whoever wrote, on any thread."""
        self._failed = failed
        self._done = True
        self._lock.release()
        # Whichever of the two threads comes second sees what the first one has set.
        if self._awaited is not None:
            self.loop.call_soon_threadsafe(self._wake, self._awaited)

    @staticmethod
    def _wake(awaited: asyncio.Future[None]) -> None:
        if not awaited.done():
            awaited.set_result(None)

    def done_within(self, patience_s: float) -> bool:
        """Whether the records are on the disk by then; blocks. Raises as `wait` does."""
        if not self._done and not self._lock.acquire(timeout=patience_s):
            return False
        if self._failed:
            raise self._failed
        return True

    async def wait(self) -> None:
        """Return when the records are on the disk. Raises `JournalError`, or our defect."""
        self._awaited = self.loop.create_future()
        if not self._done:
            await self._awaited
        if self._failed:
            raise self._failed
