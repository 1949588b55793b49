"""Random combinations of all options at once, wagers among them.

On toy shoes they are worth what the live scripts say; of full shoes every one has its odds, or is
refused with a reason.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import product
from math import inf
from typing import Any

import pytest

from controller.odds.exact.exact_odds import NoOdds, Strategy, exact_odds
from controller.rules.actions import Outcome
from controller.rules.game import Game
from controller.rules.games.registry import game
from controller.rules.options import OptionError, about, plain_value
from tests.contracts.rounds import lawful_amounts, random_options
from tests.odds.test_option_pairs import SHOES
from tests.odds.whole_tree import Tree, advice, assert_ends_as, shoe_of
from tests.support.forms import quick_first

TOYS = {**SHOES, "21-24-27": ("Ks Ks Ks As As 9s 9s 9s Jo Jo 6s 6s 6s", "Ks Ks As As 9s Jo 9s 6s")}
#: So many combinations of each game.
QUICK, LONG = 1, 60


def random_game(name: str, seed: int, chosen: Mapping[str, Any] | None = None) -> tuple[Game, int]:
    """The game with random options but for the `chosen` ones, and a wager that its table takes."""
    mixed = random.Random(f"{name} {seed}")
    while True:
        plays = random_options(game(name), mixed).with_options(chosen or {})
        if amounts := lawful_amounts(plays):
            return plays, mixed.choice(amounts)


@pytest.mark.parametrize("name", quick_first(TOYS, ["blackjack"]))
def test_random_options_are_worth_what_the_live_scripts_say(name: str, long_form: bool) -> None:
    large, small = TOYS[name]
    shoe = shoe_of(large if long_form else small)
    for seed in range(LONG if long_form else QUICK):
        plays, wager = random_game(name, seed)
        odds = exact_odds(plays, wager, Strategy.ADVISE, shoe)
        tree = Tree(plays, shoe, advice, wager)
        mean, square = tree.moments()
        assert -odds.edge == pytest.approx(float(mean), abs=1e-12, rel=1e-12), plays.options
        assert odds.sd**2 + odds.edge**2 == pytest.approx(float(square), rel=1e-12), plays.options
        assert_ends_as(tree, odds)


# -- full shoes --

ALL = (Strategy.ADVISE, Strategy.BEST, Strategy.BEST_COMPOSITION)
#: A strategy card has one choice where the cards would have several: by so much, of a first wager,
#: the game's own advice may be better than the best one by totals.
NEAR = 1e-4


def has_odds(plays: Game, wager: int | None = None, strategies: Sequence[Strategy] = ALL) -> None:
    """The strategies have figures that hang together."""
    edges: dict[Strategy, float] = {}
    for strategy in strategies:
        odds = exact_odds(plays, wager, strategy)
        outcomes = sum(odds.outcomes.get(each.value, 0.0) for each in Outcome)
        assert outcomes == pytest.approx(odds.hands, abs=1e-9), plays.options
        assert odds.hands >= 1 - 1e-9
        assert odds.sd > 0
        edges[strategy] = odds.edge
    worst = edges[Strategy.ADVISE]
    assert edges.get(Strategy.BEST, worst) <= worst + NEAR, plays.options
    best = edges.get(Strategy.BEST_COMPOSITION, -inf)
    assert best <= min(edges.values()) + 1e-12, plays.options


def every_choice(name: str) -> list[dict[str, Any]]:
    """Every combination of the options that name their choices."""
    several = {key: each.choices for key, each in about(game(name).options).items() if each.choices}
    return [
        dict(zip(several, map(plain_value, values), strict=True))
        for values in product(*several.values())
    ]


#: So often is each combination tried, with other amounts, pays and wagers.
TIMES = {"blackjack": 1, "casino-7-27": 12, "finnish-27": 4, "21-24-27": 4}


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "choices"),
    [(name, each) for name in TIMES for each in every_choice(name)],
    ids=lambda each: each if isinstance(each, str) else " ".join(map(str, each.values())),
)
def test_every_combination_of_options_has_its_odds(name: str, choices: dict[str, Any]) -> None:
    for seed in range(TIMES[name]):
        has_odds(*random_game(name, seed, choices))


@pytest.mark.long
def test_a_combination_of_random_options_has_its_odds() -> None:
    """One, in the quick form."""
    plays, wager = random_game("blackjack", 2)
    has_odds(plays, wager, [Strategy.ADVISE])


def test_bonuses_that_no_chip_pays_are_refused_with_a_reason() -> None:
    """Where a combination has no odds, it is none that a table takes."""
    with pytest.raises(OptionError, match="must be a whole number of smallest chips"):
        game("finnish-27").with_options({"bonus_999_mixed": 9_001})
    plays = game("blackjack").with_options({"smallest_chip": 500, "min_bet": 500})
    with pytest.raises(NoOdds, match="the wager: "):
        exact_odds(plays, 750)
