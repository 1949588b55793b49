"""Takes a table's record in the archive back to an earlier place. Blocks; in one transaction.

Its later records are set aside under the number of a branch. What was derived from them goes, and
what they had changed is derived again from the records that stay; the books are made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Integer, bindparam, delete, func, insert, select

from controller.pit.archive.books.fold_state import FORM, FoldState
from controller.pit.archive.books.schema import BOOKS, FOLLOWED
from controller.pit.archive.commit import (
    Known,
    change_rows,
    derived_rows,
    insert_rows,
    move_tables,
    table_move,
)
from controller.pit.archive.cursor import Cursor
from controller.pit.archive.derived import Context, Derived
from controller.pit.archive.storage import schema as s
from controller.record.codec import CodecError
from controller.record.files.head_anchor import Position
from controller.table.facts import Record

Decode = Callable[[int, int, bytes], Record]
"""Reads a record. Raises `CodecError`."""
_AT_ONCE: Final = 1_000
_DERIVED: Final = (s.ROUNDS, s.HANDS, s.HOLDS, s.MONEY, s.PEOPLE, s.DIRECTORIES)


def rewind(
    connection: Connection, decode: Decode, name: str, known: Known, at: Position, branch: int,
    now_ms: int,
) -> Known:  # fmt: skip
    """Take the record of table `name` back to `at`, which it has; where the table stands then.

    Raises `Overtaken`.
    """
    id_ = known.id
    begin, context = _begin(connection, decode, id_, at.seq)
    _set_aside(connection, id_, at.seq, branch)
    for table in _DERIVED:
        connection.execute(delete(table).where(table.c.table_id == id_, table.c.seq >= begin))
    derived, at_ms = _derive(connection, decode, id_, begin, context)
    for table, rows in derived_rows(id_, derived):
        insert_rows(connection, table, rows)
    change_rows(connection, [(id_, derived)])
    # What the table runs on is not looked for: it says so when it comes up.
    stands = replace(derived.context, software=known.context.software)
    now = Known(id_, Cursor(known.cursor.identity, at), stands, at_ms)
    move_tables(connection, [table_move(known, now, now_ms)])
    _books_anew(connection, id_, branch)
    return now


def _set_aside(connection: Connection, id_: int, seq: int, branch: int) -> None:
    columns = ("seq", "version", "body", "hash")
    goes = (s.RECORDS.c.table_id == id_) & (s.RECORDS.c.seq > seq)
    number = bindparam("number", branch, Integer)
    taken = select(number, *(s.RECORDS.c[each] for each in columns)).where(goes)
    connection.execute(insert(s.SET_ASIDE).from_select(("branch", *columns), taken))
    connection.execute(delete(s.RECORDS).where(goes))


def _begin(connection: Connection, decode: Decode, id_: int, last: int) -> tuple[int, Context]:
    """From which record on rows are to be derived again, and what it is read with.

    It begins a round: the last one up to `last`, or an earlier one, if a row of that was changed
    by a record after it.
    """
    upto = last
    while True:
        begin, context = _round_before(connection, id_, upto)
        derived, _ = _derive(connection, decode, id_, begin, context)
        changed = [
            *(_first(connection, s.ROUNDS, id_, each) for each, _ in derived.round_changes),
            *(_first(connection, s.HOLDS, id_, each) for each, _ in derived.hold_changes),
        ]
        upto = min((each for each in changed if each), default=begin)
        if upto >= begin:
            return begin, context


def _round_before(connection: Connection, id_: int, seq: int) -> tuple[int, Context]:
    """The record that began the last round up to `seq`, and what it was read with."""
    rounds = s.ROUNDS
    query = select(rounds).where(rounds.c.table_id == id_, rounds.c.seq <= seq)
    row = connection.execute(query.order_by(rounds.c.seq.desc()).limit(1)).mappings().first()
    if row is None:
        return 1, Context()
    return row["seq"], Context("", row["game"], row["day"], row["dealer"], row["number"])


def _first(connection: Connection, table: Any, id_: int, number: int) -> int:
    """The record that began a round or hold; 0: the archive has none of that number."""
    query = select(func.max(table.c.seq)).where(table.c.table_id == id_, table.c.number == number)
    return connection.execute(query).scalar() or 0


def _derive(
    connection: Connection, decode: Decode, id_: int, begin: int, context: Context
) -> tuple[Derived, int]:
    """What follows from the records from `begin` on, and when the last one was written."""
    derived, at_ms = Derived(context), 0
    for seq, version, body in _records(connection, id_, begin):
        try:
            record = decode(seq, version, body)
        except CodecError:
            continue  # it was named when it came: `unreadable`
        at_ms = record.at_ms
        derived.add(record)
    return derived, at_ms


def _records(connection: Connection, id_: int, begin: int) -> Iterator[tuple[int, int, bytes]]:
    records, after = s.RECORDS.c, begin - 1
    query = (
        select(records.seq, records.version, records.body)
        .where(records.table_id == id_, records.seq > bindparam("after"))
        .order_by(records.seq)
        .limit(_AT_ONCE)
    )
    while rows := connection.execute(query, {"after": after}).all():
        yield from ((each[0], each[1], each[2]) for each in rows)
        after = rows[-1][0]


def _books_anew(connection: Connection, id_: int, branch: int) -> None:
    """The books begin again from the first record.

    At a number of its own below 0: whoever keeps them is not where they were, and reads them anew.
    """
    for table in (*BOOKS, FOLLOWED):
        connection.execute(delete(table).where(table.c.table_id == id_))
    empty_state = msgspec.json.encode(FoldState()).decode()
    connection.execute(
        insert(FOLLOWED).values(
            table_id=id_, form=FORM, seq=-branch, at_ms=0, currency="", kept=empty_state
        )
    )
