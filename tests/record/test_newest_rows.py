"""What was written last is in memory as it lies on the disk, within bounds, and never in doubt."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from controller.record.days.gaming_day import rows_of
from controller.record.files.chain_store import ChainReader, Row
from controller.record.files.day_writer import ChainWriter
from controller.record.files.head_anchor import Position, genesis
from controller.record.files.openings import Opening
from controller.record.journal import Journal, JournalError
from controller.record.newest_rows import MOST_BYTES, MOST_ROWS, NewestRows
from controller.record.reading.record_tail import RecordTail
from controller.table.facts import DayClosed
from tests.record.days.dealt_days import dealt
from tests.support.dealt.days import commits
from tests.support.dealt.journals import IDENTITY, newest, records


def some_rows(count: int) -> list[Row]:
    return rows_of(records(5, count), genesis(IDENTITY))


def place(row: Row) -> Position:
    return Position(row.seq, row.hash)


def test_what_follows_a_record_is_told_as_long_as_that_record_is_kept() -> None:
    rows, kept = some_rows(8), NewestRows()
    assert kept.after(genesis(IDENTITY)) is None, "nothing was written yet"
    kept.add(rows[2:3])
    kept.add(rows[3:8])
    for at in range(2, 8):
        assert list(kept.after(place(rows[at])) or ()) == rows[at + 1 :]
    assert kept.after(place(rows[7])) == (), "known to be all: nobody has to look at the disk"
    assert kept.after(place(rows[1])) is None
    assert kept.after(Position(9, rows[7].hash)) is None, "what was never written"
    assert kept.after(Position(4, bytes(32))) is None, "another record of that number"


def test_no_more_is_kept_than_goes_into_one_message() -> None:
    rows, kept = some_rows(3 * MOST_ROWS), NewestRows()
    kept.add(rows[:10])
    for row in rows[10:250]:
        kept.add([row])
    assert kept.after(place(rows[248 - MOST_ROWS])) is None
    assert list(kept.after(place(rows[250 - MOST_ROWS])) or ()) == rows[251 - MOST_ROWS : 250]
    kept.add(rows[250:])  # more than one message at once
    assert kept.after(place(rows[-1])) == ()
    assert kept.after(place(rows[250])) == tuple(rows[251:])
    many = NewestRows()
    many.add(rows)
    assert many.after(place(rows[-MOST_ROWS])) == tuple(rows[1 - MOST_ROWS :])
    assert many.after(place(rows[-MOST_ROWS - 1])) is None

    large = [Row(row.seq, row.version, bytes(MOST_BYTES // 4), row.hash) for row in rows[:20]]
    few = NewestRows()
    for row in large:
        few.add([row])
    assert few.after(place(large[15])) is None
    assert few.after(place(large[16])) == tuple(large[17:])
    few.add([Row(21, 1, bytes(2 * MOST_BYTES), bytes(32))])
    assert few.after(place(large[19])) is None, "it is read, and sent alone"
    assert few.after(Position(21, bytes(32))) == ()


def test_where_something_came_between_the_disk_is_asked() -> None:
    rows, kept = some_rows(9), NewestRows()
    kept.add(rows[:4])
    kept.add(())
    assert kept.after(place(rows[3])) is None
    kept.add(rows[4:6])
    assert kept.after(place(rows[3])) is None
    assert list(kept.after(place(rows[4])) or ()) == [rows[5]]
    kept.add(rows[7:])
    assert kept.after(place(rows[5])) is None
    assert list(kept.after(place(rows[7])) or ()) == [rows[8]]


def test_the_journal_tells_of_each_commit_what_the_disk_has_and_of_a_roll_over_nothing(
    tmp_path: Path,
) -> None:
    told = list[list[Row]]()
    pit = dealt(days=2)
    with (
        closing(Journal(tmp_path / "record")) as journal,
        closing(RecordTail(tmp_path / "record")) as tail,
    ):
        journal.recover()

        def hear(rows: Sequence[Row]) -> None:
            on_disk = tail.after(place(rows[0])) if rows else []
            assert not rows or [rows[0], *on_disk] == list(rows), "it is on the disk by then"
            told.append(list(rows))

        journal.on_written = hear
        given = list(commits(pit.records))
        for commit in given:
            journal.write(commit)
    rolled = [any(isinstance(each.fact, DayClosed) for each in commit) for commit in given]
    assert [not rows for rows in told] == rolled
    assert sum(rolled) == 1
    with closing(ChainReader(newest(tmp_path / "record"))) as reader:
        of_the_day = list(reader.rows())
    assert [row for rows in told[rolled.index(True) :] for row in rows] == of_the_day[1:]


def waits(gate: threading.Event) -> None:
    assert gate.wait(30)


@pytest.mark.anyio
async def test_whoever_acts_on_a_commit_finds_its_rows_there(tmp_path: Path) -> None:
    """Else the last record would wait for the next one."""
    gate = threading.Event()
    journal = Journal(tmp_path / "record")
    journal.on_written = lambda _rows: waits(gate)
    try:
        appending = asyncio.create_task(journal.append(records(5, 1)))
        for _ in range(20):
            await asyncio.sleep(0)
        await asyncio.to_thread(gate.wait, 0.05)
        assert not appending.done()
        gate.set()
        await appending
    finally:
        gate.set()
        journal.close()


class FailingWriter(ChainWriter):
    """A disk that fails at the third write, after it has it."""

    adds = 0

    def add(self, rows: Sequence[Row], openings: Sequence[Opening] = ()) -> None:
        super().add(rows, openings)
        self.adds += bool(rows)
        if self.adds == 3:
            raise sqlite3.OperationalError("disk I/O error")


def test_after_a_write_that_failed_nothing_is_known(tmp_path: Path) -> None:
    kept, given = NewestRows(), records(5, 4)
    with closing(Journal(tmp_path / "record", writer=FailingWriter)) as journal:
        journal.on_written = kept.add
        journal.write(given[:1])
        journal.write(given[1:2])
        second = journal.head
        assert kept.after(second) == ()
        with pytest.raises(JournalError):
            journal.write(given[2:3])
        assert kept.after(second) is None
        with pytest.raises(JournalError):
            journal.write(given[3:])
        assert kept.after(second) is None
