"""The second copy: another record, on another device, kept in step by a thread of its own.

Nothing is held in memory: what the copy lacks is read from the record itself, day by day, checked
against the chain, and added. So it is bounded, however long the other device was away, and a
damaged record is never copied over a whole copy. The table never waits for it.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event, Thread
from typing import Final

from controller.host.defects import report
from controller.record.codec import commitments_in
from controller.record.copies.copy_check import CopyAhead, CopyApart, check_copy
from controller.record.files.chain_store import ChainReader, Row, open_newest
from controller.record.files.database import (
    READ_ONLY,
    JournalBusy,
    JournalDamaged,
    JournalError,
    RecordNewer,
    copy_small,
)
from controller.record.files.day_files import (
    DayFile,
    day_files,
    day_path,
    new_path,
    openings_path,
    signature_path,
)
from controller.record.files.day_writer import ChainWriter, make_day
from controller.record.files.folder_lock import lock
from controller.record.files.head_anchor import NOTHING, Head, read_anchor, sync_folder
from controller.record.files.openings import Opening, Openings
from controller.record.files.span import Span
from controller.record.reading.replay import Decoded, decoded_rows
from controller.rules.messages import Message, message

log = logging.getLogger(__name__)

#: Records that are written as one; no more of a journal is in memory.
BATCH: Final = 1_000
#: Commits that come within this time are copied together.
GATHER_S: Final = 0.5
#: A copy that failed is tried again this often.
RETRY_S: Final = 30.0
#: A copy that lacks more than this is reported as behind.
BEHIND_RECORDS: Final = 1_000


def pour(path: Path, rows: Iterator[Row], openings: Openings, writer: ChainWriter) -> None:
    """Add rows of the day at `path`, and what opens their commitments, in bounded commits.

    An opening that is lost is written down as lost. Raises `JournalDamaged` from rows and openings,
    and `RecordNewer`: which openings belong to a record of newer software is not known.
    """
    batch: list[Row] = []
    opened: list[Opening] = []
    for row, record in decoded_rows(path, rows, Decoded()):
        batch.append(row)
        for digest in commitments_in(record):
            opened.append(openings.row(digest) or Opening(digest, b"", "", ""))
        if len(batch) >= BATCH:
            writer.add(batch, opened)
            batch, opened = [], []
    writer.add(batch, opened)


def pour_day(reader: ChainReader, writer: ChainWriter, *, strict: bool = True) -> None:
    """Add what `writer`'s day lacks of the same day in `reader`, openings included.

    `strict`: an opening that is gone is damage. Raises `JournalDamaged`.
    """
    beside = openings_path(reader.path)
    with closing(Openings(beside, missing_is_damage=strict)) as openings:
        pour(reader.path, reader.rows(writer.head), openings, writer)


def finish_copy(source: Path, day: Path, *, read_only: bool = True) -> None:
    """A day was copied from `source` to `day`: its signature and its mode come along.

    `read_only`: the mode, too, which the newest day of a record never has. One that is not signed
    yet stays as it is until it is asked again.
    """
    if day.stat().st_mode & 0o777 == READ_ONLY or not signature_path(source).exists():
        return
    part = new_path(signature_path(day))
    copy_small(signature_path(source), part)
    os.replace(part, signature_path(day))
    sync_folder(day.parent)
    for each in (openings_path(day), day) if read_only else ():
        each.chmod(READ_ONLY)


class Replica:
    """Keeps the record at `copy` in step with the one at `record`."""

    def __init__(self, record: Path, copy: Path) -> None:
        self._record = record
        self._copy = copy
        self._failed: Message | None = None
        self._copied = 0
        self._more = Event()
        self._end = Event()
        self._thread = Thread(target=self._run, name="second copy", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """There is more to be copied."""
        self._more.set()

    def problem(self, seq: int) -> Message | None:
        """What is wrong with the copy, and what to do; None if nothing is.

        `seq` is the last record of the table.
        """
        if self._failed:
            return self._failed
        behind = seq - self._copied
        if behind > BEHIND_RECORDS:
            return message("second-copy-behind", copy=str(self._copy), records=behind)
        return None

    def close(self) -> None:
        """Copy what is there, and end."""
        self._end.set()
        self._more.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self._more.wait(RETRY_S if self._failed else None)
            self._more.clear()
            try:
                self._keep_up()
            except (JournalError, sqlite3.Error, OSError) as error:
                if not self._failed:
                    log.warning("the second copy %s failed: %s", self._copy, str(error))
                self._failed = self._failure(error)
                self._end.wait(GATHER_S)
            except Exception as error:  # noqa: BLE001  (whatever it is, the copy is tried again)
                # A thread that ended would say nothing of it, and the copy would stay as it is.
                if not self._failed:
                    report(f"the second copy {self._copy} failed", error)
                kind = type(error).__name__
                self._failed = message("second-copy-failed", copy=str(self._copy), detail=kind)
                self._end.wait(GATHER_S)
            if self._end.is_set():
                return

    def _failure(self, error: Exception) -> Message:
        """What is shown; what the record's own errors say in full stands in the log."""
        copy, folder = str(self._copy), self._copy.parent
        if not folder.is_dir():
            return message("second-copy-device-absent", folder=str(folder))
        if isinstance(error, OSError) and error.strerror:
            return message("second-copy-cannot-be-written", copy=copy, detail=error.strerror)
        if isinstance(error, CopyAhead | CopyApart):
            day, seq = error.copied.day, error.copied.mark.seq
            if isinstance(error, CopyAhead):
                return message("second-copy-ahead", copy=copy, day=day, record=seq)
            return message("second-copy-of-another-history", copy=copy, day=day, record=seq)
        if isinstance(error, JournalBusy):
            return message("second-copy-in-use", copy=copy)
        if isinstance(error, RecordNewer):
            return message("second-copy-newer", copy=copy)
        if isinstance(error, JournalDamaged):
            path = str(error.path)
            if error.path.is_relative_to(self._copy):
                return message("second-copy-damaged", path=path)
            return message("second-copy-of-damaged-record", copy=copy, path=path)
        return message("second-copy-failed", copy=copy, detail=str(error))

    def _keep_up(self) -> None:
        """Hold the copy, and add what comes, until the end."""
        with ExitStack() as stack:
            if not self._copy.parent.is_dir():
                raise JournalError(f"{self._copy.parent} is not there: plug its device in")
            held = lock(self._copy)
            stack.callback(held.close)
            copied = _Copied(self._record, self._copy)
            failed = True
            stack.callback(lambda: copied.close(failed=failed))
            self._copied = copied.catch_up()
            self._failed = None
            while not self._end.is_set():
                self._more.wait()
                self._end.wait(GATHER_S)
                self._more.clear()
                if not held.is_of(self._copy):
                    # What is written to it goes where nobody looks for it.
                    raise JournalError(f"{self._copy} is on another device now: it is begun anew")
                self._copied = copied.catch_up()
            self._copied = copied.catch_up()
            failed = False


class _Copied:
    """The copy while it is held: the day that is being written, and those before it."""

    def __init__(self, record: Path, copy: Path) -> None:
        self._record = record
        self._copy = copy
        self._writer: ChainWriter | None = None

    def catch_up(self) -> int:
        """Add what the copy lacks; the number of its last record."""
        if not day_files(self._record):
            return 0
        writer = self._writer
        if writer is None:
            writer = self._writer = self._opened()
        while True:
            before = writer.head
            span = Span(self._record)
            day = DayFile(writer.beginning.label, day_path(self._record, writer.beginning.label))
            if day not in span.days:
                raise JournalError(
                    f"the gaming day {day.label} was taken away before it was copied: put it back"
                    " from the archive, or begin a new second copy"
                )
            with closing(span.reader(day)) as reader:
                pour_day(reader, writer)
            if writer.head != before:
                writer.mark()
            at = span.days.index(day)
            for each in span.days[:at]:
                if (copied := day_path(self._copy, each.label)).exists():
                    finish_copy(each.path, copied)
            later = span.days[at + 1 :]
            if not later:
                return writer.head.seq
            writer = self._next(writer, later[0])

    def _next(self, writer: ChainWriter, after: DayFile) -> ChainWriter:
        """The day is copied to its end: go on with the one after it."""
        head = writer.head
        writer.close()
        self._writer = None
        with closing(ChainReader(after.path)) as reader:
            beginning = reader.beginning
        make_day(self._copy, beginning)
        self._writer = ChainWriter(self._copy, beginning, head)
        return self._writer

    def _opened(self) -> ChainWriter:
        """The copy, opened where it ends; its last record must be one of the record's."""
        span = Span(self._record)
        copied = open_newest(self._copy)
        if copied is not None and copied.last().seq == 0:
            copied.close()  # begun, and nothing was copied: it is begun anew
            copied = None
        if copied is None:
            with closing(ChainReader(span.days[0].path)) as first:
                beginning = first.beginning
            return ChainWriter(self._copy, beginning, beginning.after)
        with closing(copied):
            head = copied.last()
            anchored = read_anchor(self._copy) or NOTHING
            if head.seq < anchored.mark.seq:
                lost = f"records {head.seq + 1} to {anchored.mark.seq} of it are gone"
                raise JournalDamaged(copied.path, lost, head.seq)
            with closing(span.reader(span.days[-1])) as newest:
                check_copy(self._record, newest, self._copy)
            day = day_path(self._record, copied.beginning.label)
            if day.exists():
                with closing(ChainReader(day)) as same:
                    if same.beginning != copied.beginning or not same.holds(head):
                        has = Head(same.beginning.label, same.last())
                        copied_head = Head(copied.beginning.label, head)
                        raise CopyApart(self._record, has, self._copy, copied_head)
            return ChainWriter(self._copy, copied.beginning, head)

    def close(self, *, failed: bool) -> None:
        """Close the copy; after a failure without another write to it."""
        if self._writer is not None:
            self._writer.close(failed=failed)
            self._writer = None
