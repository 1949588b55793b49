"""What a power cut could leave of files, worked out from the log of what was done to them.

A disk keeps what was synced. Of what was not, any sector (512 bytes) may be there or not, so that
writes are dropped, torn and reordered; names come to be and go in their order, up to some moment,
and are safe once their folder was synced. After a sync that failed the system believes pages
written that are not: they are lost unless they are written again (DECISIONS.md, 4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from tests.support.processes.below import DiskChange, Op

SECTOR: Final = 512
PAGE: Final = 4096
#: How much of what was not synced is there after a cut: nothing, all, or each sector by chance.
KEPT: Final = (0.0, 1.0, 0.5, 0.9, 0.1)
#: Of the files of a store these are rebuilt or mean nothing after a cut.
_PASSING: Final = ("-shm", "lock", ".probe", ".new", "-journal", ".key", "key.pub")


@dataclass(frozen=True, slots=True)
class _ByteChange:
    """Bytes put at a place, or (None) a file brought to the size `at`; `grow`: never shorter."""

    at: int
    data: bytes | None
    grow: bool = False

    def put(self, content: bytearray) -> None:
        end = self.at + len(self.data or b"")
        if self.data is None and not self.grow:
            del content[self.at :]
        if len(content) < end:
            content.extend(bytes(end - len(content)))
        if self.data is not None:
            content[self.at : end] = self.data

    def sectors(self) -> Iterator[_ByteChange]:
        """The change in parts that a disk writes whole."""
        if self.data is None:
            yield self
            return
        at = 0
        while at < len(self.data):
            to = SECTOR - (self.at + at) % SECTOR
            yield _ByteChange(self.at + at, self.data[at : at + to])
            at += to

    def touches(self, other: _ByteChange) -> bool:
        """Whether both are of one page of the system's memory."""
        if self.data is None or other.data is None:
            return False
        mine = range(self.at // PAGE, (self.at + len(self.data) - 1) // PAGE + 1)
        return any(other.at // PAGE == page for page in mine)


@dataclass(eq=False, slots=True)
class _File:
    """What is safe, what was done since, and what a failed sync left in memory alone."""

    safe: bytearray = field(default_factory=bytearray)
    since: list[_ByteChange] = field(default_factory=list)
    forgotten: list[_ByteChange] = field(default_factory=list)

    def change(self, change: _ByteChange) -> None:
        back = [each for each in self.forgotten if change.touches(each)]
        self.forgotten = [each for each in self.forgotten if each not in back]
        self.since += [*back, change]

    def synced(self) -> None:
        for change in self.since:
            change.put(self.safe)
        self.since.clear()

    def not_synced(self) -> None:
        self.forgotten += [part for change in self.since for part in change.sectors()]
        self.since.clear()

    def left(self, chance: Random, share: float) -> bytes:
        """What could be left of it, when so much of what was not synced is there."""
        content = bytearray(self.safe)
        for change in self.since:
            for part in change.sectors():
                if chance.random() < share:
                    part.put(content)
        return bytes(content)


_Names = dict[str, _File]


@dataclass(slots=True)
class PowerLog:
    """The files of a folder as a log goes on; `left` is what a cut could leave at this moment.

    `lies` are the ends of names whose syncs the disk only pretends. `shown` is the last record
    that somebody has seen.
    """

    folder: str
    lies: tuple[str, ...] = ()
    shown: int = 0
    _files: dict[int, _File] = field(default_factory=dict)
    _names: _Names = field(default_factory=dict)
    _safe_names: _Names = field(default_factory=dict)
    _since: list[Callable[[_Names], object]] = field(default_factory=list)

    def take(self, entry: DiskChange) -> None:
        """The next entry of the log."""
        if entry.op is Op.PICTURE:
            self.shown = max(self.shown, entry.at)
        elif entry.op in (Op.OPEN, Op.RENAME, Op.UNLINK):
            self._name(entry)
        elif entry.path == self.folder:
            if entry.op is Op.SYNC:
                self._safe_names = dict(self._names)
                self._since.clear()
        elif (file := self._files.get(entry.inode)) is not None:
            self._change(file, entry)

    def _name(self, entry: DiskChange) -> None:
        path = entry.path
        if entry.op is Op.OPEN:
            file = self._names.get(path)
            if file is None:
                file = self._files[entry.inode] = _File()
                self._rename(lambda names: names.update({path: file}))
            elif entry.at == 0:
                file.change(_ByteChange(0, None))
        elif entry.op is Op.RENAME:
            to = entry.data.decode()
            self._rename(lambda names: names.update({to: names.pop(path)}))
        else:
            self._rename(lambda names: names.pop(path))

    def _rename(self, change: Callable[[_Names], object]) -> None:
        change(self._names)
        self._since.append(change)

    def _change(self, file: _File, entry: DiskChange) -> None:
        if entry.op is Op.SYNC:
            if not entry.path.endswith(self.lies or ("\0",)):
                file.synced()
        elif entry.op is Op.SYNC_FAILED:
            file.not_synced()
        elif entry.op is Op.WRITE:
            file.change(_ByteChange(entry.at, entry.data))
        else:
            file.change(_ByteChange(entry.at, None, grow=entry.op is Op.ALLOCATE))

    def left(self, chance: Random) -> dict[str, bytes]:
        """The files that a power cut at this moment could leave, by name."""
        names = dict(self._safe_names)
        for change in self._since[: chance.randint(0, len(self._since))]:
            change(names)
        share = chance.choice(KEPT)
        return {
            Path(path).name: file.left(chance, share)
            for path, file in sorted(names.items())
            if not path.endswith(_PASSING)
        }


def cuts(
    log: Sequence[DiskChange],
    folder: Path,
    moments: Iterable[tuple[int, int]],
    lies: tuple[str, ...] = (),
) -> Iterator[tuple[int, dict[str, bytes]]]:
    """For each moment (entries that were done, and a seed): the record shown, and what is left."""
    power, done = PowerLog(str(folder.resolve()), lies), 0
    for at, seed in sorted(moments):
        for entry in log[done:at]:
            power.take(entry)
        done = max(done, at)
        yield power.shown, power.left(Random(seed))


def not_safe(log: Sequence[DiskChange], folder: Path) -> list[str]:
    """The files in `folder`, whatever folders they lie in, of which a power cut could take bytes.

    They were made or written, and not synced since; names of folders are not looked at.
    """
    waiting: set[int] = set()
    for entry in log:
        if entry.op is Op.SYNC:
            waiting.discard(entry.inode)
        elif entry.op in (Op.WRITE, Op.TRUNCATE) or (entry.op is Op.OPEN and entry.at == 0):
            waiting.add(entry.inode)
    found = []
    for each in sorted(folder.rglob("*")):
        about = each.stat()
        if each.is_file() and about.st_size and not each.name.endswith("-shm"):
            found += [str(each.relative_to(folder))] * (about.st_ino in waiting)
    return found
