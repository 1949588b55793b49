"""One closed gaming day put back in its place: it was spoilt, or fetched from an archive.

The day after it says by a hash where it ends, which all of it leads to: no other day fits there.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from controller.record.copies.backup import BackupRefused, Written, part_path, whole_folder
from controller.record.copies.replica import finish_copy, pour_day
from controller.record.copies.restore import free_name
from controller.record.files.chain_store import ChainReader
from controller.record.files.database import JournalError, RecordOfAnotherBuild, copy_small
from controller.record.files.day_files import (
    DayFile,
    day_files,
    day_path,
    files_of,
    signature_path,
)
from controller.record.files.day_writer import ChainWriter, make_day
from controller.record.files.head_anchor import Position, sync_folder
from controller.record.files.owner import give, lock_for_owner, owner_of
from controller.record.files.signing import check_signature, public_key_path, read_public_key


class _Place(NamedTuple):
    """Where a day belongs: whose record it is, with which record it ends, which key signed it.

    `path` is its file's, whether that is there or not.
    """

    path: Path
    identity: bytes
    ends: Position
    key: str


def restore_day(sources: Sequence[Path], record: Path, label: str) -> Written:
    """Put the closed day `label` of the first of `sources` that has it whole in the record's place.

    What is there of that day is kept under a name that ends in `.replaced-N`. Raises
    `BackupRefused` where it is whole, where no source has it whole, or where no day after it says
    how it ends; `JournalBusy` while a service runs.
    """
    record = record.resolve()
    if not day_files(record):
        raise BackupRefused(f"there is no record at {record}: restore all of it, without --day")
    owner = owner_of(record)
    held = lock_for_owner(record)
    try:
        place = _place(record, label)
        there = next((each for each in day_files(record) if each.label == label), None)
        part = part_path(record)
        with whole_folder(part):
            if there is not None and _is_whole(there, place, part):
                raise BackupRefused(f"{there.path} is whole: there is nothing to restore")
            _take(sources, label, place, part)
            give(part, owner)
        replaced = _put(part, place.path)
        if replaced is not None:
            give(replaced, owner)
        return Written((label,), place.ends, replaced=replaced)
    finally:
        held.close()


def _place(record: Path, label: str) -> _Place:
    after = next((each for each in day_files(record) if each.label > label), None)
    if after is None:
        raise BackupRefused(
            f"no gaming day after {label} is in {record} to say how it ends: restore the newest "
            "day first, or all of the record, without --day"
        )
    with closing(ChainReader(after.path)) as reader:
        begins = reader.beginning
    key = read_public_key(public_key_path(record))
    return _Place(day_path(record, label), begins.identity, begins.after, key)


def _is_whole(there: DayFile, place: _Place, part: Path) -> bool:
    """Whether the day that is there needs no other. Raises `OSError`."""
    try:
        return not _fault(there, place, part)
    except RecordOfAnotherBuild:
        return False  # or its header is spoilt: which build reads the day, a source says


def _take(sources: Sequence[Path], label: str, place: _Place, part: Path) -> None:
    """Make the day in `part` of the first source that has it whole. Raises `BackupRefused`."""
    faults = []
    for source in sources:
        day = next((each for each in day_files(source) if each.label == label), None)
        fault = f"{source} has no such day" if day is None else _fault(day, place, part)
        if not fault:
            return
        faults.append(fault)
    raise BackupRefused(
        f"no source has the gaming day {label} whole, up to where the next day that is there "
        "begins (where several in a row are gone, restore the newest of them first): "
        f"{'; '.join(faults)}"
    )


def _fault(day: DayFile, place: _Place, part: Path) -> str:
    """Make a day anew in `part`, checked from its first record to its signature; what is wrong.

    The signature may stand in the day's place, where it does not beside `day`: a second copy gets
    it later.
    """
    for each in part.iterdir():
        each.unlink()
    try:
        with closing(ChainReader(day.path, ends=place.ends)) as reader:
            reader.check_pages()
            beginning = reader.beginning
            if beginning.identity != place.identity:
                return f"{day.path} is of another table"
            make_day(part, beginning)
            with closing(ChainWriter(part, beginning, beginning.after)) as writer:
                pour_day(reader, writer)
                made, head = writer.path, writer.head
        for beside in (day.path, place.path):
            if signature_path(beside).exists():
                copy_small(signature_path(beside), signature_path(made))
                break
        check_signature(made, beginning, head, place.key)
        finish_copy(made, made)
    except RecordOfAnotherBuild:
        raise
    except JournalError as error:
        return str(error)
    return ""


def _put(part: Path, path: Path) -> Path | None:
    """Move the day of `part` to its place `path`, and what is there aside; where that is now.

    A cut in between leaves a day that is gone: asked again, this goes on. Its signature is at no
    moment gone, for a source may have none.
    """
    record, made = path.parent, part / path.name
    replaced = None
    old = [each for each in files_of(path) if each.exists()]
    if old:
        replaced = free_name(record)
        replaced.mkdir(mode=0o700)
        for each in reversed(old):
            if each != signature_path(path) or not _is_kept_as(each, replaced / each.name):
                os.replace(each, replaced / each.name)
    for each in files_of(made):
        if each.exists():
            os.replace(each, record / each.name)
    sync_folder(record)
    shutil.rmtree(part)
    return replaced


def _is_kept_as(path: Path, name: Path) -> bool:
    """Give a file a second name; False where its file system has no such thing.

    A link in its place gets the name itself, not what it leads to: root may run this.
    """
    try:
        os.link(path, name, follow_symlinks=False)
    except OSError:
        return False
    return True
