"""Writes what records of many tables came to, with the tables' cursors, in one transaction. Blocks.

A transaction a table costs more than all that is read and reckoned before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Engine, bindparam, delete, insert, update
from sqlalchemy.exc import IntegrityError

from controller.pit.archive.books import schema as b
from controller.pit.archive.books.fold_state import FORM, Rows, Values
from controller.pit.archive.books.upsert import add_up, put, put_new
from controller.pit.archive.of_a_table import is_there_already
from controller.pit.archive.storage.database import written_in_turn
from controller.pit.archive.storage.prepared import Prepared


class BooksOvertaken(Exception):
    """Another pit has kept a table's books meanwhile: they are read anew."""


@dataclass(frozen=True, slots=True)
class BookEntry:
    """What records of a table came to: those after `before` (None: all there are) up to `seq`.

    `kept` is what the next record is read with.
    """

    table_id: int
    before: int | None
    seq: int
    at_ms: int
    currency: str
    kept: str
    rows: Rows


_MOVED: Final = Prepared(
    update(b.FOLLOWED)
    .where(b.FOLLOWED.c.table_id == bindparam("of"), b.FOLLOWED.c.seq == bindparam("before"))
    .values({each: bindparam(each) for each in ("form", "seq", "at_ms", "currency", "kept")})
)


def write(engine: Engine, entries: Sequence[BookEntry]) -> None:
    """Write them all, or nothing of them. Raises `BooksOvertaken`, `sqlalchemy.exc.DBAPIError`."""
    try:
        with written_in_turn(engine), engine.begin() as connection:
            _move(connection, entries)
            _write_rows(connection, entries)
    except IntegrityError as error:
        if not is_there_already(error):
            raise
        raise BooksOvertaken(str(error.orig)) from error


def _move(connection: Connection, entries: Sequence[BookEntry]) -> None:
    """A cursor is moved only from where it was read."""
    moved = [
        {"of": each.table_id, "before": each.before, **_cursor(each)}
        for each in entries if each.before is not None
    ]  # fmt: skip
    if moved and _MOVED.run(connection, moved).rowcount != len(moved):
        raise BooksOvertaken("books of a table are past where they were read")
    begun = [each for each in entries if each.before is None]
    if not begun:
        return
    # The first time, or by another form: nothing of it stands.
    ids = [each.table_id for each in begun]
    table = b.FOLLOWED
    connection.execute(delete(table).where(table.c.table_id.in_(ids), table.c.form != FORM))
    connection.execute(
        insert(table), [{"table_id": each.table_id, **_cursor(each)} for each in begun]
    )
    for book in b.BOOKS:
        connection.execute(delete(book).where(book.c.table_id.in_(ids)))


def _cursor(entry: BookEntry) -> Values:
    return {
        "form": FORM, "seq": entry.seq, "at_ms": entry.at_ms, "currency": entry.currency,
        "kept": entry.kept,
    }  # fmt: skip


def _write_rows(connection: Connection, entries: Sequence[BookEntry]) -> None:
    def of(name: str) -> list[Values]:
        """The rows of every table, each with its id."""
        found: list[Values] = []
        for each in entries:
            rows: Any = getattr(each.rows, name)
            values: Iterable[Values] = rows.values() if isinstance(rows, dict) else rows
            found += ({"table_id": each.table_id, **row} for row in values)
        return found

    def sums(name: str) -> list[Values]:
        return [
            {"table_id": each.table_id, **key._asdict(), **figures}
            for each in entries for key, figures in getattr(each.rows, name).items()
        ]  # fmt: skip

    def index(name: str) -> list[tuple[Any, ...]]:
        """As they lie in it: whoever writes next to what was written last writes cheapest."""
        return sorted(
            (key, at_ms, each.table_id, seq, seat)
            for each in entries for key, at_ms, seq, seat in getattr(each.rows, name)
        )  # fmt: skip

    put(connection, b.RACK_SHIFTS, of("shifts"))
    put(connection, b.SLIPS, of("slips"))
    put(connection, b.STOPS, of("stops"))
    put(connection, b.ASKED, of("asked"))
    put(connection, b.SHOES, of("shoes"))
    put(connection, b.LEAKS, of("leaks"))
    add_up(connection, b.TALLIES, sums("tallies"))
    add_up(connection, b.READS, sums("reads"))
    put_new(connection, b.ROUND_CARDS, index("cards"))
    put_new(connection, b.ROUND_AMOUNTS, index("amounts"))
