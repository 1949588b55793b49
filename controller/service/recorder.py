"""What the table decided, written down: the journal as the loop uses it, and its figures."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from controller.record.commit import Commit
from controller.record.fact_kinds import KINDS
from controller.record.journal import Journal, JournalError
from controller.record.newest_rows import NewestRows
from controller.rules.frozen import frozen
from controller.rules.messages import Message
from controller.table.facts import Record
from controller.table.state.state import State

#: A commit that takes longer shows SAFE until it is done.
SLOW_COMMIT_S: Final = 1.0


def _everything() -> None:
    """Every fact may be written."""


@frozen
class RecordSettings:
    """Where the record is kept: `copy` is its second copy's folder, None where there is none.

    `key` is the table's private key; None: beside the folder. `only` are the facts that may be
    written, by kind and version, while new software is tried; None: all.
    """

    folder: Path
    copy: Path | None = None
    key: Path | None = None
    only: Callable[[], frozenset[str] | None] = _everything


def open_journal(settings: RecordSettings) -> Journal:
    """Open the record. Raises `JournalBusy`, `JournalError`."""
    return Journal(settings.folder, settings.copy, key=settings.key)


def _refuse_others(records: Sequence[Record], only: frozenset[str]) -> None:
    for each in records:
        name = KINDS.names[type(each.fact)]
        if name not in only:
            raise JournalError(
                f"{name} cannot be read by the release before, should it come back: wait until the "
                "update is confirmed"
            )


OpenJournal = Callable[[RecordSettings], Journal]


class Recorder:
    """The journal of a running table. `records`, `commit_s_sum` and `commit_s_max` are figures;
    `newest_rows` is what it wrote last, for whoever mirrors it.
    """

    def __init__(self, settings: RecordSettings, open_: OpenJournal = open_journal) -> None:
        self.settings = settings
        self._open = open_
        self.journal: Journal | None = None
        self.newest_rows = NewestRows()
        self.records = 0
        self.commit_s_sum = 0.0
        self.commit_s_max = 0.0

    def recover(self, on_failure: Callable[[str], None]) -> State | None:
        """Open the record and replay the newest day; None for a new table.

        `on_failure` is called with a failure that no commit waits for. Raises `JournalBusy`, and
        whatever else a record that cannot be trusted leads to.
        """
        self.journal = self._open(self.settings)
        self.journal.on_failure = on_failure
        self.newest_rows.add(())  # what another journal wrote before is on the disk
        self.journal.on_written = self.newest_rows.add
        return self.journal.recover()

    def begin(self, records: Sequence[Record]) -> Commit:
        """Have the records written as one, and return at once. Raises `JournalError`."""
        if (only := self.settings.only()) is not None:
            _refuse_others(records, only)
        return self._opened().begin(records)

    def is_written(self, commit: Commit) -> bool:
        """Whether it is on the disk, as soon as a fast disk has it. Raises `JournalError`."""
        if not self._opened().is_written(commit):
            return False
        self.count(commit)
        return True

    async def written(self, commit: Commit, slow: Callable[[], None]) -> None:
        """Returns when it is on the disk; `slow` is called when that takes long.

        Raises `JournalError`.
        """
        if self.is_written(commit):
            return
        timer = asyncio.get_running_loop().call_later(SLOW_COMMIT_S, slow)
        try:
            await commit.wait()
        finally:
            timer.cancel()
        self.count(commit)

    def _opened(self) -> Journal:
        if self.journal is None:
            raise JournalError("the record is not open: see the service's log for why")
        return self.journal

    def count(self, commit: Commit) -> None:
        """Add a commit that is on the disk to the figures."""
        took_s = time.perf_counter() - commit.began_s
        self.records += len(commit.records)
        self.commit_s_sum += took_s
        self.commit_s_max = max(self.commit_s_max, took_s)

    def print_of(self, command: bytes) -> str:
        """The keyed digest of a command. Raises `JournalError`."""
        return self._opened().prints.of(command)

    @property
    def print_commitment(self) -> str:
        """What commits to the key of commands' digests. Raises `JournalError`."""
        return self._opened().prints.commitment

    async def ping(self) -> None:
        """Returns when the journal's thread has shown that it runs."""
        if self.journal is not None:
            await self.journal.ping()

    def copy_problem(self) -> Message | None:
        """What is wrong with the second copy; None if nothing is, or none is."""
        return self.journal.copy_problem() if self.journal else None

    def close(self) -> None:
        """Close the record; safe to call twice."""
        if self.journal is not None:
            self.journal.close()
            self.journal = None
