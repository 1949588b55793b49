"""What the archive derives of records: what seats got adds up to what their round came to."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from controller.pit.archive.derived import Context, Derived
from controller.rules.actions import Action
from controller.rules.games.registry import GAMES
from controller.table import inputs as i
from controller.table.facts import Decided, Record, RoundVoided
from controller.table.irregularities.holds import Reason, Resolution
from tests.records.dealing import square, two_days
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.days import CalendarPit, some_round
from tests.support.forms import quick_first

POT_GAME = "seven-twenty-seven"


def derived(records: list[Record]) -> Derived:
    found = Derived(Context())
    for each in records:
        found.add(each)
    return found


def paid(found: Derived) -> Counter[int]:
    """What all seats of a round got, by its number."""
    sums: Counter[int] = Counter()
    for each in found.money:
        sums[each["round"]] += each["amount"]
    return sums


def folds(record: Record) -> bool:
    return isinstance(record.fact, Decided) and record.fact.action is Action.FOLD


@pytest.mark.parametrize("game", quick_first(sorted(GAMES), [POT_GAME, "blackjack"]))
@pytest.mark.parametrize("seed", quick_first(range(27, 37), [27]))
def test_what_seats_got_is_what_the_round_came_to(game: str, seed: int) -> None:
    found = derived(two_days(game, seed).records)
    sums = paid(found)
    over = {number: row["net"] for number, row in found.rounds.items() if row["net"] is not None}
    assert len(over) >= 6
    assert {number: sums[number] for number in over} == over
    assert any(sums[number] for number in over) == (game != POT_GAME), "a pot is the players'"


def test_who_folds_has_a_hand_that_lost_and_gets_its_stake_back_where_the_round_is_void() -> None:
    pit = CalendarPit(POT_GAME, 5)
    croupier = Croupier(pit, Random(3))
    some_round(croupier)
    croupier.open_bets()
    for seat in (1, 2, 3, 4, 5):
        assert pit.bet(seat, 1_000).refused == ""
    assert pit.no_more_bets().refused == ""
    began = len(pit.records)
    while not any(folds(each) for each in pit.records[began:]):
        assert pit.state.step is not None
        croupier.answer(pit.state.step)
    assert pit.state.in_play is not None
    number = pit.state.in_play.number
    (hand,) = (each for each in derived(pit.records).hands if each["round"] == number)
    assert hand["outcome"] == "lose"
    assert hand["net"] == -hand["wager"] < 0
    pit.give(i.Happened(Reason.MISDEAL, number))
    assert pit.resolve(Resolution.VOID).refused == ""
    square(pit)
    assert any(isinstance(each.fact, RoundVoided) for each in pit.records)
    assert paid(derived(pit.records))[number] == 0
