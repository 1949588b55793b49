"""The house's own time: the zone in which pages say times, and where its gaming days begin and end.

Records, archive and exports are in UTC, whatever the house's zone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from controller.host.local_time import NoLocalTime, first_shown, read_day_ends, read_zone
from drivers.settings.checks import Wrong, refuse

_DAY = timedelta(days=1)


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

    def moments(self, text: str) -> tuple[int, int]:
        """The first and the last ms of a minute, or of a date from midnight to midnight, that
        somebody typed; without an offset from UTC by the house's clocks. Raises `ValueError` or
        `OverflowError`.

        Where these show a time twice, or not at all, both are what it may have meant: nothing is
        left out.
        """
        zone = read_zone(self.zone)
        if len(text) == len("2026-11-26"):
            day = date.fromisoformat(text)
            return self._midnight_ms(day), self._midnight_ms(day + _DAY) - 1
        at = datetime.fromisoformat(text)
        meant = [at] if at.tzinfo else [at.replace(tzinfo=zone, fold=fold) for fold in (0, 1)]
        found = [round(each.timestamp() * 1_000) for each in meant]
        return min(found), max(found) + 60_000 - 1

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
