"""The one line of a game's rules that displays show: the numbers that the table plays by."""

from __future__ import annotations

import pytest

from controller.rules.english import ENGLISH
from controller.rules.game import Edge
from controller.rules.games.registry import game
from controller.rules.messages import message
from controller.rules.options import ShoeOptions


@pytest.mark.parametrize(
    ("name", "options", "shown"),
    [
        (
            "21-24-27", {},
            "Dealer hits under hard 21 and under soft 24. Wins pay 1 to 1.",
        ),
        (
            "finnish-27", {"bonus_999_jackpot": 500_000},
            (
                "Dealer hits under hard 23 and under soft 25. A Joker makes 27. Wins pay 1 to 1;"
                " 9-9-9 against 9-9 5,000.00."
            ),
        ),
        (
            "casino-7-27", {"low_pays": "3:2"},
            "Dealer hits 22 or less. Low pays 3 to 2, high 1 to 1, 7-27 25 to 1.",
        ),
        (
            "blackjack", {"blackjack_pays": "6:5"},
            "Operator draws to 16 and stands on all 17s. Blackjack pays 6 to 5, insurance 2 to 1.",
        ),
        (
            "seven-twenty-seven", {},
            "Nearest to 7 and nearest to 27 halve the pot. Odd chip to the 27.",
        ),
        (
            "seven-twenty-seven", {"showdown": "over-is-bust"},
            "Nearest to 7 and to 27 halve the pot; over is a bust. Odd chip to the 27.",
        ),
        (
            "seven-twenty-seven", {"showdown": "under-trumps-over"},
            "Nearest to 7 and to 27 halve the pot; under trumps over. Odd chip to the 27.",
        ),
    ],
)  # fmt: skip
def test_the_rule_that_displays_show(name: str, options: dict[str, object], shown: str) -> None:
    plays = game(name).with_options(options)
    assert ENGLISH.say(plays.rule, plays.words) == shown


@pytest.mark.parametrize(
    ("per_cent", "shown"), [(1.04342, "1.04"), (-20.92792, "20.93"), (0.00421, "0.004")]
)
def test_an_edge_is_shown_to_two_places_and_a_small_one_to_its_first_digit(
    per_cent: float, shown: str
) -> None:
    assert Edge(per_cent, message("computed")).said["edge"] == shown


def test_a_cut_outside_the_pack_is_refused_with_what_fits() -> None:
    pack = game("21-24-27").pack
    options = ShoeOptions(penetration_cards=pack.size)
    assert options.problem(pack) == message("cut-outside-pack", most=323, cards=324)
