"""The hours of a gaming day that a sheet is about: times of day at the table, as instants."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from controller.record.files.database import JournalError
from controller.record.files.span import Span
from controller.record.reading.report_text import wall_time
from controller.record.reading.rounds import scan, zone_of
from controller.rules.frozen import frozen
from controller.table.state.state import State


@frozen
class Hours:
    """Times of day at the table from `since` to before `until`; None: to the day's own end.

    `until` is the first such time after `since`, on the next date where it has to be.
    """

    since: time | None = None
    until: time | None = None


@frozen
class Instants:
    """Hours of a gaming day in ms since the epoch; `until_ms` is not included, None has no end."""

    since_ms: int | None
    until_ms: int | None

    def __contains__(self, at_ms: int) -> bool:
        after = self.since_ms is None or self.since_ms <= at_ms
        return after and not self.are_over(at_ms)

    def are_over(self, at_ms: int) -> bool:
        """Whether that moment is after them."""
        return self.until_ms is not None and at_ms >= self.until_ms


#: No hours: the whole day.
WHOLE_DAY: Final = Hours()


def instants_of(folder: Path, label: str, hours: Hours) -> Instants:
    """The hours of a gaming day as instants. Raises `JournalError`.

    They are looked for from where the day was to begin, or did if that was earlier: the first
    shift of a day that began at 06:03 is asked for as from 06:00, its last as until 06:00.
    """
    if hours == WHOLE_DAY:
        return Instants(None, None)
    opened_ms, state = _opening(folder, label)
    zone = ZoneInfo(zone_of(state))
    begins_ms = opened_ms
    if state.day is not None:
        ends = time.fromisoformat(state.day.schedule.day_ends)
        planned = datetime.combine(date.fromisoformat(state.day.label), ends, zone)
        begins_ms = min(opened_ms, _ms(planned))
    since_ms = until_ms = None
    if hours.since is not None:
        since_ms = _first_ms(hours.since, begins_ms, zone)
    if hours.until is not None:
        until_ms = _first_ms(hours.until, (since_ms or begins_ms) + 1, zone)
        if state.day is not None and until_ms >= state.day.ends_ms:
            until_ms = None
    return Instants(since_ms, until_ms)


def _opening(folder: Path, label: str) -> tuple[int, State]:
    """When a day's first record was written, and the state once the day is open.

    A new table is set up before its first day is open, in one commit. Raises `JournalError`.
    """
    opened: tuple[int, State] | None = None
    for _, record, state in scan(Span(folder, label, label)):
        if opened is not None and record.at_ms != opened[0]:
            break
        opened = (record.at_ms, state)
        if state.day is not None:
            break
    if opened is None:
        raise JournalError(f"nothing is on record of {label} in {folder}: verify the record")
    return opened


def _first_ms(clock: time, from_ms: int, zone: ZoneInfo) -> int:
    """The first moment at or after `from_ms` at which the clocks of the zone show that time."""
    day = wall_time(from_ms, zone.key).date()
    while True:
        # `fold`: where the clocks are put back, a time comes twice.
        for fold in (0, 1):
            at_ms = _ms(datetime.combine(day, clock, zone).replace(fold=fold))
            if at_ms >= from_ms:
                return at_ms
        day += timedelta(days=1)


def _ms(at: datetime) -> int:
    return round(at.timestamp() * 1_000)
