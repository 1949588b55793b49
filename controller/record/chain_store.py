"""A gaming day's files on a disk: records in a hash chain, and their openings apart.

What reads here never writes: it opens read-only, so that a damaged file stays as it was found.
Every row's hash covers the row before it, the first row's the last one of the day before. The
head anchor covers the last row of the newest day.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from controller.record.database import (
    READ_ONLY,
    UNREADABLE,
    JournalDamaged,
    JournalError,
    is_there,
    read_only,
    read_write,
    wal_path,
)
from controller.record.day_files import day_path, new_path, newest_day, openings_path
from controller.record.head_anchor import (
    Anchor,
    Head,
    Mark,
    anchor_path,
    genesis,
    read_anchor,
    sync_folder,
)
from controller.record.openings import OPENINGS, Opening

RECORDS: Final = (
    """CREATE TABLE beginning (
        identity BLOB NOT NULL, label TEXT NOT NULL, seq INTEGER NOT NULL, hash BLOB NOT NULL
    ) STRICT""",
    """CREATE TABLE records (
        seq INTEGER PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL
    ) STRICT""",
)
#: How many records are read between two calls of `ChainReader.on_read`.
PROGRESS_RECORDS: Final = 500
#: A log that somebody reads for long grows: so much of it is in memory at once.
_PART_BYTES: Final = 1 << 20
_ROWS: Final = "SELECT seq, version, body, hash FROM records WHERE seq > ? ORDER BY seq"
_LAST: Final = "SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1"

#: A row's number and format, as its hash covers them.
_PLACE: Final = struct.Struct(">QH").pack

Step = Callable[[str], None]
"""Called after each write or rename that makes a file; tests end the process there."""


def no_step(_what: str) -> None:
    """Nothing happens between two writes."""


class Row(NamedTuple):
    """A record as it lies in the file."""

    seq: int
    version: int
    body: bytes
    hash: bytes


class Beginning(NamedTuple):
    """How a day's file begins: whose it is, which day, and the last record before it.

    `identity` is the random number that a table drew when its record began.
    """

    identity: bytes
    label: str
    after: Mark


def chain(previous: bytes, seq: int, version: int, body: bytes) -> bytes:
    """The hash of a row: over the row before it, its number, its format and its bytes."""
    return sha256(previous + _PLACE(seq, version) + body).digest()


class ChainReader:
    """A gaming day opened for reading.

    `rows` checks each row against the one before it and, at the end, what is known of the end
    against both: `anchored` is the anchor's mark where the day is the newest (a service may write
    meanwhile: what is read then is one moment of it), `ends` is where a closed day ends exactly.
    `on_read` is called now and then with the number of the record that was read.
    """

    def __init__(
        self, path: Path, *, anchored: Mark | None = None, ends: Mark | None = None
    ) -> None:
        """Open the day's file at `path`. Raises `JournalError`, `JournalDamaged`."""
        self.path = path
        self.on_read: Callable[[int], None] | None = None
        self._last: Row | None = None
        self._anchored = anchored
        self._ends = ends
        if not is_there(path):
            raise JournalDamaged(path, "the day's file is missing or empty", 0)
        self._base = read_only(path, RECORDS)
        self.beginning = self._read_beginning()
        self._after = self.beginning.after

    def _read_beginning(self) -> Beginning:
        try:
            row = self._query("SELECT identity, label, seq, hash FROM beginning").fetchone()
            identity, label, seq, known = row
            if tuple(map(type, row)) != (bytes, str, int, bytes):
                raise TypeError("of another type than it was written with")
        except (sqlite3.Error, TypeError, ValueError) as error:
            self.close()
            raise JournalDamaged(self.path, f"its beginning cannot be read ({error})", 0) from error
        beginning = Beginning(identity, label, Mark(seq, known))
        if label != self.path.name.removesuffix(".day").removeprefix("."):
            self.close()
            raise JournalDamaged(self.path, f"it is the file of the gaming day {label}", 0)
        if not seq and beginning.after != genesis(identity):
            self.close()
            raise JournalDamaged(self.path, "it does not begin with its table's identity", 0)
        return beginning

    def _query(self, sql: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        if self._base is None:
            raise JournalDamaged(self.path, "nothing is in it", 0)
        return self._base.execute(sql, values)

    @property
    def head(self) -> Mark:
        """The last row that was read and holds."""
        return Mark(self._last.seq, self._last.hash) if self._last else self._after

    def check_pages(self) -> None:
        """Have SQLite look at the build of its file, free space too. Raises `JournalDamaged`."""
        try:
            found = self._query("PRAGMA quick_check(1)").fetchone()[0]
        except (*UNREADABLE, TypeError) as error:
            raise JournalDamaged(self.path, str(error), 0) from error
        if found != "ok":
            raise JournalDamaged(self.path, str(found).replace("\n", " "), 0)

    def holds(self, mark: Mark) -> bool:
        """Whether the day has this very record at this place, or begins after it."""
        if mark == self.beginning.after:
            return True
        try:
            row = self._query("SELECT hash FROM records WHERE seq = ?", (mark.seq,)).fetchone()
        except UNREADABLE as error:
            raise JournalDamaged(self.path, str(error), 0) from error
        return row is not None and row[0] == mark.hash

    def last(self) -> Mark:
        """The last row, unchecked. Raises `JournalDamaged`."""
        try:
            row = self._query(_LAST).fetchone()
        except UNREADABLE as error:
            raise JournalDamaged(self.path, str(error), 0) from error
        return Mark(*row) if row else self.beginning.after

    def rows(self, after: Mark | None = None) -> Iterator[Row]:
        """Every row, or those beyond `after`. Raises `JournalDamaged` at the first that fails."""
        self._after = self.beginning.after if after is None else after
        self._last = None
        beyond: set[bytes] = set()
        anchored_seq = self._anchored.seq if self._anchored else 0
        number, previous = self._after
        try:
            for row in map(Row._make, self._query(_ROWS, (number,))):
                seq, version, body, known = row
                if seq != number + 1:
                    raise self._damaged(f"record {number + 1} is missing")
                if chain(previous, seq, version, body) != known:
                    raise self._damaged(f"record {seq} is not what was written")
                number, previous = seq, known
                if self._anchored is not None and number >= anchored_seq:
                    self._against_anchor(Mark(number, previous), body, beyond)
                self._last = row
                if self.on_read is not None and not seq % PROGRESS_RECORDS:
                    self.on_read(seq)
                yield row
        except (*UNREADABLE, TypeError, OverflowError, AttributeError, struct.error) as error:
            raise self._damaged(f"record {number + 1} cannot be read ({error})") from error
        self._end(beyond)

    def hold_still(self) -> None:
        """From here on one moment of the day is read, whatever a service writes meanwhile."""
        self._query("BEGIN")

    def _against_anchor(self, mark: Mark, body: bytes, beyond: set[bytes]) -> None:
        assert self._anchored is not None
        if mark.seq > self._anchored.seq:
            beyond.add(_moment(body))
        elif mark != self._anchored:
            raise self._damaged(f"record {mark.seq} is not the one that the anchor remembers")

    def _end(self, beyond: set[bytes]) -> None:
        """The anchor may be one commit behind: a power cut between the two writes. Never more."""
        ends = self._ends or self._anchored
        if ends is not None and self.head.seq < ends.seq:
            lost = f"{self.head.seq + 1} to {ends.seq}"
            raise self._damaged(f"records {lost} were written and are gone")
        if self._ends is not None and self.head != self._ends:
            raise self._damaged("the day after it does not begin where this one ends")
        if self._anchored is not None and len(beyond) > 1 and not self._grows():
            raise self._damaged(
                f"the anchor knows {self._anchored.seq} records: it is not of this record, or older"
            )

    def _grows(self) -> bool:
        """Whether a service writes at this moment: its anchor has moved since we looked."""
        now = read_anchor(self.path.parent)
        return now is not None and self._anchored is not None and now.mark.seq > self._anchored.seq

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


def open_newest(folder: Path) -> ChainReader | None:
    """The newest day of a record, to be read against the anchor; None where nothing is recorded.

    Raises `JournalError`, `JournalDamaged`.
    """
    day, head = newest_day(folder)
    if day is None:
        return None
    reader = ChainReader(day.path, anchored=head.mark)
    if head.day not in (day.label, "") and reader.beginning.after != head.mark:
        # The anchor comes to a new day right after its file has its name, and not later.
        reader.close()
        raise JournalDamaged(folder, f"the anchor knows the day {head.day} as the newest", 0)
    return reader


class ChainWriter:
    """A gaming day opened for adding records; whoever has it holds the record's lock.

    `base` and `openings` are SQLite's connections.
    """

    def __init__(self, folder: Path, beginning: Beginning, head: Mark) -> None:
        """Open or create the day's files. `head` is the last record, as a reader found it.

        Raises `JournalError`, `sqlite3.Error`, `OSError`.
        """
        self.path = day_path(folder, beginning.label)
        if is_closed(self.path):
            raise JournalError(f"{self.path} is closed: nothing is added to a closed day")
        self.beginning = beginning
        self.head = head
        opened: list[Callable[[], None]] = []
        with private_files():
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
                    raise JournalError(f"{self.path} was not read to its end before it is written")
            except BaseException:
                for close in reversed(opened):
                    close()
                raise

    def _last(self) -> Mark:
        row = self.base.execute(_LAST).fetchone()
        return Mark(*row) if row else self.beginning.after

    def add(self, rows: Sequence[Row], openings: Sequence[Opening] = ()) -> None:
        """Write openings, then rows as one; returns when they are on the disk.

        Raises `sqlite3.Error`; what the disk holds is then not known.
        """
        if openings:
            _insert_openings(self.openings, openings)
        if not rows:
            return
        _insert_rows(self.base, rows)
        self.head = Mark(rows[-1].seq, rows[-1].hash)

    def mark(self) -> None:
        """Anchor the last record; returns when that is on the disk. Raises `OSError`."""
        self._anchor.write(Head(self.beginning.label, self.head))

    def close(self, *, failed: bool = False) -> None:
        """Let go of the files; after a failure without another write to them."""
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
    base.executemany("INSERT OR IGNORE INTO openings VALUES (?, ?, ?, ?)", openings)
    base.execute("COMMIT")


def _insert_rows(base: sqlite3.Connection, rows: Sequence[Row]) -> None:
    base.execute("BEGIN IMMEDIATE")
    base.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", rows)
    base.execute("COMMIT")


@contextmanager
def private_files() -> Iterator[None]:
    """Files that are made meanwhile are for their owner alone."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


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
    with private_files():
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

    After a sync that failed the system may take for written what is not (DECISIONS 4). A start that
    only read that would build on it, and lose it at the next power cut. Raises `OSError`.
    """
    if not is_there(path):
        return
    with path.open("r+b", buffering=0) as file:
        while part := file.read(_PART_BYTES):
            file.seek(-len(part), os.SEEK_CUR)
            file.write(part)
        os.fsync(file.fileno())
