"""Seven Twenty-Seven in whole rounds: against the reference, and by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.commands.deal import answer, check, load_cases
from controller.rules.actions import Action
from controller.rules.cards import card
from controller.rules.engine.round import Run
from controller.rules.games.registry import game
from controller.rules.script.steps import Deal, Reveal, Vie
from controller.rules.sealed import Sealed
from tests.rules.games.seven_proof import by_the_reference, random_case, round_of, wrong
from tests.support.forms import quick_first

Case = dict[str, Any]
GOLDEN = load_cases(Path(__file__).parents[2] / "golden" / "seven-twenty-seven.json")
WAGERS = tuple((seat, 1_000) for seat in range(1, 5))
#: Enough for every branch of the rules; a million is `python -m tests.rules.games.seven_proof`.
ROUNDS = 2_000


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: str(case["id"]))
def test_the_reference_deals_the_golden_rounds(case: Case) -> None:
    assert check(case, by_the_reference(case)) == []


@pytest.mark.parametrize("first", quick_first(range(0, ROUNDS, 250), [0]))
def test_random_rounds_are_played_as_by_the_reference(first: int) -> None:
    for seed in range(first, first + 250):
        case = random_case(seed)
        assert wrong(case) == [], case["id"]


@pytest.mark.parametrize("players", range(4, 11))
def test_money_is_conserved_to_the_chip(players: int) -> None:
    for seed in range(60):
        case = random_case(seed, players)
        result = answer(case)["result"]
        chip = case["options"].get("smallest_chip", 1)
        assert sum(result["net"].values()) == 0, seed
        assert sum(result["payout"].values()) == result["pot"], seed
        assert all(each % chip == 0 for each in result["payout"].values()), seed


# -- rounds by hand --


def taking_all(then: str) -> str:
    """Ten players pass and take all of the 32 cards that are left; `then` comes after."""
    passes = ", ".join(f"{seat} pass" for seat in range(1, 11))
    cards = ", ".join(f"{seat} card" for seat in range(1, 11))
    last = "1 card, 2 card"
    return ", ".join((passes, cards, passes, cards, passes, cards, passes, last, then))


def test_an_empty_stock_ends_the_card_rounds_and_one_more_betting_round_is_held() -> None:
    passes = ", ".join(f"{seat} pass" for seat in range(1, 11))  # V727-A8
    case = round_of(10, taking_all(passes))
    result = answer(case)["result"]
    assert result["used"] == 52
    assert result["steps"][-1]["phase"] == "betting 5"
    assert result["steps"][-11] == {
        "seat": 2, "phase": "cards 4", "allowed": ["card", "no-card"], "action": "card",
    }  # fmt: skip
    assert result["ended"] == "showdown"
    assert check({**case, "expected": result}, by_the_reference(case)) == []


def test_nobody_is_asked_for_a_card_that_is_not_there() -> None:  # V727-A8
    refused = answer(round_of(10, taking_all("3 card")))["refused"]
    assert refused["at"] == 72


def test_a_stock_emptied_by_the_last_active_player_still_has_its_betting_round() -> None:
    folds = ", ".join(f"{seat} fold" for seat in range(3, 11))
    said = f"1 bet 1, 2 call, {folds}"
    for _ in range(16):
        said += ", 1 card, 2 card, 1 pass, 2 pass"
    result = answer(round_of(10, said))["result"]
    assert (result["used"], result["steps"][-1]["phase"]) == (52, "betting 17")


def test_the_first_active_player_left_of_the_dealer_opens_every_later_round() -> None:
    said = (  # V727-A9: seat 1 folds, seat 2 is then the first
        "1 pass, 2 pass, 3 bet 2, 4 call, 1 fold, 2 call, "
        "2 card, 3 no-card, 4 no-card, 2 pass, 3 pass, 4 pass, 2 no-card, 3 no-card, 4 no-card"
    )
    result = answer(round_of(4, said))["result"]
    assert [step["seat"] for step in result["steps"][6:10]] == [2, 3, 4, 2]


def test_the_bettor_does_not_act_again_unless_raised() -> None:
    said = "1 bet 2, 2 call, 3 call, 4 call, 1 no-card, 2 no-card, 3 no-card, 4 no-card"
    assert answer(round_of(4, said))["result"]["pot"] == 12
    said = "1 bet 2, 2 raise 3, 3 fold, 4 call, 1 call, 1 no-card, 2 no-card, 4 no-card"
    result = answer(round_of(4, said))["result"]
    # Antes 4, three stakes of 5.
    assert result["pot"] == 19
    assert result["steps"][4] == {
        "seat": 1, "phase": "betting 1", "allowed": ["fold", "call", "raise"], "action": "call",
    }  # fmt: skip


def test_the_last_player_wins_the_pot_unseen() -> None:
    result = answer(round_of(4, "1 bet 5, 2 fold, 3 fold, 4 fold"))["result"]
    assert (result["ended"], result["payout"]["1"], result["scores"]) == (
        "last player standing", 9, {},
    )  # fmt: skip
    assert result["low_winners"] == result["high_winners"] == []


def test_the_raises_of_every_betting_round_are_counted_anew() -> None:  # V727-A3
    said = (
        "1 bet 1, 2 raise 1, 3 fold, 4 fold, 1 call, 1 card, 2 no-card, "
        "1 bet 1, 2 raise 1, 1 call, 1 no-card, 2 no-card"
    )
    steps = answer(round_of(4, said, max_raises_per_round=1))["result"]["steps"]
    assert steps[4]["allowed"] == ["fold", "call"]
    assert steps[8]["allowed"] == ["fold", "call", "raise"]
    assert steps[9]["allowed"] == ["fold", "call"]


@pytest.mark.parametrize("first", ["down", "up"])
def test_the_first_card_may_be_dealt_up_or_down(first: str) -> None:  # V727-A1
    case = round_of(4, "1 bet 5, 2 fold, 3 fold, 4 fold", first_card=first, used=8)
    one_up = card("Ah")
    run = Run(game("seven-twenty-seven").with_options({"first_card": first}), WAGERS)
    for _ in range(8):
        assert isinstance(run.step, Deal)
        run.feed(Sealed(one_up) if run.step.down else one_up)
    for hand in run.felt.hands:
        lies_down = [isinstance(each, Sealed) for each in hand.lying()]
        assert lies_down == [first == "down", first == "up"]
    # Whichever lies face down: the cards are told in the order in which they were dealt.
    result = answer(case)["result"]
    assert result["cards"] == {
        str(seat): [case["cards"][seat - 1], case["cards"][seat + 3]] for seat in range(1, 5)
    }


def test_extra_cards_lie_face_down_until_the_showdown() -> None:
    run = Run(game("seven-twenty-seven"), WAGERS)
    shoe = iter(game("seven-twenty-seven").pack.cards())
    taken = 0
    while not isinstance(run.step, Reveal):
        step = run.step
        if isinstance(step, Deal):
            taken += step.play is not None
            assert step.down or step.play is None
            run.feed(Sealed(next(shoe)) if step.down else next(shoe))
        elif isinstance(step, Vie):
            run.feed(Action.PASS)
        else:
            run.feed(Action.CARD if taken < 3 else Action.NO_CARD)
    assert [len(hand.down or ()) for hand in run.felt.hands] == [2, 2, 2, 1]
    assert [len(hand.cards) for hand in run.felt.hands] == [1] * 4
