"""Dealers in and out: who came to which table when, and until when. Blocks."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, func, select, text

from controller.pit.accounts.on_records import names_on_records
from controller.pit.archive.books import schema as b
from controller.pit.archive.schema import PEOPLE, TABLES
from controller.pit.reports.asked import ReportSpan
from controller.pit.reports.people import person_words
from controller.pit.reports.sections import Cell, ColumnKind, ReportSection, columns

#: So many of the newest are listed.
MOST: Final = 2_000
_HOUR_MS: Final = 3_600_000
_COLUMNS: Final = columns(
    ("table", "Table", ColumnKind.TEXT), ("dealer", "Dealer", ColumnKind.TEXT),
    ("came_ms", "In (UTC)", ColumnKind.TIME), ("left_ms", "Out (UTC)", ColumnKind.TIME),
    ("for_s", "For", ColumnKind.SECONDS),
)  # fmt: skip
_ABOUT: Final = (
    "Whoever was named at a table in the span, until the next one was; the newest first. Without an"
    " end: nobody was named there after them."
)


def dealers(connection: Connection, span: ReportSpan) -> ReportSection:
    """Who took over at the tables on the days of the span."""
    rows: list[tuple[Cell, ...]] = []
    t, p = b.TALLIES.c, PEOPLE.c
    hours = select(func.min(t.hour_ms), func.max(t.hour_ms)).where(
        t.day >= span.first, t.day <= span.last
    )
    first_ms, last_ms = connection.execute(hours).one()
    if first_ms is not None:
        query = (
            select(TABLES.c.name, p.person, p.at_ms)
            .join(TABLES, TABLES.c.id == p.table_id)
            # Written out, since the index is one of these rows alone.
            .where(text("people.act = 'DealerChanged'"))
            .where(p.at_ms >= first_ms, p.at_ms < last_ms + _HOUR_MS)
            .order_by(p.at_ms.desc(), p.seq.desc())
            .limit(MOST)
        )
        if span.table:
            query = query.where(TABLES.c.name == span.table)
        names, next_ms = names_on_records(connection), dict[str, int]()
        for table, person, came_ms in connection.execute(query):
            left_ms = next_ms.get(table)
            stayed_s = None if left_ms is None else (left_ms - came_ms) / 1_000
            rows.append((table, person_words(person, names), came_ms, left_ms, stayed_s))
            next_ms[table] = came_ms
    none = "Nobody was named as a dealer at a table."
    return ReportSection("dealers", "Dealers in and out", _ABOUT, _COLUMNS, tuple(rows), none)
