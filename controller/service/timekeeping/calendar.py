"""When gaming days end: local times of an IANA zone to instants in UTC. The core reads no zones.

A gaming day is labelled by the date on which it begins and ends on the next date at the configured
local time. Where a change of the clocks skips that time, the day ends at the moment of the change;
where it comes twice, the day ends when it comes first.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from datetime import date, datetime, timedelta

from controller.host.local_time import NoLocalTime, first_shown, read_day_ends, read_zone
from controller.rules.frozen import frozen
from controller.table.gaming_day import GamingDay, Schedule, Today

_DAY = timedelta(days=1)
#: How long the system may take to say whether its clock is synchronised.
ASK_S = 2.0


class CalendarError(ValueError):
    """A schedule that names no time or no zone; the text says what to write."""


class Calendar:
    """Gaming days by a schedule."""

    def __init__(self, schedule: Schedule) -> None:
        """Raises `CalendarError`."""
        self.schedule = schedule
        try:
            self._ends = read_day_ends(schedule.day_ends)
        except NoLocalTime as error:
            raise CalendarError(f"day_ends: {error}") from None
        try:
            self._zone = read_zone(schedule.zone)
        except NoLocalTime as error:
            raise CalendarError(f"zone: {error}") from None

    def ends_ms(self, label: date) -> int:
        """When the gaming day of that date ends, in ms since the epoch (UTC)."""
        return _ms(first_shown(datetime.combine(label + _DAY, self._ends), self._zone))

    def label_at(self, at_ms: int) -> date:
        """The date of the gaming day at that moment."""
        label = datetime.fromtimestamp(at_ms / 1000, self._zone).date() - _DAY
        while self.ends_ms(label) <= at_ms:
            label += _DAY
        return label

    def today(self, at_ms: int, open_day: GamingDay | None, *, synchronised: bool) -> Today:
        """What the calendar says at that moment, while `open_day` is open."""
        label = self.label_at(at_ms)
        if open_day is None:
            ends_ms, next_label = self.ends_ms(label), label + _DAY
        else:
            opened = date.fromisoformat(open_day.label)
            ends_ms = self.ends_ms(opened)
            # Labels only rise, whatever the clock says.
            next_label = max(label, opened + _DAY)
        return Today(
            label=label.isoformat(),
            ends_ms=ends_ms,
            next_label=next_label.isoformat(),
            next_ends_ms=self.ends_ms(next_label),
            schedule=self.schedule,
            synchronised=synchronised,
        )


def _ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)


@frozen
class Almanac:
    """A calendar, and whether the clock beside it may be believed.

    `synchronised` asks the system, blocking for a moment.
    """

    calendar: Calendar
    synchronised: Callable[[], bool]


def trusted() -> bool:
    """The house vouches for the clock."""
    return True


def clock_synchronised() -> bool:
    """Whether the system's clock follows a reference, as `timedatectl` knows it.

    It asks systemd, which reads the kernel's flag, set by whichever service keeps the clock. No
    answer is no: then the floor is asked.
    """
    try:
        answer = subprocess.run(
            ("/usr/bin/timedatectl", "show", "--property=NTPSynchronized", "--value"),
            capture_output=True, timeout=ASK_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and answer.stdout.strip() == b"yes"
