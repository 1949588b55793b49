"""Reads the chips of a table as they are kept. Blocks."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, select

from controller.pit.archive.books import schema as b
from controller.pit.archive.books.fold_state import FoldState
from controller.pit.archive.books.win import RackRows
from controller.pit.archive.storage.schema import TABLES

#: Of a table this many shifts of the rack are read at most, the newest ones.
MOST_SHIFTS = 12


def rack_rows(connection: Connection, table: str, most: int = MOST_SHIFTS) -> RackRows | None:
    """The newest shifts of a table's rack; None where its books were not kept yet."""
    query = (
        select(b.FOLLOWED.c.table_id, b.FOLLOWED.c.kept)
        .join(TABLES, TABLES.c.id == b.FOLLOWED.c.table_id)
        .where(TABLES.c.name == table)
    )
    found = connection.execute(query).first()
    if found is None:
        return None
    id_, state = found[0], msgspec.json.decode(found[1], type=FoldState)
    shifts = connection.execute(
        select(b.RACK_SHIFTS)
        .where(b.RACK_SHIFTS.c.table_id == id_)
        .order_by(b.RACK_SHIFTS.c.number.desc())
        .limit(most)
    )
    rows = shifts.mappings().all()
    first = min((each["number"] for each in rows), default=0)
    # A box that was taken later may have stood there since one of them.
    slips = connection.execute(
        select(b.SLIPS)
        .where(b.SLIPS.c.table_id == id_, b.SLIPS.c.shift >= first)
        .order_by(b.SLIPS.c.slip)
    )
    rack = state.rack
    found_slips = [dict(each) for each in slips.mappings()]
    return RackRows(
        [dict(each) for each in rows], found_slips, rack.box, rack.box_since, state.rounds
    )
