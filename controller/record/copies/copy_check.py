"""A record held against its second copy: the same history, or one that lost something.

A record that was rolled back, deleted or cut is whole in itself, its anchor too. The copy proves
what is missing: a table does not start on such a record.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from controller.record.files.chain_store import ChainReader, open_newest
from controller.record.files.database import JournalError
from controller.record.files.head_anchor import NOTHING, Head, read_anchor
from controller.record.files.span import Span


class CopyAhead(JournalError):
    """The second copy goes on from where the record ends: the record is an older state of it."""

    def __init__(self, record: Path, has: Head, copy: Path, copied: Head) -> None:
        self.copied = copied
        there = f"ends with {head_text(has)}" if has.mark.seq else "is empty"
        super().__init__(
            f"the record {record} {there}, its second copy {copy} goes on to {head_text(copied)}: "
            "the copy's history is the longer one, the record was put back or part of it was lost. "
            "Nothing was changed. Stop the service and put the copy in the record's place: "
            f"`tablectl restore {copy} {record}`. If this is a new table, name another place for "
            "its second copy"
        )


class CopyApart(JournalError):
    """The record and its second copy are two histories, none of which goes on from the other."""

    def __init__(self, record: Path, has: Head, copy: Path, copied: Head) -> None:
        self.copied = copied
        longer = "record" if has.mark.seq >= copied.mark.seq else "copy"
        super().__init__(
            f"the record {record} and its second copy {copy} hold different histories: the record "
            f"ends with {head_text(has)}, the copy with {head_text(copied)}, so the {longer}'s is "
            "longer. Nothing was changed. Keep both and let the floor decide: move the record away "
            f"and `tablectl restore {copy} {record}`, or name another place for the second copy"
        )


def head_text(head: Head) -> str:
    """Where a record ends, in words."""
    return f"gaming day {head.day}, record {head.mark.seq}"


def check_copy(record: Path, newest: ChainReader | None, copy: Path) -> None:
    """Hold a record, opened at its newest day, against its second copy.

    A copy that is not there, or cannot be read, proves nothing. Raises `CopyAhead`, `CopyApart`.
    """
    try:
        copied = copy_head(copy)
        if not copied.mark.seq:
            return
        has = NOTHING
        if newest is not None and newest.last().seq:
            has = Head(newest.beginning.label, newest.last())
        if copied.mark.seq > has.mark.seq:
            follows = not has.mark.seq or Span(copy).holds(has.mark)
            raise (CopyAhead if follows else CopyApart)(record, has, copy, copied)
        span = Span(record)
        if copied.mark.seq > span.after().seq and not span.holds(copied.mark):
            raise CopyApart(record, has, copy, copied)
    except (CopyAhead, CopyApart):
        raise
    except (JournalError, OSError):
        return


def copy_head(copy: Path) -> Head:
    """Where a second copy ends, as far as its own anchor bears it out; `NOTHING` without one.

    Raises `JournalError`.
    """
    anchored = read_anchor(copy)
    newest = open_newest(copy) if copy.is_dir() else None
    if newest is None:
        return NOTHING
    with closing(newest):
        if anchored is None or not newest.holds(anchored.mark):
            return NOTHING
        return Head(newest.beginning.label, anchored.mark)
