"""From one gaming day to the next: the roll-over, and where a start goes on with one.

The order of what is written, each a point at which the power may fail:

1. `DayClosed` in the day's file: from here on the day is closed, whatever happens next.
2. The head anchor comes to it.
3. The next day's files are made under other names. What is in them follows from the closed day.
4. They take their names, the day's own last: from here on the next day is open.
5. The head anchor comes to the next day.
6. The closed day is tidied up: no write-ahead log, signed, read-only.

A start that finds a day closed and no next one goes on at 3; what is left of 6 is done at the
start, too. Before 1 what the next day takes over is derived from the day's file, which is read
while the day is written (`followed_day`), and compared with the live table's: a difference stops
the table.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

from controller.record.codec import VERSION, encode, seals_in
from controller.record.files.chain_store import RECORDS, Beginning, ChainReader, Row, chain
from controller.record.files.database import (
    READ_ONLY,
    UNREADABLE,
    JournalDamaged,
    JournalError,
    read_write,
)
from controller.record.files.day_files import DayFile, day_files, openings_path, signature_path
from controller.record.files.day_writer import Step, is_closed, make_day, no_step
from controller.record.files.head_anchor import Position
from controller.record.files.openings import CARRIED, OPENINGS, Opening, Openings
from controller.record.files.signing import ensure_key, sign
from controller.record.files.span import beginning_after
from controller.table.evolve.carry_over import (
    canonical,
    carry_over,
    difference,
    digest,
    hidden_form,
    next_day,
)
from controller.table.evolve.evolve import evolve
from controller.table.facts import DayClosed, DayOpened, Record
from controller.table.gaming_day import CarryOver
from controller.table.state.state import State

log = logging.getLogger(__name__)


def rows_of(records: Sequence[Record], after: Position) -> list[Row]:
    """Records as they lie in a file, chained to `after`. Raises `JournalError` for a gap."""
    number, previous = after
    rows = []
    for record in records:
        if record.seq != number + 1:
            raise JournalError(
                f"record {record.seq} does not follow record {number}, nothing was written: start "
                "the service again, and report this defect"
            )
        body = encode(record)
        previous = chain(previous, record.seq, VERSION, body)
        number = record.seq
        rows.append(Row(number, VERSION, body, previous))
    return rows


def check_carried(state: State, label: str, last: Sequence[Record], live: CarryOver) -> None:
    """Derive what the next day takes over from the day's own file, and compare it with `live`.

    `state` is what that file, of the day `label`, comes to, `last` are the records that would be
    written, of which the last one closes the day. Raises `JournalError` where the two differ.
    """
    for record in last:
        state = evolve(state, record)
    closed = last[-1].fact
    assert isinstance(closed, DayClosed)
    named = (closed.digest, closed.hidden)
    if named != (digest(live), live.hidden):
        raise JournalError(
            f"the gaming day {closed.label} is not closed: it names another carry-over"
        )
    derived = carry_over(state, live.nonce)
    if named != (digest(derived), derived.hidden):
        raise JournalError(
            f"the gaming day {label} is not closed: its file and the live table "
            f"differ in {difference(derived, live)}. `tablectl verify` the record and start the "
            "table again: it goes on from what is on record"
        )


def opening_record(state: State, closed: Record, openings: Openings) -> Record:
    """The record that opens the day after the one that `closed` closed; `state` is after it.

    Raises `JournalError` where what is taken over is not what `closed` names.
    """
    fact = closed.fact
    assert isinstance(fact, DayClosed)
    found = openings.open_carried(fact.hidden)
    if found is None:
        raise JournalDamaged(openings.path, "what the next day takes over is gone", closed.seq)
    nonce, _ = found
    opened = next_day(state, fact, nonce)
    assert opened.carried is not None
    if (digest(opened.carried), opened.carried.hidden) != (fact.digest, fact.hidden):
        raise JournalError(
            f"the gaming day {fact.label} was closed by tablectl {state.run.software}, and this "
            "software derives another carry-over from it: start that one, which opens the next day"
        )
    return Record(closed.seq + 1, closed.at_ms, closed.mono_ns, closed.cause, opened)


def open_next(
    folder: Path,
    before: Beginning,
    closed: Position,
    label: str,
    rows: Sequence[Row],
    openings: Sequence[Opening],
    step: Step = no_step,
) -> Beginning:
    """Make the files of the next day, `label`; `rows` begin with the one that opens it.

    Raises `JournalError`, `sqlite3.Error`, `OSError`.
    """
    beginning = Beginning(before.identity, label, closed)
    make_day(folder, beginning, rows, openings, step)
    return beginning


def hidden_opening(carried: CarryOver) -> Opening:
    """What opens the commitment to the hidden part of a carry-over."""
    hidden = canonical(hidden_form(carried)).decode()
    return Opening(carried.hidden, carried.nonce, CARRIED, hidden)


def finish_days(folder: Path, key: Path, step: Step = no_step) -> None:
    """Tidy up every closed day that is not yet: no log, signed with the key at `key`, read-only.

    Raises `JournalError`, `sqlite3.Error`, `OSError`.
    """
    ensure_key(folder, key)
    days = day_files(folder)
    for day, after in pairwise(days):
        if is_closed(day.path):
            continue
        if after != days[-1] and not signature_path(day.path).exists():
            # Each day is signed before the next one closes: this is not as the table left it.
            log.error("gaming day %s lost its signature, it gets no other: verify it", day.label)
            continue
        try:
            _finish(folder, key, day, after, step)
        except sqlite3.OperationalError as error:
            # Somebody reads it at this moment. It is closed all the same: nothing is added to it.
            log.info("gaming day %s is read now, and tidied up later: %s", day.label, error)
        except (JournalDamaged, *UNREADABLE) as error:
            # Never signed, nor folded into a file: what is left of it is left as it is.
            log.error("gaming day %s is not signed, it is damaged: %s", day.label, error)


def _finish(folder: Path, key: Path, day: DayFile, after: DayFile, step: Step) -> None:
    if not signature_path(day.path).exists():
        with closing(ChainReader(day.path)) as reader:
            if reader.last() != beginning_after(after):
                what = "it does not end where the day after it begins"
                raise JournalDamaged(day.path, what, 0)
            sign(folder, key, day.path, reader.beginning, reader.last())
        step("signed")
    _make_read_only(day, step)


def tidy_up_signed_days(folder: Path) -> bool:
    """Tidy up the closed days that somebody read as they were closed; whether none is left.

    Days that are not signed are the business of `finish_days`, which the record's writer calls; for
    those that are, any thread may call this. Raises `JournalError`, `OSError`.
    """
    left = False
    for day in day_files(folder)[:-1]:
        if is_closed(day.path) or not signature_path(day.path).exists():
            continue
        try:
            _make_read_only(day)
        except sqlite3.OperationalError:
            left = True
        except (JournalDamaged, *UNREADABLE) as error:
            log.error("gaming day %s stays as it is, it is damaged: %s", day.label, error)
    return not left


def _make_read_only(day: DayFile, step: Step = no_step) -> None:
    """A closed day without its logs, read-only; while it is read: `sqlite3.OperationalError`."""
    beside = openings_path(day.path)
    for path, schema in ((beside, OPENINGS), (day.path, RECORDS)):
        if path.exists():
            path.chmod(0o600)
            with closing(read_write(path, schema)) as base:
                _without_log(path, base)
            step("log folded in")
    for path in (beside, day.path):
        if path.exists():
            os.chmod(path, READ_ONLY)
            step("read-only")


def _without_log(path: Path, base: sqlite3.Connection) -> None:
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if base.execute("PRAGMA journal_mode=DELETE").fetchone()[0] != "delete":
        raise sqlite3.OperationalError(f"{path} is in use")


def openings_of(records: Sequence[Record]) -> list[Opening]:
    """What opens the sealed cards of `records`, and the hidden part of what a day takes over."""
    rows = []
    for record in records:
        for seal in seals_in(record):
            kind = seal.open()
            if kind is not None and seal.digest:
                rows.append(Opening(seal.digest, seal.nonce, kind.code, seal.open_serial()))
        fact = record.fact
        if isinstance(fact, DayOpened) and fact.carried is not None:
            rows.append(hidden_opening(fact.carried))
    return rows
