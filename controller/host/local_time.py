"""Times of a house in an IANA zone: reading them from a configuration, and as moments.

A table's calendar and its pit both need them, and neither knows the other.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from math import ceil, floor
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


class NoLocalTime(ValueError):
    """A text that names no zone, or no time of day; it says what to write."""


def read_zone(name: str) -> ZoneInfo:
    """The IANA zone of that name. Raises `NoLocalTime`."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise NoLocalTime(f"{name!r} is no IANA time zone: write one, as Europe/Helsinki") from None


def read_day_ends(text: str) -> time:
    """The local time at which a day ends. Raises `NoLocalTime`."""
    try:
        ends = time.fromisoformat(text)
    except ValueError:
        raise NoLocalTime(f"{text!r} is no time of day: write HH:MM, as 06:00") from None
    if ends.tzinfo is not None:
        raise NoLocalTime("it is in the zone's local time: write HH:MM alone")
    return ends


def first_shown(local: datetime, zone: ZoneInfo) -> datetime:
    """The moment (in UTC) at which the zone's clocks first show `local`, which has no zone, or
    would have shown it: where a change of the clocks skips it, that of the change.
    """
    first = local.replace(tzinfo=zone).astimezone(UTC)
    if first.astimezone(zone).replace(tzinfo=None) == local:
        return first
    # Skipped: the offset changes between this time read by the new offset and by the old one. In
    # whole seconds, as zones have their changes: a day would end a little after the change itself.
    low = floor(local.replace(tzinfo=zone, fold=1).timestamp())
    high = ceil(first.timestamp())
    before = _offset(low, zone)
    while high - low > 1:
        middle = (low + high) // 2
        if _offset(middle, zone) == before:
            low = middle
        else:
            high = middle
    return datetime.fromtimestamp(high, UTC)


def _offset(at_s: int, zone: ZoneInfo) -> timedelta | None:
    """How far the zone's clocks are from UTC at that moment."""
    return datetime.fromtimestamp(at_s, zone).utcoffset()
