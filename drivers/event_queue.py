"""Bounded queue of a device's events, in order, on the event loop."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, Generic, TypeVar

EVENTS_MAX: Final = 256

T = TypeVar("T")


async def wait_until(event: asyncio.Event, at_ns: int | None) -> bool:
    """Whether `event` came before the monotonic clock reached `at_ns` (None: for ever)."""
    if at_ns is None:
        return await event.wait()
    # The loop's own time is `time.monotonic`, on every Linux.
    try:
        async with asyncio.timeout_at(at_ns / 1e9):
            return await event.wait()
    except TimeoutError:
        return False


class EventQueue(Generic[T]):
    """Events in the order in which they came, and at the end the error that ended them."""

    def __init__(self, limit: int = EVENTS_MAX) -> None:
        self._limit = limit
        self._events: deque[T] = deque()
        self._error: Exception | None = None
        self._woken = asyncio.Event()

    @property
    def has_room(self) -> bool:
        """Whether another event may be put; where not, the producer has to pause or to fail."""
        return len(self._events) < self._limit

    def put(self, event: T) -> None:
        """Add an event."""
        assert self.has_room, "the producer checks for room first"
        self._events.append(event)
        self._woken.set()

    def fail(self, error: Exception) -> None:
        """End the queue by `error`; events that wait are still taken first."""
        self._error = self._error or error
        self._woken.set()

    def drain(self) -> list[T]:
        """All events that wait, taken at once."""
        waiting = list(self._events)
        self._events.clear()
        return waiting

    async def take(self, until_ns: int | None = None) -> T | None:
        """The next event; None when the monotonic clock reached `until_ns` first.

        Raises the error that ended the events: a `DeviceError`, or what a defect raised.
        """
        while not self._events:
            if self._error is not None:
                raise self._error
            self._woken.clear()
            if not await wait_until(self._woken, until_ns) and not self._events:
                return None
        return self._events.popleft()
