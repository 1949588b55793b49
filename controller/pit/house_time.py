"""The house's own time: the zone in which pages say times, and where its gaming days begin and end.

Records, archive and exports are in UTC, whatever the house's zone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from controller.host.local_time import NoLocalTime, first_shown, read_day_ends, read_zone
from drivers.settings.checks import Wrong, refuse

_DAY: Final = timedelta(days=1)
#: A time as ISO 8601 has it, with or without its marks; how exact it is follows from what is there.
_TYPED: Final = re.compile(
    r"[0-9]{4}-?[0-9]{2}-?[0-9]{2}"
    r"(?:[T ](?P<hour>[0-9]{2})(?P<minute>:?[0-9]{2}(?P<second>:?[0-9]{2}(?:[.,][0-9]+)?)?)?"
    r"(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?",
    re.IGNORECASE,
)
#: What lies beside them in another zone is in the calendar still.
_FIRST_YEAR, _LAST_YEAR = 1000, 9998
_LONGEST_SHOWN: Final = 40
#: Zones are off from UTC by quarters of an hour.
_QUARTER_MS: Final = 900_000


class BadTime(ValueError):
    """What somebody typed is no time, or no span; the text says what to write."""


@dataclass(frozen=True, slots=True)
class HouseTime:
    """`[house]`: the IANA `zone` of its clocks, and the local time at which its gaming days end.

    Both as its tables have them in `[record]`. Raises `SettingsError`.
    """

    zone: str = "UTC"
    day_ends: str = "06:00"

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        for name, read in (("zone", read_zone), ("day_ends", read_day_ends)):
            try:
                read(getattr(self, name))
            except NoLocalTime as error:
                yield Wrong(name, str(error))

    def minute(self, at_ms: float) -> str:
        """A wall time in ms as people read it; where the clocks show it twice, with its offset from
        UTC. Raises `OverflowError`, `OSError` or `ValueError` for one that no calendar has.
        """
        return self._said(at_ms, "%Y-%m-%d %H:%M")

    def second(self, at_ms: float) -> str:
        """The same, to the second."""
        return self._said(at_ms, "%Y-%m-%d %H:%M:%S")

    def typed(self, at_ms: float) -> str:
        """The same to the minute, as `moments` takes it."""
        return self._said(at_ms, "%Y-%m-%dT%H:%M", "")

    def _said(self, at_ms: float, form: str, between: str = " ") -> str:
        at = datetime.fromtimestamp(at_ms / 1_000, read_zone(self.zone))
        said = at.strftime(form)
        # The clocks were put back: the same time came, or comes, with another offset.
        if at.utcoffset() == at.replace(fold=1 - at.fold).utcoffset():
            return said
        return f"{said}{between}{at.isoformat()[-len('+00:00') :]}"

    def span(self, fields: Mapping[str, str]) -> tuple[int | None, int | None]:
        """The first and the last ms that the fields `from` and `to` of a form or an address mean;
        None where nothing was typed. Raises `BadTime`.
        """
        first, last = (self._field(fields, name) for name in ("from", "to"))
        if first is not None and last is not None and last[1] < first[0]:
            raise BadTime("to is before from: give the earlier time first")
        return first and first[0], last and last[1]

    def _field(self, fields: Mapping[str, str], name: str) -> tuple[int, int] | None:
        text = fields.get(name, "").strip()
        if not text:
            return None
        try:
            return self.moments(text)
        except BadTime as error:
            raise BadTime(f"{name}: {error}") from None

    def moments(self, text: str) -> tuple[int, int]:
        """The first and the last ms of a time that somebody typed in ISO 8601: of a date from
        midnight to midnight, of an hour, a minute or a second; without an offset from UTC by the
        house's clocks. Raises `BadTime`.

        Where these show a time twice, or not at all, both are what it may have meant: nothing is
        left out.
        """
        try:
            return self._moments(text)
        except (ValueError, OverflowError):
            raise BadTime(
                f"{text[:_LONGEST_SHOWN]!r} is no time: write it like 2026-11-26 or"
                f" 2026-11-26T21:30 ({self.zone})"
            ) from None

    def _moments(self, text: str) -> tuple[int, int]:
        found = _TYPED.fullmatch(text)
        if found is None or not _FIRST_YEAR <= int(text[:4]) <= _LAST_YEAR:
            raise ValueError(text)
        if found["hour"] is None:
            day = date.fromisoformat(text)
            return self._midnight_ms(day), self._midnight_ms(day + _DAY) - 1
        at = datetime.fromisoformat(text.upper())
        zone = read_zone(self.zone)
        meant = [at] if at.tzinfo else [at.replace(tzinfo=zone, fold=fold) for fold in (0, 1)]
        starts = [_ms(each) for each in meant]
        exact_s = 1 if found["second"] else 60 if found["minute"] else 3_600
        return min(starts), max(starts) + exact_s * 1_000 - 1

    def gaming_day(self, text: str) -> str:
        """The gaming day (ISO date) that somebody typed: a date is its own, a time that in which it
        lies. Raises `BadTime`.
        """
        at_ms, _ = self.moments(text)
        day = datetime.fromtimestamp(at_ms / 1_000, read_zone(self.zone)).date()
        is_date = len(text) <= len("2026-11-26")
        # It begins in the morning: before that a moment is of the day before.
        return str(day if is_date or self._begins_ms(str(day)) <= at_ms else day - _DAY)

    def hour_ms(self, quarter_ms: int) -> int:
        """When the hour of the house's clocks began in which a quarter of an hour lies. Where the
        clocks are put on or back within an hour, another one begins with that.
        """
        zone = read_zone(self.zone)
        at = datetime.fromtimestamp(quarter_ms / 1_000, zone)
        began_ms = quarter_ms - at.minute * 60_000
        while began_ms < quarter_ms:
            # Read at the beginning the clocks were others: they have changed since.
            if datetime.fromtimestamp(began_ms / 1_000, zone).utcoffset() == at.utcoffset():
                break
            began_ms += _QUARTER_MS
        return began_ms

    def next_hour_ms(self, hour_ms: int) -> int:
        """When the hour after that begins."""
        next_ms = hour_ms + _QUARTER_MS
        while self.hour_ms(next_ms) == hour_ms:
            next_ms += _QUARTER_MS
        return next_ms

    def _midnight_ms(self, day: date) -> int:
        return _ms(first_shown(datetime.combine(day, datetime.min.time()), read_zone(self.zone)))

    def days_ms(self, first: str, last: str) -> tuple[int, int]:
        """When the gaming day `first` (ISO date) begins and `last` has ended, in ms."""
        return self._begins_ms(first), self._begins_ms(last, _DAY)

    def _begins_ms(self, day: str, later: timedelta = timedelta()) -> int:
        """A day is called by the date on which it begins."""
        local = datetime.combine(date.fromisoformat(day) + later, read_day_ends(self.day_ends))
        return _ms(first_shown(local, read_zone(self.zone)))


def _ms(at: datetime) -> int:
    return round(at.timestamp() * 1_000)


#: The time of a house that has said nothing, and of all that machines read.
UTC_HOUSE = HouseTime()
