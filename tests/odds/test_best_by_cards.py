"""The best play by cards, splits included, is that of the live scripts' whole tree."""

from __future__ import annotations

import pytest

from controller.odds.exact.exact_odds import Strategy, exact_odds
from controller.rules.game import Game
from controller.rules.games.registry import game
from tests.contracts.war import GAME as WAR
from tests.odds.best_play import BestPlay
from tests.odds.whole_tree import WAGER, Tree, advice, shoe_of, walked
from tests.support.forms import quick_first


def is_best(plays: Game, cards: str) -> float:
    """The engine's figure is what that play is worth, all hands of a split walked; the edge."""
    shoe = shoe_of(cards)
    best = BestPlay(plays, shoe)
    in_full, _ = Tree(plays, shoe, best.choose).moments()
    assert in_full == best.worth
    odds = exact_odds(plays, WAGER, Strategy.BEST_COMPOSITION, shoe)
    assert -odds.edge == pytest.approx(float(in_full), abs=1e-12)
    return odds.edge


BLACKJACK = game("blackjack")
TOYS = {
    "21-24-27": (game("21-24-27"), "Ks Ks Ks As As 9s 9s 9s Jo Jo 6s 6s 6s"),
    "blackjack": (BLACKJACK, "As As 8s 8s 8s 6s 6s 5s 5s Ts Ts Ts Ts Ts"),
    "blackjack, four hands": (
        BLACKJACK.with_options({"resplit": True, "double_after_split": True}),
        "As 8s 8s 8s 8s 6s 6s 6s 9s 9s Ts Ts Ts Ts Ts",
    ),
    "blackjack, three hands": (
        BLACKJACK.with_options({"resplit": True, "max_hands": 3, "peek": True}),
        "As As 8s 8s 8s 8s 6s 6s 5s 5s Ts Ts Ts Ts Ts",
    ),
    "casino-7-27": (game("casino-7-27"), "As As 3s 3s 5s 5s Ts Ts Ts Ts 8s 8s 8s"),
    "finnish-27": (game("finnish-27"), "As Ks Ks 9s 9h 9s Jo 8s Th Qs Qs Ts"),
    "war": (WAR, "As As 3s 3s 5s 5s Ts Ts Ts Ts 8s 8s 8s"),
    # A small one of each game, for the quick form.
    "21-24-27, small": (game("21-24-27"), "Ks Ks As As 9s 9s Jo 9s"),
    "blackjack, small": (BLACKJACK, "8s 8s 8s 6s Ts Ts Ts Ts As"),
    "blackjack, small, three hands": (
        BLACKJACK.with_options({"resplit": True, "max_hands": 3}),
        "9s 9s 9s 6s 6s Ts Ts Ts Ts Ts Ts Ts",
    ),
    "casino-7-27, small": (game("casino-7-27"), "As As 3s 5s Ts Ts Ts 8s 8s"),
    "finnish-27, small": (game("finnish-27"), "9s 9s 9h 8s Ks Ks Ks Ks Jo Ks"),
    "war, small": (WAR, "As As 3s 3s Ts Ts"),
}
SMALL = [name for name in TOYS if "small" in name]


@pytest.mark.parametrize("name", quick_first(TOYS, {"war, small"}))
def test_the_best_play_by_cards_is_worth_what_the_live_script_says(name: str) -> None:
    is_best(*TOYS[name])


@pytest.mark.parametrize("name", quick_first(SMALL, set(SMALL) - {"casino-7-27, small"}))
def test_what_lies_alike_goes_on_alike(name: str) -> None:
    """A tree that is walked once where hands lie alike is worth what every way for itself is."""
    plays, cards = TOYS[name]
    shoe = shoe_of(cards)
    means = walked(plays, shoe, advice), walked(plays, shoe, advice, power=2)
    assert Tree(plays, shoe, advice).moments() == means
