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
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from controller.record.command_prints import CommandPrints
from controller.record.commit import Commit
from controller.record.copies.copy_check import check_copy
from controller.record.copies.replica import Replica
from controller.record.files.chain_store import Row
from controller.record.files.database import (
    BUSY_TIMEOUT_S,
    JournalBusy,
    JournalDamaged,
    JournalError,
)
from controller.record.files.day_writer import ChainWriter, Step, no_step
from controller.record.files.folder_lock import FolderLock, lock
from controller.record.files.head_anchor import Position
from controller.record.files.signing import check_no_key, default_key_path
from controller.record.newest_day import NewestDay, OpenWriter
from controller.record.writer_thread import Idle, JobQueue, Work, WriterThread
from controller.rules.messages import Message
from controller.table.evolve.evolve import evolve
from controller.table.facts import DayClosed, Record
from controller.table.state.state import State

__all__ = ["BUSY_TIMEOUT_S", "Journal", "JournalBusy", "JournalDamaged", "JournalError"]

#: So many records are read back at once while nothing is to be written: some 0.2 ms on a PC, 1 ms
#: on a Raspberry Pi, which a card that comes just then waits.
FOLLOW_RECORDS: Final = 5
#: Where the writing leaves no time for that, so many may be left before time is taken for it.
BEHIND_MAX: Final = 500


class Journal:
    """An open record; one service has it at a time.

    `append` writes by a thread of its own, so that
    a slow disk never stops the loop. `on_failure` is called, in the loop, with a failure that
    nobody waits for; `on_written`, in the writing thread and before anybody acts on them, with the
    rows of each commit: none where what the disk holds has to be read, after a roll-over or a
    failure. `step` is called between the writes of a roll-over (`day_writer.Step`).
    `newest_day` is what is read and written; while the thread runs it is the thread's.
    """

    def __init__(
        self,
        folder: Path,
        copy: Path | None = None,
        *,
        key: Path | None = None,
        thread: Callable[[Work[Commit], Idle], JobQueue[Commit]] = WriterThread,
        writer: OpenWriter = ChainWriter,
        draw: Callable[[int], bytes] = os.urandom,
        step: Step = no_step,
    ) -> None:
        """Open or create the record in `folder`, and lock it; `copy` is where its second copy is.

        `key` is where the table's private key lies (None: beside the folder), never in the folder.

        `thread` makes what carries out the writing, `writer` what writes to the files; `draw`
        gives that number of random bytes.
        Raises `JournalBusy` if another service has it, `JournalError` if it cannot be used, or if
        its second copy proves that it lost something (`copy_check`), or the key that it is gone.
        """
        if folder.is_symlink() and not folder.exists():
            raise JournalError(
                f"{folder} is a symbolic link, and what it leads to is not there: mount the disk "
                "that the record lies on, or put the link right"
            )
        self.folder = folder.resolve()
        self.failed: str = ""
        self.on_failure: Callable[[str], None] | None = None
        self.on_written: Callable[[Sequence[Row]], None] | None = None
        key = (key or default_key_path(folder)).resolve()
        if key.is_relative_to(self.folder):
            raise JournalError(
                f"the table's key {key} would lie in the record that it signs: name a place "
                "outside of it"
            )
        self._lock: FolderLock | None = lock(self.folder)
        with ExitStack() as unless_open:
            unless_open.callback(self._unlock)
            self.newest_day = day = NewestDay(
                self.folder, key, open_writer=writer, draw=draw, step=step
            )
            unless_open.callback(day.close)
            if copy is not None:
                check_copy(self.folder, day.reader, copy)
            if day.reader is None:
                check_no_key(self.folder, key)
            unless_open.pop_all()
        self._replica = Replica(self.folder, copy) if copy else None
        self._thread = thread(self._carry_out, self._follow)

    @property
    def head(self) -> Position:
        """The number and hash of the last row."""
        return self.newest_day.head

    @property
    def prints(self) -> CommandPrints:
        """Digests of commands."""
        return self.newest_day.prints

    @property
    def day(self) -> str:
        """The label of the newest gaming day; empty where nothing is recorded."""
        return self.newest_day.label

    def recover(self) -> State | None:
        """The table's state, None if it is new: the newest day replayed.

        A roll-over that was cut off is completed. Raises `JournalDamaged`, `JournalError`.
        """
        state, last = self.newest_day.replay()
        if state is None or last is None or not isinstance(last.fact, DayClosed):
            return state
        opened = self.newest_day.opening_after(state, last)
        if failed := self._attempt(self.newest_day.roll_over, [opened]):
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
            failed = self._attempt(self._add, commit.records)
        except BaseException as defect:
            commit.notify(defect)  # the thread ends; whoever waits must not wait for ever
            raise
        commit.notify(failed)
        yield  # from here on the table may act on it, while the anchor is written
        if commit.records and not failed and (failed := self._attempt(self._anchor)):
            commit.loop.call_soon_threadsafe(self._notify_failure, str(failed))
        if not self.failed and self.newest_day.behind > BEHIND_MAX:
            self.newest_day.follow(len(commit.records) + FOLLOW_RECORDS)

    def _follow(self) -> bool:
        """Read a few records back from the day's file, so that its close is short."""
        return not self.failed and self.newest_day.follow(FOLLOW_RECORDS)

    def copy_problem(self) -> Message | None:
        """What is wrong with the second copy, and what to do; None if nothing is, or none is."""
        return self._replica.problem(self.head.seq) if self._replica else None

    def _notify_failure(self, why: str) -> None:
        if self.on_failure:
            self.on_failure(why)

    def write(self, records: Sequence[Record]) -> None:
        """`append`, in the calling thread; returns when the anchor is on the disk, too."""
        failed = self._attempt(self._add, records)
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

    def _add(self, records: Sequence[Record]) -> None:
        if not records:
            return
        rows: Sequence[Row] = ()
        try:
            rows = self.newest_day.add(records)
        finally:
            if self.on_written:
                self.on_written(rows)

    def _anchor(self) -> None:
        self.newest_day.mark()
        if self._replica:
            self._replica.wake()

    async def ping(self) -> None:
        """Returns when the writing thread has nothing before this: it runs."""
        await self.append(())

    def close(self) -> None:
        """Finish what is being written and close the record; safe to call twice."""
        if self._lock is None:
            return
        self._thread.close()
        if self._replica:
            self._replica.close()
        try:
            self.newest_day.close(failed=bool(self.failed))
        finally:
            self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
        self._lock = None
