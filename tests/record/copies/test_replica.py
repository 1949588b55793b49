"""The second copy: in step, never blocking, a failure reported, and sufficient for a restore."""

from __future__ import annotations

import shutil
import threading
from contextlib import closing
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.record.copies import replica
from controller.record.copies.replica import Replica
from controller.record.files.day_files import openings_path
from controller.record.journal import Journal, JournalError
from controller.record.reading.verify import compare, verify
from controller.rules.messages import Message
from controller.table.facts import Record
from controller.table.views.english import say
from tests.support.dealt.journals import newest, records, write_journal

DAY = records(8, 300, "blackjack")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replica, "GATHER_S", 0.0)
    monkeypatch.setattr(replica, "RETRY_S", 0.01)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "other"
    folder.mkdir()
    return folder / "copy"


def play(path: Path, copy: Path, upto: int) -> Message | None:
    """Go on to record `upto` with a second copy; what was wrong with it at the end."""
    with closing(Journal(path, copy)) as journal:
        have = len(list(journal.newest_day.records()))
        for record in DAY[have:upto]:
            journal.write([record])
        return journal.copy_problem()


def read(path: Path) -> list[Record]:
    with closing(Journal(path)) as journal:
        return list(journal.newest_day.records())


def test_the_copy_is_in_step_when_the_table_stops_and_catches_up_later(
    path: Path, copy: Path
) -> None:
    assert play(path, copy, 120) is None
    assert [repr(each) for each in read(copy)] == [repr(each) for each in DAY[:120]]
    write_journal(path, DAY[120:200])  # the other device was away
    assert play(path, copy, 300) is None
    assert [repr(each) for each in read(copy)] == [repr(each) for each in DAY]
    assert compare(path, copy).good


def test_the_copy_keeps_step_while_the_table_runs(path: Path, copy: Path) -> None:
    with closing(Journal(path, copy)) as journal:
        assert list(journal.newest_day.records()) == []
        for count in (10, 20, 30):
            journal.write(DAY[journal.head.seq : count])
            until(lambda count=count: whole(copy) == count)
            assert journal.copy_problem() is None


def whole(copy: Path) -> int:
    """How many records of a copy hold, while it is being written."""
    try:
        return verify(copy).head.seq
    except JournalError:
        return 0  # it is not begun yet


def until(holds: object) -> None:
    ticking = threading.Event()
    for _ in range(2_000):
        if holds():  # type: ignore[operator]
            return
        ticking.wait(0.005)
    raise AssertionError("it never came to hold")


def test_a_device_that_is_away_is_reported_and_costs_the_table_nothing(
    path: Path, copy: Path
) -> None:
    copy.parent.rmdir()
    with closing(Journal(path, copy)) as journal:
        assert list(journal.newest_day.records()) == []
        journal.write(DAY[:50])
        until(journal.copy_problem)
        assert "plug its device in" in say(journal.copy_problem())
        assert "The table goes on without a second copy" in say(journal.copy_problem())
        journal.write(DAY[50:80])
        copy.parent.mkdir()
        until(lambda: not journal.copy_problem())
    assert len(read(copy)) == 80


def test_a_copy_that_fails_by_a_defect_of_ours_says_so_and_is_tried_again(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    card = "hearts-7"

    def fails(*_: object, **__: object) -> None:
        raise KeyError(card)

    with closing(Journal(path, copy)) as journal:
        assert list(journal.newest_day.records()) == []
        with monkeypatch.context() as defect:
            defect.setattr(replica, "pour_day", fails)
            journal.write(DAY[:50])
            until(journal.copy_problem)
            assert "cannot be kept (KeyError)" in say(journal.copy_problem())
        journal.write(DAY[50:80])
        until(lambda: not journal.copy_problem())
    assert len(read(copy)) == 80
    assert card not in caplog.text


def test_a_device_that_is_exchanged_has_the_copy_from_then_on(path: Path, copy: Path) -> None:
    """One that was unmounted, or mounted over what was copied to: what is open is not it."""
    with closing(Journal(path, copy)) as journal:
        assert list(journal.newest_day.records()) == []
        journal.write(DAY[:50])
        until(lambda: whole(copy) == 50)
        copy.parent.rename(path.with_name("pulled"))
        copy.parent.mkdir()
        journal.write(DAY[50:80])
        until(lambda: whole(copy) == 80)
        until(lambda: not journal.copy_problem())
    assert len(read(copy)) == 80
    assert len(read(path.with_name("pulled") / copy.name)) == 50


def test_the_copy_of_another_table_is_left_alone(path: Path, copy: Path) -> None:
    write_journal(copy, records(9, 40, "blackjack"))
    before = newest(copy).read_bytes()
    write_journal(path, DAY[:50])
    follows = Replica(path, copy)
    follows.wake()
    until(lambda: follows.problem(50))
    follows.close()
    assert "holds another history, to record 40 of 2023-11-14" in say(follows.problem(50))
    assert newest(copy).read_bytes() == before
    assert not compare(path, copy).good


def test_a_damaged_journal_is_not_copied(path: Path, copy: Path) -> None:
    play(path, copy, 100)
    write_journal(path, DAY[100:150])
    openings_path(newest(path)).unlink()  # nothing of it can be opened any more
    follows = Replica(path, copy)
    follows.wake()
    until(lambda: follows.problem(150))
    follows.close()
    assert "is damaged and is not copied" in say(follows.problem(150))
    assert verify(copy).good
    assert len(read(copy)) <= 150


def test_a_second_service_touches_neither_journal_nor_copy(path: Path, copy: Path) -> None:
    with closing(Journal(path, copy)), pytest.raises(JournalError, match="another service"):
        Journal(path, copy)


def test_a_copy_that_lags_is_reported(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica, "BEHIND_RECORDS", 10)
    follows = Replica(path, copy)
    assert follows.problem(10) is None
    assert "11 records behind" in say(follows.problem(11))
    follows.close()


def test_a_lost_journal_comes_back_from_its_copy(
    path: Path, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(path, copy, 300)
    shutil.rmtree(path)
    assert main(["restore", str(copy), str(path)]) == 0
    assert "up to record 300 restored" in capsys.readouterr().out
    assert [repr(each) for each in read(path)] == [repr(each) for each in DAY]


def test_verify_holds_a_copy_against_its_journal(
    path: Path, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(path, copy, 100)
    write_journal(path, DAY[100:120])
    assert main(["verify", str(path), "--copy", str(copy)]) == 0
    assert "20 records behind" in capsys.readouterr().out
    write_journal(copy, DAY[100:130])
    assert main(["verify", str(path), "--copy", str(copy)]) == 1
    assert "goes further" in capsys.readouterr().out
