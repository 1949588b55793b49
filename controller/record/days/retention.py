"""How long closed days stay beside the table: copied to an archive, and taken away when due.

Nothing goes silently: a day is due only once its copy in the archive says the same, or where the
house said that days may go without one. Its files go after that is on record. The oldest goes
first, and none before it: a record with a gap would be a damaged one.

A disk that is not mounted leaves an empty folder in its place, on the record's own disk: days that
went there would be hidden once it is. So an archive carries a mark, which the record remembers.
"""

from __future__ import annotations

import logging
import os
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from controller.record.days.same_day import check_archived
from controller.record.files.database import JournalError, check_regular, is_there, wal_path
from controller.record.files.day_files import (
    DayFile,
    day_files,
    day_path,
    files_of,
    new_path,
    openings_path,
    signature_path,
)
from controller.record.files.day_writer import is_closed
from controller.record.files.head_anchor import sync_folder
from controller.record.files.whole_file import write_whole
from controller.rules.frozen import frozen

log = logging.getLogger(__name__)

#: In an archive: which one it is. It stays where days are fetched out of it.
MARK: Final = ".tablectl-archive"
#: Beside the record: the archive's folder and its mark, a line each.
KNOWN: Final = ".archive"


@frozen
class Retention:
    """What becomes of closed days: the last `keep_days` of them stay (0: all).

    `archive` is the folder they are copied to; `delete`: they may go without an archive.
    """

    keep_days: int = 0
    archive: Path | None = None
    delete: bool = False


def archive_days(folder: Path, retention: Retention) -> tuple[tuple[str, bool], ...]:
    """Archive every closed day; the labels of those that are due to go, and whether archived.

    A day that cannot be archived stays, and all after it, which is logged. Raises `OSError`,
    `JournalError`, so that all stay, where there is no archive, or another folder than before
    stands in its place.
    """
    gone: list[tuple[str, bool]] = []
    closed = day_files(folder)[:-1]
    due = closed[: -retention.keep_days] if retention.keep_days else []
    # A day that could not be tidied up yet has files that still change: the archive waits for it.
    still = [day for day in closed if is_closed(day.path)]
    if retention.archive is not None and still:
        _recognise(retention.archive, folder)
    for day in still:
        archived = False
        if retention.archive is not None:
            try:
                archive_day(day, retention.archive)
                archived = True
            except (OSError, JournalError) as error:
                log.warning("gaming day %s is not archived, it stays: %s", day.label, error)
        is_next = day in due[: len(gone) + 1]
        if is_next and (archived or (retention.delete and retention.archive is None)):
            gone.append((day.label, archived))
    return tuple(gone)


def lacks_days(folder: Path, retention: Retention) -> bool:
    """Whether closed days are not in the archive. Raises `OSError`."""
    archive = retention.archive
    closed = [day.path for day in day_files(folder)[:-1] if is_closed(day.path)]
    return archive is not None and not all((archive / each.name).exists() for each in closed)


def remove_days(folder: Path, labels: Iterable[str]) -> None:
    """Take the files of closed days away. Raises `OSError`."""
    for label in labels:
        for each in files_of(day_path(folder, label)):
            each.unlink(missing_ok=True)
        sync_folder(folder)
        log.warning("gaming day %s was taken away, which is on record", label)


def _recognise(archive: Path, folder: Path) -> None:
    """Mark an archive that is new to the record in `folder`. Raises `OSError`, `JournalError`."""
    archive.mkdir(parents=True, exist_ok=True, mode=0o700)
    mark, known = _lines(archive / MARK), _lines(folder / KNOWN)
    if known[:1] == [str(archive)] and known[1:] != mark:
        raise JournalError(
            f"{archive} is not the archive that it was: is its disk mounted? Nothing is archived or"
            f" taken away. If a new one stands there, remove {folder / KNOWN}"
        )
    if not mark:
        mark = [secrets.token_hex(16)]
        write_whole(archive / MARK, f"{mark[0]}\n", 0o600)
    if known[:1] != [str(archive)]:
        write_whole(folder / KNOWN, f"{archive}\n{mark[0]}\n", 0o600)


def _lines(path: Path) -> list[str]:
    """The lines of a small file; none where it is not there. Raises `OSError`, `JournalError`."""
    try:
        check_regular(path)
        return path.read_text("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return []


def archive_day(day: DayFile, archive: Path) -> None:
    """Copy a closed day's files; its own gets its name last. Raises `OSError`, `JournalError`."""
    for each in (signature_path(day.path), openings_path(day.path), day.path):
        target = archive / each.name
        if not each.exists():
            continue
        if not target.exists():
            # A closed day has none, but what was a second copy may. An empty one is what a reader
            # leaves beside a day that was restored.
            if is_there(wal_path(each)):
                _copy(wal_path(each), wal_path(target))
            _copy(each, target)
        check_archived(day, each, target)


def _copy(source: Path, target: Path) -> None:
    """Copy a file, whole or not at all, and durably. Raises `OSError`, `JournalDamaged`."""
    part = new_path(target)
    check_regular(source)
    shutil.copy2(source, part)
    descriptor = os.open(part, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.replace(part, target)
    sync_folder(target.parent)
