"""A report's parts as tables with typed columns: pages, CSV, Parquet, API and commands show them.

Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, Final, TypeAlias

from controller.pit.house_time import UTC_HOUSE, HouseTime
from controller.rules.money import amount_text

Cell: TypeAlias = str | int | float | bool | None
"""A value; None: it is not known, or there is nothing to divide by."""


#: How a value is shown that is not known.
UNKNOWN: Final = "\N{EN DASH}"


class ColumnKind(Enum):
    """What the values of a column are, and in which unit."""

    TEXT = "text"
    COUNT = "count"
    #: Minor units.
    MONEY = "money"
    #: Of a hundred.
    PER_CENT = "per_cent"
    RATE = "rate"
    SECONDS = "seconds"
    #: Wall time in ms.
    TIME = "time"
    YES_NO = "yes_no"

    @property
    def is_number(self) -> bool:
        """Whether people compare its values by their size."""
        return self not in (ColumnKind.TEXT, ColumnKind.TIME, ColumnKind.YES_NO)


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """A column: its name in files, its heading, and what its values are.

    `bar`: the page shows them as bars, too, as long as they are large.
    """

    name: str
    head: str
    kind: ColumnKind
    bar: bool = False

    def headed(self, zone: str) -> str:
        """The heading; of a time with the zone in which it is said."""
        return f"{self.head} ({zone})" if self.kind is ColumnKind.TIME else self.head


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A part of a report. `about` says how it is to be read, `none` what an empty one means."""

    name: str
    title: str
    about: str
    columns: tuple[ReportColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    none: str

    def most(self, place: int) -> float:
        """The largest value of a column of numbers, by which bars are as long as they are."""
        values = [row[place] for row in self.rows]
        return max((each for each in values if isinstance(each, int | float)), default=0)


def columns(*said: tuple[str, str, ColumnKind]) -> tuple[ReportColumn, ...]:
    """Columns by name, heading and kind."""
    return tuple(ReportColumn(*each) for each in said)


def shown(value: Cell, kind: ColumnKind, house: HouseTime = UTC_HOUSE) -> str:
    """A value as people of the house read it."""
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    match kind:
        case ColumnKind.MONEY:
            return amount_text(int(value))
        case ColumnKind.PER_CENT:
            return f"{value:,.2f} %"
        case ColumnKind.RATE:
            return f"{value:,.1f}"
        case ColumnKind.SECONDS:
            return _duration(value)
        case ColumnKind.TIME:
            return house.minute(value)
        case _:
            return f"{value:,}"


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def in_file(value: Cell, kind: ColumnKind) -> object:
    """A value as files have it: amounts in major units, exactly; times as moments in UTC."""
    if value is None or isinstance(value, bool | str):
        return value
    if kind is ColumnKind.MONEY:
        return Decimal(int(value)).scaleb(-2)
    if kind is ColumnKind.TIME:
        return datetime.fromtimestamp(value / 1_000, UTC)
    return value


def as_text(section: ReportSection, house: HouseTime = UTC_HOUSE) -> str:
    """A section as a table of text, with times of the house."""
    if not section.rows:
        return f"{section.title}\n  {section.none}\n"
    heads = [each.headed(house.zone) for each in section.columns]
    body = [
        [shown(cell, col.kind, house) for cell, col in zip(row, section.columns, strict=True)]
        for row in section.rows
    ]
    widths = [max(map(len, column)) for column in zip(heads, *body, strict=True)]
    kinds = [each.kind for each in section.columns]
    lines = [_line(heads, widths, kinds), *(_line(row, widths, kinds) for row in body)]
    return "\n".join((section.title, *(f"  {each}" for each in lines))) + "\n"


def _line(cells: Sequence[str], widths: Sequence[int], kinds: Sequence[ColumnKind]) -> str:
    padded = (
        cell.rjust(width) if kind.is_number else cell.ljust(width)
        for cell, width, kind in zip(cells, widths, kinds, strict=True)
    )
    return "  ".join(padded).rstrip()


def as_object(found: ReportSection) -> dict[str, Any]:
    """A section for machines: a row is an object by the names of its columns."""
    names = [each.name for each in found.columns]
    return {
        "part": found.name,
        "title": found.title,
        "about": found.about,
        "columns": [
            {"name": each.name, "head": each.headed(UTC_HOUSE.zone), "kind": each.kind.value}
            for each in found.columns
        ],
        "rows": [dict(zip(names, row, strict=True)) for row in found.rows],
    }
