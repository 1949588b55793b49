"""Alarms: what is wrong and unanswered escalates, level by level. Data and transitions, pure.

Every open hold, every device that is down and every early warning of a pack has an alarm of its
own. Its level goes up by the times of `AlarmTimes` and never down; it ends with what it is about.
Being seen makes it quiet for a while, and settles nothing (DECISIONS.md, 10).

A device that is down calls, and does not hold the table, the lights of the spots included: the
display says everything that the lights say, so that no card goes wrong without them, and a table
that stops for a lamp is hated (DECISIONS.md, 8). Where cards may have been missed, the lost reader
raises a hold besides.

Times here are in the table's own time (`evolve.alarm_lifecycle.clock_at`), which never runs
backwards.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, IntEnum
from typing import Annotated, Final

from annotated_types import Ge, Le

from controller.rules.frozen import frozen
from controller.table.roles import Person

MS_PER_S: Final = 1_000
_Seconds = Annotated[int, Ge(1), Le(86_400)]


class Level(IntEnum):
    """How far an alarm has gone, and who is called; `RAISED`: nobody is called yet."""

    RAISED = 0
    DEALER = 1
    FLOOR = 2
    PIT = 3


class Trouble(Enum):
    """What an alarm is about."""

    HOLD = "hold"
    DEVICE = "device"
    PACK = "pack"
    DAY = "day"


#: The device by which a table is held against its odds: what it reports is the pit's alone.
ODDS: Final = "odds"
#: The line by which the record is mirrored to the pit: the table plays on without it.
BUS: Final = "bus"
#: The directory of people that the pit sends: who is known is known, until it is too old.
PEOPLE: Final = "people"
#: Devices whose failures the dealer is not shown: nothing the dealer could do would help.
PIT_ALONE: Final = frozenset({ODDS, BUS, PEOPLE})
#: What an alarm about the gaming day is about, beside the doubts of `gaming_day.ClockDoubt`.
OVERDUE: Final = "overdue"


@frozen
class AlarmTimes:
    """When an alarm that nobody answers calls whom, in seconds since it began.

    One that the floor has seen and that is still there calls again after `again_s`. `sound`: the
    buzzer calls too (false for studios); the short sounds of a hold and of a refusal stay.
    """

    dealer_s: _Seconds = 20
    floor_s: _Seconds = 60
    pit_s: _Seconds = 180
    again_s: _Seconds = 600
    sound: bool = True

    def __post_init__(self) -> None:
        if not 0 < self.dealer_s < self.floor_s < self.pit_s:
            raise ValueError("dealer_s, floor_s and pit_s follow each other: each is longer")

    def more_ms(self, level: Level) -> int:
        """How long an alarm stays at `level` before it escalates; at the last, calls again."""
        since = (0, self.dealer_s, self.floor_s, self.pit_s, self.pit_s + self.again_s)
        return (since[level + 1] - since[level]) * MS_PER_S


@frozen
class Alarm:
    """Something that is wrong, and whom it calls by now.

    `about` is the hold's number, the device's name, the pack's label or a code of the gaming day;
    `since_ms` wall time. `due_ms` is when it goes further (None: it calls already as loudly as it
    can). `heard`: it is quiet until then; `acknowledged`: the floor knows of it. `by` are those who
    said so, where people are known.
    """

    number: int
    trouble: Trouble
    about: str
    since_ms: int
    due_ms: int | None
    level: Level = Level.RAISED
    heard: bool = False
    acknowledged: bool = False
    by: tuple[Person, ...] = ()

    @property
    def for_pit_alone(self) -> bool:
        """Whether it is an early warning, which the table itself does not show."""
        return self.trouble is Trouble.PACK or (
            self.trouble is Trouble.DEVICE and self.about in PIT_ALONE
        )

    @property
    def next_level(self) -> Level:
        """The next level; after the last one, the same again."""
        return Level(min(self.level + 1, Level.PIT))

    def further(self, times: AlarmTimes) -> Alarm:
        """The alarm one level up, sounding again: nobody settled its cause in time.

        Counted from when it was due, so that a timer that comes late delays nothing.
        """
        if self.due_ms is None:
            raise ValueError(f"alarm {self.number} cannot go further")
        level = self.next_level
        due_ms = None if level is Level.PIT else self.due_ms + times.more_ms(level)
        return replace(self, level=level, due_ms=due_ms, heard=False, acknowledged=False, by=())

    def heard_by(self, by: tuple[Person, ...]) -> Alarm:
        """The alarm silenced by the dealer; it still escalates when due."""
        return replace(self, heard=True, by=by)

    def acknowledged_by(self, by: tuple[Person, ...], now_ms: int, times: AlarmTimes) -> Alarm:
        """The alarm silenced by the floor; it sounds again if it is not settled by then."""
        due_ms = now_ms + times.again_s * MS_PER_S
        return replace(self, heard=True, acknowledged=True, by=by, due_ms=due_ms)

    def worked_on(self, now_ms: int, times: AlarmTimes) -> Alarm:
        """The alarm with its time to the next level restarted: somebody is working on it."""
        due_ms = now_ms + times.more_ms(self.level)
        if self.acknowledged and self.due_ms is not None:
            due_ms = max(due_ms, self.due_ms)
        return replace(self, heard=True, due_ms=due_ms)
