"""The checkpoint: a state of the table beside its journal, so that a long one starts at once.

A cache and nothing else. It is bound to its record by number and hash, to the software and to what
a state is made of; if anything disagrees it is left alone and every record is replayed. Where a
checkpoint is used, the chain is checked from its record on; all of it is by `tablectl verify`,
which also holds the checkpoint against the replay, as a service does in the background after each
start from one (`controller.record.recheck`). Short journals are always replayed.
"""

from __future__ import annotations

import hashlib
import logging
import os
from pathlib import Path
from threading import Thread
from typing import Final, NamedTuple

import msgspec

from controller import __version__
from controller.record.head_anchor import START, Mark, sync_folder
from controller.record.journal import Journal
from controller.record.snapshot import LAYOUT, SnapshotError, pack, unpack
from controller.table.evolve.evolve import evolve
from controller.table.state import State

log = logging.getLogger(__name__)

#: Below this a full replay takes no longer than a moment.
REPLAY_RECORDS: Final = 5_000
#: A checkpoint is written after so many records, and when the service stops.
EVERY_RECORDS: Final = 2_000
_MAGIC: Final = f"tablectl checkpoint 2 {__version__} {LAYOUT}\n".encode()


class Point(NamedTuple):
    """A checkpoint: the record that it stands at, and the packed state after it."""

    mark: Mark
    body: bytes


def checkpoint_path(journal: Path) -> Path:
    """The checkpoint's file beside a journal."""
    return journal.with_name(journal.name + ".checkpoint")


def write_checkpoint(journal: Path, mark: Mark, state: State) -> None:
    """Write the state after record `mark` over an older checkpoint.

    Raises `SnapshotError` for a state that cannot be kept, `OSError`.
    """
    content = msgspec.json.encode((mark.seq, mark.hash.hex(), msgspec.Raw(pack(state))))
    path = checkpoint_path(journal)
    part = path.with_name(path.name + ".part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    with os.fdopen(os.open(part, flags, 0o600), "wb") as file:
        file.write(_MAGIC + hashlib.sha256(content).digest() + content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
    sync_folder(path.parent)


def read_checkpoint(journal: Path) -> Point | None:
    """The checkpoint beside a journal; None if there is none, or none of this software."""
    try:
        content = checkpoint_path(journal).read_bytes()
    except OSError:
        return None
    size = len(_MAGIC)
    checksum, packed = content[size : size + 32], content[size + 32 :]
    if content[:size] != _MAGIC or hashlib.sha256(packed).digest() != checksum:
        return None
    seq, known, body = msgspec.json.decode(packed, type=tuple[int, str, msgspec.Raw])
    return Point(Mark(seq, bytes.fromhex(known)), bytes(body))


class Resumed(NamedTuple):
    """The state of a table from its journal, None if it is new; `began`: from which checkpoint."""

    state: State | None
    began: Point | None


def recover(journal: Journal) -> State | None:
    """The state of the table from its journal, which is then read to its end; None if it is new.

    Raises `JournalDamaged`, and `Impossible` or `Misfit` for a record that does not follow.
    """
    return resume(journal).state


def resume(journal: Journal) -> Resumed:
    """`recover`, and the checkpoint from which it began, if any. Raises what that does."""
    state, began = _from_checkpoint(journal)
    for record in journal.records(began.mark if began else START):
        state = evolve(state, record)
    return Resumed(state, began)


def _from_checkpoint(journal: Journal) -> Resumed:
    anew = Resumed(None, None)
    if journal.last().seq < REPLAY_RECORDS:
        return anew
    point = read_checkpoint(journal.path)
    if point is None or not journal.may_begin_after(point.mark):
        return anew
    try:
        state = unpack(point.body, journal.opening)
    except SnapshotError as error:
        log.warning("the checkpoint is not used: %s", error)
        return anew
    return Resumed(state, point) if state.seq == point.mark.seq else anew


class Keeper:
    """Writes checkpoints as the table goes on, in a thread, so that no card waits for one."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._written = journal.head.seq
        self._thread: Thread | None = None

    def note(self, state: State) -> None:
        """The table is in `state`, which is the journal's head: a checkpoint if one is due."""
        busy = self._thread is not None and self._thread.is_alive()
        if not busy and state.seq - self._written >= EVERY_RECORDS:
            self._begin(state)

    def close(self, state: State | None) -> None:
        """Write the last checkpoint, None if there is no state to be trusted."""
        if state is not None and state.seq > self._written:
            self._join()
            self._begin(state)
        self._join()

    def _begin(self, state: State) -> None:
        head = self._journal.head
        if head.seq != state.seq or head.seq < REPLAY_RECORDS:
            return
        self._written = head.seq
        self._thread = Thread(target=self._write, args=(head, state), name="checkpoint")
        self._thread.start()

    def _write(self, mark: Mark, state: State) -> None:
        try:
            write_checkpoint(self._journal.path, mark, state)
        except (SnapshotError, OSError) as error:
            log.warning("no checkpoint was written: %s", error)

    def _join(self) -> None:
        if self._thread is not None:
            self._thread.join()
