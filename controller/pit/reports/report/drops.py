"""The cash of drop boxes by the lines of a report, and where that says nothing of it. Blocks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, case, func, or_, select

from controller.pit.archive.books import schema as b
from controller.pit.archive.storage.schema import TABLES
from controller.pit.reports.asked import By, ReportSpan


class Drop(NamedTuple):
    """The cash of drop boxes, how many were taken that nobody has counted (None: it is not by
    boxes), and whether some of it is of rounds that the line does not have, or the other way round.
    """

    amount: int
    to_count: int | None
    is_split: bool = False


def bought(sums: Mapping[str, int]) -> Drop | None:
    """What buy-ins on slips came to, by figures of hours; None: no table of them keeps any. Where
    some do not, it is a part of the cash.
    """
    if not sums["bought"] and not sums["bought_rounds"]:
        return None
    return Drop(sums["bought"], None, sums["bought_rounds"] < sums["rounds"])


def drops_of(
    connection: Connection, span: ReportSpan, by: By
) -> dict[tuple[Any, ...], Drop] | None:
    """Cash by the key of the lines and the currency; None: boxes are not counted by that."""
    boxes, counts = b.SLIPS.alias("boxes"), b.SLIPS.alias("counts")
    shifts, slips = b.RACK_SHIFTS.c, boxes.c
    keys: dict[By, tuple[Any, ...]] = {
        By.TABLE: (TABLES.c.name,), By.GAME: (shifts.games,),
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
            *keys[by], shifts.currency, func.coalesce(func.sum(counts.c.amount), 0),
            func.sum(case((counts.c.slip.is_(None), 1), else_=0)),
        )
        .select_from(b.RACK_SHIFTS)
        .join(TABLES, TABLES.c.id == shifts.table_id)
        .join(boxes, (slips.table_id == shifts.table_id) & (slips.shift == shifts.number))
        .outerjoin(counts, counted)
        .where(
            shifts.day >= span.first, shifts.day <= span.last, slips.kind == "box",
            slips.box != "", slips.void_ms.is_(None), shifts.currencies == "[]",
        )
        .group_by(*keys[by], shifts.currency)
    )  # fmt: skip
    split = _split(connection, span, by, keys[by])
    found = {}
    for *of, currency, amount, to_count in connection.execute(of_table(query, span)):
        lines = _lines(by, of)
        if len(lines) == 1:  # else the cash is of several games, and of no line
            key = lines[0]
            found[*key, currency] = Drop(int(amount), int(to_count), key in split)
    return found


def _lines(by: By, of: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The keys of the lines that a shift belongs to: those of its games, or its own."""
    return [(each,) for each in json.loads(of[0])] if by is By.GAME else [tuple(of)]


def _split(
    connection: Connection, span: ReportSpan, by: By, key: tuple[Any, ...]
) -> frozenset[tuple[Any, ...]]:
    """The keys of lines with a rack whose rounds and whose cash are not of the same line: it stayed
    open over the end of a day, or its game or currency changed.
    """
    shifts = b.RACK_SHIFTS.c
    query = (
        select(shifts.day, shifts.unclosed, shifts.currencies, *key)
        .join(TABLES, TABLES.c.id == shifts.table_id)
        .where(
            shifts.day <= span.last,
            or_(
                shifts.unclosed != "[]",
                (shifts.day >= span.first)
                & or_(shifts.currencies != "[]", shifts.games.contains(",")),
            ),
        )
    )
    found: set[tuple[Any, ...]] = set()
    for first, unclosed, currencies, *of in connection.execute(of_table(query, span)):
        days = json.loads(unclosed)
        last = _day_after(max(days)) if days else first
        if last < span.first:
            continue
        lines = _lines(by, of)
        if by is By.DAY and days:
            found.update((each,) for each in _days(max(first, span.first), min(last, span.last)))
        elif currencies != "[]" or len(lines) > 1 or first < span.first or last > span.last:
            found.update(lines)
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
