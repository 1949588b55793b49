"""The cash of drop boxes by the lines of a report, and where that says nothing of it. Blocks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, case, func, select

from controller.pit.archive.books import schema as b
from controller.pit.archive.schema import TABLES
from controller.pit.reports.asked import By, ReportSpan


class Drop(NamedTuple):
    """The cash of drop boxes, how many were taken that nobody has counted, and whether some of it
    is of rounds that the line does not have, or the other way round.
    """

    amount: int
    to_count: int
    is_split: bool = False


def drops_of(
    connection: Connection, span: ReportSpan, by: By
) -> dict[tuple[Any, ...], Drop] | None:
    """Cash by the key of the lines and the currency; None: boxes are not counted by that."""
    boxes, counts = b.SLIPS.alias("boxes"), b.SLIPS.alias("counts")
    shifts, slips = b.RACK_SHIFTS.c, boxes.c
    keys: dict[By, tuple[Any, ...]] = {
        By.TABLE: (TABLES.c.name,), By.GAME: (shifts.game,),
        By.SHIFT: (TABLES.c.name, shifts.number), By.DAY: (shifts.day,),
    }  # fmt: skip
    if by not in keys:
        return None
    counted = (
        (counts.c.table_id == slips.table_id) & (counts.c.taken == slips.slip)
        & (counts.c.kind == "count") & counts.c.void_ms.is_(None)
    )  # fmt: skip
    query = (
        select(
            *keys[by], b.FOLLOWED.c.currency, func.coalesce(func.sum(counts.c.amount), 0),
            func.sum(case((counts.c.slip.is_(None), 1), else_=0)),
        )
        .select_from(b.RACK_SHIFTS)
        .join(TABLES, TABLES.c.id == shifts.table_id)
        .join(b.FOLLOWED, b.FOLLOWED.c.table_id == shifts.table_id)
        .join(boxes, (slips.table_id == shifts.table_id) & (slips.shift == shifts.number))
        .outerjoin(counts, counted)
        .where(
            shifts.day >= span.first, shifts.day <= span.last, slips.kind == "box",
            slips.box != "", slips.void_ms.is_(None),
        )
        .group_by(*keys[by], b.FOLLOWED.c.currency)
    )  # fmt: skip
    rows = connection.execute(of_table(query, span)).all()
    split = _split(connection, span, by, keys[by])
    return {
        tuple(row[:-2]): Drop(int(row[-2]), int(row[-1]), tuple(row[:-3]) in split) for row in rows
    }


def _split(
    connection: Connection, span: ReportSpan, by: By, key: tuple[Any, ...]
) -> frozenset[tuple[Any, ...]]:
    """The keys of lines with a rack that stayed open over the end of a day, where its rounds and
    its cash are not of the same line.
    """
    shifts = b.RACK_SHIFTS.c
    query = (
        select(shifts.day, shifts.unclosed, *key)
        .join(TABLES, TABLES.c.id == shifts.table_id)
        .where(shifts.day <= span.last, shifts.unclosed != "[]")
    )
    found: set[tuple[Any, ...]] = set()
    for first, unclosed, *of in connection.execute(of_table(query, span)):
        last = _day_after(max(json.loads(unclosed), default=first))
        if last < span.first:
            continue
        if by is By.DAY:
            found.update((each,) for each in _days(max(first, span.first), min(last, span.last)))
        elif first < span.first or last > span.last:
            found.add(tuple(of))
    return frozenset(found)


def _day_after(day: str) -> str:
    """The next day; of what is no day, itself: what a table calls its days is its own."""
    try:
        return (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        return day


def _days(first: str, last: str) -> Iterator[str]:
    day = first
    while day <= last:
        yield day
        if (after := _day_after(day)) <= day:
            return
        day = after


def of_table(query: Select[Any], span: ReportSpan) -> Select[Any]:
    """What is asked, of one table where the span has one."""
    return query.where(TABLES.c.name == span.table) if span.table else query
