"""21-24-27 clause by clause: forced play, dealer's play, outcomes, the published strategy."""

from __future__ import annotations

import itertools

import pytest

from controller.rules.cards import card
from controller.rules.felt import Action, Outcome
from controller.rules.game import Ask, Settle
from controller.rules.games import game
from controller.rules.hands import Total
from controller.rules.round import Run
from controller.rules.twenty_one_24_27 import (
    STRATEGY,
    dealer_draws,
    outcome,
    plays,
    strategy,
    total,
)

GAME = game("21-24-27")
H, S = Action.HIT, Action.STAND

HARD_DEALERS = [Total(n) for n in range(27) if n != 1]
SOFT_DEALERS = [Total(n, True) for n in range(14, 27)]
PLAYERS = [Total(n) for n in range(28)] + [Total(n, True) for n in range(14, 28)]


def by_the_table(player: Total, dealer: Total) -> set[Action]:
    """The table of the rulings, section 2, written out: not shared with the engine."""
    strong = dealer.points >= (24 if dealer.soft else 21)
    p, d = player.points, dealer.points
    if strong and p < d:
        return {H}
    if strong:
        if player.soft and p == d:
            return {H, S}  # G21-A1
        return {S}
    if player.soft:
        return {H} if p < 23 else {S} if p == 27 else {H, S}
    return {H} if p < 15 else {S} if p >= 25 else {H, S}


@pytest.mark.parametrize("dealer", HARD_DEALERS + SOFT_DEALERS, ids=str)
def test_every_player_total_against_every_dealer_total(dealer: Total) -> None:
    for player in PLAYERS:
        assert set(plays(player, dealer).options) == by_the_table(player, dealer), player


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        ("Ah Jo", "soft 14"),  # G21-A4: the Joker counts 0
        ("Jo Jo", "hard 0"),
        ("Ah As", "soft 15"),
        ("Ah Kd", "soft 27"),
        ("As Jd", "soft 25"),
        ("As 9d Kc", "hard 23"),  # the rule book's own example
        ("Kh Kd 2c", "bust 28"),
        ("As Ah Ad Kc", "hard 16"),
        ("Qc Jc", "hard 23"),
    ],
)
def test_hand_totals(cards: str, says: str) -> None:
    assert str(total([card(each) for each in cards.split()])) == says


def test_the_dealer_hits_under_hard_21_and_soft_24_and_stands_on_the_rest() -> None:
    for points in range(35):
        assert bool(dealer_draws(Total(points))) is (points < 21)
    for points in range(14, 28):
        assert bool(dealer_draws(Total(points, True))) is (points < 24)


def test_closer_to_27_wins_and_equal_pushes() -> None:
    for mine, theirs in itertools.product(range(28), range(21, 28)):
        expected = (
            Outcome.PUSH if mine == theirs else Outcome.WIN if mine > theirs else Outcome.LOSE
        )
        assert outcome(Total(mine), Total(theirs)).outcome is expected
    assert outcome(Total(4), Total(28)).outcome is Outcome.WIN


def test_the_strategy_has_a_rule_for_every_dealer_and_never_breaks_a_forced_play() -> None:
    for dealer in HARD_DEALERS + SOFT_DEALERS:
        for player in PLAYERS:
            assert strategy(player, dealer) in (H, S)
    # The soft tie against a strong dealer is hit up to 24 and stood at 25 and 26 (G21-A1).
    assert strategy(Total(21, True), Total(21)) is H
    assert strategy(Total(24, True), Total(24, True)) is H
    assert strategy(Total(25, True), Total(25)) is S
    assert len(STRATEGY) == 18 + 3  # "25 or 26" is four rows here: hard and soft of each


def feed(cards: str, *actions: Action, seats: int = 1) -> Run:
    run = Run(GAME, tuple((seat, 1_000) for seat in range(1, seats + 1)))
    given = iter(actions)
    for code in cards.split():
        while isinstance(run.step, Ask):
            run.feed(next(given))
        run.feed(card(code))
    for action in given:
        run.feed(action)
    return run


def test_a_bust_is_lost_at_once_and_the_dealer_draws_nothing() -> None:
    run = feed("Kh 9c Td 7d Kd", H)
    assert isinstance(run.step, Settle)
    assert run.step.takes
    assert [each.code for each in run.felt.dealer.cards] == ["9c", "7d"]


def test_the_reason_of_a_forced_play_is_the_rule_in_words() -> None:
    assert plays(Total(13), Total(17)).why == "hard 13 is under 15"
    assert plays(Total(20), Total(22)).why == "hard 20 is less than the dealer's hard 22"
    draws = dealer_draws(Total(19))
    assert draws is not None
    assert draws.why == "hard 19 is under 21"
