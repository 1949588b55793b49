"""Single writer thread for commits: jobs are carried out in order, away from the loop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final, Generic, Protocol, TypeVar

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)

Work = Callable[[T], Iterator[None]]
"""Carries out a job; yields once whoever awaits the first part may go on."""

Idle = Callable[[], bool]
"""Does a bit of what can wait while there is no job, a millisecond's work; whether more is left."""


def nothing_to_do() -> bool:
    """While there is no job, nothing is done."""
    return False


#: How long a caller may block for a job. A fast disk is done by then, and a lock wakes the caller
#: in half the time that the loop's selector takes; a slow disk stops the loop for no longer.
PATIENCE_S: Final = 0.002
#: The rest of a job waits this long: meanwhile the lamps are set, without a second thread beside.
REST_LATER_S: Final = 0.0003
#: After a job, and after each bit of what can wait: so far from a card is it, and so seldom before
#: one, since Python lets one thread compute at a time.
IDLE_AFTER_S: Final = 0.05


class JobQueue(Protocol[T_contra]):
    """Carries out jobs one after the other; a caller may block for one for `patience_s`."""

    patience_s: float

    def submit(self, job: T_contra) -> None:
        """Take a job; returns at once."""
        ...

    def close(self) -> None:
        """Finish the jobs taken, and end."""
        ...


class WriterThread(Generic[T]):
    """A thread of its own, so that a slow disk never stops the loop.

    `idle` is called while there is no job, and never before the first.
    """

    patience_s = PATIENCE_S

    def __init__(self, work: Work[T], idle: Idle = nothing_to_do, *, name: str = "journal") -> None:
        self._work = work
        self._idle = idle
        # A queue and one thread of our own: half the way there and back of an executor's.
        self._jobs: SimpleQueue[tuple[T] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        within_s: float | None = None
        while True:
            try:
                job = self._jobs.get(timeout=within_s)
            except Empty:
                within_s = IDLE_AFTER_S if self._idle() else None
                continue
            if job is None:
                return
            for _ in self._work(*job):
                time.sleep(REST_LATER_S)  # whoever waited goes on now
            within_s = IDLE_AFTER_S

    def submit(self, job: T) -> None:
        """Take a job; returns at once."""
        self._jobs.put((job,))

    def close(self) -> None:
        """Finish the jobs taken, and end."""
        self._jobs.put(None)
        self._thread.join()
