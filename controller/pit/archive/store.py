"""The archive's transactions: records, cursor and derived rows together, or nothing of it. Blocks.

Two pits on one database cannot write the same record twice: a cursor is moved only from where it
was read (`Overtaken`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection, Engine, Table, insert, select, update
from sqlalchemy.exc import IntegrityError

from controller.bus.messages import STREAM, BadMessage, HeadNews, RecordBatch, position_of
from controller.pit.archive import schema as s
from controller.pit.archive.cursor import Cursor, CursorStep, KnownHash, follow, look_at_head
from controller.pit.archive.derived import Context, Derived, Values
from controller.pit.archive.finding_rows import add_finding, findings, settle
from controller.pit.archive.findings import (
    SETTLED_BY_RECORDS,
    ArchiveFinding,
    FindingKind,
    no_message,
)
from controller.record.codec import CodecError, Decoder
from controller.record.files.chain_store import Row
from controller.record.files.head_anchor import Position
from controller.rules.sealed import Sealed

#: More are open only where somebody floods the bus with them.
MOST_FINDINGS: Final = 10_000


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


def _sealed(_digest: str) -> Sealed | None:
    """Opens no card: the archive has none of the openings."""
    return None


class Store:
    """The archive in `engine`'s database, for one thread."""

    def __init__(self, engine: Engine, clock_ms: Callable[[], int]) -> None:
        self._engine = engine
        self._clock_ms = clock_ms
        self._known: dict[str, Known] = {}
        #: Tables of which something may be open: the others need no look.
        self._found: set[str] = set()
        self._decode: Final = Decoder(_sealed).decode

    def load(self) -> None:
        """Read where every table stands."""
        with self._engine.connect() as connection:
            rows = connection.execute(select(s.TABLES)).mappings().all()
            found = findings(connection, only_open=True, most=MOST_FINDINGS)
        self._found = {each.table for each in found}
        self._known = {each["name"]: _known(each) for each in rows}

    def cursor(self, name: str) -> Cursor | None:
        """Where the archive is in a table's record; None for a table that it does not have."""
        known = self._known.get(name)
        return known.cursor if known is not None else None

    @property
    def cursors(self) -> dict[str, Cursor]:
        """Where the archive is in every table's record."""
        return {name: each.cursor for name, each in self._known.items()}

    def take(self, batches: Iterable[tuple[str, RecordBatch]], buffer: int = 0) -> Taken:
        """Archive what came under tables' names; `buffer`: how far the broker's buffer was read.

        Raises `Overtaken`, `sqlalchemy.exc.DBAPIError`; nothing was written then.
        """
        before = dict(self._known)
        try:
            with self._engine.begin() as connection:
                commit = _Commit(
                    connection, self._known, self._found, self._decode, self._clock_ms()
                )
                return commit.take(batches, buffer)
        except IntegrityError as error:
            self._known = before
            raise Overtaken(str(error.orig)) from error
        except BaseException:
            self._known = before
            raise

    def compare(self, name: str, news: HeadNews, before: int) -> bool:
        """Hold a head against the archive; whether a finding was added. As `look_at_head`."""
        known = self._known[name]
        if known.cursor.at == position_of(news.head) and name not in self._found:
            return False  # as every few seconds of every table: the database is not asked
        with self._engine.begin() as connection:
            found = look_at_head(known.cursor, news, _known_hash(connection, known.id), before)
            if found is not None:
                add_finding(connection, name, found, self._clock_ms())
                self._found.add(name)
            elif known.cursor.at.seq == news.head.seq:
                return bool(settle(connection, name, SETTLED_BY_RECORDS, self._clock_ms()))
        return found is not None

    def find(self, name: str, finding: ArchiveFinding) -> None:
        """Add a finding, or count it again while it is open."""
        self._found.add(name)
        with self._engine.begin() as connection:
            add_finding(connection, name, finding, self._clock_ms())

    def settle(self, name: str, *kinds: FindingKind) -> bool:
        """What was found of these kinds is over; whether there was any."""
        if name not in self._found:
            return False
        with self._engine.begin() as connection:
            return bool(settle(connection, name, kinds, self._clock_ms()))

    def buffer_read(self) -> int:
        """How far the broker's buffer was read, as far as is known."""
        with self._engine.connect() as connection:
            query = select(s.BUFFER.c.seq).where(s.BUFFER.c.stream == STREAM)
            return connection.execute(query).scalar() or 0


class _Commit:
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

    def take(self, batches: Iterable[tuple[str, RecordBatch]], buffer: int) -> Taken:
        ordered = sorted(batches, key=lambda each: each[0])
        rows: dict[Table, list[Values]] = {}
        for name, group in groupby(ordered, key=lambda each: each[0]):
            self._table(name, [each for _, each in group], rows)
        for table in (s.RECORDS, s.ROUNDS, s.HANDS, s.HOLDS, s.MONEY, s.PEOPLE):
            if rows.get(table):
                _insert(self._connection, table, rows[table])
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
            self._add(name, known, cursor, added, rows)

    def _step(
        self, name: str, known: Known | None, cursor: Cursor | None, batch: RecordBatch,
        fresh: Mapping[int, bytes],
    ) -> CursorStep | None:  # fmt: skip
        if batch.table != name:
            other = batch.table[:64]
            text = f"a message under this table's subject says that it is of table {other!r}"
            self._find(name, ArchiveFinding(FindingKind.OTHER_TABLE, 0, text))
            return None
        stored = _known_hash(self._connection, known.id if known else 0)
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
        id_ = self._move(name, known, now)
        self._known[name] = replace(now, id=id_)
        self._change(id_, derived)
        rows.setdefault(s.RECORDS, []).extend(
            {"table_id": id_, "seq": row.seq, "version": row.version, "body": row.body,
             "hash": row.hash} for row in added
        )  # fmt: skip
        for table, made in (
            (s.ROUNDS, derived.rounds.values()), (s.HANDS, derived.hands),
            (s.HOLDS, derived.holds.values()), (s.MONEY, derived.money),
            (s.PEOPLE, derived.people),
        ):  # fmt: skip
            rows.setdefault(table, []).extend({**each, "table_id": id_} for each in made)
        self._taken.records += len(added)
        if name in self._found:
            over = SETTLED_BY_RECORDS
            settle(self._connection, name, over, self._now_ms, before=cursor.at.seq)

    def _move(self, name: str, known: Known | None, now: Known) -> int:
        """Move the table's cursor from where it was read; the id of its row. Raises `Overtaken`."""
        values = {
            "seq": now.cursor.at.seq, "hash": now.cursor.at.hash, "at_ms": now.at_ms,
            "archived_ms": self._now_ms, "software": now.context.software,
            "game": now.context.game, "day": now.context.day, "dealer": now.context.dealer,
            "round": now.context.round,
        }  # fmt: skip
        if known is None:
            made = self._connection.execute(
                insert(s.TABLES).values(name=name, identity=now.cursor.identity, **values)
            )
            return int(made.inserted_primary_key[0])  # type: ignore[index]
        at = known.cursor.at
        moved = self._connection.execute(
            update(s.TABLES)
            .where(s.TABLES.c.id == known.id, s.TABLES.c.seq == at.seq, s.TABLES.c.hash == at.hash)
            .values(values)
        )
        if moved.rowcount != 1:
            raise Overtaken(f"{name} is no longer at record {at.seq}")
        return known.id

    def _change(self, id_: int, derived: Derived) -> None:
        """Rows that earlier commits wrote."""
        for number, values in derived.round_changes:
            again = values.pop("corrections", 0)
            changed = {**values, "corrections": s.ROUNDS.c.corrections + again}
            self._connection.execute(
                update(s.ROUNDS)
                .where(s.ROUNDS.c.table_id == id_, s.ROUNDS.c.number == number)
                .values(changed)
            )
        for number, values in derived.hold_changes:
            self._connection.execute(
                update(s.HOLDS)
                .where(
                    s.HOLDS.c.table_id == id_, s.HOLDS.c.number == number,
                    s.HOLDS.c.released_ms.is_(None),
                )
                .values(values)
            )  # fmt: skip

    def _note_buffer(self, seq: int) -> None:
        moved = self._connection.execute(
            update(s.BUFFER).where(s.BUFFER.c.stream == STREAM).values(seq=seq)
        )
        if not moved.rowcount:
            self._connection.execute(insert(s.BUFFER).values(stream=STREAM, seq=seq))


def _insert(connection: Connection, table: Table, rows: Sequence[Values]) -> None:
    """Insert rows as the driver takes them: to have each prepared costs more than all else."""
    made = insert(table).compile(dialect=connection.dialect, column_keys=list(rows[0]))
    # Named or in their order, as the driver wants them.
    names = made.positiontup
    values = rows if names is None else [tuple(each[name] for name in names) for each in rows]
    connection.exec_driver_sql(made.string, values)


def _known_hash(connection: Connection, id_: int) -> KnownHash:
    def known(seq: int) -> bytes | None:
        query = select(s.RECORDS.c.hash).where(s.RECORDS.c.table_id == id_, s.RECORDS.c.seq == seq)
        found: bytes | None = connection.execute(query).scalar()
        return found

    return known


def _known(row: Any) -> Known:
    return Known(
        row["id"],
        Cursor(row["identity"], Position(row["seq"], row["hash"])),
        Context(row["software"], row["game"], row["day"], row["dealer"], row["round"]),
        row["at_ms"],
    )
