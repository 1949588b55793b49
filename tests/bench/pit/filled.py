"""An archive with many rounds and its books: what a pit of `TABLES` tables has after months.

Tables deal sittings of four hours that were really played (`tests.bench.pit.sitting`), four a day,
each under numbers, days and dealers of its own: the rows are those that archive and books make of
such tables. Left out is what no page and no report of many rounds reads: the records themselves,
`money` and `people`, and what the sequential test has reckoned (of days that come again it would
say that they do).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import repeat
from typing import Any, Final

import msgspec
import numpy as np
from sqlalchemy import (
    Column,
    Connection,
    Engine,
    MetaData,
    Table,
    Text,
    func,
    insert,
    inspect,
    select,
)
from sqlalchemy.schema import CreateIndex, DropIndex

from controller.pit.archive.books import schema as b
from controller.pit.archive.books.fold_state import FORM, FoldState
from controller.pit.archive.storage import schema as s
from controller.rules.games.registry import GAMES
from tests.bench.pit.filled_rows import ColumnsOfRows, RowWriter, into_postgresql, into_sqlite
from tests.bench.pit.sitting import (
    HOUR_MS,
    MOVES,
    SITTING_MS,
    SittingPlace,
    TableNumbers,
    TableSitting,
    change_kept,
    sittings,
)

BEGAN_MS: Final = 1_767_225_600_000  # 2026-01-01
DAY_MS: Final = 86_400_000
TABLES: Final = 200
A_DAY: Final = 4
#: So many sittings of each game are played.
SEEDS: Final = 3
DEALERS: Final = 50
#: A card that came up three times. No pack of these games has it.
RARE: Final = "Xx"
#: Tables whose rows lie in the order of a card or an amount, and of time.
_BY_TIME: Final = {b.ROUND_CARDS: "card", b.ROUND_AMOUNTS: "amount"}
#: What is there of an archive that is being filled; taken away when all of it is.
_FILLED: Final = Table("filled", MetaData(), Column("part", Text, primary_key=True))


@dataclass(frozen=True, slots=True)
class ArchiveFilling:
    """What an archive is filled with: `many` tables, each with so many sittings."""

    tables: int
    many: int
    played: Sequence[TableSitting]

    @property
    def rounds(self) -> int:
        """How many rounds that are."""
        return self.tables * self.many * self.played[0].uses.round

    def slot(self, table: int, turn: int) -> int:
        """Which of a turn's sittings it is that a table plays: each time others, of one game."""
        return (table - 7 * len(GAMES) * turn) % self.tables

    def table(self, slot: int, turn: int) -> int:
        """The table that plays it."""
        return (slot + 7 * len(GAMES) * turn) % self.tables

    def sitting(self, slot: int) -> TableSitting:
        """A turn's sitting."""
        games = len(GAMES)
        seeds = len(self.played) // games
        return self.played[slot % games * seeds + slot // games % seeds]

    def began_ms(self, turn: int) -> int:
        """When a turn begins: days in the morning, one sitting after the other."""
        return BEGAN_MS + turn // A_DAY * DAY_MS + (turn % A_DAY) * SITTING_MS + 6 * HOUR_MS

    def place(self, table: int, turn: int, before: TableNumbers) -> SittingPlace:
        """A table's turn. No two rounds of two tables begin in one millisecond."""
        slot = self.slot(table, turn)
        dealers = [f"d{(slot + each) % DEALERS:02}" for each in range(DEALERS)]
        return SittingPlace(before, self.began_ms(turn) + slot, dealers)

    def places(self, table: int) -> Iterator[tuple[TableSitting, SittingPlace]]:
        """All that a table plays."""
        before = TableNumbers()
        for turn in range(self.many):
            sitting = self.sitting(self.slot(table, turn))
            yield sitting, self.place(table, turn, before)
            before = before.after(sitting.uses)


def filling(rounds: int, tables: int = TABLES) -> ArchiveFilling:
    """What comes to about so many rounds. Plays some minutes' worth of them: seconds."""
    assert tables % len(GAMES) == 0
    played = sittings([(game, seed) for game in sorted(GAMES) for seed in range(1, SEEDS + 1)])
    each = tables * played[0].uses.round
    return ArchiveFilling(tables, max(1, round(rounds / each)), played)


def fill(engine: Engine, filled: ArchiveFilling) -> None:
    """Put all of it into an empty archive, or what is missing of it into one that was broken off.

    Blocks, for a long time where it is much. Each part is written with the note that it is there.
    """
    if is_whole(engine):
        return
    with engine.connect() as connection:
        is_sqlite = engine.dialect.name == "sqlite"
        write = into_sqlite(connection) if is_sqlite else into_postgresql(connection)
        _FILLED.create(connection, checkfirst=True)
        done = set(connection.scalars(select(_FILLED.c.part)))
        connection.commit()
        for part, put in _parts(filled, connection, write):
            if part not in done:
                with connection.begin():
                    put()
                    connection.execute(insert(_FILLED).values(part=part))
        with connection.begin():
            _FILLED.drop(connection)
    # The next connection has its own settings again.
    engine.dispose()
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            # As the database does by itself within minutes.
            connection.exec_driver_sql("VACUUM ANALYZE")


def is_whole(engine: Engine) -> bool:
    """Whether an archive was filled to the end."""
    with engine.connect().execution_options(reads_only=True) as connection:
        is_begun = connection.scalar(select(func.count()).select_from(s.TABLES))
        return bool(is_begun) and not inspect(connection).has_table(_FILLED.name)


def _parts(
    filled: ArchiveFilling, connection: Connection, write: RowWriter
) -> Iterator[tuple[str, Callable[[], None]]]:
    """What is written one after the other, by names under which it is noted."""
    tables = (*MOVES, s.TABLES, b.FOLLOWED)
    indexes = [index for each in tables for index in each.indexes]

    def begin() -> None:
        for index in indexes:
            connection.execute(DropIndex(index))
        heads = [_head(filled, number) for number in range(filled.tables)]
        connection.execute(insert(s.TABLES), [head for head, _ in heads])
        connection.execute(insert(b.FOLLOWED), [followed for _, followed in heads])

    yield "begin", begin
    for table in MOVES:
        of = _by_time(filled, table) if table in _BY_TIME else _by_table(filled, table)
        for part, some in of:
            yield f"{table.name} {part}", partial(write.rows, table, some)
        yield f"{table.name}, its key", partial(write.key, table)
    yield "a rare card", partial(_rare, connection)
    for index in indexes:
        yield f"index {index.name}", partial(_execute, connection, CreateIndex(index))


def _execute(connection: Connection, what: CreateIndex) -> None:
    connection.execute(what)


def _rare(connection: Connection) -> None:
    """A card that came up three times, months ago."""
    rare = [
        {"card": RARE, "at_ms": at_ms, "table_id": id_, "seq": seq, "seat": 0}
        for id_, seq, at_ms in connection.execute(
            s.ROUNDS.select()
            .with_only_columns(s.ROUNDS.c.table_id, s.ROUNDS.c.seq, s.ROUNDS.c.began_ms)
            .where(s.ROUNDS.c.table_id <= 3)
            .order_by(s.ROUNDS.c.table_id, s.ROUNDS.c.seq)
            .limit(3)
        )
    ]
    connection.execute(insert(b.ROUND_CARDS), rare)


def _head(filled: ArchiveFilling, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A table's own rows: where it stands, and with what its books read the next record."""
    *_, (sitting, place) = filled.places(number)
    end = place.before.after(sitting.uses)
    name, at_ms = f"T{number + 1}", sitting.records[-1].at_ms + place.began_ms
    kept = kept_at(sitting, place)
    table = {
        "id": number + 1, "name": name, "identity": hashlib.sha256(name.encode()).digest(),
        "seq": end.record, "hash": bytes(32), "at_ms": at_ms, "archived_ms": at_ms,
        "software": "0.0-test", "game": sitting.game, "day": place.day, "dealer": kept.dealer,
        "round": end.round,
    }  # fmt: skip
    followed = {
        "table_id": number + 1, "form": FORM, "seq": end.record, "at_ms": at_ms,
        "currency": kept.currency, "kept": msgspec.json.encode(kept).decode(),
    }  # fmt: skip
    return table, followed


def kept_at(sitting: TableSitting, place: SittingPlace) -> FoldState:
    """What the books read the next record with after a sitting; without the sequential test."""
    kept = msgspec.json.decode(msgspec.json.encode(sitting.kept), type=FoldState)
    change_kept(kept, place.move)
    return kept


_Part = tuple[str, Callable[[], Iterator[ColumnsOfRows]]]
"""Its name, and its rows."""


def _by_table(filled: ArchiveFilling, table: Table) -> Iterator[_Part]:
    """The rows of each table one after the other, as its key has them."""
    cached: dict[int, dict[str, np.ndarray[Any, Any]]] = {}
    for number in range(filled.tables):
        yield f"T{number + 1}", partial(_of_table, filled, table, number, cached)


def _of_table(
    filled: ArchiveFilling, table: Table, number: int,
    cached: dict[int, dict[str, np.ndarray[Any, Any]]],
) -> Iterator[ColumnsOfRows]:  # fmt: skip
    same: Counter[tuple[Any, ...]] = Counter()
    for sitting, place in filled.places(number):
        columns = cached.setdefault(id(sitting), _arrays(sitting.rows[table]))
        made = [
            [number + 1] * len(sitting.rows[table][next(iter(columns))])
            if each.name == "table_id"
            else _moved(table, each.name, columns[each.name], place)
            for each in table.columns
        ]
        if table is b.READS:
            # Sittings of one day have one row, which adds up.
            for row in zip(*made, strict=True):
                for at, figure in enumerate(row[4:]):
                    same[(*row[:4], at)] += figure
        elif made[0]:
            yield made
    if same:
        keys = list(dict.fromkeys(key[:4] for key in same))
        figures = [[same[(*key, at)] for key in keys] for at in range(3)]
        yield [*map(list, zip(*keys, strict=True)), *figures]


def _arrays(columns: dict[str, list[Any]]) -> dict[str, np.ndarray[Any, Any]]:
    """Columns of whole numbers to be reckoned with at once; others as they are."""
    return {
        name: np.array(values, np.int64 if all(type(it) is int for it in values) else object)
        for name, values in columns.items()
    }


def _moved(
    table: Table, name: str, values: np.ndarray[Any, Any], place: SittingPlace
) -> Sequence[Any]:  # fmt: skip
    kind = MOVES[table].get(name)
    if kind is None:
        return values.tolist()  # type: ignore[no-any-return]
    if kind == "day":
        return [place.day] * len(values)
    if values.dtype == object or kind == "quarter":
        return [place.move(kind, value) for value in values.tolist()]
    if kind == "ms":
        return (values + place.began_ms).tolist()  # type: ignore[no-any-return]
    moved = np.where(values == 0, 0, values + getattr(place.before, kind))
    return moved.tolist()  # type: ignore[no-any-return]


@dataclass(frozen=True)
class _SittingTurn:
    """The rows of all tables' sittings in one turn, as an index has them, before they are moved."""

    filled: ArchiveFilling
    table: Table

    @cached_property
    def parts(self) -> dict[Any, tuple[np.ndarray[Any, Any], ...]]:
        """By card or amount: time, slot, number of the record and seat, in the order of time."""
        by = _BY_TIME[self.table]
        many = [
            (slot, _arrays(self.filled.sitting(slot).rows[self.table]))
            for slot in range(self.filled.tables)
        ]
        keys = np.concatenate([each[by] for _, each in many])
        at = np.concatenate([each["at_ms"] + slot for slot, each in many])
        slots = np.concatenate([np.full(len(each["seq"]), slot) for slot, each in many])
        seqs = np.concatenate([each["seq"] for _, each in many])
        seats = np.concatenate([each["seat"] for _, each in many])
        kinds, places = np.unique(keys, return_inverse=True)
        order = np.lexsort((seats, at, places))
        bounds = np.searchsorted(places[order], np.arange(len(kinds) + 1))
        return {
            kind: tuple(each[order[bounds[n] : bounds[n + 1]]] for each in (at, slots, seqs, seats))
            for n, kind in enumerate(kinds.tolist())
        }


def _by_time(filled: ArchiveFilling, table: Table) -> Iterator[_Part]:
    """The rows of all tables by card or amount, and then by time."""
    before = np.zeros((filled.many, filled.tables), np.int64)
    for number in range(filled.tables):
        for turn, (_, place) in enumerate(filled.places(number)):
            before[turn, number] = place.before.record
    for kind, rows in _SittingTurn(filled, table).parts.items():
        yield str(kind), partial(_of_kind, filled, kind, rows, before)


def _of_kind(
    filled: ArchiveFilling, kind: Any, rows: tuple[np.ndarray[Any, Any], ...],
    before: np.ndarray[Any, Any],
) -> Iterator[ColumnsOfRows]:  # fmt: skip
    at, slot, seq, seat = rows
    seats = seat.tolist()
    for turn in range(filled.many):
        table_of = np.array([filled.table(each, turn) for each in range(filled.tables)])
        tables = table_of[slot]
        yield (
            list(repeat(kind, len(seats))), (at + filled.began_ms(turn)).tolist(),
            (tables + 1).tolist(), (seq + before[turn, tables]).tolist(), seats,
        )  # fmt: skip
