"""A day is read back from its file while it is written, so that its close is short."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from controller.record import journal as journal_module
from controller.record import writer_thread
from controller.record.codec import Decoder
from controller.record.days.followed_day import FollowedDay
from controller.record.days.gaming_day import check_carried
from controller.record.files.day_files import day_files
from controller.record.journal import Journal, JournalDamaged, JournalError
from controller.record.reading.verify import verify
from controller.record.writer_thread import Idle, Work, WriterThread
from controller.table.evolve.carry_over import carry_over, difference
from controller.table.facts import DayClosed, DayOpened, Record
from tests.record.days.dealt_days import dealt
from tests.support.dealt.days import CalendarPit, commits
from tests.support.patience import PATIENCE_S


def closed_days() -> tuple[CalendarPit, list[Record], list[Record]]:
    """A table with a closed day; the day's records but the last, and those that go over."""
    pit = dealt(days=1)
    end = len(pit.records)
    assert not pit.close_day().refused
    return pit, pit.records[:end], pit.records[end:]


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of each record that is read from a file, as it is read."""
    read: list[int] = []
    decode = Decoder.decode

    def counted(self: Decoder, seq: int, version: int, body: bytes) -> Record:
        read.append(seq)
        return decode(self, seq, version, body)

    monkeypatch.setattr(Decoder, "decode", counted)
    return read


@pytest.mark.anyio
async def test_a_day_that_was_followed_is_closed_with_next_to_nothing_left_to_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, decoded: list[int]
) -> None:
    monkeypatch.setattr(writer_thread, "IDLE_AFTER_S", 0.0005)
    pit, day, over = closed_days()
    with closing(Journal(folder)) as journal:
        for commit in commits(day):
            await journal.append(commit)
        async with asyncio.timeout(PATIENCE_S):
            while journal.newest_day.behind:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        assert decoded == [each.seq for each in day], "each once, in order, from the file"
        decoded.clear()
        await journal.append(over)
        # The next day is followed in its turn: its first record may be read by now.
        assert [seq for seq in decoded if seq <= day[-1].seq] == []
        assert [each.label for each in day_files(folder)] == ["2023-11-14", "2023-11-15"]
    with closing(Journal(folder)) as journal:
        state = journal.recover()
    assert state is not None
    assert difference(carry_over(state), carry_over(pit.state)) == ""
    found = verify(folder)
    assert (found.problems, found.signed) == ([], ["2023-11-14"])


def test_a_day_whose_end_was_due_is_closed_right_after_the_start_without_another_replay(
    folder: Path, decoded: list[int]
) -> None:
    _, day, over = closed_days()
    with closing(Journal(folder)) as journal:
        journal.write(day[:-3])
    with closing(Journal(folder)) as journal:
        journal.recover()
        decoded.clear()
        journal.write(day[-3:])
        journal.write(over)
        assert decoded == [each.seq for each in day[-3:]], "what was written since, and no more"
    assert verify(folder).problems == []


def test_what_goes_wrong_with_the_live_state_after_a_start_goes_wrong_with_no_copy_of_it(
    folder: Path,
) -> None:
    """A start's replay is where the live table goes on, and what its day is compared with."""
    _, day, _ = closed_days()
    with closing(Journal(folder)) as journal:
        journal.write(day)
    with closing(Journal(folder)) as journal:
        state = journal.recover()
        assert state is not None
        state.betting.wagers[9] = 100
        pit = CalendarPit(began=state)
        records = pit.records[:]
        pit.records.clear()
        assert not pit.close_day().refused
        journal.write(records)
        with pytest.raises(JournalError, match=r"differ in betting\.wagers"):
            journal.write(pit.records)
    assert [each.label for each in day_files(folder)] == ["2023-11-14"]


def test_a_start_s_replay_is_replaced_by_another_one_as_soon_as_that_has_come_as_far(
    folder: Path,
) -> None:
    _, day, over = closed_days()
    with closing(Journal(folder)) as journal:
        journal.write(day)
        end, path = journal.head, day_files(folder)[0].path
    opened = over[1].fact
    assert isinstance(opened, DayOpened)
    assert opened.carried is not None
    with closing(Journal(folder)) as journal:
        state = journal.recover()
    assert state is not None
    wrong = replace(state, counts=replace(state.counts, rounds=99))
    followed = FollowedDay()
    with closing(followed):
        followed.resume(wrong, end)
        with pytest.raises(JournalError, match="differ in"):
            check_carried(followed.whole(path, end), "2023-11-14", over[:1], opened.carried)
        steps = 0
        while followed.follow(path, end, 5):
            steps += 1
        assert steps >= len(day) // 5 - 1, "some records at a time"
        check_carried(followed.whole(path, end), "2023-11-14", over[:1], opened.carried)


def test_what_the_day_is_compared_with_was_read_from_its_file(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _, day, over = closed_days()
    with closing(Journal(folder)) as journal:
        journal.write(day)
        with closing(sqlite3.connect(day_files(folder)[0].path)) as base:
            base.execute("UPDATE records SET body = zeroblob(9) WHERE seq = 7")
            base.commit()
        while journal.newest_day.follow(5):
            continue
        assert "record 7 is not what was written" in caplog.text
        with pytest.raises(JournalDamaged, match="record 7 is not what was written"):
            journal.write(over)
    assert [each.label for each in day_files(folder)] == ["2023-11-14"]


def test_a_file_that_lost_its_last_record_closes_no_day(folder: Path) -> None:
    _, day, over = closed_days()
    with closing(Journal(folder)) as journal:
        journal.write(day)
        with closing(sqlite3.connect(day_files(folder)[0].path)) as base:
            base.execute("DELETE FROM records WHERE seq = ?", (day[-1].seq,))
            base.commit()
        with pytest.raises(JournalDamaged, match="does not end with what was written last"):
            journal.write(over)
    assert [each.label for each in day_files(folder)] == ["2023-11-14"]


class NeverIdle:
    """A queue with a job at every moment."""

    patience_s = PATIENCE_S

    def __init__(self, work: Work[object], idle: Idle) -> None:
        self._work = work

    def submit(self, job: object) -> None:
        for _ in self._work(job):
            continue

    def close(self) -> None:
        """Nothing is left."""


@pytest.mark.anyio
async def test_a_table_that_is_never_idle_is_followed_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "BEHIND_MAX", 10)
    _, day, over = closed_days()
    behind: list[int] = []
    with closing(Journal(folder, thread=NeverIdle)) as journal:  # type: ignore[arg-type]
        for commit in commits(day):
            await journal.append(commit)
            behind.append(journal.newest_day.behind)
        await journal.append(over)
    assert max(behind) < 40 < len(day)
    assert isinstance(over[0].fact, DayClosed)


def test_the_writing_thread_does_what_can_wait_after_its_jobs_until_nothing_is_left() -> None:
    done: list[str] = []
    none_left = threading.Semaphore(0)

    def work(job: str) -> Iterator[None]:
        done.append(job)
        yield

    def idle() -> bool:
        done.append("idle")
        left = done.count("idle") % 3 != 0
        if not left:
            none_left.release()
        return left

    thread: WriterThread[str] = WriterThread(work, idle)
    for job in "ab":
        thread.submit(job)
        assert none_left.acquire(timeout=PATIENCE_S)
    thread.close()
    assert done == ["a", *["idle"] * 3, "b", *["idle"] * 3]
