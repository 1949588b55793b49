"""The newest entries and rounds of a record come first, whatever is damaged, and only days that
have some of them are read.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from controller.commands.terminal.status import EXIT_BAD, EXIT_USAGE
from controller.record.files.chain_store import ChainReader
from tests.record.conftest import PutRecord
from tests.support.dealt.journals import newest

#: So many that the newest day does not recall the rounds of the first.
DAYS = 6
ALL = ("--newest", "100000")

Listed = tuple[int, list[Any], str]


@pytest.fixture
def folder(tmp_path: Path, put_record: PutRecord) -> Path:
    put_record(tmp_path / "record", DAYS)
    return tmp_path / "record"


def damaged(folder: Path) -> tuple[int, int]:
    """Spoil a record in the middle of the newest day: the day's first record, and the bad one."""
    day = newest(folder)
    with closing(ChainReader(day)) as reader:
        first, last = reader.beginning.after.seq + 1, reader.last().seq
    bad = (first + last) // 2
    with closing(sqlite3.connect(day)) as base, base:
        base.execute("UPDATE records SET hash = zeroblob(32) WHERE seq = ?", (bad,))
    return first, bad


def listed(capsys: pytest.CaptureFixture[str], *words: object) -> Listed:
    status = main([*map(str, words), "--json"])
    out, err = capsys.readouterr()
    return status, [json.loads(each) for each in out.splitlines()], err


def test_a_damaged_newest_day_hides_no_entry_of_an_older_day(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, bad = damaged(folder)
    assert 1 < first < bad
    status, lines, err = listed(capsys, "logbook", folder, *ALL)
    assert [each["seq"] for each in lines] == list(range(bad - 1, 0, -1))
    assert status == EXIT_BAD
    assert f"record {bad} is not what was written" in err
    assert lines == listed(capsys, "logbook", folder)[1][::-1]


def test_a_damaged_newest_day_hides_no_round_of_an_older_day(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, bad = damaged(folder)
    status, lines, err = listed(capsys, "rounds", folder, *ALL)
    found = [each["number"] for each in lines]
    assert found == list(range(found[0], 0, -1))
    assert status == EXIT_BAD
    assert f"record {bad} is not what was written" in err


@pytest.mark.long
def test_a_day_whose_rounds_are_all_newer_is_not_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As its damage shows, which is not met."""
    whole = [each for each in listed(capsys, "rounds", folder)[1] if each["number"] < 4]
    assert len(whole) == 3
    damaged(folder)
    asked = ("rounds", folder, "--newest", 5, "--before", 4)
    assert listed(capsys, *asked) == (0, whole[::-1], "")


@pytest.mark.long
@pytest.mark.parametrize("what", ["logbook", "rounds"])
def test_a_number_to_go_on_before_takes_how_many(
    what: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, lines, err = listed(capsys, what, folder, "--before", 4)
    assert (status, lines) == (EXIT_USAGE, [])
    assert "--before goes with --newest N" in err
