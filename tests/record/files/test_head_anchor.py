"""The head anchor: what was written cannot vanish unseen, and a power cut is no false alarm."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from controller.record.files.database import wal_path
from controller.record.files.day_files import openings_path
from controller.record.files.day_writer import _write_again
from controller.record.files.head_anchor import (
    Anchor,
    Head,
    Position,
    anchor_path,
    read_anchor,
)
from controller.record.journal import Journal, JournalDamaged
from tests.support.dealt.journals import newest, write_journal
from tests.support.pit import Pit, opened

START = Head("2023-11-14", Position(0, bytes(32)))


def marks(count: int) -> list[Head]:
    return [
        Head(f"2023-11-{number:02}", Position(number, number.to_bytes(32, "big")))
        for number in range(1, count + 1)
    ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "record"
    folder.mkdir()
    return folder


def pit() -> Pit:
    played = opened(seats=3)
    played.bet(1)
    played.no_more_bets()
    played.deal("Kh 9c")
    return played


def write(path: Path, pit: Pit, upto: int | None = None) -> None:
    journal = Journal(path)
    have = len(list(journal.newest_day.records()))
    for record in pit.records[have:upto]:
        journal.write([record])
    journal.close()


def read(path: Path) -> int:
    journal = Journal(path)
    try:
        return len(list(journal.newest_day.records()))
    finally:
        journal.close()


def test_the_newest_mark_is_read(path: Path) -> None:
    anchor = Anchor(path, START)
    for mark in marks(5):
        anchor.write(mark)
        assert read_anchor(path) == mark
    anchor.close()
    Anchor(path, marks(6)[-1]).close()
    assert read_anchor(path) == marks(6)[-1]


def test_a_torn_mark_leaves_the_one_before(path: Path) -> None:
    """At every byte of the slot, from either end, old and new bytes mixed."""
    anchor = Anchor(path, START)
    file, (first, second, third) = anchor_path(path), marks(3)
    anchor.write(first)
    anchor.write(second)
    before = file.read_bytes()
    anchor.write(third)
    after = file.read_bytes()
    anchor.close()
    changed = [at for at, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    for cut in range(changed[0], changed[-1] + 1):
        for torn in (after[:cut] + before[cut:], before[:cut] + after[cut:]):
            file.write_bytes(torn)
            assert read_anchor(path) == (third if torn == after else second)


def test_an_anchor_never_grows(path: Path) -> None:
    write(path, pit(), 3)
    size = anchor_path(path).stat().st_size
    write(path, pit())
    assert anchor_path(path).stat().st_size == size == 8192


def test_a_power_cut_between_commit_and_anchor_is_no_damage(path: Path) -> None:
    played = pit()
    write(path, played, 5)
    before = anchor_path(path).read_bytes()
    write(path, played, 6)
    anchor_path(path).write_bytes(before)
    assert read(path) == 6


def test_an_anchor_further_behind_is_of_another_day(path: Path) -> None:
    played = pit()
    write(path, played, 5)
    before = anchor_path(path).read_bytes()
    write(path, played, 8)
    anchor_path(path).write_bytes(before)
    with pytest.raises(JournalDamaged, match="not of this record, or older"):
        read(path)


def test_a_history_that_became_shorter_is_noticed(path: Path) -> None:
    played = pit()
    write(path, played, 5)
    before = newest(path).read_bytes()
    write(path, played, 8)
    newest(path).write_bytes(before)
    with pytest.raises(JournalDamaged, match="records 6 to 8 were written and are gone"):
        read(path)


def test_another_history_of_the_same_length_is_noticed(path: Path, tmp_path: Path) -> None:
    write_journal(path, pit().records)
    other = opened(seats=2)
    other.bet(2)
    other.no_more_bets()
    other.deal("Kh 9c")
    write_journal(tmp_path / "other", other.records)
    assert len(other.records) == len(pit().records)
    newest(path).write_bytes(newest(tmp_path / "other").read_bytes())
    with pytest.raises(JournalDamaged, match="not the one that the anchor remembers"):
        read(path)


def test_a_lost_write_ahead_log_is_noticed_and_what_is_left_is_kept(path: Path) -> None:
    played = pit()
    journal = Journal(path)
    for record in played.records:
        journal.write([record])
    left = {each.name: each.read_bytes() for each in path.iterdir()}
    journal.close()
    for name, content in left.items():
        (path / name).write_bytes(content)
    wal_path(newest(path)).unlink()
    before = newest(path).read_bytes()
    with pytest.raises(JournalDamaged, match=r"were written and are gone|cannot be read"):
        read(path)
    assert newest(path).read_bytes() == before


@pytest.mark.parametrize("lost", ["day", "head"])
def test_a_record_that_lost_a_file_is_not_taken_for_a_new_one(path: Path, lost: str) -> None:
    write(path, pit())
    (newest(path) if lost == "day" else anchor_path(path)).unlink()
    with pytest.raises(JournalDamaged, match=r"days are gone|anchor is missing"):
        read(path)


def test_what_is_written_again_is_the_same_however_long_it_is(tmp_path: Path) -> None:
    for size in (1, 8192, 2_500_001):
        content = Random(size).randbytes(size)
        log = tmp_path / f"log-{size}"
        log.write_bytes(content)
        _write_again(log)
        assert log.read_bytes() == content
    _write_again(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_an_anchor_without_a_mark_is_of_a_record_that_was_never_begun(path: Path) -> None:
    """The power failed between the room for the anchor and its first mark."""
    anchor_path(path).write_bytes(bytes(8192))
    write(path, pit(), 1)
    assert read(path) == 1
    # Where there is a record it says nothing of, it is damage like any other.
    write(path, pit())
    anchor_path(path).write_bytes(bytes(8192))
    with pytest.raises(JournalDamaged, match="the anchor knows 0 records"):
        read(path)


@pytest.mark.parametrize("begun", [["", ".openings"], [".openings"], []])
def test_a_record_whose_creation_was_cut_off_is_begun_again(path: Path, begun: list[str]) -> None:
    write_journal(path, [])  # a day with nothing in it
    for each in (newest(path), openings_path(newest(path))):
        if each.name.removeprefix(newest(path).name) not in begun and each.name.endswith("gs"):
            each.unlink()
    if "" not in begun:
        newest(path).unlink()
    assert read(path) == 0
    write(path, pit(), 4)
    assert read(path) == 4
