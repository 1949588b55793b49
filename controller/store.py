"""The files of a journal on a disk: records in a hash chain, openings apart, the head anchor.

What reads here never writes: it opens read-only, so that a damaged file stays as it was found.
Every row's hash covers the row before it; the anchor covers the last row.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from controller.anchor import START, Anchor, Mark, anchor_path, read_anchor
from controller.rules.cards import CardError, card
from controller.rules.sealed import Sealed

FORMAT: Final = 1
#: Small pages: a commit writes whole pages, and a record is about 200 bytes.
PAGE_BYTES: Final = 512
#: How long SQLite waits for another reader's lock; a commit never waits longer than this for one.
BUSY_TIMEOUT_S: Final = 5.0

_RECORDS: Final = """
CREATE TABLE IF NOT EXISTS records (
    seq INTEGER PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL
) STRICT;
"""
_SEALS: Final = """
CREATE TABLE IF NOT EXISTS openings (
    digest TEXT PRIMARY KEY, nonce BLOB NOT NULL, code TEXT NOT NULL, serial TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""
_ROWS: Final = "SELECT seq, version, body, hash FROM records WHERE seq > ? ORDER BY seq"
_LAST: Final = "SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1"

RESTORE: Final = (
    "Leave these files as they are. Put back a backup or the second copy with `tablectl restore`"
)


class JournalError(Exception):
    """The record is not available. The text says what happened and what to do."""


class JournalBusy(JournalError):
    """Another service has this journal."""


class JournalDamaged(JournalError):
    """Something was changed, lost or is not ours. `whole` is the last record before that."""

    def __init__(self, path: Path, what: str, whole: int) -> None:
        readable = f"Records 1 to {whole} are whole. " if whole else ""
        super().__init__(f"{path}: {what}. {readable}{RESTORE}")
        self.whole = whole


class Row(NamedTuple):
    """A record as it lies in the file."""

    seq: int
    version: int
    body: bytes
    hash: bytes


class Opening(NamedTuple):
    """What opens a commitment. Without a code it is known to be lost."""

    digest: str
    nonce: bytes
    code: str
    serial: str


def chain(previous: bytes, seq: int, version: int, body: bytes) -> bytes:
    """The hash of a row: over the row before it, its number, its format and its bytes."""
    head = previous + seq.to_bytes(8, "big") + version.to_bytes(2, "big")
    return hashlib.sha256(head + body).digest()


def seals_path(journal: Path) -> Path:
    """The file of openings beside a journal."""
    return journal.with_name(journal.name + ".seals")


def wal_path(base: Path) -> Path:
    """SQLite's write-ahead log beside a file."""
    return base.with_name(base.name + "-wal")


def _is_there(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


class Reader:
    """A journal opened for reading; `head` is the last row that was read and holds.

    `rows` checks each row against the one before it and, at the end, the anchor against both. A
    service may write meanwhile: what is read then is one moment of it.
    """

    def __init__(self, path: Path) -> None:
        """Open the journal at `path`. Raises `JournalError`, `JournalDamaged`."""
        self.path = path
        self.head = START
        # First the anchor: a journal that grows meanwhile is then ahead of it, never behind.
        self.anchor = read_anchor(path)
        self._base: sqlite3.Connection | None = None
        if _is_there(path):
            self._base = _read_only(path)
        beside = (anchor_path(path), seals_path(path), wal_path(path))
        if self._base is None and self.anchor != START and any(map(_is_there, beside)):
            raise JournalDamaged(path, "the journal's file is missing or empty", 0)

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
        self.head = after
        beyond: set[bytes] = set()
        anchored = self.anchor or START
        if self._base is not None:
            number, previous = after
            try:
                for seq, version, body, known in self._base.execute(_ROWS, (number,)):
                    if seq != number + 1:
                        raise self._damaged(f"record {number + 1} is missing")
                    previous = chain(previous, seq, version, body)
                    if previous != known:
                        raise self._damaged(f"record {seq} is not what was written")
                    number = seq
                    if number >= anchored.seq:
                        self._against_anchor(Mark(number, previous), body, beyond)
                    self.head = Mark(number, previous)
                    yield Row(seq, version, body, known)
            except (sqlite3.Error, TypeError, OverflowError, AttributeError) as error:
                raise self._damaged(f"record {number + 1} cannot be read ({error})") from error
        self._end(beyond)

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


class Openings:
    """The openings of sealed cards beside a journal, for reading.

    `missing` says what becomes of a commitment without an opening: an error for the service, which
    wrote it; a card that stays sealed for an audit without openings.
    """

    def __init__(self, journal: Path, *, missing_is_damage: bool) -> None:
        """Open the file beside `journal`. Raises `JournalError`, `JournalDamaged`."""
        self.path = seals_path(journal)
        self._strict = missing_is_damage
        self._base = _read_only(self.path) if _is_there(self.path) else None

    def row(self, digest: str) -> Opening | None:
        """The row for a commitment, checked. Raises `JournalDamaged`."""
        query = "SELECT digest, nonce, code, serial FROM openings WHERE digest = ?"
        try:
            found = self._base.execute(query, (digest,)).fetchone() if self._base else None
        except sqlite3.Error as error:
            raise JournalDamaged(self.path, str(error), 0) from error
        if found is None:
            if self._strict:
                raise JournalDamaged(self.path, f"the opening of card {digest[:12]} is gone", 0)
            return None
        opening = Opening(*found)
        try:
            fits = not opening.code or _opened(opening).digest == digest
        except (CardError, TypeError):
            fits = False
        if not fits:
            raise JournalDamaged(self.path, "an opening does not fit its commitment", 0)
        return opening

    def open(self, digest: str) -> Sealed | None:
        """The sealed card behind a commitment, None where it is not to be had."""
        if not digest:
            return None
        found = self.row(digest)
        return _opened(found) if found and found.code else None

    def close(self) -> None:
        """Let go of the file."""
        if self._base is not None:
            self._base.close()
            self._base = None


def _opened(opening: Opening) -> Sealed:
    return Sealed(card(opening.code), opening.serial, nonce=opening.nonce)


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
            # The anchor first: from then on the journal is known to have been begun.
            self._anchor = Anchor(path, head)
            opened.append(self._anchor.close)
            self.seals = _read_write(seals_path(path), _SEALS)
            opened.append(self.seals.close)
            self.base = _read_write(path, _RECORDS)
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
        held = [_read_only(each) for each in (self.path, seals_path(self.path)) if failed]
        self.base.close()
        self.seals.close()
        self._anchor.close()
        for each in held:
            if each is not None:
                each.close()


def _read_only(path: Path) -> sqlite3.Connection | None:
    """A connection that cannot write; None where the file was begun and nothing is in it yet."""
    address = f"{path.resolve().as_uri()}?mode=ro"
    base: sqlite3.Connection | None = None
    try:
        base = sqlite3.connect(
            address, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        known = base.execute("PRAGMA user_version").fetchone()[0]
        if known == 0 and base.execute("PRAGMA schema_version").fetchone()[0] == 0:
            base.close()
            return None
        _check_format(path, known)
    except BaseException as error:
        if base is not None:
            base.close()
        if isinstance(error, sqlite3.OperationalError):
            text = f"{path} cannot be opened ({error}): check the disk, and who may read the file"
            raise JournalError(text) from error
        if isinstance(error, sqlite3.Error):
            raise JournalDamaged(path, f"it cannot be opened ({error})", 0) from error
        raise
    return base


def _read_write(path: Path, schema: str) -> sqlite3.Connection:
    base = sqlite3.connect(
        path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )
    try:
        base.execute(f"PRAGMA page_size={PAGE_BYTES}")
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("PRAGMA synchronous=FULL")
        known = base.execute("PRAGMA user_version").fetchone()[0]
        if known == 0 and base.execute("PRAGMA schema_version").fetchone()[0] == 0:
            base.execute("BEGIN IMMEDIATE")
            base.execute(schema)
            base.execute(f"PRAGMA user_version={FORMAT}")
            base.execute("COMMIT")
        else:
            _check_format(path, known)
    except BaseException:
        base.close()
        raise
    return base


def _check_format(path: Path, known: int) -> None:
    if known != FORMAT:
        raise JournalError(
            f"{path} has format {known}, this software reads and writes {FORMAT}: "
            "start the software that wrote it, or name another journal"
        )


def lock(path: Path) -> int:
    """An advisory lock beside the journal; the file descriptor that holds it.

    Raises `JournalBusy` if another service has it, `JournalError` if it cannot be made.
    """
    beside = path.with_name(path.name + ".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o750)
        descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise JournalError(f"the journal {path} cannot be used: {error}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise JournalBusy(
            f"another service has the journal {path}: stop that one, or name another journal"
        ) from None
    return descriptor
