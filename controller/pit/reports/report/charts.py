"""What of a report is looked at rather than read: money and pace hour by hour, or day by day. Pure.

A chart says in words what it shows, and stands above the table that has all of its figures.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from controller.pit.house_time import UTC_HOUSE, HouseTime
from controller.pit.reports.asked import By
from controller.pit.reports.report.sections import Cell, ColumnKind, ReportSection, shown

_HOUR_MS: Final = 3_600_000
_DAY_MS: Final = 86_400_000
#: More points would be a smear.
MOST_POINTS: Final = 3_000
#: Of each part that has a chart: its columns, and how they are drawn. What is expected is a line.
_DRAWN: Final = {
    "money": (("win", "bars"), ("theory", "line")),
    "pace": (("rounds_an_hour", "bars"), ("target_an_hour", "line")),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ChartSeries:
    """Values at the times of a chart, as they are drawn; None where there is none."""

    name: str
    drawn: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class ReportChart:
    """A chart of a part; `words` say what it shows. Times in s, to be said in `zone`: a gaming day
    has none, and stands at the midnight of its date in UTC.
    """

    title: str
    words: str
    step_s: int
    times_s: tuple[int, ...]
    series: tuple[ChartSeries, ...]
    zone: str | None = None

    @property
    def data(self) -> str:
        """For the page's script, as JSON."""
        series = [{"name": it.name, "drawn": it.drawn, "values": it.values} for it in self.series]
        said = {"step_s": self.step_s, "times_s": self.times_s, "series": series, "zone": self.zone}
        return json.dumps(said)


def charts(section: ReportSection, by: By, house: HouseTime = UTC_HOUSE) -> tuple[ReportChart, ...]:
    """The charts of a part, one for each currency; none where times are not its lines."""
    if section.name not in _DRAWN or by not in (By.HOUR, By.DAY):
        return ()
    names = [each.name for each in section.columns]
    rows = [dict(zip(names, row, strict=True)) for row in section.rows]
    currencies = dict.fromkeys(str(row.get("currency", "")) for row in rows)
    found = (
        _chart(section, by, house, [it for it in rows if str(it.get("currency", "")) == currency])
        for currency in currencies
    )
    return tuple(each for each in found if each is not None)


def _chart(
    section: ReportSection, by: By, house: HouseTime, rows: Sequence[dict[str, Cell]]
) -> ReportChart | None:
    step_ms = _HOUR_MS if by is By.HOUR else _DAY_MS
    at = {_time_ms(row[by.value], by): row for row in rows if row[by.value]}
    if len(at) < 2 or (max(at) - min(at)) // step_ms >= MOST_POINTS:
        return None
    # An hour in which nothing was played is a gap, no line from one evening to the next.
    times = _times(min(at), max(at), by, house)
    columns = {each.name: each for each in section.columns}
    series, words = [], []
    for name, drawn in _DRAWN[section.name]:
        column = columns[name]
        values = [_number(at[time].get(name)) if time in at else None for time in times]
        if any(each is not None for each in values):
            scale = 100 if column.kind is ColumnKind.MONEY else 1
            scaled = tuple(None if each is None else each / scale for each in values)
            series.append(ChartSeries(column.head, drawn, scaled))
            shown_at = zip(times, values, strict=True)
            words.append(_words(column.head, column.kind, shown_at, by, house))
    if not series:
        return None
    currency = str(rows[0].get("currency", ""))
    title = f"{section.title}, {currency}" if currency else section.title
    return ReportChart(
        title, f"{title}. {' '.join(words)}", step_ms // 1_000,
        tuple(each // 1_000 for each in times), tuple(series),
        house.zone if by is By.HOUR else None,
    )  # fmt: skip


def _words(
    head: str, kind: ColumnKind, values: Iterable[tuple[int, float | None]], by: By,
    house: HouseTime,
) -> str:  # fmt: skip
    """The least and the most of a series, and when that was."""
    known = [(value, time) for time, value in values if value is not None]
    least, most = min(known), max(known, key=lambda each: (each[0], -each[1]))
    if least[0] == most[0]:
        return f"{head}: {shown(most[0], kind)} throughout."
    return (
        f"{head}: from {shown(least[0], kind)} ({_moment(least[1], by, house)})"
        f" to {shown(most[0], kind)} ({_moment(most[1], by, house)})."
    )


def _times(first_ms: int, last_ms: int, by: By, house: HouseTime) -> list[int]:
    """Each hour of the house, or each day, from the first to the last."""
    if by is By.DAY:
        return [*range(first_ms, last_ms + 1, _DAY_MS)]
    times = [first_ms]
    while times[-1] < last_ms:
        times.append(house.next_hour_ms(times[-1]))
    return times


def _moment(at_ms: int, by: By, house: HouseTime) -> str:
    if by is By.HOUR:
        return house.minute(at_ms)
    return datetime.fromtimestamp(at_ms / 1_000, UTC).strftime("%Y-%m-%d")


def _time_ms(cell: Cell, by: By) -> int:
    """A line's own time; a gaming day stands at its midnight."""
    if by is By.HOUR:
        return int(cell or 0)
    return int(datetime.fromisoformat(str(cell)).replace(tzinfo=UTC).timestamp()) * 1_000


def _number(cell: Any) -> float | None:
    return None if cell is None else float(cell)
