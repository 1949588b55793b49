"""A record read from any place on: all of it, over the end of a day, and whether that is all."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import closing
from pathlib import Path

import pytest

from controller.record.files.chain_store import Row
from controller.record.files.head_anchor import Position
from controller.record.reading import record_tail
from controller.record.reading.record_tail import MOST_BYTES, RecordTail
from tests.support.forms import quick_first

KEPT = Path(__file__).parents[2] / "records" / "sets" / "2026-11-28-revision-4" / "blackjack"


@pytest.fixture
def tail(tmp_path: Path) -> RecordTail:
    """The record of two gaming days."""
    return RecordTail(Path(shutil.copytree(KEPT, tmp_path / "record")))


def read(tail: RecordTail, most: int, most_bytes: int = MOST_BYTES) -> list[tuple[list[Row], bool]]:
    """What is read piece by piece, until nothing comes; each with whether it was said to be all."""
    mark, found = tail.position(0), list[tuple[list[Row], bool]]()
    while rows := tail.after(mark, most, most_bytes):
        found.append((rows, tail.at_end))
        mark = Position(rows[-1].seq, rows[-1].hash)
    assert tail.at_end
    return found


@pytest.mark.parametrize("most", quick_first([1, 3, 50, 1_000], quick=[50, 1_000]))
def test_all_that_there_is_is_read_and_the_last_piece_is_said_to_be_it(
    tail: RecordTail, most: int
) -> None:
    with closing(tail):
        pieces = read(tail, most)
    assert [at_end for _, at_end in pieces] == [False] * (len(pieces) - 1) + [True]
    rows = [row for piece, _ in pieces for row in piece]
    assert [row.seq for row in rows] == list(range(1, rows[-1].seq + 1))
    assert all(len(piece) <= most for piece, _ in pieces)
    closed = [piece for piece, _ in pieces if piece[-1].body.startswith(b'["DayClosed/')]
    assert len(closed) == 1, "what is read is of one day: the next begins a piece"


def test_a_piece_that_was_cut_before_the_last_record_is_not_all(tail: RecordTail) -> None:
    with closing(tail):
        (*_, (last, _)) = read(tail, 1_000)
        whole = sum(len(row.body) for row in last)
        before = Position(last[0].seq, last[0].hash)
        cut = tail.after(before, len(last) - 2)
        assert (cut[-1].seq, tail.at_end) == (last[-1].seq - 1, False)
        cut = tail.after(before, 1_000, whole - len(last[0].body) - 1)
        assert (cut[-1].seq, tail.at_end) == (last[-1].seq - 1, False)
        assert tail.after(before, 1_000, whole) == last[1:]
        assert tail.at_end


@pytest.mark.parametrize("age_s", [0, 2, 3_600])
def test_a_day_that_comes_is_seen_however_long_ago_the_folder_was_changed(
    tmp_path: Path, age_s: int
) -> None:
    """Also where it comes in the tick of the clock in which the folder was last listed."""
    folder = Path(shutil.copytree(KEPT, tmp_path / "record"))
    newest = max(folder.glob("*.day"))
    newest.rename(aside := tmp_path / newest.name)
    changed_ns = time.time_ns() - age_s * 1_000_000_000
    os.utime(folder, ns=(changed_ns, changed_ns))
    with closing(RecordTail(folder)) as tail:
        first = tail.head()
        aside.rename(newest)
        if age_s < 3:
            os.utime(folder, ns=(changed_ns, changed_ns))
        assert tail.head() != first


def test_a_folder_of_many_days_is_not_listed_for_each_record(
    tail: RecordTail, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tail._folder
    long_ago_ns = time.time_ns() - 3_600 * 1_000_000_000
    with closing(tail):
        mark = tail.position(1)  # files of the newest day's log come and go as it is opened
        tail.after(mark)
        os.utime(folder, ns=(long_ago_ns, long_ago_ns))
        tail.after(mark)
        monkeypatch.setattr(record_tail, "day_files", None)
        assert tail.after(mark)
