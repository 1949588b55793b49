"""Messages of tables with real records, as a forwarder would make them."""

from __future__ import annotations

from controller.bus.messages import RecordBatch, batch
from controller.record.days.gaming_day import rows_of
from controller.record.files.chain_store import Row
from controller.record.files.head_anchor import Position, genesis
from tests.support.dealt.journals import IDENTITY, records


def rows(seed: int, count: int, identity: bytes = IDENTITY) -> list[Row]:
    """The first records of a table's chain."""
    return list(rows_of(records(seed, count), genesis(identity)))


def message(
    all_rows: list[Row], first: int, last: int, table: str = "T1", identity: bytes = IDENTITY
) -> RecordBatch:
    """Records `first` to `last` in one message."""
    return batch(
        table, identity, mark_before(all_rows, first, identity), all_rows[first - 1 : last]
    )


def mark_before(all_rows: list[Row], seq: int, identity: bytes = IDENTITY) -> Position:
    if seq == 1:
        return genesis(identity)
    return Position(seq - 1, all_rows[seq - 2].hash)
