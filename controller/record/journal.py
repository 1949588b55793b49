"""The journal: every fact, durable before anything acts on it, in a hash chain.

The record of a table is a folder, each gaming day in it a SQLite file in WAL mode with
`synchronous=FULL`: a commit returns when the bytes are on the disk. Rows are only ever added. What
sealed cards are is kept apart, in a second file that the service alone may read, written before
the record that needs it.

The head anchor is written right after each commit, when the waiting service has its answer, and
before the next commit: it costs a card no time. So at any moment at most the newest commit is not
anchored. A power cut between the two writes leaves the anchor one commit behind, which is no
damage; any other disagreement is. A write that failed is final: the journal takes nothing more,
since what the disk holds is then not known (DECISIONS.md, 4).
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from controller.record.commit import Commit
from controller.record.copies.copy_check import check_copy
from controller.record.copies.replica import Replica
from controller.record.days.gaming_day import (
    check_carried,
    finish_days,
    open_next,
    opening_record,
    openings_of,
    rows_of,
)
from controller.record.files.chain_store import Beginning, ChainReader, open_newest
from controller.record.files.database import (
    BUSY_TIMEOUT_S,
    JournalBusy,
    JournalDamaged,
    JournalError,
    lock,
)
from controller.record.files.day_files import files_of, openings_path
from controller.record.files.day_writer import ChainWriter, Step, no_step
from controller.record.files.head_anchor import NOTHING, Position, genesis
from controller.record.files.openings import (
    PRINT_KEY_BYTES,
    Opening,
    Openings,
    print_commitment,
    print_opening,
)
from controller.record.files.signing import default_key_path
from controller.record.reading.replay import Decoded, decoded_rows, replayed
from controller.record.writer_thread import JobQueue, Work, WriterThread
from controller.rules.messages import Message
from controller.rules.sealed import Sealed
from controller.table.evolve.evolve import evolve
from controller.table.facts import DayClosed, DayOpened, Record
from controller.table.state.state import State

__all__ = ["BUSY_TIMEOUT_S", "Journal", "JournalBusy", "JournalDamaged", "JournalError"]

log = logging.getLogger(__name__)
IDENTITY_BYTES: Final = 32
#: So much of a command's digest stands in its cause.
PRINT_DIGITS: Final = 16


def check_no_key(folder: Path, key: Path) -> None:
    """A key is made after the first day's files: without these the record is gone.

    Raises `JournalError` where the key of a record that is not there lies at `key`.
    """
    if key.exists():
        raise JournalError(
            f"the table's key {key} is there, and no record is in {folder}: it was deleted or moved"
            " away. Put it back, or a backup of it with `tablectl restore`. For a new record move"
            " the key away, too: it gets one of its own"
        )


class Journal:
    """An open record; one service has it at a time.

    `head` is the number and hash of the last row. `append` writes by a thread of its own, so that
    a slow disk never stops the loop. `on_failure` is called, in the loop, with a failure that
    nobody waits for. `step` is called between the writes of a roll-over (`day_writer.Step`).
    """

    def __init__(
        self,
        folder: Path,
        copy: Path | None = None,
        *,
        key: Path | None = None,
        thread: Callable[[Work[Commit]], JobQueue[Commit]] = WriterThread,
        writer: Callable[[Path, Beginning, Position], ChainWriter] = ChainWriter,
        draw: Callable[[int], bytes] = os.urandom,
        step: Step = no_step,
    ) -> None:
        """Open or create the record in `folder`, and lock it; `copy` is where its second copy is.

        `key` is where the table's private key lies (None: beside the folder), never in the folder.

        `thread` makes what carries out the writing, `writer` what writes to the files; `draw`
        gives so many random bytes.
        Raises `JournalBusy` if another service has it, `JournalError` if it cannot be used, or if
        its second copy proves that it lost something (`copy_check`), or the key that it is gone.
        """
        self.folder = folder.resolve()
        self.failed: str = ""
        self.on_failure: Callable[[str], None] | None = None
        self._writer: ChainWriter | None = None
        self._open_writer = writer
        self._draw = draw
        self._key = (key or default_key_path(self.folder)).resolve()
        if self._key.is_relative_to(self.folder):
            raise JournalError(
                f"the table's key {self._key} would lie in the record that it signs: name a place "
                "outside of it"
            )
        self._step = step
        self._lock = lock(self.folder)
        self._reader: ChainReader | None = None
        self._openings: Openings | None = None
        self._print_key = draw(PRINT_KEY_BYTES)
        self._lost: list[Opening] = []
        try:
            self._open_day()
            if copy is not None:
                check_copy(self.folder, self._reader, copy)
            self._check_key()
        except BaseException:
            self._let_go()
            raise
        self._replica = Replica(self.folder, copy) if copy else None
        self._thread = thread(self._carry_out)

    def _check_key(self) -> None:
        if self._reader is None:
            check_no_key(self.folder, self._key)

    def _open_day(self) -> None:
        """Open the newest day for reading, if there is one."""
        self._reader = open_newest(self.folder)
        self.head: Position = NOTHING.mark
        if self._reader is not None:
            self.head = self._reader.beginning.after
            beside = openings_path(self._reader.path)
            self._openings = Openings(beside, missing_is_damage=True)

    def _take_print_key(self, commitment: str) -> None:
        """Go on with the key of commands' digests that is on record, unless it is lost.

        Where it is, a command that is sent again is refused as another one: it acts once all the
        same.
        """
        if not commitment or self._openings is None:
            return
        if key := self._openings.print_key(commitment):
            self._print_key = key
        else:
            self._lost = [Opening(commitment, b"", "", "")]

    @property
    def print_commitment(self) -> str:
        """What commits to the key of commands' digests; a start puts it on record."""
        return print_commitment(self._print_key)

    def print_of(self, command: bytes) -> str:
        """The keyed digest of a command, for its cause: it tells no card that is in it."""
        return hmac.digest(self._print_key, command, "sha256").hex()[:PRINT_DIGITS]

    @property
    def day(self) -> str:
        """The label of the newest gaming day; empty where nothing is recorded."""
        return self._reader.beginning.label if self._reader else ""

    def opening(self, digest: str) -> Sealed | None:
        """The sealed card behind a commitment. Raises `JournalDamaged` if it is gone."""
        return self._openings.open(digest) if self._openings else None

    def records(self) -> Iterator[Record]:
        """Every record of the newest day, checked against chain and anchor; `head` is at the last.

        Raises `JournalDamaged` at the first row that does not hold, `RecordNewer`.
        """
        reader = self._reader
        if reader is None:
            return
        decoded = Decoded(self._openings)
        reader.check_pages()
        try:
            for _, record in decoded_rows(reader.path, reader.rows(), decoded):
                yield record
        finally:
            self.head = reader.head

    def recover(self) -> State | None:
        """The table's state, None if it is new: the newest day replayed.

        A roll-over that was cut off is gone on with. Raises `JournalDamaged`, `JournalError`.
        """
        state: State | None = None
        last: Record | None = None
        reader = self._reader
        if reader is not None:
            reader.check_pages()
            try:
                rows = replayed(reader.path, reader.rows(), Decoded(self._openings))
                for _, record, after in rows:
                    last, state = record, after
            finally:
                self.head = reader.head
        if state is not None:
            self._take_print_key(state.run.print_key)
        if state is None or last is None or not isinstance(last.fact, DayClosed):
            return state
        assert self._openings is not None
        opened = opening_record(state, last, self._openings)
        if failed := self._attempt(self._roll_over, [opened]):
            raise failed
        return evolve(state, opened)

    def begin(self, records: Sequence[Record]) -> Commit:
        """Have `records` written as one, and return at once.

        Where they close a gaming day, the next one is open then, too. Once a commit has failed the
        journal takes nothing more.
        """
        commit = Commit(records, asyncio.get_running_loop())
        self._thread.submit(commit)
        return commit

    def is_written(self, commit: Commit) -> bool:
        """Whether it is on the disk, as soon as a fast disk has it. Raises `JournalError`."""
        return commit.done_within(self._thread.patience_s)

    async def append(self, records: Sequence[Record]) -> None:
        """Write `records` as one; returns when they are on the disk. Raises `JournalError`."""
        commit = self.begin(records)
        if not self.is_written(commit):
            await commit.wait()

    def _carry_out(self, commit: Commit) -> Iterator[None]:
        try:
            failed = self._attempt(self._commit, commit.records)
        except BaseException as defect:
            commit.notify(defect)  # the thread ends; whoever waits must not wait for ever
            raise
        commit.notify(failed)
        yield  # from here on the table may act on it, while the anchor is written
        if commit.records and not failed and (failed := self._attempt(self._anchor)):
            commit.loop.call_soon_threadsafe(self._notify_failure, str(failed))

    def copy_problem(self) -> Message | None:
        """What is wrong with the second copy, and what to do; None if nothing is, or none is."""
        return self._replica.problem(self.head.seq) if self._replica else None

    def _notify_failure(self, why: str) -> None:
        if self.on_failure:
            self.on_failure(why)

    def write(self, records: Sequence[Record]) -> None:
        """`append`, in the calling thread; returns when the anchor is on the disk, too."""
        failed = self._attempt(self._commit, records)
        if records and not failed:
            failed = self._attempt(self._anchor)
        if failed:
            raise failed

    def _attempt(self, what: Callable[..., None], *arguments: object) -> JournalError | None:
        """Do it; what kept it from being done, if anything. The first failure is the last try."""
        if self.failed:
            return JournalError(self.failed)
        try:
            what(*arguments)
        except JournalError as error:
            return error
        except (sqlite3.Error, OSError) as error:
            self.failed = (
                f"the record {self.folder} could not be written ({error}): check the disk, "
                "then start the service again"
            )
            return JournalError(self.failed)
        return None

    def _commit(self, records: Sequence[Record]) -> None:
        if not records:
            return
        closed = next(
            (at for at, each in enumerate(records) if isinstance(each.fact, DayClosed)), -1
        )
        if closed >= 0:
            self._close_day(records[: closed + 1], records[closed + 1 :])
            return
        if self._writer is None:
            self._writer = self._begin(records)
            self._writer.add((), [print_opening(self._print_key)])
            finish_days(self.folder, self._key, self._step)
        self._writer.add(rows_of(records, self.head), openings_of(records))
        self.head = self._writer.head

    def _begin(self, records: Sequence[Record]) -> ChainWriter:
        """The writer of the newest day, or of a new record's first one."""
        with_day = self._reader is not None and self._reader.last().seq > 0
        if with_day and self._reader is not None:
            beginning = self._reader.beginning
        else:
            if self._reader is not None:  # it was begun as the power failed: nothing is in it
                for each in files_of(self._reader.path):
                    each.unlink(missing_ok=True)
            identity = self._draw(IDENTITY_BYTES)
            self.head = genesis(identity)
            beginning = Beginning(identity, _first_label(records), self.head)
        return self._open_writer(self.folder, beginning, self.head)

    # -- the roll-over (controller.record.days.gaming_day) --

    def _close_day(self, last: Sequence[Record], opening: Sequence[Record]) -> None:
        """Close the day and open the next one. Not a moment before is anything of it written."""
        assert self._writer is not None
        opened = opening[0].fact
        assert isinstance(opened, DayOpened)
        assert opened.carried is not None
        path = self._writer.path
        if self._reader is not None:
            self._reader.close()
        with (
            closing(ChainReader(path)) as reader,
            closing(Openings(openings_path(path), missing_is_damage=True)) as openings,
        ):
            check_carried(reader, openings, last, opened.carried)
        self._writer.add(rows_of(last, self.head), openings_of((*last, *opening)))
        self.head = self._writer.head
        self._step("day closed")
        self._writer.mark()
        self._step("closed day anchored")
        self._roll_over(opening)

    def _roll_over(self, opening: Sequence[Record]) -> None:
        """Open the day after the newest, which is closed and on the disk; `head` is its last."""
        before = self._writer.beginning if self._writer else None
        if before is None:
            assert self._reader is not None
            before = self._reader.beginning
        if self._writer is None:
            # What a cut left is written again before it is built upon (`ChainWriter`).
            self._writer = self._open_writer(self.folder, before, self.head)
        opened = [*openings_of(opening), print_opening(self._print_key), *self._lost]
        beginning = open_next(self.folder, before, self.head, opening, opened, self._step)
        self._writer.close()
        self._writer = None
        for each in (self._reader, self._openings):
            if each is not None:
                each.close()
        rows = rows_of(opening, self.head)
        self.head = Position(rows[-1].seq, rows[-1].hash)
        self._writer = self._open_writer(self.folder, beginning, self.head)
        self._step("next day anchored")
        self._open_day_again()
        finish_days(self.folder, self._key, self._step)

    def _open_day_again(self) -> None:
        head = self.head
        self._open_day()
        self.head = head

    def _anchor(self) -> None:
        assert self._writer is not None
        self._writer.mark()
        if self._replica:
            self._replica.wake()

    async def ping(self) -> None:
        """Returns when the writing thread has nothing before this: it runs."""
        await self.append(())

    def close(self) -> None:
        """Finish what is being written and let go of the record; safe to call twice."""
        if self._lock < 0:
            return
        self._thread.close()
        if self._replica:
            self._replica.close()
        self._let_go()

    def _let_go(self) -> None:
        try:
            for each in (self._reader, self._openings):
                if each is not None:
                    each.close()
            if self._writer is not None:
                self._writer.close(failed=bool(self.failed))
        finally:
            os.close(self._lock)
            self._lock = -1


def _first_label(records: Sequence[Record]) -> str:
    """The first day's label: as it was opened; at a table without a calendar its date in UTC."""
    for record in records:
        if isinstance(record.fact, DayOpened):
            return record.fact.label
    return datetime.fromtimestamp(records[0].at_ms / 1000, UTC).date().isoformat()
