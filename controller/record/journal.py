"""The journal: every fact, durable before anything acts on it, in a hash chain.

One SQLite file in WAL mode with `synchronous=FULL`: a commit returns when the bytes are on the
disk. Rows are only ever added. What sealed cards are is kept apart, in a second file that the
service alone may read, written before the record that needs it.

The head anchor is written right after each commit, when the waiting service has its answer, and
before the next commit: it costs a card no time. So at any moment at most the newest commit is not
anchored. A power cut between the two writes leaves the anchor one commit behind, which is no
damage; any other disagreement is. A write that failed is final: the journal takes nothing more,
since what the disk holds is then not known (DECISIONS.md, 4).
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from controller.record.chain_store import Reader, Row, Writer, chain
from controller.record.codec import VERSION, CodecError, Decoder, encode, sealed_in
from controller.record.database import (
    BUSY_TIMEOUT_S,
    JournalBusy,
    JournalDamaged,
    JournalError,
    lock,
)
from controller.record.head_anchor import START, Mark
from controller.record.openings import Opening, Openings
from controller.record.replica import Copier
from controller.record.writer_thread import Hand, ThreadHand, Work
from controller.rules.sealed import Sealed
from controller.table.facts import Record

__all__ = ["BUSY_TIMEOUT_S", "Journal", "JournalBusy", "JournalDamaged", "JournalError"]


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

    `head` is the number and hash of the last row. `append` writes by a hand of its own, a thread,
    so that a slow disk never stops the loop. `on_failure` is told, in the loop, of a failure that
    nobody waits for.
    """

    def __init__(
        self,
        path: Path,
        copy: Path | None = None,
        *,
        hand: Callable[[Work[_Order]], Hand[_Order]] = ThreadHand,
        writer: Callable[[Path, Mark], Writer] = Writer,
    ) -> None:
        """Open or create the journal at `path`, and lock it; `copy` is where its second copy is.

        `hand` makes what carries out the writing, `writer` what writes to the files.
        Raises `JournalBusy` if another service has it, `JournalError` if it cannot be used.
        """
        self.path = path.resolve()
        self.failed: str = ""
        self.head: Mark = START
        self.on_failure: Callable[[str], None] | None = None
        self._writer: Writer | None = None
        self._lock = lock(self.path)
        try:
            self._reader = Reader(self.path)
            try:
                self._openings = Openings(self.path, missing_is_damage=True)
            except BaseException:
                self._reader.close()
                raise
        except BaseException:
            os.close(self._lock)
            raise
        self._copier = Copier(self.path, copy) if copy else None
        self._open_writer = writer
        self._hand = hand(self._carry_out)

    def last(self) -> Mark:
        """The last row, not checked yet. Raises `JournalDamaged`."""
        return self._reader.last()

    def may_begin_after(self, mark: Mark) -> bool:
        """Whether `mark` is a row of this journal that the anchor covers."""
        anchored = self._reader.anchor
        return anchored is not None and mark.seq <= anchored.seq and self._reader.holds(mark)

    def opening(self, digest: str) -> Sealed | None:
        """The sealed card behind a commitment. Raises `JournalDamaged` if it is gone."""
        return self._openings.open(digest)

    def records(self, after: Mark = START) -> Iterator[Record]:
        """Every record beyond `after`, checked against chain and anchor; leaves `head` at the last.

        Raises `JournalDamaged` at the first row that does not hold.
        """
        if after == START:
            self._reader.check_pages()
        decode = Decoder(self._openings.open).decode
        reader = self._reader
        try:
            for seq, version, body, _ in reader.rows(after):
                yield decode(seq, version, body)
        except CodecError as error:
            raise JournalDamaged(self.path, str(error), self.head.seq) from error
        finally:
            self.head = reader.head

    async def append(self, records: Sequence[Record]) -> None:
        """Write `records` as one; returns when they are on the disk.

        Raises `JournalError`; the journal then takes nothing more.
        """
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        self._hand.give(_Order(records, loop, written))
        await written

    def _carry_out(self, order: _Order) -> Iterator[None]:
        failed = self._attempt(self._commit, order.records)
        order.loop.call_soon_threadsafe(order.tell, failed)
        yield  # from here on the table may act on it, while the anchor is written
        if order.records and not failed and (failed := self._attempt(self._anchor)):
            order.loop.call_soon_threadsafe(self._tell_failure, str(failed))

    def copy_problem(self) -> str:
        """What is wrong with the second copy, and what to do; empty if nothing is, or none is."""
        return self._copier.problem(self.head.seq) if self._copier else ""

    def _tell_failure(self, why: str) -> None:
        if self.on_failure:
            self.on_failure(why)

    def write(self, records: Sequence[Record]) -> None:
        """`append`, in the calling thread; returns when the anchor is on the disk, too."""
        failed = self._attempt(self._commit, records)
        if records and not failed:
            failed = self._attempt(self._anchor)
        if failed:
            raise failed

    def _attempt(self, what: Callable[..., None], *given: object) -> JournalError | None:
        """Do it; what kept it from being done, if anything. The first failure is the last try."""
        if self.failed:
            return JournalError(self.failed)
        try:
            what(*given)
        except JournalError as error:
            return error
        except (sqlite3.Error, OSError) as error:
            self.failed = (
                f"the journal {self.path} could not be written ({error}): check the disk, "
                "then start the service again"
            )
            return JournalError(self.failed)
        return None

    def _commit(self, records: Sequence[Record]) -> None:
        if not records:
            return
        number, previous = self.head
        rows = []
        for record in records:
            if record.seq != number + 1:
                raise JournalError(f"record {record.seq} does not follow record {number}")
            body = encode(record)
            previous = chain(previous, record.seq, VERSION, body)
            number = record.seq
            rows.append(Row(number, VERSION, body, previous))
        if self._writer is None:
            self._writer = self._open_writer(self.path, self.head)
        self._writer.add(rows, openings_of(records))
        self.head = self._writer.head

    def _anchor(self) -> None:
        assert self._writer is not None
        self._writer.mark()
        if self._copier:
            self._copier.wake()

    async def ping(self) -> None:
        """Returns when the writing thread has nothing before this: it runs."""
        await self.append(())

    def close(self) -> None:
        """Finish what is being written and let go of the journal; safe to call twice."""
        if self._lock < 0:
            return
        self._hand.close()
        if self._copier:
            self._copier.close()
        try:
            self._reader.close()
            self._openings.close()
            if self._writer is not None:
                self._writer.close(failed=bool(self.failed))
        finally:
            os.close(self._lock)
            self._lock = -1


def openings_of(records: Sequence[Record]) -> list[Opening]:
    """What opens the sealed cards of `records`."""
    rows = []
    for record in records:
        seal = sealed_in(record)
        kind = seal.open() if seal else None
        if seal is not None and kind is not None and seal.digest:
            rows.append(Opening(seal.digest, seal.nonce, kind.code, seal.open_serial()))
    return rows
