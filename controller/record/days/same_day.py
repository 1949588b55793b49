"""Whether an archived file of a closed day says what the record's own says, whatever their bytes.

A day that was restored is written anew: the same records and openings, in a file of another layout.
"""

from __future__ import annotations

import hashlib
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

from controller.record.files.chain_store import Beginning, ChainReader
from controller.record.files.database import (
    UNREADABLE,
    JournalDamaged,
    JournalError,
    is_there,
    read_only,
    wal_path,
)
from controller.record.files.day_files import DayFile, openings_path
from controller.record.files.head_anchor import Position
from controller.record.files.openings import OPENINGS

_OPENINGS: Final = "SELECT digest, nonce, code, serial FROM openings"


def check_archived(day: DayFile, own: Path, archived: Path) -> None:
    """Raises `JournalError` where `archived` does not hold what `own`, a file of `day`, holds.

    Raises also where `own` is damaged, and `OSError`.
    """
    logs = any(is_there(wal_path(each)) for each in (own, archived))
    if not logs and _digest(own) == _digest(archived):
        return
    if own == day.path:
        same = _walked(own) == _walked_or_none(archived)
    else:
        same = own == openings_path(day.path) and _opens_as_much(archived, own)
    if not same:
        raise JournalError(f"{archived} is not what {own} is: look at it, nothing was changed")


def _digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def _walked(path: Path) -> tuple[Beginning, Position]:
    """How a day begins and ends, every link between the two checked. Raises `JournalError`.

    The last link's hash covers all records before it: of the same two the records are the same.
    """
    with closing(ChainReader(path)) as reader:
        reader.check_pages()
        for _ in reader.rows():
            pass
        return reader.beginning, reader.head


def _walked_or_none(path: Path) -> tuple[Beginning, Position] | None:
    try:
        return _walked(path)
    except JournalDamaged:
        return None


def _opens_as_much(archived: Path, own: Path) -> bool:
    """Whether `archived` has every opening that `own` has. Raises `JournalError`.

    More is no fault: one that was written right before the power failed is of no record, and stays
    behind where a day is written anew; one that a restore could not find is written down as lost.
    """
    with ExitStack() as stack:
        if (ours := read_only(own, OPENINGS)) is None:
            return True
        stack.enter_context(closing(ours))
        try:
            if (theirs := read_only(archived, OPENINGS)) is None:
                return False
            stack.enter_context(closing(theirs))
            found = {row[0]: row for row in theirs.execute(_OPENINGS)}
            return all(
                row == found.get(row[0]) or (not row[2] and row[0] in found)
                for row in ours.execute(_OPENINGS)
            )
        except (JournalDamaged, *UNREADABLE):
            return False
