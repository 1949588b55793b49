"""The hand that writes: jobs are carried out one after the other, in order, away from the loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)

Work = Callable[[T], Iterator[None]]
"""Carries out a job; yields where somebody who waited for its first part may already go on."""


class Hand(Protocol[T_contra]):
    """Carries out what it is given, one after the other."""

    def give(self, job: T_contra) -> None:
        """Take a job; returns at once."""
        ...

    def close(self) -> None:
        """Finish what was given, and end."""
        ...


class ThreadHand(Generic[T]):
    """A thread of its own, so that a slow disk never stops the loop."""

    def __init__(self, work: Work[T], name: str = "journal") -> None:
        self._work = work
        # A queue and one thread of our own: half the way there and back of an executor's.
        self._jobs: SimpleQueue[tuple[T] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while (given := self._jobs.get()) is not None:
            for _ in self._work(*given):
                continue  # a thread has nobody to let go on: the loop runs meanwhile

    def give(self, job: T) -> None:
        """Take a job; returns at once."""
        self._jobs.put((job,))

    def close(self) -> None:
        """Finish what was given, and end."""
        self._jobs.put(None)
        self._thread.join()
