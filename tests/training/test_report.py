"""The report of a training: known figures, the same again, and total whatever the list says."""

import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.games.registry import game
from controller.table.irregularities.holds import Resolution
from controller.training.kinds import KINDS
from controller.training.moments import Moment
from controller.training.page import link, page
from controller.training.report import report
from controller.training.targets import target
from controller.training.text import as_text
from controller.training.world_list import (
    LessAsked,
    Line,
    MadeTrouble,
    Over,
    Paused,
    Resumed,
    TrainingError,
    Word,
    parse_line,
    world_list,
)
from tests.support.forms import examples
from tests.training.records import BEGAN, TrainedDealer, all_moments


def two_rounds() -> TrainedDealer:
    trained = TrainedDealer()
    for _ in range(2):
        trained.begin()
        trained.finish()
    return trained


def test_the_pace_is_that_of_the_rounds_from_the_first_open_bets() -> None:
    trained = two_rounds()
    found, records = trained.report, trained.pit.records
    burned = next(each for each in records if type(each.fact).__name__ == "CardBurned")
    ended = [each for each in records if type(each.fact).__name__ == "RoundEnded"]
    assert found.rounds == 2
    assert found.played_ms == ended[-1].at_ms - burned.at_ms
    assert found.pace == round(2 * 3_600_000 / found.played_ms, 1)
    assert found.target == 60


def test_a_pause_counts_neither_for_the_pace_nor_for_an_answer() -> None:
    trained = TrainedDealer()
    trained.begin()
    since = trained.now_ms
    trained.pit.wait(600)
    trained.lines += [Paused(since + 1, trained.seq), Resumed(since + 600_001, trained.seq)]
    trained.finish()
    still = two_rounds()
    assert trained.report.played_ms < still.report.played_ms
    assert all(each.worst_ms <= 2_000 for each in trained.report.answers)


def test_how_long_answers_took_is_told_by_what_was_asked() -> None:
    trained = TrainedDealer()
    trained.bets()
    trained.pit.wait(4)
    trained.pit.no_more_bets()
    trained.pit.deal("Th 9c 5d")
    trained.pit.wait(8)
    trained.pit.deal("8h 7s 6c")
    by_kind = {each.kind: each for each in trained.report.answers}
    bets, cards = by_kind["place-bets"], by_kind["card-to"]
    assert (bets.name, bets.count, bets.p50_ms, bets.worst_ms) == (
        "Close the bets",
        1,
        5_000,
        5_000,
    )
    assert (cards.count, cards.p50_ms, cards.worst_ms) == (6, 1_000, 9_000)
    assert cards.worst_round == 1
    slow = next(each for each in trained.pit.records if each.seq == cards.worst_seq)
    assert type(slow.fact).__name__ == "CardDealt"
    assert slow.fact.card.code == "8h"  # type: ignore[union-attr]


def test_a_refused_press_does_not_answer() -> None:
    trained = TrainedDealer()
    trained.begin("Th 9c 5d Kh 7s 6c")
    trained.pit.press("next")
    trained.pit.say("stand")
    asked = next(each for each in trained.report.answers if each.kind == "hand")
    assert (asked.count, asked.worst_ms) == (1, 2_000)


def test_what_comes_after_the_end_is_not_told() -> None:
    trained = two_rounds()
    trained.lines.append(Over(trained.now_ms, trained.seq))
    found = trained.report
    trained.begin()
    trained.pit.press("next")
    assert trained.report == found
    assert found.over


def test_less_trouble_is_said() -> None:
    trained = two_rounds()
    trained.lines.append(LessAsked(trained.now_ms, trained.seq, "few"))
    assert trained.report.trouble == "few"


def test_before_anything_is_dealt_it_says_so() -> None:
    found = TrainedDealer().report
    assert (found.pace, found.mistakes, found.troubles) == (None, (), ())
    assert "No round is over yet" in "\n".join(as_text(found, Path("t")))
    assert "Nothing is dealt yet" in page(found)


def test_each_mistake_leads_to_its_replay() -> None:
    trained = two_rounds()
    trained.bets()
    trained.pit.deal("Th")
    found = trained.report
    (early,) = found.mistakes
    assert link(found, 3, 99, "secret") == (
        "http://127.0.0.1:1/logbook?round=3&record=99#token=secret"
    )
    text, shown = "\n".join(as_text(found, Path("t"))), page(found, "secret")
    assert f"tablectl logbook t/record --newest 20 --before {early.seq + 10}" in text
    assert f'href="http://127.0.0.1:1/logbook?record={early.seq}#token=secret"' in shown
    assert "secret" not in page(found)
    assert "secret" not in msgspec.json.encode(found).decode()


def test_the_page_runs_nothing_and_loads_nothing() -> None:
    trained = two_rounds()
    trained.lines.append(MadeTrouble(0, trained.seq, 1, "<script>alert(1)</script>"))
    shown = page(trained.report, running=True)
    assert "<script" not in shown
    assert not re.search(r'(?:src|<link)="', shown)
    assert 'http-equiv="refresh"' in shown
    assert 'http-equiv="refresh"' not in page(trained.report)


lines = st.lists(
    st.one_of(
        st.builds(
            MadeTrouble, st.integers(0, 10**13), st.integers(0, 60), st.integers(1, 9),
            st.sampled_from([*KINDS, "unknown"]), st.integers(0, 3), st.integers(0, 3),
        ),
        st.builds(
            Word, st.just(0), st.integers(0, 60), st.integers(0, 3), st.integers(0, 3), st.just(1),
            st.sampled_from(["hit", "stand", "done", "x"]),
        ),
        st.builds(Paused, st.integers(0, 10**13), st.just(0)),
        st.builds(Resumed, st.integers(0, 10**13), st.just(0)),
        st.builds(Over, st.just(0), st.integers(0, 60)),
    ),
    max_size=12,
)  # fmt: skip


@pytest.fixture(scope="module", name="busy")
def _busy() -> list[Moment]:
    trained = TrainedDealer()
    trained.bets()
    trained.pit.deal("Th")
    trained.pit.resolve(Resolution.SET_ASIDE)
    trained.pit.no_more_bets()
    trained.pit.deal("Th 9c 5d Kh 7s 6c")
    trained.pit.press("next")
    trained.finish()
    return [*all_moments(trained.pit)]


@examples(60)
@given(noted=lines, until=st.integers(0, 80))
def test_any_list_gives_a_report_and_the_same_one_again(
    busy: list[Moment], noted: list[Line], until: int
) -> None:
    world = world_list([BEGAN, *noted])
    found = report(busy[:until], world)
    assert report(busy[:until], world) == found
    assert found.procedures_right + found.procedures_wrong <= len(found.troubles)
    assert len(found.troubles) == sum(isinstance(each, MadeTrouble) for each in noted)
    assert all(0 <= each.p50_ms <= each.worst_ms for each in found.answers)
    assert all(each.seq <= found.last_seq for each in found.mistakes)
    assert found.early_cards == sum(each.kind == "early card" for each in found.mistakes) <= 1
    assert found.played_ms >= 0
    page(found)
    list(as_text(found, Path("t")))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 3 of the list of the training makes no sense"),
        ('{"what": "sneeze", "at_ms": 1, "seq": 1}', "Invalid value 'sneeze'"),
        ('{"what": "over", "at_ms": 1, "seq": 1, "more": 1}', "unknown field `more`"),
        ('{"what": "over", "seq": 1}', "missing required field `at_ms`"),
    ],
)
def test_a_list_that_makes_no_sense_is_named_by_its_line(line: str, says: str) -> None:
    with pytest.raises(TrainingError, match=re.escape(says)):
        parse_line(line, 3)


def test_a_list_without_its_beginning_is_refused() -> None:
    with pytest.raises(TrainingError, match="does not say how it began"):
        world_list([Over(0, 0)])
    with pytest.raises(TrainingError, match="does not say how it began"):
        world_list([])


def test_the_target_falls_with_every_seat_and_a_pot_takes_its_time() -> None:
    paces = [target(game("blackjack"), seats) for seats in range(1, 8)]
    assert paces == sorted(paces, reverse=True)
    assert (paces[0], paces[-1]) == (200, 52)
    assert target(game("seven-twenty-seven"), 5) == 25
