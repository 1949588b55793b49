"""What a report is asked of: gaming days, a table, and by what its figures stand. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Final

from controller.pit.house_time import UTC_HOUSE, BadTime, HouseTime

#: A span of more days would be no report.
MOST_DAYS: Final = 1_100


class BadSpan(ValueError):
    """What was asked for is no span, or no way to sum up; the text says what to write."""


class By(Enum):
    """By what figures are summed up."""

    TABLE = "table"
    GAME = "game"
    DEALER = "dealer"
    SHIFT = "shift"
    HOUR = "hour"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class ReportSpan:
    """Gaming days `first` to `last` (ISO dates), of one table or of all (empty)."""

    first: str
    last: str
    table: str = ""

    @property
    def words(self) -> str:
        """The span in words."""
        days = self.first if self.first == self.last else f"{self.first} to {self.last}"
        return f"{days}, table {self.table}" if self.table else days


def read_span(
    fields: Mapping[str, str], newest: str, house: HouseTime = UTC_HOUSE
) -> ReportSpan:  # fmt: skip
    """The span of `from`, `to`, `table`; of the gaming day `newest` where none is given. A time is
    meant as the gaming day of `house` in which it lies.

    `newest` is empty where there is no day yet, and so is the span then.
    Raises `BadSpan`.
    """
    first, last = (_day(fields, name, house) for name in ("from", "to"))
    first = first or last or newest
    last = last or first
    if last < first:
        raise BadSpan(f"{last} is before {first}: give the earlier day first")
    if first and (date.fromisoformat(last) - date.fromisoformat(first)).days > MOST_DAYS:
        raise BadSpan(f"{first} to {last} is longer than {MOST_DAYS} days: ask for less")
    return ReportSpan(first, last, fields.get("table", "").strip()[:64])


def read_by(text: str) -> By:
    """By what to sum up. Raises `BadSpan`."""
    try:
        return By(text or By.TABLE.value)
    except ValueError:
        known = ", ".join(each.value for each in By)
        raise BadSpan(f"{text[:40]!r} is nothing to sum up by: use one of {known}") from None


def _day(fields: Mapping[str, str], name: str, house: HouseTime) -> str:
    text = fields.get(name, "").strip()
    try:
        return house.gaming_day(text) if text else ""
    except BadTime:
        raise BadSpan(
            f"{name}: {text[:40]!r} is no day: write it like 2026-11-26, or a time in it like"
            " 2026-11-26T21:30"
        ) from None
