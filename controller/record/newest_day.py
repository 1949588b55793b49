"""The newest gaming day of an open record: read, added to, closed, and the next one opened.

Its files are one thread's at a time: whoever starts the table reads it, then the writer has it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from controller.record.command_prints import CommandPrints
from controller.record.days.followed_day import FollowedDay
from controller.record.days.gaming_day import (
    check_carried,
    finish_days,
    open_next,
    opening_record,
    openings_of,
    rows_of,
)
from controller.record.files.chain_store import Beginning, ChainReader, Row, open_newest
from controller.record.files.day_files import files_of, openings_path
from controller.record.files.day_writer import ChainWriter, Step
from controller.record.files.head_anchor import NOTHING, Position, genesis
from controller.record.files.openings import PRINT_KEY_BYTES, Opening, Openings
from controller.record.reading.replay import Decoded, decoded_rows, replayed
from controller.rules.sealed import Sealed
from controller.table.facts import DayClosed, DayOpened, Record
from controller.table.state.state import State

IDENTITY_BYTES: Final = 32

OpenWriter = Callable[[Path, Beginning, Position], ChainWriter]
"""What writes to a day's files."""


class NewestDay:
    """`head` is the number and hash of the last row, `prints` the digests of commands.

    Whoever has it holds the record's lock.
    """

    def __init__(
        self,
        folder: Path,
        key: Path,
        *,
        open_writer: OpenWriter = ChainWriter,
        draw: Callable[[int], bytes] = os.urandom,
        step: Step,
    ) -> None:
        """Open the newest day of the record in `folder` for reading, if there is one.

        `key` is where the table's private key lies. Raises `JournalError`.
        """
        self.folder = folder
        self.prints = CommandPrints(draw(PRINT_KEY_BYTES))
        self._key = key
        self._open_writer = open_writer
        self._draw = draw
        self._step = step
        self.reader: ChainReader | None = None
        self.writer: ChainWriter | None = None
        self._openings: Openings | None = None
        self._followed = FollowedDay()
        self.head = self._open()

    def _open(self) -> Position:
        """Open it for reading; after which record it begins."""
        reader = self.reader = open_newest(self.folder)
        if reader is None:
            return NOTHING.mark
        try:
            self._openings = Openings(openings_path(reader.path), missing_is_damage=True)
        except BaseException:
            reader.close()
            raise
        return reader.beginning.after

    @property
    def label(self) -> str:
        """Its label; empty where nothing is recorded."""
        return self.reader.beginning.label if self.reader else ""

    def opening(self, digest: str) -> Sealed | None:
        """The sealed card behind a commitment. Raises `JournalDamaged` if it is gone."""
        return self._openings.open(digest) if self._openings else None

    def records(self) -> Iterator[Record]:
        """Every record, checked against chain and anchor; `head` is then at the last.

        Raises `JournalDamaged` at the first row that does not hold, `RecordNewer`.
        """
        reader = self.reader
        if reader is None:
            return
        reader.check_pages()
        try:
            for _, record in decoded_rows(reader.path, reader.rows(), Decoded(self._openings)):
                yield record
        finally:
            self.head = reader.head

    def replay(self) -> tuple[State | None, Record | None]:
        """The state after its last record, and that record; None of a new table.

        Raises `JournalDamaged`, `JournalError`.
        """
        state: State | None = None
        last: Record | None = None
        reader = self.reader
        if reader is not None:
            reader.check_pages()
            try:
                rows = replayed(reader.path, reader.rows(), Decoded(self._openings))
                for _, record, after in rows:
                    last, state = record, after
            finally:
                self.head = reader.head
        if state is not None:
            self.prints.resume(state.run.print_key, self._openings)
            self._followed.resume(state, self.head)
        return state, last

    def opening_after(self, state: State, closed: Record) -> Record:
        """What opens the day after this one, which `closed` closed. Raises `JournalError`."""
        assert self._openings is not None
        return opening_record(state, closed, self._openings)

    # -- written --

    def add(self, records: Sequence[Record]) -> Sequence[Row]:
        """Write `records` as one; returns their rows when they are on the disk.

        Where they close the day, the next one is open then, and none is returned. Raises
        `JournalError`, `sqlite3.Error`, `OSError`; what the disk holds is then not known.
        """
        closed = next(
            (at for at, each in enumerate(records) if isinstance(each.fact, DayClosed)), -1
        )
        if self.writer is None:
            self.writer = self._begin(records)
            self.writer.add((), [self.prints.opening])
            finish_days(self.folder, self._key, self._step)
        if closed >= 0:
            self._close_day(records[: closed + 1], records[closed + 1 :])
            return ()
        rows = rows_of(records, self.head)
        self.writer.add(rows, openings_of(records))
        self.head = self.writer.head
        return rows

    def mark(self) -> None:
        """Anchor the last record; returns when that is on the disk. Raises `OSError`."""
        assert self.writer is not None
        self.writer.mark()

    @property
    def behind(self) -> int:
        """How many records of the day were not yet read back from its file (`follow`)."""
        if self.writer is None:
            return 0
        return self.head.seq - (self._followed.head or self.writer.beginning.after).seq

    def follow(self, most: int) -> bool:
        """Read up to `most` records back from the day's file; whether more are left.

        What the file tells is what the next day will take over (`followed_day`).
        """
        if self.writer is None:
            return False
        return self._followed.follow(self.writer.path, self.head, most)

    def _begin(self, records: Sequence[Record]) -> ChainWriter:
        """The writer of this day, or of a new record's first one."""
        with_day = self.reader is not None and self.reader.last().seq > 0
        if with_day and self.reader is not None:
            beginning = self.reader.beginning
        else:
            if self.reader is not None:  # it was begun as the power failed: nothing is in it
                for each in files_of(self.reader.path):
                    each.unlink(missing_ok=True)
            identity = self._draw(IDENTITY_BYTES)
            self.head = genesis(identity)
            beginning = Beginning(identity, _first_label(records), self.head)
        return self._open_writer(self.folder, beginning, self.head)

    # -- the roll-over (controller.record.days.gaming_day) --

    def _close_day(self, last: Sequence[Record], opening: Sequence[Record]) -> None:
        """Close the day and open the next one. Not a moment before is anything of it written."""
        assert self.writer is not None
        opened = opening[0].fact
        assert isinstance(opened, DayOpened)
        assert opened.carried is not None
        path = self.writer.path
        if self.reader is not None:
            self.reader.close()
        derived = self._followed.whole(path, self.head)
        self._followed.close()
        check_carried(derived, self.writer.beginning.label, last, opened.carried)
        beside = openings_of(opening)
        self.writer.add(rows_of(last, self.head), [*openings_of(last), *beside])
        self.head = self.writer.head
        self._step("day closed")
        self.writer.mark()
        self._step("closed day anchored")
        self.roll_over(opening, beside)

    def roll_over(self, opening: Sequence[Record], beside: Sequence[Opening] = ()) -> None:
        """Open the day after this one, which is closed and on the disk; `head` is its last.

        `beside` are the openings of the records `opening`, where they are known.
        Raises `JournalError`, `sqlite3.Error`, `OSError`.
        """
        before = self.writer.beginning if self.writer else None
        if before is None:
            assert self.reader is not None
            before = self.reader.beginning
        if self.writer is None:
            # What a cut left is written again before it is built upon (`ChainWriter`).
            self.writer = self._open_writer(self.folder, before, self.head)
        first = opening[0].fact
        assert isinstance(first, DayOpened)
        opened = [*(beside or openings_of(opening)), self.prints.opening, *self.prints.lost]
        rows = rows_of(opening, self.head)
        label = first.label
        beginning = open_next(self.folder, before, self.head, label, rows, opened, self._step)
        self.writer.close()
        self.writer = None
        self._close_readers()
        self.head = Position(rows[-1].seq, rows[-1].hash)
        self.writer = self._open_writer(self.folder, beginning, self.head)
        self._step("next day anchored")
        self._open()
        finish_days(self.folder, self._key, self._step)

    def _close_readers(self) -> None:
        self._followed.close()
        for each in (self.reader, self._openings):
            if each is not None:
                each.close()

    def close(self, *, failed: bool = False) -> None:
        """Close the files; after a failure without another write to them."""
        self._close_readers()
        if self.writer is not None:
            self.writer.close(failed=failed)


def _first_label(records: Sequence[Record]) -> str:
    """The first day's label: as it was opened; at a table without a calendar its date in UTC."""
    for record in records:
        if isinstance(record.fact, DayOpened):
            return record.fact.label
    return datetime.fromtimestamp(records[0].at_ms / 1000, UTC).date().isoformat()
