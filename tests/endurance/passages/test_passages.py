"""The run of rendered passages: the same from its seed, broken off and gone on with, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from calibration.outcomes import GroundTruth
from controller.rules.cards import card
from drivers.io.camera.frame_quality import Frame
from drivers.vision.finding.rectified_card import RectifiedCard, find_card
from sim_hw.devices.deck_art import HARD_DECKS, face
from sim_hw.devices.lens import Mishap
from tests.endurance.passages import __main__ as command
from tests.endurance.passages.record import (
    OtherRunError,
    PassageRecord,
    RunHeader,
    read,
    reader_digest,
    report,
)
from tests.endurance.passages.scene import PACK, PASSAGES_A_SHOE, TURNS, DrawnShoe
from tests.endurance.passages.table import PassageResult, ReadingTable

ABOUT = RunHeader(seed=1, frames=5, deck="calibrated", reader="as it is")


def a_passage(number: int, card_code: str = "Jh", named_as: str | None = "Jh") -> PassageResult:
    case = GroundTruth(str(number), card(card_code), None, "card", "easy", "finnish", "kotka")
    return PassageResult(
        case, card(named_as) if named_as else None, "" if named_as else "NOT_SEEN", 20.0
    )


def test_every_card_of_a_deck_passes_its_shoe_as_often_as_the_others() -> None:
    shoe = DrawnShoe(1, 0)
    passed = Counter(
        (case.card or case.under)
        for case, _ in (shoe.passage(nth, 5) for nth in range(PASSAGES_A_SHOE))
        if case.kind != Mishap.BACK.value
    )
    backs = sum(shoe.passage(nth, 5)[0].kind == "back" for nth in range(PASSAGES_A_SHOE))
    assert set(passed) <= set(PACK)
    assert max(passed.values()) == TURNS
    assert sum(passed.values()) + backs == TURNS * len(PACK)


def test_the_same_numbers_are_the_same_pictures_and_a_card_slides() -> None:
    (case, frames), (again, others) = (DrawnShoe(1, 2).passage(7, 3) for _ in range(2))
    first, second = list(islice(frames, 8)), list(islice(others, 8))
    assert case == again
    assert all(np.array_equal(*pair) for pair in zip(first, second, strict=True))
    assert not np.array_equal(first[0], first[1])
    assert DrawnShoe(2, 2).passage(7, 3)[0] != case or DrawnShoe(2, 2).passage(8, 3)[0] != case


def test_half_of_all_cards_lie_the_other_way_round_and_a_third_of_the_decks_is_hard() -> None:
    shoes = [DrawnShoe(1, number) for number in range(12)]
    assert sum(shoe.hard for shoe in shoes) == 4
    assert {shoe.name for shoe in shoes if shoe.hard} == set(HARD_DECKS)
    shoe = DrawnShoe(1, 2)
    lies = {
        nth: _lies_upright(frames)
        for nth, (case, frames) in ((nth, shoe.passage(nth, 4)) for nth in range(PASSAGES_A_SHOE))
        if case.card is not None and case.card.code in ("Qs", "Js", "Ks", "Qh", "Jh", "Kh", "Qd")
    }
    assert 0 < sum(lies.values()) < len(lies)


def _lies_upright(frames: Iterator[Frame]) -> bool:
    """Whether a court of a one-way deck stands on its feet: its head is lighter than its legs."""
    found = next(card for card in map(find_card, frames) if isinstance(card, RectifiedCard))
    heads = [float(half[60:150, 90:190].mean()) for half in (found.image, found.image[::-1, ::-1])]
    return heads[0] > heads[1]


def test_courts_of_a_look_alike_deck_differ_by_their_signs_alone() -> None:
    deck = HARD_DECKS["lahti"]
    clubs, spades = (face(deck, card(code)).astype(np.int16) for code in ("Qc", "Qs"))
    differ = np.abs(clubs - spades).max(axis=2) > 40
    assert 0 < differ.mean() < 0.02
    assert np.abs(clubs - clubs[::-1, ::-1]).mean() > 20, "a one-way figure"


@pytest.mark.long
def test_a_calibrated_table_is_told_the_cards_that_pass_and_no_others(tmp_path: Path) -> None:
    table = ReadingTable(1, 0, tmp_path)
    assert len(list(tmp_path.glob("*.png"))) == 2 * len(PACK)
    results = [table.read(nth, 5) for nth in range(8)]
    assert all(each.card in (None, each.case.card, each.case.under) for each in results)
    assert sum(each.card is not None for each in results) >= 6


def test_a_run_that_was_killed_in_mid_line_goes_on_after_the_last_whole_one(tmp_path: Path) -> None:
    with PassageRecord(tmp_path, ABOUT) as record:
        record.add(a_passage(0))
        record.add(a_passage(1, named_as=None))
    whole = record.path.read_bytes()
    record.path.write_bytes(whole[:-9])
    with PassageRecord(tmp_path, ABOUT) as record:
        assert record.done == 1
        record.add(a_passage(1, named_as=None))
    assert record.path.read_bytes() == whole
    assert list(read(record.path)[1]) == [a_passage(0), a_passage(1, named_as=None)]


@pytest.mark.parametrize("left", [0, 10], ids=["an empty file", "half a first line"])
def test_a_run_that_was_killed_at_once_begins_anew(tmp_path: Path, left: int) -> None:
    with PassageRecord(tmp_path, ABOUT) as record:
        pass
    head = record.path.read_bytes()
    record.path.write_bytes(head[:left])
    with PassageRecord(tmp_path, ABOUT) as record:
        assert record.done == 0
    assert record.path.read_bytes() == head


def test_results_of_another_reader_are_not_added_to(tmp_path: Path) -> None:
    with PassageRecord(tmp_path, ABOUT) as record:
        record.add(a_passage(0))
    anew = replace(ABOUT, reader="trained anew")
    with PassageRecord(tmp_path, anew) as record:
        assert record.done == 0
        record.add(a_passage(0, named_as="Ah"))
    done, abouts, others = report(tmp_path, "calibrated", "as it is")
    assert (abouts, others, done.misreads) == ([ABOUT], 1, [])
    (tmp_path / ABOUT.file).rename(tmp_path / replace(ABOUT, seed=2).file)
    with pytest.raises(OtherRunError, match="another folder"):
        PassageRecord(tmp_path, replace(ABOUT, seed=2))


def test_runs_of_several_seeds_are_counted_together(tmp_path: Path) -> None:
    for seed, as_named in ((1, "Jh"), (2, "Ah")):
        with PassageRecord(tmp_path, replace(ABOUT, seed=seed)) as record:
            record.add(a_passage(0, named_as=as_named))
    done, abouts, _ = report(tmp_path, "calibrated", ABOUT.reader)
    assert [each.seed for each in abouts] == [1, 2]
    assert (done.groups["cards"].right, done.groups["cards"].misread) == (1, 1)


def test_each_run_adds_so_many_more_and_shows_the_sum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[range] = []

    def pass_by(seed: int, numbers: range, frames: int, *, calibrated: bool) -> list[PassageResult]:
        asked.append(numbers)
        return [a_passage(number) for number in numbers]

    monkeypatch.setattr(command, "passages", pass_by)
    work = ["--work", str(tmp_path)]
    assert command.main([*work, "--passages", "30"]) == 0
    assert command.main([*work, "--passages", "29"]) == 0
    assert asked == [range(30), range(30, 59)]
    capsys.readouterr()
    assert command.main([*work, "--show"]) == 0
    shown = capsys.readouterr().out
    assert "59 passages of a card: 59 right (100.00%), 0 not read, 0 misread" in shown
    assert "misread 0 of 59: with 95 % confidence at most 4.9508% of them" in shown
    assert reader_digest() in shown


def test_a_misread_is_the_exit_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "passages", lambda *_, **__: [a_passage(0, named_as="Ah")])
    assert command.main(["--work", str(tmp_path), "--passages", "1"]) == 1
    assert "Jh read as Ah" in capsys.readouterr().out
