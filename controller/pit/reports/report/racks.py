"""Shifts of racks, and handovers of the pit's shifts, as parts of a report. Blocks."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, RowMapping, func, or_, select

from controller.pit.archive.books import schema as b
from controller.pit.archive.books.fold_state import FoldState
from controller.pit.archive.books.win import RackRows, wins
from controller.pit.archive.storage.schema import TABLES
from controller.pit.house_time import HouseTime
from controller.pit.reports.asked import ReportSpan
from controller.pit.reports.handover.schema import HANDOVERS
from controller.pit.reports.report.sections import Cell, ColumnKind, ReportSection, columns

_RACKS: Final = columns(
    ("table", "Table", ColumnKind.TEXT),
    ("shift", "Shift", ColumnKind.COUNT),
    ("currency", "Currency", ColumnKind.TEXT),
    ("opened_at", "Opened", ColumnKind.TIME),
    ("closed_at", "Closed", ColumnKind.TIME),
    ("opener", "Opener", ColumnKind.MONEY),
    ("fills", "Fills", ColumnKind.MONEY),
    ("credits", "Credits", ColumnKind.MONEY),
    ("drop", "Drop", ColumnKind.MONEY),
    ("buy_ins", "Of it on slips", ColumnKind.MONEY),
    ("closer", "Closer", ColumnKind.MONEY),
    ("win_by_chips", "Win by chips", ColumnKind.MONEY),
    ("win_by_rounds", "Win by rounds", ColumnKind.MONEY),
    ("difference", "Difference", ColumnKind.MONEY),
    ("first_round", "It lies in rounds", ColumnKind.COUNT),
    ("last_round", "to", ColumnKind.COUNT),
    ("missing", "Missing for it", ColumnKind.TEXT),
)
_HANDOVERS: Final = columns(
    ("handover", "Handover", ColumnKind.COUNT),
    ("since", "Since", ColumnKind.TIME),
    ("given_at", "Given", ColumnKind.TIME),
    ("given_by", "By user", ColumnKind.COUNT),
    ("taken_at", "Taken over", ColumnKind.TIME),
    ("taken_by", "By user", ColumnKind.COUNT),
    ("open", "Open", ColumnKind.COUNT),
    ("disputed", "Disputed", ColumnKind.COUNT),
    ("to_count", "Racks and boxes", ColumnKind.COUNT),
)
_ABOUT_RACKS: Final = (
    "Win by chips is closer + credits + drop - opener - fills, beside the win that the rounds say;"
    " what explains a difference lies in the rounds named, or in a count or slip of the shift. What"
    " buy-ins on slips come to is part of the drop, and no sum of its own."
)
_ABOUT_HANDOVERS: Final = (
    "Of the pit, on these gaming days, each from {ends} on ({zone}), whatever the table; signed by"
    " both where it was taken over."
    " What stood in each, and its note, is on the page of handovers."
)
#: A drop box stands under its table for so many shifts at most.
_MOST_STANDING: Final = 20


def racks(connection: Connection, span: ReportSpan) -> ReportSection:
    """Every shift of a rack that began in the span. Raises `sqlalchemy.exc.DBAPIError`."""
    k = b.RACK_SHIFTS.c
    began: tuple[ColumnElement[bool], ...] = (k.day >= span.first, k.day <= span.last)
    if span.table:
        began += (TABLES.c.name == span.table,)
    query = (
        select(TABLES.c.name, b.FOLLOWED.c.kept, b.RACK_SHIFTS)
        .join(TABLES, TABLES.c.id == k.table_id)
        .join(b.FOLLOWED, b.FOLLOWED.c.table_id == k.table_id)
        .where(*began)
        .order_by(TABLES.c.name, k.number)
    )
    by_table: dict[int, list[RowMapping]] = defaultdict(list)
    for row in connection.execute(query).mappings():
        by_table[row["table_id"]].append(row)
    rows: list[tuple[Cell, ...]] = []
    slips = _slips(connection, began)
    for id_, shifts in by_table.items():
        now = msgspec.json.decode(shifts[0]["kept"], type=FoldState)
        rack = RackRows(
            [dict(each) for each in shifts], slips.get(id_, ()), now.rack.box, now.rack.box_since,
            now.rounds,
        )  # fmt: skip
        rows += (
            (shift["name"], shift["number"], shift["currency"], shift["opened_ms"],
             shift["closed_ms"], win.opener, win.fills, win.credits, win.drop, win.buy_ins,
             win.closer, win.chips, win.rounds, win.difference, win.first_round, win.last_round,
             "; ".join(win.missing))
            for shift, win in wins(rack)
        )  # fmt: skip
    none = "No rack was opened: a table keeps account of its chips where [chips] names them."
    return ReportSection("racks", "Racks by shift", _ABOUT_RACKS, _RACKS, tuple(rows), none)


def _slips(
    connection: Connection, began: tuple[ColumnElement[bool], ...]
) -> dict[int, list[dict[str, Any]]]:
    """By table the slips of the shifts that `began` says, and those of boxes that stood there and
    were taken later: what `wins` goes by, of all tables at once. A day of many has thousands.
    """
    k, s = b.RACK_SHIFTS.c, b.SLIPS.c
    shifts = (
        select(k.table_id, func.min(k.number).label("first"), func.max(k.number).label("last"))
        .join(TABLES, TABLES.c.id == k.table_id)
        .where(*began)
        .group_by(k.table_id)
        .subquery()
    )
    of = shifts.c
    query = (
        select(s.table_id, s.slip, s.shift, s.kind, s.amount, s.box, s.since, s.taken, s.void_ms)
        .join(shifts, of.table_id == s.table_id)
        .where(s.shift >= of.first, s.shift <= of.last + _MOST_STANDING)
        .where(or_(s.shift <= of.last, s.kind.in_(("box", "count"))))
        .order_by(s.table_id, s.slip)
    )
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in connection.execute(query).mappings():
        found[row["table_id"]].append(dict(row))
    return found


def handovers(connection: Connection, span: ReportSpan, house: HouseTime) -> ReportSection:
    """The handovers that were given on the house's gaming days of the span."""
    rows: list[tuple[Cell, ...]] = []
    h = HANDOVERS.c
    if span.first:
        from_ms, upto_ms = house.days_ms(span.first, span.last)
        query = select(HANDOVERS).where(h.given_ms >= from_ms, h.given_ms < upto_ms)
        for row in connection.execute(query.order_by(h.given_ms)).mappings():
            said = json.loads(row["shown"])
            counts = (len(said[name]) for name in ("open", "disputed", "money"))
            rows.append(
                (row["id"], row["since_ms"], row["given_ms"], row["given_user"], row["taken_ms"],
                 row["taken_user"], *counts)
            )  # fmt: skip
    none = "No shift was handed over."
    about = _ABOUT_HANDOVERS.format(ends=house.day_ends, zone=house.zone)
    return ReportSection("handovers", "Handovers of the pit", about, _HANDOVERS, tuple(rows), none)
