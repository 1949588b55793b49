"""Which gaming days a record's folder holds, and under which names."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final, NamedTuple

from controller.record.files.database import JournalDamaged, JournalError, not_a_folder
from controller.record.files.head_anchor import NOTHING, Head, anchor_path, read_anchor

_NAME: Final = re.compile(r"(\d{4}-\d\d-\d\d)\.day")


class DayFile(NamedTuple):
    """A gaming day's file; `label` is the day's ISO date."""

    label: str
    path: Path


def day_path(folder: Path, label: str) -> Path:
    """The file of a gaming day."""
    return folder / f"{label}.day"


def openings_path(day: Path) -> Path:
    """The file of openings beside a day's file."""
    return day.with_name(day.name + ".openings")


def signature_path(day: Path) -> Path:
    """The signature beside a closed day's file."""
    return day.with_name(day.name + ".signature")


def new_path(path: Path) -> Path:
    """Under which name a file is made until it is whole."""
    return path.with_name(f".{path.name}.new")


def files_of(day: Path) -> tuple[Path, ...]:
    """Every file that a gaming day may have, the day's own last."""
    openings = openings_path(day)
    logs = [base.with_name(base.name + end) for base in (openings, day) for end in ("-wal", "-shm")]
    return (*logs, signature_path(day), openings, day)


def day_files(folder: Path) -> list[DayFile]:
    """The gaming days in a folder, the oldest first. Raises `JournalError` for no folder."""
    if folder.is_file():
        raise JournalError(not_a_folder(folder))
    try:
        found = [
            DayFile(named[1], folder / name)
            for name in os.listdir(folder)
            if (named := _NAME.fullmatch(name))
        ]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise JournalError(
            f"the record {folder} cannot be read ({error}): check the disk, and who may read there"
        ) from error
    return sorted(found)


def newest_day(folder: Path) -> tuple[DayFile | None, Head]:
    """The newest gaming day of a record and the anchored head; None where nothing was recorded.

    Raises `JournalDamaged` where the anchor names a day that is gone, or cannot be read.
    """
    # First the anchor: a record that grows meanwhile is then ahead of it, never behind.
    anchor = anchor_path(folder)
    if anchor.exists() and not os.access(anchor, os.R_OK):
        raise JournalError(f"{anchor} may not be read: run this as the user of the service")
    head = read_anchor(folder)
    days = day_files(folder)
    if not days:
        if (head is not None and head.mark.seq) or (head is None and anchor_path(folder).exists()):
            raise JournalDamaged(folder, "the files of its gaming days are gone", 0)
        return None, NOTHING
    if head is None:
        raise JournalDamaged(folder, "its head anchor is missing or cannot be read", 0)
    if head.day > days[-1].label:
        raise JournalDamaged(folder, f"the gaming day {head.day} is gone", 0)
    return days[-1], head
