"""The rows that were written last, in memory: whoever mirrors a record as it grows need not read
them back.

The record on the disk stays the source. What is not here (before a start, beyond the bounds, after
a roll-over or a write that failed) is read from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from controller.record.files.chain_store import Row
from controller.record.files.head_anchor import Position

#: So many rows are kept at most, and so many bytes of them: what one message to the bus takes.
MOST_ROWS: Final = 100
MOST_BYTES: Final = 500_000


class NewestRows:
    """Written by the journal's thread, read by any other; neither waits for the other."""

    def __init__(self) -> None:
        #: Never changed, only replaced: a reader has one moment of it.
        self._kept: tuple[Row, ...] = ()
        self._size = 0

    def add(self, rows: Sequence[Row]) -> None:
        """Keep rows that are on the disk. None: what the disk holds has to be read."""
        kept, size = self._kept, self._size
        if not rows or not kept or rows[0].seq != kept[-1].seq + 1:
            kept, size = (), 0
        kept = (*kept, *rows)
        size += sum([len(row.body) for row in rows])
        first, last = 0, len(kept) - 1
        while first < last and (last - first >= MOST_ROWS or size > MOST_BYTES):
            size -= len(kept[first].body)
            first += 1
        self._kept, self._size = kept[first:] if first else kept, size

    def after(self, mark: Position) -> Sequence[Row] | None:
        """Every row after that one; None where only the disk can tell."""
        kept = self._kept
        at = mark.seq - kept[0].seq if kept else -1
        if not 0 <= at < len(kept) or kept[at].hash != mark.hash:
            return None
        return kept[at + 1 :]
