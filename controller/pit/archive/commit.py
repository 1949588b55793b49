"""One transaction of the archive: records, cursor and derived rows of what came. Blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection, Table, bindparam, insert, select, update

from controller.bus.messages import STREAM, BadMessage, RecordBatch
from controller.pit.archive.cursor import Cursor, CursorStep, KnownHash, follow, two_names
from controller.pit.archive.derived import Context, Derived, Values
from controller.pit.archive.findings.finding_rows import add_finding, settle
from controller.pit.archive.findings.findings import (
    SETTLED_BY_RECORDS,
    ArchiveFinding,
    FindingKind,
    no_message,
)
from controller.pit.archive.storage import schema as s
from controller.pit.archive.storage.prepared import Prepared
from controller.record.codec import CodecError
from controller.record.files.chain_store import Row
from controller.record.files.head_anchor import Position


class Overtaken(Exception):
    """Another pit has archived for a table meanwhile: read anew where it stands."""


@dataclass(frozen=True, slots=True)
class Known:
    """A table as the archive has it. `id` is its row's, 0: it has none yet."""

    id: int
    cursor: Cursor
    context: Context
    at_ms: int


@dataclass(slots=True)
class Taken:
    """What messages came to: how many records were archived, which tables are to be asked."""

    records: int = 0
    missing: set[str] = field(default_factory=set)


class ArchiveCommit:
    """One transaction: messages of tables in the order in which they came."""

    def __init__(
        self,
        connection: Connection,
        known: dict[str, Known],
        found: set[str],
        decode: Callable[[int, int, bytes], Any],
        now_ms: int,
    ) -> None:
        self._connection = connection
        self._known = known
        self._found = found
        self._decode = decode
        self._now_ms = now_ms
        self._taken = Taken()
        #: Cursors that are to be moved, and what changes rows that are there: made one by one,
        #: these statements cost more than all else.
        self._moves: list[Values] = []
        self._changes: list[tuple[int, Derived]] = []

    def take(self, batches: Iterable[tuple[str, RecordBatch]], buffer: int) -> Taken:
        """Write what came; `buffer`: how far the broker's buffer was read. Raises `Overtaken`."""
        ordered = sorted(batches, key=lambda each: each[0])
        rows: dict[Table, list[Values]] = {}
        for name, group in groupby(ordered, key=lambda each: each[0]):
            self._table(name, [each for _, each in group], rows)
        move_tables(self._connection, self._moves)
        change_rows(self._connection, self._changes)
        for table in (s.RECORDS, s.ROUNDS, s.HANDS, s.HOLDS, s.MONEY, s.PEOPLE, s.DIRECTORIES):
            if rows.get(table):
                insert_rows(self._connection, table, rows[table])
        if buffer:
            self._note_buffer(buffer)
        return self._taken

    def _table(
        self, name: str, batches: Sequence[RecordBatch], rows: dict[Table, list[Values]]
    ) -> None:
        """Everything that came of one table."""
        known = self._known.get(name)
        cursor = known.cursor if known else None
        added: list[Row] = []
        fresh: dict[int, bytes] = {}
        for batch in batches:
            step = self._step(name, known, cursor, batch, fresh)
            if step is None:
                continue
            cursor = step.cursor if step.rows or cursor is not None else cursor
            added += step.rows
            fresh.update((each.seq, each.hash) for each in step.rows)
            if step.missing:
                self._taken.missing.add(name)
            if step.finding is not None:
                self._find(name, step.finding)
        if added and cursor is not None:
            if known is None and self._has_another_name(name, cursor.identity):
                return
            self._add(name, known, cursor, added, rows)

    def _has_another_name(self, name: str, identity: bytes) -> bool:
        """Whether a new table's record is archived already, as another's: every report would count
        it twice. Raises `Overtaken` where somebody has renamed it meanwhile.
        """
        query = select(s.TABLES.c.name).where(s.TABLES.c.identity == identity)
        other = self._connection.scalar(query)
        if other == name:
            raise Overtaken(f"{name} was renamed")
        if other is not None:
            self._find(name, two_names(other))
        return other is not None

    def _step(
        self, name: str, known: Known | None, cursor: Cursor | None, batch: RecordBatch,
        fresh: Mapping[int, bytes],
    ) -> CursorStep | None:  # fmt: skip
        if batch.table != name:
            other = batch.table[:64]
            text = f"a message under this table's subject says that it is of table {other!r}"
            self._find(name, ArchiveFinding(FindingKind.OTHER_TABLE, 0, text))
            return None
        stored = known_hash(self._connection, known.id if known else 0)
        try:
            return follow(cursor, batch, lambda seq: fresh.get(seq) or stored(seq))
        except BadMessage as error:
            self._find(name, no_message(error))
            return None

    def _find(self, name: str, finding: ArchiveFinding) -> None:
        add_finding(self._connection, name, finding, self._now_ms)
        self._found.add(name)

    def _add(
        self, name: str, known: Known | None, cursor: Cursor, added: list[Row],
        rows: dict[Table, list[Values]],
    ) -> None:  # fmt: skip
        """Records that hold, in their order."""
        derived = Derived(known.context if known else Context())
        at_ms = known.at_ms if known else 0
        for row in added:
            try:
                record = self._decode(row.seq, row.version, row.body)
            except CodecError as error:
                text = f"{error}. The chain holds, and the record is archived; nothing was derived"
                self._find(name, ArchiveFinding(FindingKind.UNREADABLE, row.seq, text))
                continue
            at_ms = record.at_ms
            derived.add(record)
        now = Known(known.id if known else 0, cursor, derived.context, at_ms)
        if known is None:
            now = replace(now, id=_add_table(self._connection, name, now, self._now_ms))
        else:
            self._moves.append(table_move(known, now, self._now_ms))
        id_ = now.id
        self._known[name] = now
        self._changes.append((id_, derived))
        rows.setdefault(s.RECORDS, []).extend(
            {"table_id": id_, "seq": row.seq, "version": row.version, "body": row.body,
             "hash": row.hash} for row in added
        )  # fmt: skip
        for table, made in derived_rows(id_, derived):
            rows.setdefault(table, []).extend(made)
        self._taken.records += len(added)
        if name in self._found:
            over = SETTLED_BY_RECORDS
            settle(self._connection, name, over, self._now_ms, before=cursor.at.seq)

    def _note_buffer(self, seq: int) -> None:
        if not _BUFFER.run(self._connection, [{"seq": seq, "of": STREAM}]).rowcount:
            self._connection.execute(insert(s.BUFFER).values(stream=STREAM, seq=seq))


_COLUMNS: Final = (
    "seq", "hash", "at_ms", "archived_ms", "software", "game", "day", "dealer", "round",
)  # fmt: skip
_MOVED: Final = Prepared(
    update(s.TABLES)
    .where(
        s.TABLES.c.id == bindparam("of"), s.TABLES.c.seq == bindparam("seq_before"),
        s.TABLES.c.hash == bindparam("hash_before"),
    )
    .values({each: bindparam(each) for each in _COLUMNS})
)  # fmt: skip
_BUFFER: Final = Prepared(
    update(s.BUFFER).where(s.BUFFER.c.stream == bindparam("of")).values(seq=bindparam("seq"))
)

_HASH: Final = select(s.RECORDS.c.hash).where(
    s.RECORDS.c.table_id == bindparam("of"), s.RECORDS.c.seq == bindparam("which")
)


def _values(now: Known, now_ms: int) -> Values:
    context, at = now.context, now.cursor.at
    return {
        "seq": at.seq, "hash": at.hash, "at_ms": now.at_ms, "archived_ms": now_ms,
        "software": context.software, "game": context.game, "day": context.day,
        "dealer": context.dealer, "round": context.round,
    }  # fmt: skip


def _add_table(connection: Connection, name: str, now: Known, now_ms: int) -> int:
    """A table that the archive did not have; the id of its row."""
    made = connection.execute(
        insert(s.TABLES).values(name=name, identity=now.cursor.identity, **_values(now, now_ms))
    )
    return int(made.inserted_primary_key[0])  # type: ignore[index]


def table_move(known: Known, now: Known, now_ms: int) -> Values:
    """Where a table's cursor was read, and where it goes."""
    at = known.cursor.at
    return {
        "of": known.id, "seq_before": at.seq, "hash_before": at.hash, **_values(now, now_ms)
    }  # fmt: skip


def move_tables(connection: Connection, moves: Sequence[Values]) -> None:
    """Move each cursor from where it was read. Raises `Overtaken`."""
    if moves and _MOVED.run(connection, moves).rowcount != len(moves):
        raise Overtaken("a table is no longer where it was read")


def derived_rows(id_: int, derived: Derived) -> Iterator[tuple[Table, list[Values]]]:
    """The rows that records add, by their table."""
    for table, made in (
        (s.ROUNDS, derived.rounds.values()), (s.HANDS, derived.hands),
        (s.HOLDS, derived.holds.values()), (s.MONEY, derived.money),
        (s.PEOPLE, derived.people), (s.DIRECTORIES, derived.directories),
    ):  # fmt: skip
        if made:
            yield table, [{**each, "table_id": id_} for each in made]


def change_rows(connection: Connection, changes: Iterable[tuple[int, Derived]]) -> None:
    """Change rows that earlier commits wrote, of tables by their ids, in their order."""
    found = list(changes)
    rounds = [(id_, *each) for id_, derived in found for each in derived.round_changes]
    holds = [(id_, *each) for id_, derived in found for each in derived.hold_changes]
    for made, changed in ((_change_of_rounds, rounds), (_change_of_holds, holds)):
        # Those in a row that set the same columns together: a round's are set in their order.
        for columns, some in groupby(changed, key=lambda each: tuple(each[2])):
            made(columns).run(
                connection,
                [{"of": id_, "which": number, **values} for id_, number, values in some],
            )


@cache
def _change_of_rounds(columns: tuple[str, ...]) -> Prepared:
    """What sets these columns of a round; `corrections` counts on."""
    values: Values = {each: bindparam(each) for each in columns}
    if "corrections" in values:
        values["corrections"] = s.ROUNDS.c.corrections + bindparam("corrections")
    of = s.ROUNDS.c.table_id == bindparam("of"), s.ROUNDS.c.number == bindparam("which")
    return Prepared(update(s.ROUNDS).where(*of).values(values))


@cache
def _change_of_holds(columns: tuple[str, ...]) -> Prepared:
    """What sets these columns of a hold that is open."""
    table = s.HOLDS
    of = table.c.table_id == bindparam("of"), table.c.number == bindparam("which")
    values: Values = {each: bindparam(each) for each in columns}
    return Prepared(update(table).where(*of, table.c.released_ms.is_(None)).values(values))


@cache
def _insertion(table: Table, columns: tuple[str, ...]) -> Prepared:
    return Prepared(insert(table), columns)


def insert_rows(connection: Connection, table: Table, rows: Sequence[Values]) -> None:
    """Insert rows, one at least, all of the same columns."""
    _insertion(table, tuple(rows[0])).run(connection, rows)


def known_hash(connection: Connection, id_: int) -> KnownHash:
    """Looks for hashes of a table's archived records."""

    def known(seq: int) -> bytes | None:
        found: bytes | None = connection.execute(_HASH, {"of": id_, "which": seq}).scalar()
        return found

    return known


def known_table(row: Any) -> Known:
    """A table by its row."""
    return Known(
        row["id"],
        Cursor(row["identity"], Position(row["seq"], row["hash"])),
        Context(row["software"], row["game"], row["day"], row["dealer"], row["round"]),
        row["at_ms"],
    )
