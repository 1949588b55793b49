"""The journal: every fact, durable before anything acts on it, in a hash chain.

One SQLite file in WAL mode with `synchronous=FULL`: a commit returns when the bytes are on the
disk. Rows are only ever added. Each row's hash covers the row before it, so that nothing can be
changed, left out or put in between unseen. A failed commit is final: the journal takes nothing
more, since what the disk holds is then not known (field notes, "A failed fsync").

What sealed cards are is kept apart, in a second file that the service alone may read; it is
written before the record that needs it.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Final, NamedTuple, get_args

from controller.codec import VERSION, CodecError, Decoder, encode
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.table.facts import Fact, Record

FORMAT: Final = 1
GENESIS: Final = hashlib.sha256(b"tablectl journal 1").digest()
PAGE_BYTES: Final = 1024
#: How long SQLite waits for another reader's lock; a commit never waits longer than this for one.
BUSY_TIMEOUT_S: Final = 5.0

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS records (
    seq INTEGER PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL
) STRICT;
"""
_SEALS: Final = """
CREATE TABLE IF NOT EXISTS openings (
    digest TEXT PRIMARY KEY, nonce BLOB NOT NULL, code TEXT NOT NULL, serial TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""


class JournalError(Exception):
    """The record is not available. The text says what happened and what to do."""


class JournalBusy(JournalError):
    """Another service has this journal."""


class JournalDamaged(JournalError):
    """The chain does not hold: something was changed, lost or is not ours."""


def chain(previous: bytes, seq: int, version: int, body: bytes) -> bytes:
    """The hash of a row: over the row before it, its number, its format and its bytes."""
    head = previous + seq.to_bytes(8, "big") + version.to_bytes(2, "big")
    return hashlib.sha256(head + body).digest()


def _open(path: Path, schema: str) -> sqlite3.Connection:
    base = sqlite3.connect(
        path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )
    try:
        base.execute(f"PRAGMA page_size={PAGE_BYTES}")
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("PRAGMA synchronous=FULL")
        base.executescript(schema)
        known = base.execute("PRAGMA user_version").fetchone()[0]
        if known == 0:
            base.execute(f"PRAGMA user_version={FORMAT}")
        elif known != FORMAT:
            raise JournalError(
                f"{path} has format {known}, this software writes {FORMAT}: "
                "start the software that wrote it, or name another journal"
            )
    except BaseException:
        base.close()
        raise
    return base


class _Order(NamedTuple):
    """Records to be written, and who waits for it."""

    records: Sequence[Record]
    loop: asyncio.AbstractEventLoop
    written: asyncio.Future[None]

    def tell(self, failed: JournalError | None) -> None:
        if self.written.done():
            return
        if failed:
            self.written.set_exception(failed)
        else:
            self.written.set_result(None)


class Journal:
    """An open journal; one service has it at a time.

    `head` is the number and hash of the last row. `append` writes in a thread of its own, so that
    a slow disk never stops the loop.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the journal at `path`, and lock it.

        Raises `JournalBusy` if another service has it, `JournalError` if it cannot be used.
        """
        self.path = path
        self.failed: str = ""
        self.head: tuple[int, bytes] = (0, GENESIS)
        self._lock = _lock(path)
        try:
            before = os.umask(0o077)
            try:
                self._base = _open(path, _SCHEMA)
                self._seals = _open(path.with_name(path.name + ".seals"), _SEALS)
            finally:
                os.umask(before)
        except (sqlite3.Error, OSError) as error:
            os.close(self._lock)
            raise JournalError(f"the journal {path} cannot be opened: {error}") from error
        except JournalError:
            os.close(self._lock)
            raise
        self._orders: SimpleQueue[_Order | None] = SimpleQueue()
        self._thread = Thread(target=self._write_orders, name="journal", daemon=True)
        self._thread.start()

    def records(self) -> Iterator[Record]:
        """Every record in order, each checked against the chain; leaves `head` at the last.

        Raises `JournalDamaged` at the first row that does not hold.
        """
        decoder = Decoder(self._opening)
        number, previous = 0, GENESIS
        query = "SELECT seq, version, body, hash FROM records ORDER BY seq"
        try:
            with closing(self._base.execute(query)) as rows:
                for seq, version, body, known in rows:
                    if seq != number + 1:
                        raise JournalDamaged(f"{self.path}: record {number + 1} is missing")
                    previous = chain(previous, seq, version, body)
                    if previous != known:
                        raise JournalDamaged(f"{self.path}: record {seq} is not what was written")
                    number = seq
                    self.head = (number, previous)
                    yield decoder.decode(seq, version, body)
        except (sqlite3.Error, CodecError) as error:
            raise JournalDamaged(f"{self.path}: {error}") from error

    async def append(self, records: Sequence[Record]) -> None:
        """Write `records` as one; returns when they are on the disk.

        Raises `JournalError`; the journal then takes nothing more.
        """
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        self._orders.put(_Order(records, loop, written))
        await written

    def _write_orders(self) -> None:
        # A queue and one thread of our own: half the way there and back of an executor's.
        while (order := self._orders.get()) is not None:
            failed: JournalError | None = None
            try:
                self.write(order.records)
            except JournalError as error:
                failed = error
            order.loop.call_soon_threadsafe(order.tell, failed)

    def write(self, records: Sequence[Record]) -> None:
        """`append`, in the calling thread."""
        if not records:
            return
        if self.failed:
            raise JournalError(self.failed)
        try:
            self._write_openings(records)
            self._write_records(records)
        except (sqlite3.Error, OSError) as error:
            self.failed = (
                f"the journal {self.path} could not be written ({error}): check the disk, "
                "then start the service again"
            )
            raise JournalError(self.failed) from error

    def _write_openings(self, records: Sequence[Record]) -> None:
        sealed = [seal for record in records if (seal := _seal_of(record)) and seal.digest]
        if not sealed:
            return
        rows = []
        for seal in sealed:
            kind = seal.open()
            if kind is not None and seal.nonce:
                rows.append((seal.digest, seal.nonce, kind.code, seal.open_serial()))
        self._seals.executemany("INSERT OR IGNORE INTO openings VALUES (?, ?, ?, ?)", rows)

    def _write_records(self, records: Sequence[Record]) -> None:
        number, previous = self.head
        rows = []
        for record in records:
            if record.seq != number + 1:
                raise JournalError(f"record {record.seq} does not follow record {number}")
            body = encode(record)
            previous = chain(previous, record.seq, VERSION, body)
            number = record.seq
            rows.append((number, VERSION, body, previous))
        base = self._base
        base.execute("BEGIN IMMEDIATE")
        base.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", rows)
        base.execute("COMMIT")
        self.head = (number, previous)

    def _opening(self, digest: str) -> Sealed | None:
        """The sealed card behind a commitment, from the store of openings."""
        if not digest:
            return None
        query = "SELECT nonce, code, serial FROM openings WHERE digest = ?"
        row = self._seals.execute(query, (digest,)).fetchone()
        if row is None:
            return None
        nonce, code, serial = row
        seal = Sealed(card(code), serial, nonce=nonce)
        if seal.digest != digest:
            raise JournalDamaged(f"{self.path}.seals: an opening does not fit its commitment")
        return seal

    async def ping(self) -> None:
        """Returns when the writing thread has nothing before this: it runs."""
        await self.append(())

    def close(self) -> None:
        """Finish what is being written and let go of the journal; safe to call twice."""
        self._orders.put(None)
        self._thread.join()
        self._base.close()
        self._seals.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


#: The facts that hold a sealed card, and in which field.
_SEALED: Final = {
    kind: each.name
    for kind in get_args(Fact)
    for each in fields(kind)
    if "Sealed" in str(each.type)
}


def _seal_of(record: Record) -> Sealed | None:
    name = _SEALED.get(type(record.fact))
    seal: Sealed | None = getattr(record.fact, name) if name else None
    return seal


def _lock(path: Path) -> int:
    """An advisory lock beside the journal; the file descriptor that holds it."""
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
