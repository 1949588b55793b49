"""When the table wants to be asked by itself: an alarm goes further, a window closes, a clapper's
code is over, the gaming day ends.
"""

from __future__ import annotations

import asyncio
from typing import Final

from controller.service.ports import Clock
from controller.service.timekeeping.calendar import Almanac
from controller.table.decide.alarm_commands import wake_ns
from controller.table.decide.day_end import check_at_ms, recheck_day
from controller.table.decide.remote_players import clapper, windows
from controller.table.gaming_day import Today
from controller.table.inputs import DayCheck, TimerFired
from controller.table.state.state import State

NS_PER_S: Final = 1_000_000_000
MS_PER_S: Final = 1_000
#: One that keeps a new table from its first day is asked again this often.
FIRST_CLOCK_S: Final = 5.0
#: A clock that kept the day open is asked again this often.
CLOCK_AGAIN_S: Final = 60.0
#: The wall clock may be set while the table waits: it is looked at again after at most this long.
WALL_CLOCK_S: Final = 600.0


class Wakeup:
    """What the table is to be asked by itself, and when.

    `almanac` is None at a table whose day is never closed.
    """

    def __init__(self, clock: Clock, almanac: Almanac | None) -> None:
        self._clock = clock
        self._almanac = almanac
        self._clock_asked_ns = 0

    def due(self, state: State | None) -> tuple[int | None, TimerFired | DayCheck]:
        """In how many ns to ask what; None: nothing."""
        if state is None:
            return None, TimerFired()
        now_ns = self._clock.mono_ns()
        sources = (wake_ns, windows.wake_ns, clapper.wake_ns)
        asked = [each(state, now_ns) for each in sources]
        alarm_ns = min((each for each in asked if each is not None), default=None)
        day_ns = self._day_due_ns(state) if self._almanac is not None else None
        if day_ns is None or (alarm_ns is not None and alarm_ns <= day_ns):
            return alarm_ns, TimerFired()
        return day_ns, DayCheck()

    def is_due(self, state: State | None) -> bool:
        """Whether something is to be asked before anything else."""
        due_ns, _ = self.due(state)
        return due_ns is not None and due_ns <= 0

    def _day_due_ns(self, state: State) -> int | None:
        """In how many ns the gaming day is to be looked at."""
        at_ms = check_at_ms(state)
        waits_s = []
        if at_ms is not None:
            # As `check_day` counts: a clock that was set back is doubted then, not waited for.
            now_ms = max(self._clock.wall_ms(), state.clock.at_ms)
            # The wall clock may be set meanwhile: it is read again periodically.
            waits_s.append(min((at_ms - now_ms) / MS_PER_S, WALL_CLOCK_S))
        if recheck_day(state):
            asked_s = (self._clock.mono_ns() - self._clock_asked_ns) / NS_PER_S
            waits_s.append(CLOCK_AGAIN_S - asked_s)
        return round(min(waits_s) * NS_PER_S) if waits_s else None

    async def clock_in_step(self) -> None:
        """Returns once the clock may be believed."""
        while (today := await self.today(None)) and not today.synchronised:  # noqa: ASYNC110
            await asyncio.sleep(FIRST_CLOCK_S)  # nobody tells

    async def today(self, state: State | None) -> Today | None:
        """What the calendar says now; None at a table without one."""
        if self._almanac is None:
            return None
        calendar, synchronised = self._almanac.calendar, self._almanac.synchronised
        right = await asyncio.to_thread(synchronised)
        self._clock_asked_ns = self._clock.mono_ns()
        return calendar.today(
            self._clock.wall_ms(), state.day if state else None, synchronised=right
        )
