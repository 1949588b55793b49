"""The head anchor: number and hash of the last record, kept a second time beside the record.

A cut or a flipped bit at the end of the journal's own file can leave a shorter chain that is whole
in itself (DECISIONS.md, 5). The anchor tells that something was there. Two slots are
written in turns, each on a block of its own and with a checksum, so that a torn write spoils the
new slot alone and the one before it still stands.

Whoever owns the disk can put back a whole record with its anchor, and no copy may be there to prove
it. A head that was noted outside, on the sheet of a shift, can (`NotedHead`).
"""

from __future__ import annotations

import hashlib
import os
import re
import struct
from pathlib import Path
from typing import Final, NamedTuple

from controller.record.files.database import read_small

_MAGIC: Final = b"tch2"
#: Magic, counter, number, hash, day, checksum.
_SLOT: Final = struct.Struct(">4sQQ32s10s12s")
_CHECKED: Final = _SLOT.size - 12
#: The slots lie so far apart that no disk writes both at once.
_APART: Final = 4096
#: This much of a hash is noted: 64 bits, for which nobody makes another record.
_NOTED_DIGITS: Final = 16
_NOTED: Final = re.compile(r"(\d{4}-\d\d-\d\d):([1-9]\d{0,17}):([0-9a-f]{16})")
_SIZE: Final = 2 * _APART


class Position(NamedTuple):
    """A place in the chain: the number of a record and its hash."""

    seq: int
    hash: bytes


class Head(NamedTuple):
    """The end of a record: the newest day, and its last record."""

    day: str
    mark: Position


class NotedHead(NamedTuple):
    """A head in its short form, `DAY:SEQ:HASH`: the day, its last record, that record's hash."""

    day: str
    seq: int
    hash: str

    def __str__(self) -> str:
        return f"{self.day}:{self.seq}:{self.hash}"

    def is_of(self, day: str, mark: Position) -> bool:
        """Whether that record of that day is the one that was noted."""
        return self == noted(Head(day, mark))


#: Of a record that was never begun.
NOTHING: Final = Head("", Position(0, bytes(32)))


def noted(head: Head) -> NotedHead:
    """The head of a record in its short form."""
    return NotedHead(head.day, head.mark.seq, head.mark.hash.hex()[:_NOTED_DIGITS])


def parse_head(text: str) -> NotedHead:
    """A head as it was noted, `DAY:SEQ:HASH`. Raises `ValueError`."""
    found = _NOTED.fullmatch(text.strip().lower())
    if found is None:
        raise ValueError(f"{text!r} is no head: 2026-11-22:1204:1a2b3c4d5e6f7081 is one")
    return NotedHead(found[1], int(found[2]), found[3])


def genesis(identity: bytes) -> Position:
    """Where the chain of a table begins: before its first record."""
    return Position(0, hashlib.sha256(b"tablectl record 2" + identity).digest())


def anchor_path(folder: Path) -> Path:
    """The anchor's file in the folder of a record."""
    return folder / "head"


def read_anchor(folder: Path) -> Head | None:
    """What the anchor of a record says; None if it is missing or cannot be read.

    One that has its room and no mark yet was begun as the power failed: nothing is recorded.
    """
    content = _content(anchor_path(folder))
    newest = _newest(content)
    if newest is None and content == bytes(_SIZE):
        return NOTHING
    return newest[1] if newest else None


def _content(path: Path) -> bytes:
    try:
        return read_small(path)
    except OSError:
        return b""


def _newest(content: bytes) -> tuple[int, Head] | None:
    """The counter and the head of the newest slot that holds."""
    found = [
        slot
        for at in (0, _APART)
        if (slot := _read_slot(content[at : at + _SLOT.size])) is not None
    ]
    return max(found, default=None)


def _read_slot(slot: bytes) -> tuple[int, Head] | None:
    if len(slot) != _SLOT.size:
        return None
    magic, counter, seq, known, day, checksum = _SLOT.unpack(slot)
    if magic != _MAGIC or checksum != _checksum(slot[:_CHECKED]):
        return None
    return counter, Head(day.rstrip(b"\0").decode("ascii"), Position(seq, known))


def _checksum(checked: bytes) -> bytes:
    return hashlib.sha256(checked).digest()[:12]


class Anchor:
    """The anchor of an open record; `write` returns when the head is on the disk."""

    def __init__(self, folder: Path, head: Head) -> None:
        """Open or create the anchor in `folder` and write `head`. Raises `OSError`."""
        path = anchor_path(folder)
        newest = _newest(_content(path))
        self._counter = newest[0] if newest else 0
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            if os.fstat(self._file).st_size != _SIZE:
                # All the room it will ever need: a full disk cannot stop an anchor.
                os.posix_fallocate(self._file, 0, _SIZE)
                os.fsync(self._file)
                sync_folder(path.parent)
            if newest is None or newest[1] != head:
                self.write(head)
        except BaseException:
            os.close(self._file)
            raise

    def write(self, head: Head) -> None:
        """Write the head over the older slot. Raises `OSError`."""
        counter = self._counter + 1
        seq, known = head.mark
        slot = _SLOT.pack(_MAGIC, counter, seq, known, head.day.encode("ascii"), bytes(12))
        checked = slot[:_CHECKED]
        os.pwrite(self._file, checked + _checksum(checked), counter % 2 * _APART)
        # The file has had its size since it was made: bytes are all that changes of it.
        os.fdatasync(self._file)
        self._counter = counter

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` durable. Raises `OSError`."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_below(folder: Path) -> None:
    """Make everything in `folder` durable, files and names. Raises `OSError`."""
    for each in (*folder.rglob("*"), folder):
        descriptor = os.open(each, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
