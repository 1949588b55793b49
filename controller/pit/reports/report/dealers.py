"""Dealers in and out: who came to which table when, and until when. Blocks."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, func, select, text

from controller.pit.accounts.on_records import names_on_records
from controller.pit.archive.books import schema as b
from controller.pit.archive.books.fold_state import QUARTER_MS
from controller.pit.archive.storage.schema import PEOPLE, TABLES
from controller.pit.reports.asked import ReportSpan
from controller.pit.reports.people import person_words
from controller.pit.reports.report.sections import Cell, ColumnKind, ReportSection, columns

#: So many of the newest are listed.
MOST: Final = 2_000
#: Whoever dealt when the span began came at most so long before, and leaves as long after its end.
_AROUND_MS: Final = 48 * 3_600_000
_COLUMNS: Final = columns(
    ("table", "Table", ColumnKind.TEXT), ("dealer", "Dealer", ColumnKind.TEXT),
    ("came_ms", "In", ColumnKind.TIME), ("left_ms", "Out", ColumnKind.TIME),
    ("for_s", "For", ColumnKind.SECONDS),
)  # fmt: skip
_ABOUT: Final = (
    "Whoever was named at a table before or in the span and dealt in it, until the next one was"
    " named; the newest first. Without an end: nobody was named there within two days after it."
)


def dealers(connection: Connection, span: ReportSpan) -> ReportSection:
    """Who dealt at the tables on the days of the span, as far as somebody was named."""
    rows: list[tuple[Cell, ...]] = []
    t, p = b.TALLIES.c, PEOPLE.c
    quarters = select(func.min(t.quarter_ms), func.max(t.quarter_ms)).where(
        t.day >= span.first, t.day <= span.last
    )
    first_ms, last_ms = connection.execute(quarters).one()
    if first_ms is not None:
        end_ms = last_ms + QUARTER_MS
        query = (
            select(TABLES.c.name, p.person, p.at_ms)
            .join(TABLES, TABLES.c.id == p.table_id)
            # Written out, since the index is one of these rows alone.
            .where(text("people.act = 'DealerChanged'"))
            .where(p.at_ms >= first_ms - _AROUND_MS, p.at_ms < end_ms + _AROUND_MS)
            .order_by(p.at_ms.desc(), p.seq.desc())
        )
        if span.table:
            query = query.where(TABLES.c.name == span.table)
        names, next_ms = names_on_records(connection), dict[str, int]()
        for table, person, came_ms in connection.execute(query):
            left_ms = next_ms.get(table)
            next_ms[table] = came_ms
            if came_ms >= end_ms or (left_ms is not None and left_ms <= first_ms):
                continue
            stayed_s = None if left_ms is None else (left_ms - came_ms) / 1_000
            rows.append((table, person_words(person, names), came_ms, left_ms, stayed_s))
            if len(rows) == MOST:
                break
    none = "Nobody was named as a dealer at a table."
    return ReportSection("dealers", "Dealers in and out", _ABOUT, _COLUMNS, tuple(rows), none)
