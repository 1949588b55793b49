"""Facts of the gaming day: it opens, is closed, is rescheduled, is overdue; a doubted clock."""

from __future__ import annotations

from controller.rules.frozen import frozen
from controller.table.gaming_day import CarryOver, ClockDoubt, Schedule
from controller.table.roles import Person


@frozen
class DayOpened:
    """A gaming day begins: the first record of its file, but for a table's first day.

    `label` is its ISO date, `ends_ms` its planned end. `carried` is what it takes over from the day
    before; None for the first one.
    """

    label: str
    ends_ms: int
    schedule: Schedule
    carried: CarryOver | None = None


@frozen
class DayClosed:
    """A gaming day is over: the last record of its file, after which nothing is added to it.

    `digest` is that of what the next day takes over, `hidden` commits to the part of it that goes
    with the openings of sealed cards; `next_label` and `next_ends_ms` are those of
    the next day. `by` names who closed it; empty where it was closed by the clock.
    """

    label: str
    digest: str
    hidden: str
    next_label: str
    next_ends_ms: int
    schedule: Schedule
    by: tuple[Person, ...] = ()


@frozen
class DayRescheduled:
    """Gaming days end by another schedule from here on; the open one at `ends_ms`."""

    label: str
    ends_ms: int
    schedule: Schedule


@frozen
class ClockDoubted:
    """The wall clock is not believed, so that it does not close the day: the floor is asked."""

    label: str
    doubt: ClockDoubt


@frozen
class DayRemoved:
    """A closed day's files are taken from beside the table, as the house keeps a limited number.

    `archived`: a copy of them is in the archive, the same byte for byte; otherwise there is none.
    """

    label: str
    archived: bool


@frozen
class DayOverdue:
    """The day is still open two hours after its planned end."""

    label: str
