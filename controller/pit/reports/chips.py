"""The chips of a table as its page of the pit and the API show them. Blocks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct
from sqlalchemy import Engine, select

from controller.pit.accounts.on_records import names_on_records
from controller.pit.archive.books.rack_rows import rack_rows
from controller.pit.archive.books.schema import FOLLOWED
from controller.pit.archive.books.win import RackRows, Row, wins
from controller.pit.archive.storage.schema import TABLES
from controller.pit.reports.people import people
from controller.pit.reports.suspects import Suspect, suspects
from controller.table.rack_win import RackWin
from controller.table.roles import PersonId

Names: TypeAlias = Mapping[PersonId, str]


class Pieces(Struct, frozen=True):
    """So many pieces of the chip that is worth `chip`; of a difference they may be below zero."""

    chip: int
    pieces: int


class SlipLine(Struct, frozen=True):
    """A slip. `kind`: opener, closer, fill, credit, buy_in, box or count; `about` says more of it.

    `void` is why it does not hold, empty where it does. `seq` is the record in which it stands.
    """

    slip: int
    seq: int
    kind: str
    at_ms: int
    amount: int
    chips: tuple[Pieces, ...]
    about: str
    by: tuple[str, ...]
    void: str
    void_by: tuple[str, ...]


class ShiftChips(Struct, frozen=True):
    """A shift of the rack: what it came to, and its slips. `currency` is that of its opener,
    `suspects` are rounds and slips that could hold a difference of its wins.
    """

    number: int
    day: str
    currency: str
    opened_ms: int
    closed_ms: int | None
    win: RackWin
    slips: tuple[SlipLine, ...]
    suspects: tuple[Suspect, ...]


class TableChips(Struct, frozen=True):
    """The chips of a table up to record `seq`, the newest shift of the rack first; `currency` is
    what its amounts are in now.
    """

    table: str
    currency: str
    seq: int
    at_ms: int
    shifts: tuple[ShiftChips, ...]


def table_chips(engine: Engine, table: str) -> TableChips | None:
    """The chips of a table; None where nothing of it is kept yet. Raises `DBAPIError`."""
    with engine.connect().execution_options(reads_only=True) as connection:
        query = select(FOLLOWED).join(TABLES, TABLES.c.id == FOLLOWED.c.table_id)
        found = connection.execute(query.where(TABLES.c.name == table)).mappings().first()
        rack = rack_rows(connection, table)
        if found is None or rack is None:
            return None
        names = names_on_records(connection)
        shifts = tuple(
            _shift(shift, win, rack, names, suspects(connection, shift, win, rack))
            for shift, win in reversed(list(wins(rack)))
        )
    return TableChips(table, found["currency"], found["seq"], found["at_ms"], shifts)


def _shift(
    shift: Row, win: RackWin, rack: RackRows, names: Names, could_hold: tuple[Suspect, ...]
) -> ShiftChips:
    slips = (_slip(each, names) for each in rack.slips if each["shift"] == shift["number"])
    return ShiftChips(
        shift["number"], shift["day"], shift["currency"], shift["opened_ms"], shift["closed_ms"],
        win, tuple(slips), could_hold,
    )  # fmt: skip


def _slip(row: Mapping[str, Any], names: Names) -> SlipLine:
    return SlipLine(
        row["slip"], row["seq"], row["kind"], row["at_ms"], row["amount"], _pieces(row["chips"]),
        _about(row), people(row["signed"], names), row["void_reason"],
        people(row["void_by"], names),
    )  # fmt: skip


def _about(row: Mapping[str, Any]) -> str:
    kind = row["kind"]
    if kind == "box":
        taken = f"{row['box']} taken, " if row["box"] else ""
        return f"{taken}{row['placed']} placed"
    if kind == "buy_in":
        return f"cash into drop box {row['box']}"
    if kind == "count":
        return f"of drop box {row['box']}, taken by slip {row['taken']}"
    if row["rolled"]:
        return "taken over from the closer, not counted anew"
    if row["difference"]:
        more = [each for each in _pieces(row["difference"]) if each.pieces]
        if more:
            said = ", ".join(f"{each.pieces:+d} of {each.chip / 100:g}" for each in more)
            return f"against the closer before: {said}"
    return ""


def _pieces(text: str) -> tuple[Pieces, ...]:
    return tuple(Pieces(chip, pieces) for chip, pieces in json.loads(text))
