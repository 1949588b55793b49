"""A backup or a second copy put in the place of a record: the longest history that is there."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from controller.record.codec import commitments_in
from controller.record.copies.backup import (
    BackupRefused,
    Written,
    part_path,
    whole_folder,
    write_days,
)
from controller.record.files.chain_store import ChainReader
from controller.record.files.database import (
    JournalError,
    RecordOfAnotherBuild,
    check_regular,
    copy_small,
)
from controller.record.files.day_files import DayFile, day_files, files_of, openings_path
from controller.record.files.head_anchor import NOTHING, Position, anchor_path, sync_folder
from controller.record.files.openings import Openings
from controller.record.files.owner import give, lock_for_owner, owner_of
from controller.record.files.signing import public_key_path, read_public_key
from controller.record.files.span import OnProgress, Span, beginning_after
from controller.record.reading.replay import Decoded, decoded_rows
from controller.record.reading.verify import verify

_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2


def restore(
    sources: Sequence[Path],
    record: Path,
    *,
    readable: bool = False,
    on_progress: OnProgress | None = None,
) -> Written:
    """Put the longest history among `sources` (backups, second copies) in the record's place.

    What is there is kept under a name that ends in `.replaced-N`; older days of it that the source
    lacks come along. What root restores belongs to whom the record does. `readable` takes what can
    be read of a damaged source; without it every source must hold. Raises `BackupRefused` for one
    that does not, for sources of different histories, where the record there goes further, and
    `JournalBusy` while a service runs.
    """
    record = record.resolve()
    owner = owner_of(record)
    held = lock_for_owner(record)
    try:
        best, head, missing = _best(sources, readable=readable, on_progress=on_progress)
        _refuse_if_longer(best, head, record)
        part = part_path(record)
        with whole_folder(part):
            span = Span(best, on_progress=on_progress)
            write_days(span, part, readable=readable, upto=head)
            _older_days(record, span.days[0], part)
            _keep_key(record, part)
            part.chmod(record.stat().st_mode & 0o777)
            give(part, owner)
        replaced = free_name(record)
        os.replace(part, replaced)
        _exchange(replaced, record)
        sync_folder(record.parent)
        if not (day_files(replaced) or anchor_path(replaced).exists()):
            shutil.rmtree(replaced)
            return Written(_labels(record), head, missing)
        return Written(_labels(record), head, missing, replaced)
    finally:
        held.close()


def _labels(record: Path) -> tuple[str, ...]:
    return tuple(day.label for day in day_files(record))


def _exchange(one: Path, other: Path) -> None:
    """Two folders exchange their names at once, so that at no moment there is no record at all."""
    libc = ctypes.CDLL(None, use_errno=True)
    names = (os.fsencode(one), os.fsencode(other))
    if libc.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0:
        return
    number = ctypes.get_errno()
    if number not in (errno.EINVAL, errno.ENOSYS):
        raise JournalError(f"{other} cannot be replaced: {os.strerror(number)}")
    # A file system that cannot exchange names: for a moment the old one has another name.
    aside = other.with_name(f".{other.name}.aside")
    os.replace(other, aside)
    os.replace(one, other)
    os.replace(aside, one)


def _older_days(record: Path, first: DayFile, part: Path) -> None:
    """Copy the closed days that come right before `first`, as far back as they follow on."""
    with closing(ChainReader(first.path)) as reader:
        after = reader.beginning.after
    for day in reversed([each for each in day_files(record) if each.label < first.label]):
        try:
            with closing(ChainReader(day.path, ends=after)) as reader:
                for _ in reader.rows():
                    pass
                after = reader.beginning.after
        except JournalError:
            return
        for each in files_of(day.path):
            if each.exists():
                check_regular(each)
                shutil.copy2(each, part / each.name)


def _keep_key(record: Path, part: Path) -> None:
    """The public key that is there stays, unless it was spoilt: then the source's does."""
    try:
        read_public_key(public_key_path(record))
    except JournalError:
        return
    copy_small(public_key_path(record), public_key_path(part))


def _best(
    sources: Sequence[Path], *, readable: bool, on_progress: OnProgress | None
) -> tuple[Path, Position, str]:
    """The source with the longest history, its last whole record, and what is wrong with it."""
    audits = {}
    for source in sources:
        audits[source] = verify(source, on_progress=on_progress)
        if readable or audits[source].good:
            continue
        if damage := audits[source].damaged:
            raise BackupRefused(
                f"{damage}. This source is damaged: leave it out, or take "
                "what can be read of it with --readable"
            )
        raise BackupRefused(
            f"{source}: {audits[source].doubts[0]}. Where it is to be put back all the same, "
            "--readable takes the whole of it"
        )
    best = max(audits, key=lambda source: audits[source].head.seq)
    found = audits[best]
    if not found.head.seq:
        raise BackupRefused(f"no record can be read in {best}: there is nothing to restore")
    for source, other in audits.items():
        if not Span(best).holds(other.head):
            raise BackupRefused(
                f"{source} and {best} hold different histories: name only the one to restore"
            )
    return best, found.head, found.damaged


def _refuse_if_longer(best: Path, head: Position, record: Path) -> None:
    """A history that goes further, as far as it can be read, is never replaced."""
    try:
        there = verify(record)
    except RecordOfAnotherBuild:
        raise  # what that build recorded since would be lost
    except JournalError:
        return
    if there.head.seq <= NOTHING.mark.seq:
        return
    if there.head.seq > head.seq:
        raise BackupRefused(
            f"{record} can be read up to record {there.head.seq}, {best} up to {head.seq}: "
            f"what is newer would be lost. Keep it: `tablectl restore --readable {record} "
            f"{record}` makes it whole up to there"
        )
    if not _continues(Span(best), record, there.head):
        raise BackupRefused(
            f"{record} holds another history than {best}: move it away first, if it is meant"
        )
    if there.good and there.head == head and _opens(record):
        raise BackupRefused(f"{record} is whole and holds the same: there is nothing to restore")


def _continues(best: Span, record: Path, head: Position) -> bool:
    """Whether `best` goes on from what is whole in `record`, which ends with `head`."""
    after = beginning_after(best.days[0])
    # A record that is damaged before the span begins: what it holds of the days before counts.
    if head.seq >= after.seq:
        return best.holds(head)
    return any(_has(day, after) for day in day_files(record))


def _has(day: DayFile, mark: Position) -> bool:
    try:
        with closing(ChainReader(day.path)) as reader:
            return reader.holds(mark)
    except JournalError:
        return False


def _opens(record: Path) -> bool:
    """Whether there is an opening to every commitment of a record that holds."""
    try:
        for reader in Span(record).readers():
            with closing(Openings(openings_path(reader.path), missing_is_damage=True)) as openings:
                for _, each in decoded_rows(reader.path, reader.rows(), Decoded()):
                    for digest in commitments_in(each):
                        openings.row(digest)
    except JournalError:
        return False
    return True


def free_name(record: Path) -> Path:
    """A name beside a record for what stood in its place. Raises `BackupRefused`."""
    for number in range(1, 10_000):
        name = record.with_name(f"{record.name}.replaced-{number}")
        if not name.exists():
            return name
    raise BackupRefused(f"there are 9,999 replaced records beside {record}: move some away")
