"""Single writer thread for commits: jobs are carried out in order, away from the loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)

Work = Callable[[T], Iterator[None]]
"""Carries out a job; yields once whoever awaits the first part may go on."""


class JobQueue(Protocol[T_contra]):
    """Carries out jobs one after the other."""

    def submit(self, job: T_contra) -> None:
        """Take a job; returns at once."""
        ...

    def close(self) -> None:
        """Finish the jobs taken, and end."""
        ...


class WriterThread(Generic[T]):
    """A thread of its own, so that a slow disk never stops the loop."""

    def __init__(self, work: Work[T], name: str = "journal") -> None:
        self._work = work
        # A queue and one thread of our own: half the way there and back of an executor's.
        self._jobs: SimpleQueue[tuple[T] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            for _ in self._work(*job):
                continue  # whoever waits was already notified by the job itself

    def submit(self, job: T) -> None:
        """Take a job; returns at once."""
        self._jobs.put((job,))

    def close(self) -> None:
        """Finish the jobs taken, and end."""
        self._jobs.put(None)
        self._thread.join()
