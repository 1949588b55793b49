"""Reads fills that were asked for and have not come. Blocks."""

from __future__ import annotations

from typing import Final, NamedTuple

from sqlalchemy import Connection, select

from controller.pit.archive.books.asked import AskedKind
from controller.pit.archive.books.schema import ASKED
from controller.pit.archive.storage.schema import TABLES

#: More fills than a pit waits for.
_MOST: Final = 100


class FillWaits(NamedTuple):
    """A fill of `amount` minor units was asked for by the record `seq`, and has not come."""

    table: str
    seq: int
    at_ms: int
    amount: int


def fills_waiting(connection: Connection, table: str = "") -> tuple[FillWaits, ...]:
    """Those of a table, or of all, the newest first. Raises `DBAPIError`."""
    a = ASKED.c
    query = (
        select(TABLES.c.name, a.seq, a.at_ms, a.amount)
        .join(TABLES, TABLES.c.id == a.table_id)
        .where(a.ended_ms.is_(None), a.kind == AskedKind.FILL.value)
    )
    if table:
        query = query.where(TABLES.c.name == table)
    rows = connection.execute(query.order_by(a.at_ms.desc()).limit(_MOST))
    return tuple(FillWaits(*each) for each in rows)
