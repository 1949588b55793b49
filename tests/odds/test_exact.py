"""The exact odds are those of the live scripts: known figures, and whole trees of toy shoes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from controller.__main__ import main
from controller.odds.exact.exact_odds import NoOdds, Sd, Strategy, exact_odds
from controller.rules.actions import Action
from controller.rules.games.edges import COMPUTED
from controller.rules.games.registry import game
from tests.contracts.war import GAME as WAR
from tests.odds.whole_tree import WAGER, Tree, advice, assert_ends_as, shoe_of, walked
from tests.support.forms import quick_first


@pytest.mark.long
def test_blackjack_is_what_it_is_known_to_be() -> None:
    per_cent = 100 * exact_odds(game("blackjack")).edge
    assert per_cent == pytest.approx(0.71772, abs=5e-6)
    assert per_cent == pytest.approx(COMPUTED["blackjack/2"][""], abs=1e-9)


@pytest.mark.long  # some seconds; toys with further splits are in the quick form
def test_eight_decks_split_to_four_hands_are_what_another_program_computes() -> None:
    """By possibly-wrong/blackjack: dealer stands on soft 17, any two cards doubled, after a split
    too, aces split once and with one card each, no surrender, a peek."""
    rules = {"peek": True, "double_after_split": True, "resplit": True, "max_hands": 4}
    odds = exact_odds(game("blackjack").with_options(rules), strategy=Strategy.BEST_COMPOSITION)
    assert 100 * odds.edge == pytest.approx(0.430580629, abs=5e-10)


@pytest.mark.long  # the quick form computes it with six decks, as a command of the rules prints it
def test_casino_7_27_as_printed_loses_the_house_what_it_is_known_to_lose() -> None:
    per_cent = 100 * exact_odds(game("casino-7-27")).edge
    assert per_cent == pytest.approx(-20.92792, abs=5e-6)
    assert per_cent == pytest.approx(COMPUTED["casino-7-27/1"][""], abs=1e-9)


def test_the_figures_that_ship_are_the_known_ones() -> None:
    """In the quick form, too; the tests beside this one compute them anew."""
    known = {
        "21-24-27/1": 1.04342,
        "finnish-27/1": 0.66071,
        "blackjack/2": 0.71772,
        "casino-7-27/1": -20.92792,
    }
    assert {name: COMPUTED[name][""] for name in known} == pytest.approx(known, abs=5e-6)


@pytest.mark.long  # some seconds; the figure that ships is looked at in the quick form
def test_finnish_27_at_its_least_wager_is_what_it_is_known_to_be() -> None:
    per_cent = 100 * exact_odds(game("finnish-27")).edge
    assert per_cent == pytest.approx(0.66071, abs=5e-6)
    assert per_cent == pytest.approx(COMPUTED["finnish-27/1"][""], abs=1e-9)


@pytest.mark.long
def test_the_eighteen_rules_cost_what_they_are_known_to_cost() -> None:
    odds = exact_odds(game("21-24-27"))
    assert odds.strategy is Strategy.PUBLISHED
    assert 100 * odds.edge == pytest.approx(1.04342, abs=5e-6)
    assert 100 * odds.edge == pytest.approx(COMPUTED["21-24-27/1"][""], abs=1e-9)
    assert sum(odds.outcomes.values()) == pytest.approx(1.0, abs=1e-10)


# -- toy shoes --


def splits(play: Any, cards: Any) -> Any:
    """Every pair is split, and its hands draw while they may."""
    wanted = (Action.SPLIT, Action.HIT)
    move = game("finnish-27").advise(play, cards)
    return next((each for each in wanted if each in play.options and len(cards) < 3), move)


SUITED = replace(game("finnish-27"), advise=splits)
#: Toys that take a second or more: in the long form.
#: The quick form: one hand, a hand that is split, a bonus of the player's cards alone.
QUICK = ("war", "blackjack", "finnish-27, 8-9-10")
TOYS = {
    "21-24-27": (game("21-24-27"), "Ks Ks Ks As As 9s 9s 9s Jo Jo 6s 6s 6s"),
    "casino-7-27": (game("casino-7-27"), "As As 3s 3s 5s 5s Ts Ts Ts Ts 8s 8s 8s"),
    "war": (WAR, "As As 3s 3s 5s 5s Ts Ts Ts Ts 8s 8s 8s"),
    "war, ties push": (WAR.with_options({"ties_win": False}), "As As 3s 3s Ts Ts Ts Ts 8s 8s 8s"),
    "blackjack": (game("blackjack"), "As As 6s 6s 6s 5s 5s Ts Ts Ts Ts 8s 8s"),
    "blackjack, peek": (
        game("blackjack").with_options({"peek": True, "blackjack_pays": "6:5"}),
        "As As 6s 6s 6s 5s 5s Ts Ts Ts Ts 8s 8s",
    ),
    "blackjack, only": (
        game("blackjack").with_options({"offers": "only", "double_after_split": True}),
        "As As 6s 6s 6s 5s Ts Ts Ts Ts 8s 8s 8s",
    ),
    "blackjack, four hands": (
        game("blackjack").with_options({"resplit": True, "double_after_split": True}),
        "9s 9s 9s 9s 9s 6s 6s 6s Ts Ts Ts",
    ),
    "blackjack, three hands": (
        game("blackjack").with_options({"resplit": True, "max_hands": 3, "peek": True}),
        "9s 9s 9s 9s 6s 6s 6s Ts Ts Ts As",
    ),
    "finnish-27": (game("finnish-27"), "As As Ks Ks Ks 9s 9h 9s Jo 8s Ts Th Qs Qs"),
    # Both hands of a split may end by their suits.
    "finnish-27, 8-9-10": (SUITED, "8s 8h 9s 9h Ts Th Ks Ks Ks"),
    "finnish-27, 9-9-9": (SUITED, "9s 9s 9h 9s 8s Ts Ks Ks Ks"),
}


def test_a_near_standard_deviation_changes_nothing_else() -> None:
    plays, cards = TOYS["blackjack, three hands"]
    near, exact = (
        exact_odds(plays, WAGER, Strategy.BEST, shoe_of(cards), sd=each)
        for each in (Sd.NEAR, Sd.EXACT)
    )
    assert exact.sd_is_exact
    assert not near.sd_is_exact
    assert near.sd != exact.sd
    assert near.sd == pytest.approx(exact.sd, rel=0.1)
    assert near.as_data() | {"sd": 0, "sd_is_exact": 0} == exact.as_data() | {
        "sd": 0,
        "sd_is_exact": 0,
    }


@pytest.mark.parametrize("name", quick_first(TOYS, QUICK))
def test_the_whole_tree_of_a_toy_shoe_is_worth_the_same(name: str) -> None:
    """And spreads so, since hands of one split meet one dealer and draw from one shoe; and its
    hands end so.
    """
    plays, cards = TOYS[name]
    shoe = shoe_of(cards)
    odds = exact_odds(plays, WAGER, Strategy.ADVISE, shoe)
    tree = Tree(plays, shoe, advice)
    mean, square = tree.moments()
    assert -odds.edge == pytest.approx(float(mean), abs=1e-12)
    assert odds.sd_is_exact
    assert odds.sd**2 + odds.edge**2 == pytest.approx(float(square), abs=1e-12, rel=1e-12)
    assert_ends_as(tree, odds)


@pytest.mark.parametrize(
    "name",
    [
        "war",
        pytest.param("21-24-27", marks=pytest.mark.long),
        pytest.param("casino-7-27", marks=pytest.mark.long),
    ],
)
def test_no_play_is_better_than_the_best_one(name: str) -> None:
    plays, cards = TOYS[name]
    shoe = shoe_of(cards)
    odds = exact_odds(plays, WAGER, Strategy.BEST_COMPOSITION, shoe)
    assert -odds.edge == pytest.approx(float(walked(plays, shoe, None)), abs=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("wager", [1_000, 2_500, 100_000])
def test_a_fixed_bonus_is_worth_its_amount_at_every_wager(wager: int) -> None:
    plays, shoe = game("finnish-27"), shoe_of("9s 9s 9h 9h 9d Ks Ks 8s Th Qs Qs")
    odds = exact_odds(plays, wager, Strategy.ADVISE, shoe)
    in_full = float(walked(plays, shoe, advice, (), wager))
    assert -odds.edge == pytest.approx(in_full, abs=1e-12)


# -- the command --


def test_the_command_prints_the_edge_with_all_its_digits(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["odds", "blackjack", "--option", "blackjack_pays=6:5", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["options"]["blackjack_pays"] == "6:5"
    assert figures["edge_per_cent"] > 2
    assert len(repr(figures["edge_per_cent"])) > 12
    assert figures["game"] == "blackjack"
    assert figures["revision"] == game("blackjack").revision
    assert figures["strategy"] == "best"
    assert 1 < figures["sd"] < 1.2
    assert figures["outcomes"].keys() == {"win", "push", "lose"}
    # Each hand ends some way, and splits make more hands than rounds.
    assert sum(figures["outcomes"].values()) == pytest.approx(figures["hands_per_round"], abs=1e-9)
    assert figures["hands_per_round"] > 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["odds", "seven-twenty-seven", "--wager", "10.00"], "there is no house"),
        (["odds", "blackjack", "--strategy", "published"], "advise, best or best-composition"),
        (["odds", "blackjack", "--wager", "-5"], "'-5' is no amount: write it as 10 or 10.00"),
        (["odds", "blackjack", "--wager", "0"], "must be above 0"),
        (["odds", "blackjack", "--wager", "10.01"], "10.01"),
        (["odds", "blackjack", "--option", "decks=7"], "blackjack has no option"),
        (["odds", "blackjack", "--option", "max_hands=5"], "must be 4, 3 or 2, not 5"),
    ],
)
def test_what_cannot_be_computed_is_said(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert says in capsys.readouterr().err


def test_a_wager_that_is_not_taken_has_no_odds() -> None:
    with pytest.raises(NoOdds, match="is under the minimum"):
        exact_odds(game("blackjack"), 1)
