"""What the database has of one table before the records that are read now. Blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from sqlalchemy import Engine, or_, select
from sqlalchemy.sql import ColumnElement

from controller.pit.archive.books import schema as b
from controller.pit.archive.books.entries import BookEntry
from controller.pit.archive.books.fold_state import EarlierRound, Values
from controller.pit.archive.storage import schema as s
from controller.record.codec import CodecError
from controller.table.facts import (
    Record,
    RoundCorrected,
    RoundEnded,
    RoundVoided,
    SettledRoundVoided,
)

Decode = Callable[[int, int, bytes], Record]
"""A record out of its number, version and body. Raises `CodecError`."""

#: So many records are read at once; a round has fewer.
_AT_ONCE: Final = 500
#: How records begin that put a round right.
_PUTS_RIGHT: Final = tuple(
    f'["{each.__name__}/'.encode() for each in (RoundCorrected, SettledRoundVoided)
)


class EarlierOfTable:
    """What the database has of a table, or will have: `entries` are to be written."""

    def __init__(
        self, engine: Engine, id_: int, entries: Mapping[int, BookEntry], decode: Decode
    ) -> None:
        self._engine = engine
        self._id = id_
        self._entries = entries
        self._decode = decode

    def slip(self, number: int) -> Values | None:
        """A slip."""
        entry = self._entries.get(self._id)
        if entry is not None and (found := entry.rows.slips.get(number)) is not None:
            return found
        table = b.SLIPS
        query = select(table).where(table.c.table_id == self._id, table.c.slip == number)
        with self._engine.connect().execution_options(reads_only=True) as connection:
            row = connection.execute(query).mappings().one_or_none()
        return None if row is None else {k: v for k, v in row.items() if k != "table_id"}

    def asked_by_slip(self, slip: int) -> Values | None:
        """The fill that was asked for, and came by that slip."""
        entry = self._entries.get(self._id)
        now = entry.rows.asked.values() if entry is not None else ()
        if found := next((each for each in now if each["slip"] == slip), None):
            return found
        table = b.ASKED
        query = select(table).where(table.c.table_id == self._id, table.c.slip == slip)
        with self._engine.connect().execution_options(reads_only=True) as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else {k: v for k, v in row.items() if k != "table_id"}

    def round(self, number: int) -> EarlierRound | None:
        """A round."""
        table = s.ROUNDS.c
        query = select(
            table.seq, table.began_ms, table.game, table.dealer, table.corrections, table.void
        ).where(table.table_id == self._id, table.number == number)
        with self._engine.connect().execution_options(reads_only=True) as connection:
            row = connection.execute(query).first()
        return None if row is None else EarlierRound(*row[:4], row[4] + row[5])

    def records(self, round_: int, before: int) -> Iterator[Record]:
        """Those of a round, and what put it right later, before record `before`."""
        earlier = self.round(round_)
        if earlier is None:
            return
        last = earlier.seq - 1
        for record in self._read(last, before, None):
            yield record
            last = record.seq
            if isinstance(record.fact, RoundEnded | RoundVoided):
                break
        if earlier.put_right > 1:  # record `before` is one of them
            body = s.RECORDS.c.body
            about = or_(*((body >= each) & (body < each + b"~") for each in _PUTS_RIGHT))
            for record in self._read(last, before, about):
                if getattr(record.fact, "number", None) == round_:
                    yield record

    def _read(self, after: int, before: int, about: ColumnElement[bool] | None) -> Iterator[Record]:
        """The records between those two, or those of them that something is said of."""
        table = s.RECORDS.c
        while True:
            query = select(table.seq, table.version, table.body).where(
                table.table_id == self._id, table.seq > after, table.seq < before
            )
            if about is not None:
                query = query.where(about)
            with self._engine.connect().execution_options(reads_only=True) as connection:
                rows = connection.execute(query.order_by(table.seq).limit(_AT_ONCE)).all()
            for number, version, body in rows:
                after = number
                try:
                    yield self._decode(number, version, body)
                except CodecError:
                    continue  # the archive has named it: `unreadable`
            if len(rows) < _AT_ONCE:
                return
