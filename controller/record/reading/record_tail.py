"""A table's record read from the disk, from any of its records on. Blocks; for one thread."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from controller.record.files.chain_store import ChainReader, Row
from controller.record.files.database import JournalError
from controller.record.files.day_files import DayFile, day_files
from controller.record.files.head_anchor import Position

#: This many records are read at a time, and bytes of them, unless somebody asks for others.
MOST_RECORDS: Final = 100
MOST_BYTES: Final = 500_000
#: A folder that was changed this long ago says by the time of its next change that it was changed
#: again: file systems keep that time by ticks of the kernel, FAT by two seconds.
_SETTLED_NS: Final = 3_000_000_000


class CannotGoOn(Exception):
    """The record does not go on from that place: `fork` says that it never was its own, or no
    longer is; else the days before are gone from the folder. The text is for people.
    """

    def __init__(self, text: str, *, fork: bool) -> None:
        super().__init__(text)
        self.fork = fork


class RecordTail:
    """The record in `folder`, which a service writes meanwhile: each row is checked against the
    one before it, and nothing is read that is not on the disk.

    `at_end`: what was read last by `after` was all that there was.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._newest: ChainReader | None = None
        self._days: list[DayFile] = []
        self._days_as_of: tuple[int, int] | None = None
        self.at_end = False

    def head(self) -> tuple[bytes, Position] | None:
        """The table's identity and its last record; None where nothing is recorded.

        Raises `JournalError`.
        """
        days = self._day_files()
        if not days:
            return None
        with self._reader(days[-1], newest=True) as reader:
            return reader.beginning.identity, reader.last()

    def after(
        self, mark: Position, most: int = MOST_RECORDS, most_bytes: int = MOST_BYTES
    ) -> list[Row]:
        """The next records, `most` of them and `most_bytes` at most, or one; none where the record
        ends there.

        What is returned is of one gaming day.
        Raises `CannotGoOn`, `JournalError`.
        """
        days = self._day_files()
        for day in reversed(days):
            with self._reader(day, newest=day == days[-1]) as reader:
                if reader.beginning.after.seq > mark.seq:
                    continue
                if not reader.holds(mark):
                    raise CannotGoOn(self._other(reader, mark), fork=True)
                with closing(reader.rows(mark)) as rows:
                    found, are_all = _bounded(rows, most, most_bytes)
                    self.at_end = are_all and day == days[-1]
                    return found
        raise self._gone(mark.seq)

    def position(self, seq: int) -> Position:
        """The place of record `seq`; 0 is the beginning. Raises `CannotGoOn`, `JournalError`."""
        days = self._day_files()
        for day in reversed(days):
            with self._reader(day, newest=day == days[-1]) as reader:
                if reader.beginning.after.seq <= seq:
                    if (found := reader.position(seq)) is None:
                        raise CannotGoOn(f"the table has no record {seq} yet", fork=True)
                    return found
        raise self._gone(seq)

    def newest_of(self, prefixes: tuple[bytes, ...], until: Position) -> bytes | None:
        """The last record of the day of `until`, up to it, whose bytes begin with one of these.

        None where there is none. Raises `JournalError`.
        """
        days = self._day_files()
        for day in reversed(days):
            with self._reader(day, newest=day == days[-1]) as reader:
                if reader.beginning.after.seq < until.seq:
                    return reader.newest_of(prefixes, until.seq)
        return None

    def _gone(self, seq: int) -> CannotGoOn:
        return CannotGoOn(
            f"the days up to record {seq} are no longer in the table's record: take them from "
            "its archive",
            fork=False,
        )

    def _day_files(self) -> list[DayFile]:
        """The days of the folder, listed again where something was made or deleted in it: a record
        of years has thousands of files, and this is asked for every record that is committed.

        Raises `JournalError`.
        """
        try:
            found = os.stat(self._folder)
        except OSError:
            self._days_as_of = None
            return day_files(self._folder)
        as_of = (found.st_ino, found.st_mtime_ns)
        if as_of != self._days_as_of:
            self._days = day_files(self._folder)
            is_settled = time.time_ns() - found.st_mtime_ns > _SETTLED_NS
            self._days_as_of = as_of if is_settled else None
        return self._days

    def close(self) -> None:
        """Close the files."""
        if self._newest is not None:
            self._newest.close()
            self._newest = None

    @contextmanager
    def _reader(self, day: DayFile, *, newest: bool) -> Iterator[ChainReader]:
        """A day opened for reading; the newest one stays open."""
        if not newest:
            with closing(ChainReader(day.path)) as reader:
                yield reader
            return
        if self._newest is not None and self._newest.path != day.path:
            self.close()
        if self._newest is None:
            self._newest = ChainReader(day.path)
        try:
            yield self._newest
        except (JournalError, sqlite3.Error):
            self.close()
            raise

    def _other(self, reader: ChainReader, mark: Position) -> str:
        last = reader.last()
        if mark.seq > last.seq:
            return (
                f"the table has {last.seq} records, and the archive has record {mark.seq} of it: "
                "the table was put back to an older record"
            )
        return f"record {mark.seq} of the table is another one than the archive has"


def _bounded(rows: Iterator[Row], most: int, most_bytes: int) -> tuple[list[Row], bool]:
    """As many as are asked for, one at least; and whether these are all."""
    found: list[Row] = []
    size = 0
    for row in rows:
        size += len(row.body)
        if found and (len(found) >= most or size > most_bytes):
            return found, False
        found.append(row)
    return found, True
