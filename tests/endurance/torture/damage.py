"""A small store, every way to spoil a bit of it or cut it short, and what the journal then says."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from controller.record.codec import encode, seals_in
from controller.record.journal import Journal, JournalError
from controller.table.facts import Record
from tests.support.dealt.journals import DAY, records

NAME = f"{DAY}.day"
EVENTS = 300
#: So many lie in the file itself; the others in its write-ahead log, as after a power cut.
SETTLED = 200
#: The files of a store whose service was killed.
FILES = (NAME, f"{NAME}-wal", f"{NAME}.openings", f"{NAME}.openings-wal", "head")


class StoreOutcome(Enum):
    """What became of a store that was spoilt. `LOST` must never be."""

    DETECTED = "detected"
    HARMLESS = "harmless"
    LOST = "LOST"


class Spoilt(NamedTuple):
    """One way to spoil a store: a bit of a file flipped, or the file cut at a byte."""

    file: str
    at: int
    bit: int | None

    def of(self, content: bytes) -> bytes:
        """The content, spoilt."""
        if self.bit is None:
            return content[: self.at]
        changed = bytearray(content)
        changed[self.at] ^= 1 << self.bit
        return bytes(changed)


@dataclass(frozen=True)
class KilledRecord:
    """The files of a record whose service was killed, and what they tell."""

    files: dict[str, bytes]
    events: list[tuple[bytes, str]]
    next: Record

    def flips(self, name: str, start: int = 0) -> Iterator[Spoilt]:
        """Every bit of a file."""
        for at in range(start, len(self.files[name])):
            for bit in range(8):
                yield Spoilt(name, at, bit)

    def cuts(self, name: str) -> Iterator[Spoilt]:
        """Every length that a file could be cut to."""
        for at in range(len(self.files[name])):
            yield Spoilt(name, at, None)


def make(folder: Path, game: str = "blackjack", seed: int = 11) -> KilledRecord:
    """A store of `EVENTS` records with its files as a power cut leaves them."""
    dealt = records(seed, EVENTS + 1, game)
    with closing(Journal(folder)) as journal:
        assert list(journal.newest_day.records()) == []
        journal.write(dealt[:SETTLED])
    with closing(Journal(folder)) as journal:
        assert len(list(journal.newest_day.records())) == SETTLED
        for record in dealt[SETTLED:EVENTS]:
            journal.write([record])
        files = {name: (folder / name).read_bytes() for name in FILES}
    shutil.rmtree(folder)
    lay(files, folder)
    events = tell(folder)
    assert len(events) == EVENTS
    return KilledRecord(files, events, dealt[EVENTS])


def lay(files: dict[str, bytes], folder: Path) -> None:
    """Put the files into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


def tell(folder: Path) -> list[tuple[bytes, str]]:
    """Every record as the service reads it, with what its sealed card is. Raises `JournalError`."""
    with closing(Journal(folder)) as journal:
        return [(encode(record), _opened(record)) for record in journal.newest_day.records()]


def begin(folder: Path) -> None:
    """Begin as the service does. Raises `JournalError`."""
    with closing(Journal(folder)) as journal:
        assert journal.recover() is not None


def _opened(record: Record) -> str:
    opened = ((seal.open(), seal.open_serial()) for seal in seals_in(record))
    return ", ".join(f"{kind.code} {serial}" for kind, serial in opened if kind)


def judge(store: KilledRecord, spoilt: Spoilt, folder: Path) -> StoreOutcome:
    """Spoil the store and start on it: noticed, or the very same records, now and after more."""
    lay({**store.files, spoilt.file: spoilt.of(store.files[spoilt.file])}, folder)
    try:
        events = tell(folder)
        begin(folder)
    except JournalError:
        return StoreOutcome.DETECTED
    if events != store.events:
        return StoreOutcome.LOST
    try:
        with closing(Journal(folder)) as journal:
            for _ in journal.newest_day.records():
                pass
            journal.write([store.next])
    except JournalError:
        return StoreOutcome.DETECTED
    again = tell(folder)
    more = [(encode(store.next), _opened(store.next))]
    return StoreOutcome.HARMLESS if again == store.events + more else StoreOutcome.LOST
