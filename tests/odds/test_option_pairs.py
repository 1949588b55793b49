"""Every option value, and options pairwise: the exact odds are those of the live scripts' tree."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest

from controller.odds.exact.exact_odds import Strategy, exact_odds
from controller.rules.game import Game
from controller.rules.games.registry import game
from controller.rules.options import plain
from tests.odds.test_best_by_cards import is_best
from tests.odds.whole_tree import WAGER, Tree, advice, assert_ends_as, shoe_of
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
#: Where a pair may be split again: into so many hands at most.
MOST_HANDS = {"blackjack": (4, 3, 2)}
#: A larger and a smaller shoe of each: the smaller is the quick form's.
SHOES = {
    "blackjack": (
        "As 8s 8s 8s 8s 6s 6s 6s 5s Ts Ts Ts Ts Ts Ts",
        "As 6s 6s 5s Ts Ts Ts Ts 8s 8s 8s",
    ),
    "casino-7-27": ("As As 3s 3s 5s 5s Ts Ts Ts Ts 8s 8s 8s", "As As 3s 5s Ts Ts Ts 8s 8s"),
    "finnish-27": ("9s 9s 9s 9h 9h As As Ks Ks Ks Ks 4s Jo", "9s 9h 9s 9s Ks Jo 8s Ts Ts Ts"),
}
#: So many variants in the quick form: every ninth of all.
STEP = 9


def variants(name: str) -> Iterator[Game]:
    """The game with each pair of option values, each variant once."""
    options = VALUES[name]
    chosen: list[dict[str, Any]] = []
    for one, two in combinations(options, 2):
        chosen += [{one: first, two: two_} for first, two_ in product(options[one], options[two])]
    for most in MOST_HANDS.get(name, ()):
        chosen += [
            {"resplit": True, "max_hands": most, option: value}
            for option, values in options.items()
            for value in values
        ]
    found: dict[str, Game] = {}
    for each in chosen:
        plays = game(name).with_options(each)
        found.setdefault(str(plain(plays.options)), plays)
    yield from found.values()


@pytest.mark.long
@pytest.mark.parametrize("name", quick_first(VALUES, ["casino-7-27"]))
def test_options_pairwise_are_worth_what_the_live_scripts_say(name: str, long_form: bool) -> None:
    large, small = SHOES[name]
    shoe = shoe_of(large if long_form else small)
    tried = list(variants(name))[:: 1 if long_form else STEP]
    assert tried
    for plays in tried:
        odds = exact_odds(plays, WAGER, Strategy.ADVISE, shoe)
        tree = Tree(plays, shoe, advice)
        mean, square = tree.moments()
        assert_ends_as(tree, odds)
        assert -odds.edge == pytest.approx(float(mean), abs=1e-12), plays.options
        assert odds.sd**2 + odds.edge**2 == pytest.approx(float(square), rel=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("name", VALUES)
def test_options_pairwise_at_their_best_play(name: str) -> None:
    large, _ = SHOES[name]
    edges = {str(plain(each.options)): is_best(each, large) for each in variants(name)}
    assert len(edges) > 10


@pytest.mark.long
@pytest.mark.parametrize("name", VALUES)
def test_every_option_counts_in_the_toy_shoe(name: str) -> None:
    """A shoe in which an option changed nothing would show nothing of it."""
    shoe = shoe_of(SHOES[name][0])
    several: dict[str, list[dict[str, Any]]] = {
        option: [{option: value} for value in values]
        for option, values in VALUES[name].items()
        if option != "decks"  # of a full shoe
    }
    if name in MOST_HANDS:
        several["max_hands"] = [{"resplit": True, "max_hands": each} for each in MOST_HANDS[name]]
    for option, chosen in several.items():
        edges = {
            tuple(
                round(exact_odds(plays, WAGER, strategy, shoe).edge, 12)
                for strategy in (Strategy.ADVISE, Strategy.BEST_COMPOSITION)
            )
            for plays in (game(name).with_options(each) for each in chosen)
        }
        assert len(edges) == len(chosen), option
