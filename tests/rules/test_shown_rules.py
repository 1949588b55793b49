"""The one line of a game's rules that displays show: the numbers that the table plays by."""

from __future__ import annotations

import pytest

from controller.rules.english import ENGLISH
from controller.rules.games.registry import game


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
