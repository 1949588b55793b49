"""Follows the archived records and keeps the books of each table. Blocks.

It has a cursor of its own for each table, committed with the rows that follow from the records up
to it: whatever is cut off is read again, and nothing is counted twice. So the archive waits for no
book, and books of another form are made again from the records. Two pits on one database cannot
count the same record twice: a cursor moves only from where it was read (`Overtaken`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Engine, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from controller.pit.archive import schema as s
from controller.pit.archive.books import schema as b
from controller.pit.archive.books.fold import TableFold
from controller.pit.archive.books.fold_state import FORM, EarlierRound, FoldState, Rows, Values
from controller.pit.archive.books.round_play import HolderFinder
from controller.pit.archive.books.upsert import add_up, put, put_new
from controller.record.codec import CodecError, Decoder
from controller.rules.sealed import Sealed
from controller.table.facts import BetsClosed, DummyBegan

log: Final = logging.getLogger(__name__)

#: This many records of a table are read at once.
MOST_AT_ONCE: Final = 2_000
#: A table's books are written this often at most while it deals, and after this many records.
WRITE_MS: Final = 5_000
WRITE_RECORDS: Final = 20_000
#: Whoever stops it waits no longer, but for one table's records.
AT_ONCE_MS: Final = 250


class BooksOvertaken(Exception):
    """Another pit has kept a table's books meanwhile: they are read anew."""


def _sealed(_digest: str) -> Sealed | None:
    """Opens no card: the archive has none of the openings."""
    return None


@dataclass(slots=True)
class _Followed:
    """A table: up to where its books are written, and up to where its records were taken."""

    id: int
    fold: TableFold
    written: int
    taken: int
    at_ms: int
    written_ms: int
    #: It has a row of its own.
    known: bool


class Follower:
    """Keeps the books in `engine`'s database, for one thread."""

    def __init__(
        self, engine: Engine, holders: HolderFinder, clock_ms: Callable[[], int],
        write_ms: int = WRITE_MS,
    ) -> None:  # fmt: skip
        self._engine = engine
        self._holders = holders
        self._clock_ms = clock_ms
        self._write_ms = write_ms
        self._tables: dict[int, _Followed] = {}
        self._last = 0
        #: The newest branch for which records were set aside.
        self._branch = 0
        self._decode: Final = Decoder(_sealed).decode

    def follow(self) -> int:
        """Take what was archived since the last time; how many records. 0: there was nothing.

        Raises `BooksOvertaken`, `sqlalchemy.exc.DBAPIError`; the books are read anew then.
        """
        try:
            with self._engine.connect().execution_options(reads_only=True) as connection:
                newest = select(func.max(s.BRANCHES.c.id)).where(s.BRANCHES.c.last_seq > 0)
                branch = connection.execute(newest).scalar() or 0
                heads = connection.execute(select(s.TABLES.c.id, s.TABLES.c.seq)).all()
            if branch != self._branch:
                # Of some table another history stands, and its books begin anew.
                self._tables.clear()
                self._branch = branch
            return self._follow_all({each.id: each.seq for each in heads})
        except BaseException:
            self._tables.clear()
            raise

    def _follow_all(self, heads: Mapping[int, int]) -> int:
        """One table after the other, for a while; the next time from where this one ended."""
        began_ms, count = self._clock_ms(), 0
        waiting = sorted(heads, key=lambda id_: (id_ <= self._last, id_))
        for id_ in waiting:
            count += self._follow(id_, heads[id_])
            self._last = id_
            if self._clock_ms() - began_ms >= AT_ONCE_MS:
                return count or 1
        return count

    def _follow(self, id_: int, head: int) -> int:
        """Take a table's next records."""
        known = self._tables.get(id_) or self._load(id_)
        self._tables[id_] = known
        if known.taken < head:
            count = 0
            for row in self._records(known):
                count += 1
                self._take(known, *row)
            self._write_when_due(known)
            return count
        self._write_when_due(known)
        return 0

    def _records(self, known: _Followed) -> Iterator[tuple[int, int, bytes]]:
        table = s.RECORDS
        query = (
            select(table.c.seq, table.c.version, table.c.body)
            .where(table.c.table_id == known.id, table.c.seq > known.taken)
            .order_by(table.c.seq)
            .limit(MOST_AT_ONCE)
        )
        with self._engine.connect().execution_options(reads_only=True) as connection:
            rows = connection.execute(query).all()
        for row in rows:
            yield row[0], row[1], row[2]

    def _take(self, known: _Followed, seq: int, version: int, body: bytes) -> None:
        try:
            record = self._decode(seq, version, body)
        except CodecError:
            known.taken = seq
            return  # the archive has named it: `unreadable`
        if isinstance(record.fact, BetsClosed | DummyBegan):
            self._write_when_due(known)  # until its end they cannot be
        known.taken, known.at_ms = seq, record.at_ms
        known.fold.add(record)

    def _write_when_due(self, known: _Followed) -> None:
        if known.written == known.taken or not known.fold.between_rounds:
            return
        now_ms = self._clock_ms()
        many = known.taken - known.written >= WRITE_RECORDS
        if many or not known.known or now_ms - known.written_ms >= self._write_ms:
            self._write(known)
            known.written_ms = now_ms

    def _write(self, known: _Followed) -> None:
        """Write what was taken, with the cursor; or nothing of it."""
        state = known.fold.state
        values = {
            "form": FORM, "seq": known.taken, "at_ms": known.at_ms, "currency": state.currency,
            "kept": msgspec.json.encode(state).decode(),
        }  # fmt: skip
        try:
            with self._engine.begin() as connection:
                self._move(connection, known, values)
                _write_rows(connection, known.id, known.fold.rows)
        except IntegrityError as error:
            raise BooksOvertaken(str(error.orig)) from error
        known.fold.rows = Rows()
        known.written, known.known = known.taken, True

    def _move(self, connection: Connection, known: _Followed, values: Values) -> None:
        table = b.FOLLOWED
        if known.known:
            moved = connection.execute(
                update(table)
                .where(table.c.table_id == known.id, table.c.seq == known.written)
                .values(values)
            )
            if moved.rowcount != 1:
                raise BooksOvertaken(f"books of table {known.id} are past {known.written}")
            return
        # The first time, or by another form: nothing of it stands.
        connection.execute(delete(table).where(table.c.table_id == known.id, table.c.form != FORM))
        connection.execute(insert(table).values(table_id=known.id, **values))
        for each in b.BOOKS:
            connection.execute(delete(each).where(each.c.table_id == known.id))

    def _load(self, id_: int) -> _Followed:
        query = select(b.FOLLOWED).where(b.FOLLOWED.c.table_id == id_, b.FOLLOWED.c.form == FORM)
        with self._engine.connect().execution_options(reads_only=True) as connection:
            row = connection.execute(query).mappings().one_or_none()
        state = FoldState() if row is None else msgspec.json.decode(row["kept"], type=FoldState)
        fold = TableFold(state, _Earlier(self._engine, id_), self._holders)
        seq, at_ms = (0, 0) if row is None else (row["seq"], row["at_ms"])
        return _Followed(id_, fold, seq, seq, at_ms, 0, row is not None)


class _Earlier:
    """What the database has of a table."""

    def __init__(self, engine: Engine, id_: int) -> None:
        self._engine = engine
        self._id = id_

    def slip(self, number: int) -> Values | None:
        """A slip."""
        table = b.SLIPS
        query = select(table).where(table.c.table_id == self._id, table.c.slip == number)
        with self._engine.connect().execution_options(reads_only=True) as connection:
            row = connection.execute(query).mappings().one_or_none()
        return None if row is None else {k: v for k, v in row.items() if k != "table_id"}

    def round(self, number: int) -> EarlierRound | None:
        """A round."""
        table = s.ROUNDS.c
        query = select(table.seq, table.began_ms, table.game, table.dealer).where(
            table.table_id == self._id, table.number == number
        )
        with self._engine.connect().execution_options(reads_only=True) as connection:
            row = connection.execute(query).first()
        return None if row is None else EarlierRound(*row)


def _write_rows(connection: Connection, id_: int, rows: Rows) -> None:
    def of(values: Any) -> list[Values]:
        return [{"table_id": id_, **each} for each in values]

    put(connection, b.RACK_SHIFTS, of(rows.shifts.values()))
    put(connection, b.SLIPS, of(rows.slips.values()))
    put(connection, b.STOPS, of(rows.stops.values()))
    put(connection, b.SHOES, of(rows.shoes))
    put(connection, b.LEAKS, of(rows.leaks))
    add_up(connection, b.TALLIES, of({**k._asdict(), **v} for k, v in rows.tallies.items()))
    add_up(connection, b.READS, of({**k._asdict(), **v} for k, v in rows.reads.items()))
    cards = ({"card": it[0], "at_ms": it[1], "seq": it[2], "seat": it[3]} for it in rows.cards)
    put_new(connection, b.ROUND_CARDS, of(cards))
    amounts = (
        {"amount": it[0], "at_ms": it[1], "seq": it[2], "seat": it[3]} for it in rows.amounts
    )
    put_new(connection, b.ROUND_AMOUNTS, of(amounts))
