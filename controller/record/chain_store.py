"""The files of a journal on a disk: records in a hash chain, openings apart, the head anchor.

What reads here never writes: it opens read-only, so that a damaged file stays as it was found.
Every row's hash covers the row before it; the anchor covers the last row.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from controller.record.database import (
    JournalDamaged,
    JournalError,
    is_there,
    read_only,
    read_write,
    seals_path,
    wal_path,
)
from controller.record.head_anchor import START, Anchor, Mark, anchor_path, read_anchor, sync_folder
from controller.record.openings import SEALS, Opening

_RECORDS: Final = """
CREATE TABLE IF NOT EXISTS records (
    seq INTEGER PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL
) STRICT;
"""
#: A log that somebody reads for long grows: so much of it is in memory at once.
_PART_BYTES: Final = 1 << 20
_ROWS: Final = "SELECT seq, version, body, hash FROM records WHERE seq > ? ORDER BY seq"
_UPTO: Final = "SELECT seq, version, body, hash FROM records WHERE seq <= ? ORDER BY seq"
_LAST: Final = "SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1"


#: A row's number and format, as its hash covers them.
_PLACE: Final = struct.Struct(">QH").pack


class Row(NamedTuple):
    """A record as it lies in the file."""

    seq: int
    version: int
    body: bytes
    hash: bytes


def chain(previous: bytes, seq: int, version: int, body: bytes) -> bytes:
    """The hash of a row: over the row before it, its number, its format and its bytes."""
    return sha256(previous + _PLACE(seq, version) + body).digest()


class Reader:
    """A journal opened for reading.

    `rows` checks each row against the one before it and, at the end, the anchor against both. A
    service may write meanwhile: what is read then is one moment of it.
    """

    def __init__(self, path: Path) -> None:
        """Open the journal at `path`. Raises `JournalError`, `JournalDamaged`."""
        self.path = path
        self._last: Row | None = None
        self._after = START
        # First the anchor: a journal that grows meanwhile is then ahead of it, never behind.
        self.anchor = read_anchor(path)
        self._base: sqlite3.Connection | None = None
        if is_there(path):
            self._base = read_only(path)
        beside = (anchor_path(path), seals_path(path), wal_path(path))
        if self._base is None and self.anchor != START and any(map(is_there, beside)):
            raise JournalDamaged(path, "the journal's file is missing or empty", 0)

    @property
    def head(self) -> Mark:
        """The last row that was read and holds."""
        return Mark(self._last.seq, self._last.hash) if self._last else self._after

    @property
    def empty(self) -> bool:
        """Whether there is no journal yet."""
        return self._base is None

    def check_pages(self) -> None:
        """Have SQLite look at the build of its file, free space too. Raises `JournalDamaged`."""
        if self._base is None:
            return
        try:
            found = self._base.execute("PRAGMA quick_check(1)").fetchone()[0]
        except (sqlite3.Error, TypeError) as error:
            raise JournalDamaged(self.path, str(error), 0) from error
        if found != "ok":
            raise JournalDamaged(self.path, str(found).replace("\n", " "), 0)

    def holds(self, mark: Mark) -> bool:
        """Whether the journal has this very record at this place."""
        if self._base is None or mark.seq == 0:
            return mark == START
        query = "SELECT hash FROM records WHERE seq = ?"
        try:
            row = self._base.execute(query, (mark.seq,)).fetchone()
        except sqlite3.Error as error:
            raise JournalDamaged(self.path, str(error), 0) from error
        return row is not None and row[0] == mark.hash

    def last(self) -> Mark:
        """The last row, unchecked. Raises `JournalDamaged`."""
        if self._base is None:
            return START
        try:
            row = self._base.execute(_LAST).fetchone()
        except sqlite3.Error as error:
            raise JournalDamaged(self.path, str(error), 0) from error
        return Mark(*row) if row else START

    def rows(self, after: Mark = START) -> Iterator[Row]:
        """Every row beyond `after`, in order. Raises `JournalDamaged` at the first that fails."""
        self._last, self._after = None, after
        beyond: set[bytes] = set()
        anchored_seq = self.anchor.seq if self.anchor else 0
        if self._base is not None:
            number, previous = after
            try:
                for row in map(Row._make, self._base.execute(_ROWS, (number,))):
                    seq, version, body, known = row
                    if seq != number + 1:
                        raise self._damaged(f"record {number + 1} is missing")
                    if chain(previous, seq, version, body) != known:
                        raise self._damaged(f"record {seq} is not what was written")
                    number, previous = seq, known
                    if number >= anchored_seq:
                        self._against_anchor(Mark(number, previous), body, beyond)
                    self._last = row
                    yield row
            except (sqlite3.Error, TypeError, OverflowError, AttributeError) as error:
                raise self._damaged(f"record {number + 1} cannot be read ({error})") from error
        self._end(beyond)

    def unchecked(self, last: int) -> Iterator[Row]:
        """The rows up to number `last`, for one who knows that somebody else checks their chain.

        Raises `JournalDamaged` where they cannot be read.
        """
        if self._base is None:
            return
        try:
            yield from map(Row._make, self._base.execute(_UPTO, (last,)))
        except (sqlite3.Error, TypeError, OverflowError) as error:
            raise JournalDamaged(self.path, f"it cannot be read ({error})", 0) from error

    def hold_still(self) -> None:
        """From here on one moment of the journal is read, whatever a service writes meanwhile."""
        if self._base is not None:
            self._base.execute("BEGIN")

    def _against_anchor(self, mark: Mark, body: bytes, beyond: set[bytes]) -> None:
        anchored = self.anchor or START
        if mark.seq > anchored.seq:
            beyond.add(_moment(body))
        elif mark != anchored:
            raise self._damaged(f"record {mark.seq} is not the one that the anchor remembers")

    def _end(self, beyond: set[bytes]) -> None:
        """The anchor may be one commit behind: a power cut between the two writes. Never more."""
        if self.anchor is None:
            if self.head.seq or self._base is not None:
                raise self._damaged(f"the anchor {anchor_path(self.path).name} cannot be read")
            return
        if self.head.seq < self.anchor.seq:
            lost = f"{self.head.seq + 1} to {self.anchor.seq}"
            raise self._damaged(f"records {lost} were written and are gone")
        if len(beyond) > 1 and not self._grows():
            raise self._damaged(
                f"the anchor knows {self.anchor.seq} records: it is not of this journal, or older"
            )

    def _grows(self) -> bool:
        """Whether a service writes at this moment: its anchor has moved since we looked."""
        now = read_anchor(self.path)
        return now is not None and self.anchor is not None and now.seq > self.anchor.seq

    def _damaged(self, what: str) -> JournalDamaged:
        return JournalDamaged(self.path, what, self.head.seq)

    def close(self) -> None:
        """Let go of the file."""
        if self._base is not None:
            self._base.close()
            self._base = None


def _moment(body: bytes) -> bytes:
    """What the records of one commit have in common: both clocks of their stamp."""
    return b",".join(body.split(b",", 3)[1:3])


class Writer:
    """A journal opened for adding records; whoever has it holds the journal's lock.

    `base` and `seals` are SQLite's connections.
    """

    def __init__(self, path: Path, head: Mark) -> None:
        """Open or create the files. `head` is the last record, as a `Reader` found it.

        Raises `JournalError`, `sqlite3.Error`, `OSError`.
        """
        self.path = path
        self.head = head
        before = os.umask(0o077)
        opened: list[Callable[[], None]] = []
        try:
            for each in (wal_path(seals_path(path)), wal_path(path), anchor_path(path)):
                _write_again(each)
            # The anchor first: from then on the journal is known to have been begun.
            self._anchor = Anchor(path, head)
            opened.append(self._anchor.close)
            self.seals = _opened(seals_path(path), SEALS)
            opened.append(self.seals.close)
            self.base = _opened(path, _RECORDS)
            opened.append(self.base.close)
            if self._last() != head:
                raise JournalError(f"{path} was not read to its end before it is written")
        except BaseException:
            for close in reversed(opened):
                close()
            raise
        finally:
            os.umask(before)

    def _last(self) -> Mark:
        row = self.base.execute(_LAST).fetchone()
        return Mark(*row) if row else START

    def add(self, rows: Sequence[Row], openings: Sequence[Opening] = ()) -> None:
        """Write openings, then rows as one; returns when they are on the disk.

        Raises `sqlite3.Error`; what the disk holds is then not known.
        """
        if openings:
            self.seals.execute("BEGIN IMMEDIATE")
            self.seals.executemany("INSERT OR IGNORE INTO openings VALUES (?, ?, ?, ?)", openings)
            self.seals.execute("COMMIT")
        if not rows:
            return
        self.base.execute("BEGIN IMMEDIATE")
        self.base.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", rows)
        self.base.execute("COMMIT")
        self.head = Mark(rows[-1].seq, rows[-1].hash)

    def mark(self) -> None:
        """Anchor the last record; returns when that is on the disk. Raises `OSError`."""
        self._anchor.write(self.head)

    def close(self, *, failed: bool = False) -> None:
        """Let go of the files; after a failure without another write to them."""
        # SQLite tidies a write-ahead log up when its last connection closes. After a failure what
        # was written is not known and stays as it is: a reader that closes last does nothing.
        held = [read_only(each) for each in (self.path, seals_path(self.path)) if failed]
        self.base.close()
        self.seals.close()
        self._anchor.close()
        for each in held:
            if each is not None:
                each.close()


def _opened(path: Path, schema: str) -> sqlite3.Connection:
    """A durable connection to a file, which is made first where it is not there.

    It is made under another name: SQLite keeps a rollback journal until a new file has its mode,
    and a power cut then would leave a file that nobody can read without writing to it.
    """
    if not is_there(path):
        fresh = path.with_name(f".{path.name}.new")
        for base in (fresh, path):
            for end in ("", "-journal", "-wal", "-shm"):
                base.with_name(base.name + end).unlink(missing_ok=True)
        read_write(fresh, schema).close()
        os.replace(fresh, path)
        sync_folder(path.parent)
    return read_write(path, schema)


def _write_again(path: Path) -> None:
    """Write a file as it reads, in its place, and sync it; where it is not there, do nothing.

    After a sync that failed the system may take for written what is not (DECISIONS.md, 4).
    A start that only read that would build on it, and lose it at the next power cut.
    Raises `OSError`.
    """
    if not is_there(path):
        return
    with path.open("r+b", buffering=0) as file:
        while part := file.read(_PART_BYTES):
            file.seek(-len(part), os.SEEK_CUR)
            file.write(part)
        os.fsync(file.fileno())
