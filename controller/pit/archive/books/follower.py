"""Follows the archived records and keeps the books of each table. Blocks.

It has a cursor of its own for each table, committed with the rows that follow from the records up
to it: whatever is cut off is read again, and nothing is counted twice. So the archive waits for no
book, and books of another form are made again from the records. Two pits on one database cannot
count the same record twice: a cursor moves only from where it was read (`BooksOvertaken`). A table
with records that cannot be kept has books that stand (`standing`); the other tables' go on, which
is why a broad `except` stands here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import msgspec
from sqlalchemy import Connection, Engine, bindparam, func, select

from controller.pit.archive.books import schema as b
from controller.pit.archive.books.earlier import EarlierOfTable
from controller.pit.archive.books.entries import BookEntry, BooksOvertaken, write
from controller.pit.archive.books.fold import TableFold
from controller.pit.archive.books.fold_state import FORM, FoldState, Rows
from controller.pit.archive.books.round_play import HolderFinder
from controller.pit.archive.books.standing import StandingBooks
from controller.pit.archive.of_a_table import is_of_a_table
from controller.pit.archive.storage import schema as s
from controller.pit.archive.storage.prepared import Prepared
from controller.record.codec import CodecError, Decoder
from controller.rules.sealed import Sealed
from controller.table.facts import BetsClosed, DummyBegan, RoundEnded, RoundVoided

log: Final = logging.getLogger(__name__)

#: This many records of a table are read at once.
MOST_AT_ONCE: Final = 2_000
#: A table's books are written this often at most while it deals.
WRITE_MS: Final = 5_000
#: Of a round that goes on for longer the records are read this often: until it ends, nothing of it
#: can be written.
AGAIN_MS: Final = 1_000
#: Whoever stops it waits no longer, but for one table's records and for what is written.
AT_ONCE_MS: Final = 250
#: How records begin of which a round begins, or ends.
_BEGINS: Final = tuple(f'["{each.__name__}/'.encode() for each in (BetsClosed, DummyBegan))
_ENDS: Final = tuple(f'["{each.__name__}/'.encode() for each in (RoundEnded, RoundVoided))
_Record = tuple[int, int, bytes]
#: Up to where a table's books are written, and what the next record is read with.
_WRITTEN: Final = Prepared(
    select(b.FOLLOWED.c.seq, b.FOLLOWED.c.at_ms, b.FOLLOWED.c.kept).where(
        b.FOLLOWED.c.table_id == bindparam("of"), b.FOLLOWED.c.form == FORM
    )
)
#: A table's next records.
_NEXT: Final = Prepared(
    select(s.RECORDS.c.seq, s.RECORDS.c.version, s.RECORDS.c.body)
    .where(s.RECORDS.c.table_id == bindparam("of"), s.RECORDS.c.seq > bindparam("taken"))
    .order_by(s.RECORDS.c.seq)
    .limit(MOST_AT_ONCE)
)


def _sealed(_digest: str) -> Sealed | None:
    """Opens no card: the archive has none of the openings."""
    return None


@dataclass(slots=True)
class _Followed:
    """A table: up to where its books are written, and up to where its records were taken.

    `due_ms`: when it is looked at again, however little was archived.
    """

    id: int
    fold: TableFold
    written: int
    taken: int
    at_ms: int
    due_ms: int
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
        #: What is to be written, by the table's id.
        self._entries: dict[int, BookEntry] = {}
        self._decode: Final = Decoder(_sealed, of_one_table=False).decode
        self._standing = StandingBooks(engine, clock_ms)

    def follow(self) -> int:
        """Take what was archived since the last time; how many records. 0: there was nothing.

        Raises `BooksOvertaken`, `sqlalchemy.exc.DBAPIError`; the books are read anew then.
        """
        try:
            self._standing.load()
            with self._engine.connect().execution_options(reads_only=True) as connection:
                newest = select(func.max(s.BRANCHES.c.id)).where(s.BRANCHES.c.last_seq > 0)
                branch = connection.execute(newest).scalar() or 0
                heads = connection.execute(select(s.TABLES.c.id, s.TABLES.c.seq)).all()
                if branch != self._branch:
                    # Of some table another history stands, and its books begin anew.
                    self._tables.clear()
                    self._standing.try_all()
                    self._branch = branch
                count = self._follow_all(connection, {each.id: each.seq for each in heads})
            if self._entries:
                self._write()
        except BaseException:
            self._tables.clear()
            raise
        finally:
            self._entries.clear()
        return count

    def _write(self) -> None:
        """Write what is to be written: together or, where that fails, table by table."""
        entries = list(self._entries.values())
        try:
            write(self._engine, entries)
        except BooksOvertaken:
            raise
        except Exception as error:
            if not is_of_a_table(error):
                raise
            entries = [each for each in entries if self._could_write(each)]
        # Of one that stands, what was taken before may have been written all the same.
        self._standing.go_on(each.table_id for each in entries if each.table_id in self._tables)

    def _could_write(self, entry: BookEntry) -> bool:
        """Write one table's alone; its books stand where that fails."""
        with self._stands_on_error(entry.table_id, entry.before or 0):
            write(self._engine, [entry])
        return entry.table_id in self._tables

    @contextmanager
    def _stands_on_error(
        self, id_: int, written: int | None = None, reading: Connection | None = None
    ) -> Iterator[None]:
        """Where a table's records make fail what is done inside, its books stand: after the record
        up to which they are written.
        """
        try:
            yield
        except BooksOvertaken:
            raise
        except Exception as error:
            if not is_of_a_table(error):
                raise
            if reading is not None:
                # PostgreSQL answers nothing more in a transaction of which a part has failed.
                reading.rollback()
            known = self._tables.pop(id_, None)
            if written is None:
                written = known.written if known is not None else 0
            self._standing.stands(id_, written, error)

    def _follow_all(self, connection: Connection, heads: Mapping[int, int]) -> int:
        """One table after the other, for a while; the next time from where this one ended.

        They share a transaction: one each cost more than to read records.
        """
        began_ms, count = self._clock_ms(), 0
        waiting = sorted(heads, key=lambda id_: (id_ <= self._last, id_))
        for id_ in waiting:
            if not self._standing.waits(id_):
                with self._stands_on_error(id_, reading=connection):
                    count += self._follow(connection, id_, heads[id_])
            self._last = id_
            if self._clock_ms() - began_ms >= AT_ONCE_MS:
                return count or 1
        return count

    def _follow(self, connection: Connection, id_: int, head: int) -> int:
        """Take a table's next records."""
        known = self._tables.get(id_) or self._load(connection, id_)
        self._tables[id_] = known
        if not self._is_due(known, head):
            return 0  # as they come records are few: they are read together
        known.due_ms = self._clock_ms() + min(AGAIN_MS, self._write_ms)
        of = {"of": id_, "taken": known.taken}
        rows = _NEXT.read(connection, of) if known.taken < head else []
        # As late as can be: what is written once need not be put in order with what comes after.
        last = _last_boundary(rows)
        for at, row in enumerate(rows):
            if at == last:
                self._enter(known)
            self._take(known, *row)
        if last is None:
            self._enter(known)
        return len(rows)

    def _is_due(self, known: _Followed, head: int) -> bool:
        """Whether its books are to be written, or so much waits that it is taken already."""
        if head == known.written:
            return False
        if head - known.taken >= MOST_AT_ONCE:
            return True
        # A clock that was set back is no reason to wait longer.
        return not 0 < known.due_ms - self._clock_ms() <= self._write_ms

    def _take(self, known: _Followed, seq: int, version: int, body: bytes) -> None:
        known.taken = seq
        try:
            record = self._decode(seq, version, body)
        except CodecError:
            return  # the archive has named it: `unreadable`
        known.at_ms = record.at_ms
        known.fold.add(record)

    def _enter(self, known: _Followed) -> None:
        """Put down what was taken, to be written with the cursor; between two rounds alone."""
        if known.written == known.taken or not known.fold.between_rounds:
            return
        state = known.fold.state
        self._entries[known.id] = BookEntry(
            known.id, known.written if known.known else None, known.taken, known.at_ms,
            state.currency, msgspec.json.encode(state).decode(), known.fold.rows,
        )  # fmt: skip
        known.fold.rows = Rows()
        known.written, known.known = known.taken, True
        known.due_ms = self._clock_ms() + self._write_ms

    def _load(self, connection: Connection, id_: int) -> _Followed:
        rows = _WRITTEN.read(connection, {"of": id_})
        seq, at_ms, kept = rows[0] if rows else (0, 0, "{}")
        state = msgspec.json.decode(kept, type=FoldState)
        earlier = EarlierOfTable(self._engine, id_, self._entries, self._decode)
        fold = TableFold(state, earlier, self._holders)
        return _Followed(id_, fold, seq, seq, at_ms, 0, bool(rows))


def _last_boundary(rows: Sequence[_Record]) -> int | None:
    """Before which of them a round begins, the last of which no end is seen; None: before none."""
    for at in range(len(rows) - 1, -1, -1):
        body = rows[at][2]
        if body.startswith(_BEGINS):
            return at
        if body.startswith(_ENDS):
            return None
    return None
