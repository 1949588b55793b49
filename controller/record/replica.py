"""The second copy: another journal, on another device, kept in step by a thread of its own.

The copier holds nothing in memory: it reads what the copy lacks from the journal itself, checks it
against the chain, and adds it. So it is bounded, however long the other device was away, and a
damaged journal is never copied over a whole copy. The table never waits for it.
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

from controller.record.chain_store import Reader, Row, Writer
from controller.record.codec import Decoder, sealed_in
from controller.record.database import JournalError, lock
from controller.record.head_anchor import START, read_anchor
from controller.record.openings import Opening, Openings

log = logging.getLogger(__name__)

#: Records that are written as one; no more of a journal is in memory.
BATCH: Final = 1_000
#: Commits that come within this time are copied together.
GATHER_S: Final = 0.5
#: A copy that failed is tried again so often.
RETRY_S: Final = 30.0
#: A copy that lacks more than this is told to be behind.
BEHIND_RECORDS: Final = 1_000


def pour(rows: Iterator[Row], openings: Openings, writer: Writer) -> None:
    """Add rows, and what opens their sealed cards, in bounded commits.

    An opening that is lost is written down as lost. Raises `JournalDamaged` from rows and openings.
    """
    decode = Decoder(lambda _: None).decode
    batch: list[Row] = []
    opened: list[Opening] = []
    for row in rows:
        batch.append(row)
        seal = sealed_in(decode(row.seq, row.version, row.body))
        if seal is not None and (digest := seal.digest):
            opened.append(openings.row(digest) or Opening(digest, b"", "", ""))
        if len(batch) >= BATCH:
            writer.add(batch, opened)
            batch, opened = [], []
    writer.add(batch, opened)


class Copier:
    """Keeps the journal at `copy` in step with the one at `journal`; the folder must be there."""

    def __init__(self, journal: Path, copy: Path) -> None:
        self._journal = journal
        self._copy = copy
        self._failed = ""
        self._head = 0
        self._more = Event()
        self._end = Event()
        self._thread = Thread(target=self._run, name="second copy", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """There is more to be copied."""
        self._more.set()

    def problem(self, journal_seq: int) -> str:
        """What is wrong with the copy, and what to do; empty if nothing is."""
        if self._failed:
            return f"{self._failed}. The table goes on without a second copy; it is tried again"
        behind = journal_seq - self._head
        if behind > BEHIND_RECORDS:
            return f"{self._copy} is {behind} records behind: its device is too slow"
        return ""

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
                self._failed = f"{self._copy} cannot be kept: {error}"
                self._end.wait(GATHER_S)
            if self._end.is_set():
                return

    def _keep_up(self) -> None:
        """Hold the copy, and add what comes, until the end."""
        with ExitStack() as stack:
            if not self._copy.parent.is_dir():
                raise JournalError(f"{self._copy.parent} is not there: plug its device in")
            stack.callback(os.close, lock(self._copy))
            writer = self._opened()
            failed = True
            stack.callback(lambda: writer.close(failed=failed))
            self._catch_up(writer)
            self._failed = ""
            while not self._end.is_set():
                self._more.wait()
                self._end.wait(GATHER_S)
                self._more.clear()
                self._catch_up(writer)
            self._catch_up(writer)
            failed = False

    def _opened(self) -> Writer:
        """The copy, opened where it ends; its last record must be one of the journal's."""
        with closing(Reader(self._copy)) as copy, closing(Reader(self._journal)) as journal:
            head = copy.last()
            anchored = read_anchor(self._copy) or START
            if head.seq < anchored.seq:
                raise JournalError(f"records {head.seq + 1} to {anchored.seq} of it are gone")
            if not journal.holds(head):
                raise JournalError("it holds another history: name another place for the copy")
        return Writer(self._copy, head)

    def _catch_up(self, writer: Writer) -> None:
        with closing(Reader(self._journal)) as reader:
            before = writer.head
            with closing(Openings(self._journal, missing_is_damage=True)) as openings:
                pour(reader.rows(before), openings, writer)
        if writer.head != before:
            writer.mark()
        self._head = writer.head.seq
