"""The rounds of a record against what they were worth: by day and dealer, closed days kept."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.odds.live.leak_watch import ALARM, LeakWatch
from controller.record.reading import expected
from controller.record.reading.expected import Results, beside, played_in, results_of
from controller.record.reading.rounds import rounds
from tests.record.days.dealt_days import write
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.days import CalendarPit, some_round

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of two days that are closed and one that is open, some rounds each."""
    pit = CalendarPit()
    croupier = Croupier(pit, random.Random(3))
    for number in (4, 4, 3):
        pit.set_clock_ms(pit.now_ms + 86_400_000)
        assert pit.close_day().refused == ""
        for _ in range(number):
            some_round(croupier)
    folder = tmp_path_factory.mktemp("expected") / "record"
    write(folder, pit.records)
    return folder


@pytest.fixture
def folder(tmp_path: Path, written: Path) -> Path:
    shutil.copytree(written, tmp_path / "record")
    return tmp_path / "record"


def test_every_round_that_is_over_is_held_once_under_its_day(folder: Path) -> None:
    played = [each for each in rounds(folder) if each.ended_ms and not each.void and not each.dummy]
    found = results_of(folder)
    assert sum(each.rounds for each in found.lines.values()) == len(played) > 0
    assert sum(each.net for each in found.lines.values()) == sum(each.net for each in played)
    assert len({kind.day for kind in found.lines}) == 3
    assert all(each.unknown == each.not_held == 0 for each in found.lines.values())
    assert found.test.rounds == len(played)


def test_closed_days_are_read_once_and_the_open_one_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = results_of(folder)
    read: list[str] = []

    def noted(folder: Path, day: str) -> object:
        read.append(day)
        return played_in(folder, day)

    monkeypatch.setattr(expected, "played_in", noted)
    assert results_of(folder) == first
    assert read == [max(kind.day for kind in first.lines)]


@pytest.mark.parametrize("spoilt", ["", "{}", '{"form": 1, "days": ["2001-01-01"], "figures": {}}'])
def test_a_spoilt_file_of_closed_days_is_made_again(folder: Path, spoilt: str) -> None:
    first = results_of(folder)
    (beside(folder) / "closed-days.json").write_text(spoilt)
    assert results_of(folder) == first


def test_options_without_figures_are_counted_and_said(folder: Path, capsys: Capture) -> None:
    found = Results()
    round_, dealer = next(played_in(folder, min(kind.day for kind in results_of(folder).lines)))
    found = found.after(round_, dealer, None)
    assert [each.not_held for each in found.lines.values()] == [1]
    assert found.test == LeakWatch()
    assert main(["day", "expected", str(folder)]) == 0
    printed = capsys.readouterr().out
    assert "house won" in printed
    assert f"of {ALARM:,.0f}" in printed


def test_the_command_gives_the_same_as_data(folder: Path, capsys: Capture) -> None:
    assert main(["day", "expected", str(folder), "--json"]) == 0
    assert Results.from_data(json.loads(capsys.readouterr().out)) == results_of(folder)


def test_a_warning_names_day_and_round_and_the_test_begins_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expected, "ALARM", 2.0)
    found = results_of(folder)
    assert found.warnings
    assert {each.day for each in found.warnings} <= {kind.day for kind in found.lines}
    assert found.test.level < 2.0
    assert {each.dealer for each in found.warnings} <= {kind.dealer for kind in found.lines}
