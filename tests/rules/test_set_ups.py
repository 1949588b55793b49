"""A set-up that no table could have, and wagers that cannot be paid, are refused before play."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from controller.rules.games.registry import game as game_called
from tests.reference import GAMES
from tests.rules.rounds import Case
from tests.rules.unlawful import copied, lawful_cases, refused_at

every_game = pytest.mark.parametrize("game", GAMES)


@cache
def _of_one_seat(game: str) -> Case:
    return next(each for each, _ in lawful_cases(game, 18, 60) if len(each["seats"]) == 1)


def plain_case(game: str) -> Case:
    """A round of one seat that needs no house option."""
    case = copied(_of_one_seat(game))
    return {**case, "options": {}, "seats": [{"seat": 1, "bet": 1000}]}


@every_game
@pytest.mark.parametrize(
    "changes",
    [
        {"game": "whist"}, {"game": None}, {"game": ["finnish-27"]},
        {"seats": []}, {"seats": None}, {"seats": 3}, {"seats": {}}, {"seats": [None]},
        {"seats": [[1, 1000]]}, {"seats": [{"seat": 1}]}, {"seats": [{"bet": 1000}]},
        {"seats": [{"seat": 0, "bet": 1000}]}, {"seats": [{"seat": 8, "bet": 1000}]},
        {"seats": [{"seat": True, "bet": 1000}]}, {"seats": [{"seat": 1.0, "bet": 1000}]},
        {"seats": [{"seat": "1", "bet": 1000}]}, {"seats": [{"seat": -1, "bet": 1000}]},
        {"seats": [{"seat": 1, "bet": bet} for bet in (1000, 1000)]},
        {"seats": [{"seat": seat, "bet": 1000} for seat in (2, 1)]},
        {"seats": [{"seat": seat, "bet": 1000} for seat in range(1, 9)]},
        *({"seats": [{"seat": 1, "bet": bet}]} for bet in (0, -1000, 1e3, "1000", None, True)),
        {"seats": [{"seat": 1, "bet": 10**13}]},
        {"cards": ["Zz"]}, {"cards": ["10h"]}, {"cards": ["ah"]}, {"cards": [""]},
        {"cards": [None]}, {"cards": [["Ah"]]}, {"cards": None}, {"cards": 5},
        {"decisions": None}, {"decisions": 5},
        {"options": [1]}, {"options": "peek"}, {"options": 5}, {"options": {"surprise": 1}},
        {"options": {"min_bet": "10"}}, {"options": {"min_bet": 10.0}},
        {"options": {"min_bet": True}}, {"options": {"min_bet": None}},
        {"options": {"min_bet": -1}}, {"options": {"min_bet": 0}},
        {"options": {"max_bet": 0}}, {"options": {"min_bet": 2000, "max_bet": 1000}},
        {"options": {"smallest_chip": 0}}, {"options": {"smallest_chip": -5}},
        {"options": {"smallest_chip": 10**20}}, {"options": {"smallest_chip": "1"}},
        {"options": {"smallest_chip": 300, "min_bet": 1000}},
        {"options": {"min_bet": 1_001}}, {"options": {"max_bet": 999}},
        {"options": {"penetration_cards": 0}}, {"options": {"penetration_cards": 1_000}},
        {"options": {"penetration_cards": [1]}},
        {"options": {"burn_after_shuffle": -1}}, {"options": {"burn_on_dealer_change": 11}},
    ],
    ids=str,
)  # fmt: skip
def test_a_set_up_that_is_not_lawful_is_refused_as_no_decisions_fault(
    game: str, changes: dict[str, Any]
) -> None:
    case = plain_case(game)
    assert refused_at(case) == "nowhere"
    assert refused_at({**case, **changes}) is None


@pytest.mark.parametrize("missing", ["game", "seats", "cards", "decisions"])
def test_a_case_without_one_of_its_parts_is_refused(missing: str) -> None:
    for game in GAMES:
        case, _ = lawful_cases(game, 19, 5)[0]
        del case[missing]
        assert refused_at(case) is None


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("finnish-27", {"double_after_split": 1}),
        ("finnish-27", {"double_after_split": "false"}),
        ("finnish-27", {"forced_play": "never"}),
        ("finnish-27", {"forced_play": True}),
        ("finnish-27", {"forced_play": ["after_hit"]}),
        ("finnish-27", {"bonus_999_mixed": -1}),
        ("finnish-27", {"bonus_999_jackpot": "999000"}),
        ("finnish-27", {"bonus_999_suited": 99_025, "smallest_chip": 50}),
        ("finnish-27", {"decks": 6}),
        ("21-24-27", {"double_after_split": True}),
        ("casino-7-27", {"decks": 7}),
        ("casino-7-27", {"decks": "8"}),
        ("casino-7-27", {"low_pays": "3"}),
        ("casino-7-27", {"low_pays": 3}),
        ("casino-7-27", {"low_pays": "0:1"}),
        ("casino-7-27", {"high_pays": "1:0"}),
        ("casino-7-27", {"high_pays": "-1:1"}),
        ("casino-7-27", {"seven_27_pays": None}),
        ("casino-7-27", {"decks": 6, "penetration_cards": 312}),
        ("blackjack", {"blackjack_pays": "2:1"}),
        ("blackjack", {"blackjack_pays": 1.5}),
        ("blackjack", {"peek": "true"}),
        ("blackjack", {"peek": 0}),
        ("blackjack", {"resplit": None}),
        ("blackjack", {"max_hands": 5}),
        ("blackjack", {"max_hands": 1}),
        ("blackjack", {"offers": "always"}),
        ("blackjack", {"offers": {}}),
        ("blackjack", {"decks": 8}),
    ],
    ids=str,
)
def test_house_options_that_make_no_sense_are_refused(game: str, options: dict[str, Any]) -> None:
    case = plain_case(game)
    assert refused_at(case) == "nowhere"
    assert refused_at({**case, "options": options}) is None


#: What a wager may have to be paid at, beside even money: halves of surrender and insurance too.
PAYS = [
    ("finnish-27", {}, ["1:2"]),
    ("21-24-27", {}, []),
    ("casino-7-27", {}, []),
    ("casino-7-27", {"low_pays": "5:2", "high_pays": "6:5"}, ["5:2", "6:5"]),
    ("casino-7-27", {"seven_27_pays": "7:3"}, ["7:3"]),
    ("blackjack", {}, ["1:2", "3:2"]),
    ("blackjack", {"blackjack_pays": "6:5"}, ["1:2", "6:5"]),
    ("blackjack", {"blackjack_pays": "1:1"}, ["1:2"]),
]  # fmt: skip


@pytest.mark.parametrize(("game", "options", "odds"), PAYS, ids=str)
@pytest.mark.parametrize("chip", [1, 2, 50, 60])
def test_a_wager_is_taken_if_and_only_if_the_smallest_chip_can_pay_all_it_may_win(
    game: str, options: dict[str, Any], odds: list[str], chip: int
) -> None:
    plays = game_called(game).with_options(
        {**options, "smallest_chip": chip, "min_bet": chip, "max_bet": 100_000,
         **({f"bonus_999_{each}": 0 for each in ("mixed", "suited", "jackpot")}
            if game == "finnish-27" else {})}
    )  # fmt: skip
    taken = 0
    for wager in range(1, 1_501):
        whole = all(
            (wager * Fraction(*map(int, each.split(":"))) / chip).denominator == 1
            for each in ["1:1", *odds]
        )
        assert (plays.wager_problem(wager) is None) == whole, wager
        taken += whole
    assert 0 < taken <= 1_500 // chip
