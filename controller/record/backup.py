"""Backups of a journal, and the way back: `backup` while the service runs, `restore` when not.

A backup is a journal itself: records, openings and anchor, so that it can be verified, replayed
and exported like any other. It appears under its name when it is whole, or not at all.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.record.audit import scan, verify
from controller.record.chain_store import Reader, Row, Writer
from controller.record.database import JournalDamaged, JournalError, lock, seals_path
from controller.record.head_anchor import START, Mark, anchor_path, sync_folder
from controller.record.openings import Openings
from controller.record.replica import pour


class BackupRefused(JournalError):
    """It was not done, and nothing was changed; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What was written: the last record, and what is missing of it, in words ("": nothing).

    `replaced`: under which name the journal that stood in its place is kept; None where none did.
    """

    head: Mark
    missing: str = ""
    replaced: Path | None = None


def files(journal: Path) -> tuple[Path, ...]:
    """Every file of a journal that holds something, the journal itself last."""
    seals = seals_path(journal)
    beside = (anchor_path(journal), journal.with_name(journal.name + ".checkpoint"))
    logs = [
        base.with_name(base.name + end) for base in (seals, journal) for end in ("-wal", "-shm")
    ]
    return (*logs, *beside, seals, journal)


def backup(journal: Path, target: Path) -> Kept:
    """Write a backup of `journal` to `target`, also while its service runs.

    Raises `BackupRefused` if something is there, `JournalError` where the journal is damaged: a
    backup of damage would be none.
    """
    if _part(target).exists() and not target.exists():
        # A backup to this name was cut off while its files got their names: they are its own.
        _remove(target)
    taken = [each for each in files(target) if each.exists()]
    if taken:
        raise BackupRefused(f"{taken[0]} is there already: give every backup a name of its own")
    with closing(Reader(journal)) as reader:
        if reader.empty:
            raise JournalError(f"there is no journal at {journal}")
        with closing(Openings(journal, missing_is_damage=True)) as openings:
            return _write_whole(reader, openings, target)


def _write_whole(reader: Reader, openings: Openings, target: Path) -> Kept:
    """A new journal at `target` with all that `reader` gives; whole, or not there at all."""
    part = _part(target)
    with _written(part), closing(Writer(part, START)) as writer:
        pour(reader.rows(), openings, writer)
        writer.mark()
        head = writer.head
    _rename(part, target)
    return Kept(head)


def _part(target: Path) -> Path:
    """Under which name a journal is written until it is whole. It gets its own name last."""
    return target.with_name(f".{target.name}.part")


@contextmanager
def _written(part: Path) -> Iterator[None]:
    """Files that come to be, and are taken away again if they do not come to their end."""
    _remove(part)
    try:
        part.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        yield
    except (sqlite3.Error, OSError) as error:
        _remove(part)
        raise JournalError(f"{part.parent} cannot be written ({error}): check the disk") from error
    except BaseException:
        _remove(part)
        raise


def _remove(journal: Path) -> None:
    for each in files(journal):
        each.unlink(missing_ok=True)


def _rename(journal: Path, to: Path) -> None:
    """Give all files of a journal another name; the journal itself comes last."""
    for old, new in zip(files(journal), files(to), strict=True):
        if old.exists():
            os.replace(old, new)
        else:
            # A write-ahead log of what was there must never be taken for one of the new file.
            new.unlink(missing_ok=True)
    sync_folder(to.parent)


def _keep(journal: Path, under: Path) -> None:
    """Give what is there a second name, so that at no moment there is no journal at all."""
    for old, new in zip(files(journal), files(under), strict=True):
        if not old.exists():
            continue
        try:
            os.link(old, new)
        except OSError:
            shutil.copy2(old, new)
    sync_folder(under.parent)


def restore(sources: Sequence[Path], journal: Path, *, readable: bool = False) -> Kept:
    """Put the longest history among `sources` (backups, second copies) in the journal's place.

    What is there is kept under a name that ends in `.replaced-N`. `readable` takes what can be
    read of a damaged source; without it every source must hold. Raises `BackupRefused` for a
    damaged source, for sources of different histories, where the journal there goes further, and
    `JournalBusy` while a service runs.
    """
    journal = journal.resolve()
    held = lock(journal)
    try:
        best, head, missing = _best(sources, readable=readable)
        _refuse_if_longer(best, head, journal)
        with closing(Reader(best)) as reader:
            rows = _whole(reader, head)
            with closing(Openings(best, missing_is_damage=not readable)) as openings:
                part = _part(journal)
                with _written(part), closing(Writer(part, START)) as writer:
                    pour(rows, openings, writer)
                    writer.mark()
        replaced = None
        if any(each.exists() for each in files(journal)):
            replaced = _free_name(journal)
            _keep(journal, replaced)
        _rename(part, journal)
        return Kept(head, missing, replaced)
    finally:
        os.close(held)


def _best(sources: Sequence[Path], *, readable: bool) -> tuple[Path, Mark, str]:
    """The source with the longest history, its last whole record, and what is wrong with it."""
    audits = {}
    for source in sources:
        audits[source] = verify(source)
        if audits[source].problems and not readable:
            raise BackupRefused(
                f"{audits[source].problems[0]}. This source is damaged: leave it out, or take "
                "what can be read of it with --readable"
            )
    best = max(audits, key=lambda source: audits[source].head.seq)
    found = audits[best]
    if not found.head.seq:
        raise BackupRefused(f"no record can be read in {best}: there is nothing to restore")
    with closing(Reader(best)) as reader:
        for source, other in audits.items():
            if not reader.holds(other.head):
                raise BackupRefused(
                    f"{source} and {best} hold different histories: name only the one to restore"
                )
    return best, found.head, found.problems[0] if found.problems else ""


def _refuse_if_longer(best: Path, head: Mark, journal: Path) -> None:
    """A history that goes further, as far as it can be read, is never replaced."""
    try:
        there = verify(journal)
    except JournalError:
        return
    if not there.head.seq:
        return
    with closing(Reader(best)) as reader:
        if there.head.seq > head.seq:
            raise BackupRefused(
                f"{journal} can be read up to record {there.head.seq}, {best} up to {head.seq}: "
                f"what is newer would be lost. Keep it: `tablectl restore --readable {journal} "
                f"{journal}` makes it whole up to there"
            )
        if not reader.holds(there.head):
            raise BackupRefused(
                f"{journal} holds another history than {best}: move it away first, if it is meant"
            )
    if there.good and there.head == head and _opens(journal):
        raise BackupRefused(f"{journal} is whole and holds the same: there is nothing to restore")


def _opens(journal: Path) -> bool:
    """Whether every sealed card of a journal that holds can be opened."""
    with closing(Reader(journal)) as reader:
        try:
            with closing(Openings(journal, missing_is_damage=True)) as openings:
                deque(scan(reader, openings.open), maxlen=0)
        except JournalDamaged:
            return False
    return True


def _whole(reader: Reader, head: Mark) -> Iterator[Row]:
    """The rows up to `head`."""
    for row in reader.rows():
        yield row
        if row.seq == head.seq:
            return


def _free_name(journal: Path) -> Path:
    for number in range(1, 10_000):
        name = journal.with_name(f"{journal.name}.replaced-{number}")
        if not any(each.exists() for each in files(name)):
            return name
    raise BackupRefused(f"there are 9,999 replaced journals beside {journal}: move some away")
