"""Which input is the table's next: what is due, or what reached the table first."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from controller.service.input_queue import InputQueue, QueuedInput
from controller.service.ports import Clock
from controller.service.timekeeping.wakeup import NS_PER_S, Wakeup
from controller.table.decide.remote_players.windows import closes_at_ns
from controller.table.inputs import (
    ConfirmWager,
    DayCheck,
    Decide,
    DeclineWager,
    PlaceWager,
    RemoveWager,
    TimerFired,
)
from controller.table.state.state import State

#: A timer fires this long after its moment, so that its moment has passed by any clock's grain.
TIMER_LATE_S: Final = 0.001
#: Commands of players, of which many may come at once; none of them ends a window for the others.
OF_PLAYERS: Final = frozenset({PlaceWager, RemoveWager, Decide, ConfirmWager, DeclineWager})


class Turns:
    """Whose turn it is, of the inputs in `queue` and of what `wakeup` says to be due."""

    def __init__(self, queue: InputQueue, wakeup: Wakeup, clock: Clock) -> None:
        self._queue = queue
        self._wakeup = wakeup
        self._clock = clock

    async def next(self, state: State | None) -> QueuedInput | None:
        """The next input; when the table asked to be woken by then, that it is time.

        None: look again what is due.
        """
        due_ns, timer = self._wakeup.due(state)
        entry: QueuedInput | None = None
        if due_ns is None:
            entry = await self._queue.get()
        elif due_ns > 0:
            # A timer that fires a little late has fired; one that is early would ask again at once.
            # A time-out takes nothing out of the queue: what comes just then is there next time.
            with suppress(TimeoutError):
                async with asyncio.timeout(due_ns / NS_PER_S + TIMER_LATE_S):
                    entry = await self._queue.get()
                    if entry is None:
                        return None
        if closes_at_ns(state) is None:
            # What is due goes first: inputs without a pause cannot keep an alarm back.
            return entry if due_ns is None else entry or self._timer(timer)
        return await self._in_order(state, entry, timer)

    def with_more(self, entry: QueuedInput) -> Sequence[QueuedInput]:
        """The input, and those after it that are decided and written with it: many players may
        answer at once, and one write is for all of them.
        """
        if type(entry.input) not in OF_PLAYERS or entry.decision is not None:
            return (entry,)  # what is decided is being written by itself already
        return (entry, *self._queue.more(OF_PLAYERS))

    def _timer(self, timer: TimerFired | DayCheck) -> QueuedInput:
        return QueuedInput(timer, self._queue.cause("timer"), self._clock.mono_ns())

    async def _in_order(
        self, state: State | None, entry: QueuedInput | None, timer: TimerFired | DayCheck
    ) -> QueuedInput:
        """What is next while players answer by the clock: first what reached the table first.

        What is due at that clock waits for all that came in time, also for what is to be read yet.
        """
        if entry is None:
            closes_ns = closes_at_ns(state)
            if closes_ns is None or closes_ns > self._clock.mono_ns():
                return self._timer(timer)
            return await self._queue.arrived_by(closes_ns) or self._timer(timer)
        if type(entry.input) in OF_PLAYERS or entry.decision is not None:
            return entry
        # What came in one request arrived at once, and stays in its order.
        first = await self._queue.arrived_by(entry.arrived_ns - 1)
        if first is not None:
            self._queue.take_back(entry)
        return first or entry
