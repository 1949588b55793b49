"""A gaming day's file on a disk, read: records in a hash chain.

What reads here never writes: it opens read-only, so that a damaged file stays as it was found.
Every row's hash covers the row before it, the first row's the last one of the day before. The
head anchor covers the last row of the newest day.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Callable, Generator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from controller.record.files.database import (
    UNREADABLE,
    JournalDamaged,
    is_there,
    read_only,
)
from controller.record.files.day_files import newest_day
from controller.record.files.head_anchor import (
    Position,
    genesis,
    read_anchor,
)

#: SQLite keeps these texts letter by letter, and a file that has any other is taken for a forged
#: one (`database._check_format`): written otherwise, they would refuse every record there is.
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
_BACKWARDS = "SELECT body FROM records WHERE seq <= ? ORDER BY seq DESC"
_ROWS: Final = "SELECT seq, version, body, hash FROM records WHERE seq > ? ORDER BY seq"
LAST: Final = "SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1"

#: A row's number and format, as its hash covers them.
_PLACE: Final = struct.Struct(">QH").pack


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
    after: Position


def chain(previous: bytes, seq: int, version: int, body: bytes) -> bytes:
    """The hash of a row: over the row before it, its number, its format and its bytes."""
    return sha256(previous + _PLACE(seq, version) + body).digest()


class ChainReader:
    """A gaming day opened for reading.

    `rows` checks each row against the one before it and, at the end, what is known of the end
    against both: `anchored` is the anchor's mark where the day is the newest (a service may write
    meanwhile: what is read then is one moment of it), `ends` is where a closed day ends exactly.
    `on_read` is called periodically with the number of the record that was read.
    """

    def __init__(
        self,
        path: Path,
        *,
        anchored: Position | None = None,
        ends: Position | None = None,
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
            row, *others = self._query("SELECT identity, label, seq, hash FROM beginning LIMIT 2")
            if others:
                raise ValueError("there is a second one")
            identity, label, seq, known = row
            if tuple(map(type, row)) != (bytes, str, int, bytes):
                raise TypeError("of another type than it was written with")
        except (sqlite3.Error, TypeError, ValueError) as error:
            self.close()
            raise JournalDamaged(self.path, f"its beginning cannot be read ({error})", 0) from error
        beginning = Beginning(identity, label, Position(seq, known))
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
    def head(self) -> Position:
        """The last row that was read and holds."""
        return Position(self._last.seq, self._last.hash) if self._last else self._after

    def check_pages(self) -> None:
        """Have SQLite check the structure of its file, free space too. Raises `JournalDamaged`."""
        try:
            found = self._query("PRAGMA quick_check(1)").fetchone()[0]
        except (*UNREADABLE, TypeError) as error:
            raise JournalDamaged(self.path, str(error), 0) from error
        if found != "ok":
            raise JournalDamaged(self.path, str(found).replace("\n", " "), 0)

    def holds(self, mark: Position) -> bool:
        """Whether the day has this very record at this place, or begins after it."""
        if mark == self.beginning.after:
            return True
        try:
            row = self._query("SELECT hash FROM records WHERE seq = ?", (mark.seq,)).fetchone()
        except UNREADABLE as error:
            raise JournalDamaged(self.path, str(error), 0) from error
        return row is not None and row[0] == mark.hash

    def position(self, seq: int) -> Position | None:
        """The place of record `seq`; None where the day has none. Raises `JournalDamaged`."""
        if seq == self.beginning.after.seq:
            return self.beginning.after
        try:
            row = self._query("SELECT hash FROM records WHERE seq = ?", (seq,)).fetchone()
        except UNREADABLE as error:
            raise JournalDamaged(self.path, str(error), 0) from error
        return Position(seq, row[0]) if row else None

    def newest_of(self, prefixes: tuple[bytes, ...], until: int) -> bytes | None:
        """The last body up to record `until`, unchecked, that begins with one of these.

        Raises `JournalDamaged`.
        """
        try:
            rows = self._query(_BACKWARDS, (until,))
            return next((body for (body,) in rows if body.startswith(prefixes)), None)
        except UNREADABLE as error:
            raise JournalDamaged(self.path, str(error), 0) from error

    def last(self) -> Position:
        """The last row, unchecked. Raises `JournalDamaged`."""
        try:
            row = self._query(LAST).fetchone()
        except UNREADABLE as error:
            raise JournalDamaged(self.path, str(error), 0) from error
        return Position(*row) if row else self.beginning.after

    def rows(self, after: Position | None = None) -> Generator[Row, None, None]:
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
                    self._against_anchor(Position(number, previous), body, beyond)
                self._last = row
                if self.on_read is not None and not seq % PROGRESS_RECORDS:
                    self.on_read(seq)
                yield row
        except (*UNREADABLE, TypeError, OverflowError, AttributeError, struct.error) as error:
            raise self._damaged(f"record {number + 1} cannot be read ({error})") from error
        self._end(beyond)

    def hold_still(self) -> None:
        """Begin a read transaction: one state of the day is read, whatever a service writes."""
        self._query("BEGIN")

    def _against_anchor(self, mark: Position, body: bytes, beyond: set[bytes]) -> None:
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
        """Close the file."""
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
    while True:
        day, head = newest_day(folder)
        if day is None:
            return None
        reader = ChainReader(day.path, anchored=head.mark)
        if head.day in (day.label, "") or reader.beginning.after == head.mark:
            return reader
        # The anchor comes to a new day right after its file has its name, and not later.
        reader.close()
        if read_anchor(folder) == head:
            raise JournalDamaged(folder, f"the anchor knows the day {head.day} as the newest", 0)
        # The service closed the day between our look at the anchor and that at the files.
