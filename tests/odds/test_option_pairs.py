"""Every option value, and options pairwise: the exact odds are those of the live scripts' tree."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest

from controller.odds.exact.exact_odds import Strategy, exact_odds
from controller.rules.games.registry import game
from tests.odds.test_exact import WAGER, advice, shoe_of, walked
from tests.support.forms import quick_first

VALUES: dict[str, dict[str, tuple[Any, ...]]] = {
    "blackjack": {
        "blackjack_pays": ("3:2", "6:5", "1:1"),
        "peek": (False, True),
        "double_after_split": (False, True),
        "resplit": (False, True),
        "offers": ("prompt", "only"),
    },
    "casino-7-27": {
        "decks": (8, 6),
        "low_pays": ("3:1", "1:1", "2:1"),
        "high_pays": ("1:1", "2:1"),
        "seven_27_pays": ("25:1", "10:1"),
    },
    "finnish-27": {
        "double_after_split": (True, False),
        "forced_play": ("hit_or_stand", "after_hit"),
        "bonus_999_mixed": (9_000, 0),
        "bonus_999_suited": (99_000, 5_000),
        "bonus_999_jackpot": (999_000, 100),
    },
}
#: A larger and a smaller shoe of each: the smaller is the quick form's.
SHOES = {
    "blackjack": ("As 6s 6s 5s Ts Ts Ts Ts 8s 8s 8s", "As 6s 6s 5s Ts Ts Ts Ts 8s 8s 8s"),
    "casino-7-27": ("As As 3s 5s 5s Ts Ts Ts Ts 8s 8s", "As As 3s 5s Ts Ts Ts 8s 8s"),
    "finnish-27": ("As Ks Ks 9s 9h 9s Jo 8s Th Qs Qs Ts", "9s 9h 9s 9s Ks Jo 8s Ts Ts Ts"),
}
#: So many pairs in the quick form: every ninth of all.
STEP = 9


def pairs(name: str) -> Iterator[dict[str, object]]:
    options = VALUES[name]
    for one, two in combinations(options, 2):
        for first, second in product(options[one], options[two]):
            yield {one: first, two: second}


@pytest.mark.parametrize("name", quick_first(VALUES, ["finnish-27"]))
def test_options_pairwise_are_worth_what_the_live_scripts_say(name: str, long_form: bool) -> None:
    large, small = SHOES[name]
    shoe = shoe_of(large if long_form else small)
    tried = list(pairs(name))[:: 1 if long_form else STEP]
    assert tried
    for chosen in tried:
        plays = game(name).with_options(chosen)
        edge = exact_odds(plays, WAGER, Strategy.ADVISE, shoe).edge
        assert -edge == pytest.approx(float(walked(plays, shoe, advice)), abs=1e-12), chosen
