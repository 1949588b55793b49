"""Where two histories of a table part: the last record that table and archive both have.

The table is asked to go on from records of the archive: it does from those that it has. Each hash
covers all before it, so that halving finds the place: some 23 questions in ten million records.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from controller.bus.messages import (
    BadMessage,
    RecordBatch,
    RefillRefused,
    RefillRequest,
    mark_of,
    position_of,
    row_of,
)
from controller.pit.archive.cursor import Cursor
from controller.record.files.chain_store import chain
from controller.record.files.head_anchor import Position, genesis

AskTable = Callable[[RefillRequest], Awaitable[RecordBatch | RefillRefused | None]]
"""Asks the table for records; None where it does not answer. Raises `BadMessage`."""
HashOf = Callable[[int], Awaitable[bytes | None]]
"""The hash of an archived record by its number."""


class NoForkPoint(Exception):
    """The place cannot be found; the text says why, for people."""


class TableIsAway(Exception):
    """The table does not answer: it is asked again later."""


async def last_common(cursor: Cursor, ask: AskTable, hash_of: HashOf) -> Position:
    """The last record of the archive, up to `cursor`, that the table has too.

    Raises `NoForkPoint`, `TableIsAway`, `BadMessage`.
    """
    if await _goes_on(cursor, cursor.at, ask):
        return cursor.at
    low, high = genesis(cursor.identity), cursor.at.seq
    is_there = False  # of `low`: else its day is gone, and nobody can say
    while high - low.seq > 1:
        seq = (low.seq + high) // 2
        hash_ = await hash_of(seq)
        if hash_ is None:
            raise NoForkPoint(f"the archive has no record {seq}")
        middle = Position(seq, hash_)
        goes_on = await _goes_on(cursor, middle, ask)
        if goes_on is False:
            high = seq
        else:
            low, is_there = middle, goes_on is True
    if not is_there and not await _goes_on(cursor, low, ask):
        raise NoForkPoint(
            f"the table no longer has the records after {low.seq}: put it back to a copy that has"
        )
    return low


async def _goes_on(cursor: Cursor, mark: Position, ask: AskTable) -> bool | None:
    """Whether the table has that record; None: the days before are gone from it."""
    answer = await ask(RefillRequest(mark_of(mark), most=1))
    if answer is None:
        raise TableIsAway
    if answer.identity != cursor.identity.hex():
        raise NoForkPoint("another record goes by this table's name by now")
    if isinstance(answer, RefillRefused):
        return False if answer.fork else None
    if position_of(answer.after) != mark:
        raise BadMessage("it goes on from another record than it was asked for")
    for row in map(row_of, answer.records[:1]):
        if chain(mark.hash, row.seq, row.version, row.body) != row.hash:
            raise BadMessage(f"record {row.seq} does not follow from {mark.seq}")
    return True
