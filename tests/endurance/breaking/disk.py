"""The disk below the journal: SQLite's real files in memory, and what a disk may do to a write.

Real files on a memory file system carry SQLite, its log, the openings and the anchor. What is
simulated is what lies below: each write is known as it was before and after, so that a power cut
in it leaves any mixture of its sectors, in the order that the syncs allow. A killed process
leaves the files as they are at that moment.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from random import Random
from typing import Final

from controller.record.files.chain_store import Beginning, Row
from controller.record.files.database import wal_path
from controller.record.files.day_files import openings_path
from controller.record.files.day_writer import ChainWriter
from controller.record.files.head_anchor import Position, anchor_path
from controller.record.files.openings import Opening
from controller.record.journal import Journal
from controller.record.writer_thread import Idle, Work
from controller.service.recorder import RecordSettings
from tests.endurance.breaking.loop import Dead, LoopProcess, VirtualLoop

JOURNAL: Final = "record"
SECTOR: Final = 512
#: A commit on a good card, in seconds, from and to.
COMMIT_S: Final = (0.002, 0.009)


class WriteTrouble(Enum):
    """What a disk does to one write; the value is its name in reports."""

    KILLED_BEFORE = "killed before a write"
    KILLED_AFTER = "killed after a write"
    POWER_CUT = "power cut in a write"
    EIO = "write fails"
    EIO_LATE = "sync fails"
    FULL = "disk full"
    READ_ONLY = "disk read-only"
    STALL = "disk stalls"


#: These end the service at once; after the others it stops the table by itself, or goes on.
DEADLY: Final = (WriteTrouble.KILLED_BEFORE, WriteTrouble.KILLED_AFTER, WriteTrouble.POWER_CUT)
STALL_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Due:
    """A trouble, and how many writes from now it comes."""

    trouble: WriteTrouble
    writes: int


class FaultyDisk:
    """The disk of one table. `killed` is called where the service dies in a write.

    `stalls` tells how long the hand that writes is held up by the next job.
    """

    def __init__(self, root: Path, chance: Random, killed: Callable[[], None]) -> None:
        self._root = root
        self._chance = chance
        self._killed = killed
        self._lives = 0
        self._due: Due | None = None
        self._stall_s = 0.0
        self.met: WriteTrouble | None = None
        self.folder = root / "0"
        self.folder.mkdir(parents=True)

    @property
    def journal(self) -> Path:
        """Where the journal is in this life of the machine."""
        return self.folder / JOURNAL

    def plan(self, due: Due | None) -> None:
        """Let a trouble come; None: the disk is whole again."""
        self.met = None
        self._due = due
        if due is not None and due.trouble is WriteTrouble.STALL:
            self._due, self._stall_s = None, STALL_S

    def take_s(self) -> float:
        """How long the next job takes."""
        stalled, self._stall_s = self._stall_s, 0.0
        return stalled + self._chance.uniform(*COMMIT_S)

    def survive(self) -> None:
        """What is on the disk now is what the next life of the service finds.

        The files are copied: the killed process has its own open, and its hands are tied.
        """
        self._lives += 1
        after = self._root / str(self._lives)
        left = shutil.ignore_patterns("*-shm", "lock", ".probe")
        shutil.copytree(self.folder, after, ignore=left)
        self.folder = after

    def forget(self, folder: Path) -> None:
        """Take the files of an earlier life away."""
        shutil.rmtree(folder)

    # Below a write

    def write(self, files: Sequence[Path], do: Callable[[], None]) -> None:
        """One write that is durable when it returns, and whatever becomes of it today."""
        due = self._due
        if due is not None and due.writes > 0:
            self._due, due = Due(due.trouble, due.writes - 1), None
        if due is None:
            do()
            return
        trouble = self.met = due.trouble
        if trouble in DEADLY:
            self._due = None
        if trouble is WriteTrouble.POWER_CUT:
            self._cut(files, do)
        elif trouble is WriteTrouble.KILLED_AFTER:
            do()
        if trouble in DEADLY:
            self._killed()
            raise Dead
        if trouble is WriteTrouble.EIO_LATE:
            do()
        raise self._error(trouble, files)

    def _error(self, trouble: WriteTrouble, files: Sequence[Path]) -> Exception:
        number, text = {
            WriteTrouble.FULL: (errno.ENOSPC, "database or disk is full"),
            WriteTrouble.READ_ONLY: (errno.EROFS, "attempt to write a readonly database"),
        }.get(trouble, (errno.EIO, "disk I/O error"))
        if anchor_path(self.journal) in files:
            return OSError(number, os.strerror(number))
        return sqlite3.OperationalError(text)

    def _cut(self, files: Sequence[Path], do: Callable[[], None]) -> None:
        """The power goes in the write: any of its sectors came to the disk, in any order.

        SQLite syncs its log before it writes what is in it to the base; that order holds.
        """
        before = {each: _content(each) for each in files}
        do()
        after = {each: _content(each) for each in files}
        logs = [each for each in files if each.name.endswith("-wal")]
        bases = [each for each in files if each not in logs]
        settled = logs and any(before[each] != after[each] for each in bases)
        if settled and self._chance.random() < 0.5:
            mixed = bases
        else:
            mixed = logs or bases
            for each in bases if logs else ():
                _put(each, before[each])
        for each in mixed:
            _put(each, self._mixture(before[each], after[each]))

    def _mixture(self, before: bytes, after: bytes) -> bytes:
        """Of each sector the old content or the new one; the file is as long as it came to be."""
        if before == after:
            return after
        share = self._chance.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        longest = max(len(before), len(after))
        length = self._chance.choice((len(before), len(after), longest))
        found = bytearray()
        for at in range(0, length, SECTOR):
            new = self._chance.random() < share
            size = min(SECTOR, length - at)
            found += (after if new else before)[at : at + size].ljust(size, b"\0")
        return bytes(found)


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _put(path: Path, content: bytes) -> None:
    if content or path.exists():
        path.write_bytes(content)


class DiskWriter(ChainWriter):
    """The record's writer on this disk: openings, rows and anchor are a write each."""

    def __init__(
        self, folder: Path, beginning: Beginning, head: Position, disk: FaultyDisk
    ) -> None:
        self._disk = disk
        super().__init__(folder, beginning, head)
        for base in (self.base, self.openings):
            # A memory file system has nothing to sync to; what lies below is simulated.
            base.execute("PRAGMA synchronous=OFF")

    def add(self, rows: Sequence[Row], openings: Sequence[Opening] = ()) -> None:
        """Write openings, then rows."""
        add = super().add
        beside = openings_path(self.path)
        if openings:
            self._disk.write((beside, wal_path(beside)), lambda: add((), openings))
        if rows:
            self._disk.write((self.path, wal_path(self.path)), lambda: add(rows))

    def mark(self) -> None:
        """Anchor the last record."""
        self._disk.write((anchor_path(self.path.parent),), super().mark)


class LoopQueue:
    """Does on the loop what a thread does beside it, one job after the other, in virtual time."""

    patience_s = 0.0  # nobody may block: the jobs are done on the caller's own thread

    def __init__(
        self,
        work: Work[object],
        idle: Idle,
        loop: VirtualLoop,
        disk: FaultyDisk,
        process: LoopProcess,
    ) -> None:
        self._process = process
        self._work = work
        self._idle = idle
        self._loop = loop
        self._disk = disk
        self._jobs: list[object] = []
        self._doing: Iterator[None] | None = None

    def submit(self, job: object) -> None:
        """Take a job; it is begun when those before it are done."""
        self._jobs.append(job)
        if self._doing is None:
            self._next()

    def _next(self) -> None:
        self._doing = None
        if self._jobs:
            self._doing = self._work(self._jobs.pop(0))
            self._loop.call_later(self._disk.take_s(), self._step)

    def _step(self) -> None:
        if self._doing is None:
            return  # closed meanwhile: all was done then
        try:
            next(self._doing)
        except StopIteration:
            self._idle()
            self._next()
        else:
            self._loop.call_later(self._disk.take_s(), self._step)

    def close(self) -> None:
        """Finish the jobs taken, at once; a killed process finishes nothing."""
        while self._process.alive and self._doing is not None:
            for _ in self._doing:
                continue
            self._doing = self._work(self._jobs.pop(0)) if self._jobs else None


def opened(
    disk: FaultyDisk, loop: VirtualLoop, process: LoopProcess, draw: Callable[[int], bytes]
) -> Callable[[RecordSettings], Journal]:
    """How the service opens its record on this disk."""

    def open_journal(settings: RecordSettings) -> Journal:
        return Journal(
            settings.folder,
            thread=lambda work, idle: LoopQueue(work, idle, loop, disk, process),  # type: ignore[arg-type]
            writer=lambda folder, begins, head: DiskWriter(folder, begins, head, disk),
            draw=draw,
        )

    return open_journal
