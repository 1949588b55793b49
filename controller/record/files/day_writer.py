"""A gaming day's files on a disk, written: made under other names, added to, and never changed.

Whoever writes has the record's lock. What is written is in `chain_store`'s form.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final

from controller.record.files.chain_store import LAST, RECORDS, Beginning, Row
from controller.record.files.database import (
    READ_ONLY,
    JournalError,
    is_there,
    read_only,
    read_write,
    wal_path,
)
from controller.record.files.day_files import day_path, new_path, openings_path
from controller.record.files.head_anchor import (
    Anchor,
    Head,
    Position,
    anchor_path,
    sync_folder,
)
from controller.record.files.openings import OPENINGS, Opening

#: A log that somebody reads for long grows: this much of it is in memory at once.
_PART_BYTES: Final = 1 << 20

Step = Callable[[str], None]
"""Called after each write or rename that makes a file; tests end the process there."""


def no_step(_what: str) -> None:
    """Nothing happens between two writes."""


class ChainWriter:
    """A gaming day opened for adding records; whoever has it holds the record's lock.

    `base` and `openings` are SQLite's connections.
    """

    def __init__(self, folder: Path, beginning: Beginning, head: Position) -> None:
        """Open or create the day's files. `head` is the last record, as a reader found it.

        Raises `JournalError`, `sqlite3.Error`, `OSError`.
        """
        self.path = day_path(folder, beginning.label)
        if is_closed(self.path):
            raise JournalError(f"{self.path} is closed: nothing is added to a closed day")
        self.beginning = beginning
        self.head = head
        opened: list[Callable[[], None]] = []
        try:
            openings = openings_path(self.path)
            for each in (wal_path(openings), wal_path(self.path), anchor_path(folder)):
                _write_again(each)
            # The anchor first: from then on the record is known to have been begun.
            self._anchor = Anchor(folder, Head(beginning.label, head))
            opened.append(self._anchor.close)
            if not is_there(self.path):
                make_day(folder, beginning)
            self.openings = read_write(openings, OPENINGS)
            opened.append(self.openings.close)
            self.base = read_write(self.path, RECORDS)
            opened.append(self.base.close)
            if self._last() != head:
                raise JournalError(
                    f"{self.path} was not read to its end before it is written: something else "
                    "writes to it; end that, then start the service again"
                )
        except BaseException:
            for close in reversed(opened):
                close()
            raise

    def _last(self) -> Position:
        row = self.base.execute(LAST).fetchone()
        return Position(*row) if row else self.beginning.after

    def add(self, rows: Sequence[Row], openings: Sequence[Opening] = ()) -> None:
        """Write openings, then rows as one; returns when they are on the disk.

        Raises `sqlite3.Error`; what the disk holds is then not known.
        """
        if openings:
            _insert_openings(self.openings, openings)
        if not rows:
            return
        _insert_rows(self.base, rows)
        self.head = Position(rows[-1].seq, rows[-1].hash)

    def mark(self) -> None:
        """Anchor the last record; returns when that is on the disk. Raises `OSError`."""
        self._anchor.write(Head(self.beginning.label, self.head))

    def close(self, *, failed: bool = False) -> None:
        """Close the files; after a failure without another write to them."""
        with ExitStack() as stack:
            # SQLite tidies a write-ahead log up when its last connection closes. After a failure
            # what was written is not known and stays as it is: a reader that closes last does
            # nothing.
            for path, schema in ((self.path, RECORDS), (openings_path(self.path), OPENINGS)):
                if failed:
                    # What cannot even be read has a log that nobody can fold in.
                    with suppress(JournalError):
                        if (reader := read_only(path, schema)) is not None:
                            stack.callback(reader.close)
            self.base.close()
            self.openings.close()
            self._anchor.close()


def is_closed(day: Path) -> bool:
    """Whether a day was closed and tidied up: its file is read-only."""
    return day.exists() and day.stat().st_mode & 0o777 == READ_ONLY


def _insert_openings(base: sqlite3.Connection, openings: Sequence[Opening]) -> None:
    base.execute("BEGIN IMMEDIATE")
    # The key of commands' digests is added at every start, and a copy that was cut off between the
    # two files adds the same openings again.
    base.executemany("INSERT OR IGNORE INTO openings VALUES (?, ?, ?, ?)", openings)
    base.execute("COMMIT")


def _insert_rows(base: sqlite3.Connection, rows: Sequence[Row]) -> None:
    base.execute("BEGIN IMMEDIATE")
    base.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", rows)
    base.execute("COMMIT")


def make_day(
    folder: Path,
    beginning: Beginning,
    rows: Sequence[Row] = (),
    openings: Sequence[Opening] = (),
    step: Step = no_step,
) -> None:
    """Make a day's files with what they begin with; the day's own takes its name last.

    Under another name until they are whole: SQLite keeps a rollback journal until a new file has
    its mode, and a power cut then would leave a file that nobody can read without writing to it.
    What a cut left of an earlier attempt is taken away. Raises `sqlite3.Error`, `OSError`.
    """
    path = day_path(folder, beginning.label)
    beside = openings_path(path)
    for each in (path, beside):
        for name in (new_path(each), each):
            for end in ("", "-journal", "-wal", "-shm"):
                name.with_name(name.name + end).unlink(missing_ok=True)
    step("what was begun before is gone")
    with closing(read_write(new_path(beside), OPENINGS)) as base:
        step("openings made")
        if openings:
            _insert_openings(base, openings)
        fold_log(base)
    step("openings written")
    with closing(read_write(new_path(path), RECORDS)) as base:
        step("day made")
        _write_beginning(base, beginning)
        step("beginning written")
        if rows:
            _insert_rows(base, rows)
        fold_log(base)
    step("records written")
    os.replace(new_path(beside), beside)
    sync_folder(folder)
    step("openings have their name")
    os.replace(new_path(path), path)
    sync_folder(folder)
    step("day has its name")


def fold_log(base: sqlite3.Connection) -> None:
    """Fold the write-ahead log into its file, which then may take another name without it.

    SQLite does so when the last connection closes, and says nothing where the disk is full then.
    Raises `sqlite3.Error`.
    """
    if base.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        raise sqlite3.OperationalError("its write-ahead log is in use")


def _write_beginning(base: sqlite3.Connection, beginning: Beginning) -> None:
    identity, label, (seq, known) = beginning
    base.execute("BEGIN IMMEDIATE")
    base.execute("INSERT INTO beginning VALUES (?, ?, ?, ?)", (identity, label, seq, known))
    base.execute("COMMIT")


def _write_again(path: Path) -> None:
    """Write a file as it reads, in its place, and sync it; where it is not there, do nothing.

    After a sync that failed the system may take for written what is not (DECISIONS.md, 4). A start
    that only read that would build on it, and lose it at the next power cut. Raises `OSError`.
    """
    if not is_there(path):
        return
    with path.open("r+b", buffering=0) as file:
        while part := file.read(_PART_BYTES):
            file.seek(-len(part), os.SEEK_CUR)
            file.write(part)
        os.fsync(file.fileno())
