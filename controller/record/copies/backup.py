"""Backups of a record, also while the service runs; `restore` is the way back.

A backup is a record itself: days, openings and anchor, so that it can be verified, replayed and
exported like any other. The table's private key is in none. It appears under its name when it is
whole, or not at all.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from controller.record.copies.replica import finish_copy, pour
from controller.record.files.chain_store import ChainReader, Row
from controller.record.files.database import JournalError, copy_small
from controller.record.files.day_files import openings_path
from controller.record.files.day_writer import ChainWriter, make_day
from controller.record.files.head_anchor import Position, sync_below, sync_folder
from controller.record.files.openings import Openings
from controller.record.files.signing import is_signed, public_key_path
from controller.record.files.span import OnProgress, Span
from controller.rules.frozen import frozen


class BackupRefused(JournalError):
    """It was not done, and nothing was changed; the text says why and what to do."""


@frozen
class Written:
    """What was written: days, the last record, and what is missing of it, in words ("": nothing).

    `replaced`: under which name the record that stood in its place is kept; None where none did.
    """

    days: tuple[str, ...]
    head: Position
    missing: str = ""
    replaced: Path | None = None


def backup(
    record: Path,
    target: Path,
    first: str = "",
    last: str = "",
    on_progress: OnProgress | None = None,
) -> Written:
    """Write a backup of the days `first` to `last` to `target`, also while the service runs.

    Raises `BackupRefused` if something is there, `JournalError` where the record is damaged: a
    backup of damage would be none.
    """
    if target.exists():
        raise BackupRefused(f"{target} is there already: give every backup a name of its own")
    span = Span(record, first, last, on_progress)
    part = part_path(target)
    with whole_folder(part):
        head = write_days(span, part, readable=False)
    os.replace(part, target)
    sync_folder(target.parent)
    return Written(tuple(day.label for day in span.days), head)


def write_days(
    span: Span, target: Path, *, readable: bool, upto: Position | None = None
) -> Position:
    """The days of `span` as a new record at `target`, up to record `upto`; the last one."""
    head: Position | None = None
    for day in span.days:
        with closing(span.reader(day, to_its_end=not readable)) as reader:
            beginning = reader.beginning
            make_day(target, beginning)
            with closing(ChainWriter(target, beginning, beginning.after)) as writer:
                beside = openings_path(day.path)
                with closing(Openings(beside, missing_is_damage=not readable)) as openings:
                    pour(reader.path, _upto(reader, upto), openings, writer)
                writer.mark()
                head, path = writer.head, writer.path
        is_last = upto is not None and head.seq >= upto.seq
        # Of one that was cut short the signature does not hold.
        if not is_last or is_signed(day.path, beginning, head):
            newest = is_last or day == span.days[-1]
            finish_copy(day.path, path, read_only=not newest)
        if is_last:
            break
    if public_key_path(span.folder).exists():
        copy_small(public_key_path(span.folder), public_key_path(target))
    assert head is not None
    return head


def _upto(reader: ChainReader, upto: Position | None) -> Iterator[Row]:
    for row in reader.rows():
        yield row
        if upto is not None and row.seq == upto.seq:
            return


def part_path(target: Path) -> Path:
    """Under which name a record is written until it is whole. It gets its own name last."""
    return target.with_name(f".{target.name}.part")


@contextmanager
def whole_folder(part: Path) -> Iterator[None]:
    """A folder that comes to be, on the disk with all that is in it when this ends.

    It is taken away again if it does not come to its end.
    """
    shutil.rmtree(part, ignore_errors=True)
    try:
        part.mkdir(parents=True, mode=0o700)
        yield
        sync_below(part)
    except (sqlite3.Error, OSError) as error:
        shutil.rmtree(part, ignore_errors=True)
        raise JournalError(f"{part.parent} cannot be written ({error}): check the disk") from error
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
