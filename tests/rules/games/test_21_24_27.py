"""21-24-27 over everything that can lie on the table: RULINGS.md, section 2, and the strategy."""

from __future__ import annotations

import itertools

import pytest

from controller.rules.actions import Action, Outcome
from controller.rules.cards import card
from controller.rules.engine.round import Run
from controller.rules.english import ENGLISH
from controller.rules.games.registry import game
from controller.rules.games.twenty_one_24_27 import (
    STRATEGY,
    advise,
    dealer_draws,
    initial_27,
    outcome,
    plays,
    strategy,
    total,
)
from controller.rules.hands import Total
from controller.rules.script.felt import Play
from controller.rules.script.steps import Ask, Settle
from tests.reference.counting_27 import count, words
from tests.reference.twenty_one_24_27 import choices
from tests.rules.tables import RANKS, actions, cards, hand_of, rows

GAME = game("21-24-27")
H, S = Action.HIT, Action.STAND

#: The table of the rulings, a hand from its first two cards on.
TABLE = """
weak   | hard 0-14  | H
weak   | hard 15-24 | S H
weak   | hard 25-27 | S
weak   | soft 14-22 | H
weak   | soft 23-26 | S H
weak   | soft 27    | S
strong | below      | H
strong | hard equal | S
strong | hard above | S
strong | soft above | S
strong | soft equal | S H   # G21-A1
"""

HANDS = [*((n, False) for n in range(28)), *((n, True) for n in range(14, 28))]
#: Every total of a dealer's two cards, a Finnish 27 excepted: it ends the round.
DEALERS = sorted(
    {
        count([one, two], wild=False)
        for one in (*(rank + "h" for rank in RANKS), "Jo")
        for two in (*(rank + "h" for rank in RANKS), "Jo")
        if {one, two} != {"Ah", "Kh"}
    }
)


def is_row(row: list[str], player: tuple[int, bool], dealer: tuple[int, bool]) -> bool:
    """Whether a row of the table speaks of this hand against this dealer."""
    against, counts, _ = row
    strong = dealer[0] >= (24 if dealer[1] else 21)
    if against != ("strong" if strong else "weak"):
        return False
    kind = "soft" if player[1] else "hard"
    relation = ("equal", "above", "below")[(player[0] > dealer[0]) - (player[0] < dealer[0])]
    of_kind, _, span = counts.partition(" ")
    if counts == relation or span in ("equal", "above"):
        return counts in (relation, f"{kind} {relation}")
    low, _, high = span.partition("-")
    return of_kind == kind and low != "" and int(low) <= player[0] <= int(high or low)


def test_every_hand_against_every_dealer_may_do_what_the_table_says() -> None:
    table = rows(TABLE)
    for dealer, player in itertools.product(DEALERS, HANDS):
        fitting = [row for row in table if is_row(row, player, dealer)]
        assert len(fitting) == 1, (player, dealer, fitting)
        expected = actions(fitting[0][2])
        play = plays(Total(*player), Total(*dealer))
        assert set(play.options) == expected, (player, dealer)
        assert play.forced is (next(iter(expected)) if len(expected) == 1 else None)
        assert {Action(each) for each in choices(player, dealer)} == expected
    # G21-A3: hard 1 is unreachable, A+Joker is soft 14; two Jokers are hard 0.
    assert [*HANDS[:1], *sorted([*HANDS[2:27], *HANDS[28:41]])] == DEALERS
    assert len(DEALERS) * len(HANDS) == 39 * 42


def test_every_hand_of_up_to_four_cards_counts_as_scoring_says() -> None:
    """G21-A4: a Joker counts 0."""
    kinds = [rank + "h" for rank in RANKS] + ["Jo"]
    walked = 0
    for size in range(1, 5):
        for codes in itertools.combinations_with_replacement(kinds, size):
            assert str(total(cards(" ".join(codes)))) == words(count(list(codes), wild=False))
            walked += 1
    assert walked == 14 + 105 + 560 + 2380


@pytest.mark.parametrize(
    ("codes", "says"),
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
def test_hand_totals(codes: str, says: str) -> None:
    assert str(total(cards(codes))) == says


def test_the_dealer_hits_under_hard_21_and_soft_24_and_stands_on_the_rest() -> None:
    hits = {f"hard {n}" for n in range(21)} | {f"soft {n}" for n in range(14, 24)}
    every = [Total(n) for n in range(41)] + [Total(n, True) for n in range(14, 28)]
    assert {str(each) for each in every if dealer_draws(each)} == hits
    assert all(play.forced is H for each in every if (play := dealer_draws(each)))


def test_closer_to_27_wins_even_money_equal_pushes_and_a_dealer_bust_loses() -> None:
    walked = 0
    dealers = [*((n, False) for n in range(21, 35)), *((n, True) for n in range(24, 28))]
    for mine, theirs in itertools.product(HANDS, dealers):
        closer = 27 - mine[0] < 27 - theirs[0] or theirs[0] > 27
        expected = 1_000 if closer else 0 if mine[0] == theirs[0] else -1_000
        assert outcome(Total(*mine), Total(*theirs)).net(1_000) == expected
        walked += 1
    assert walked == 42 * 18


def test_only_an_ace_and_a_king_decide_at_once_between_every_two_initial_hands() -> None:
    """Both push, one side alone wins (G21-A5: no bonus)."""
    kinds = [rank + "s" for rank in RANKS] + ["Jo"]
    finnish = {("As", "Ks"), ("Ks", "As")}
    walked = 0
    hands = list(itertools.product(kinds, repeat=2))
    for mine, theirs in itertools.product(hands, hands):
        found = initial_27(hand_of(mine), hand_of(theirs))
        if mine not in finnish and theirs not in finnish:
            assert found is None
        else:
            assert found
            net = 1_000 * ((mine in finnish) - (theirs in finnish))
            assert found.net(1_000) == net
            assert found.outcome is {0: Outcome.PUSH, 1_000: Outcome.WIN}.get(net, Outcome.LOSE)
        walked += 1
    assert walked == 14**4


#: The eighteen published rules: dealer's total, hit hard hands and soft hands under these.
PUBLISHED = """
hard 0-6   | 22 | 24
hard 7     | 22 | 23   # "hand 7", G21-A2
hard 8     | 21 | 23
hard 9-10  | 22 | 23
hard 11-15 | 22 | 24
hard 16    | 21 | 24
hard 17    | 21 | 23
hard 18    | 20 | 23
hard 19-20 | 19 | 23
hard 21    | 21 | 22
hard 22    | 22 | 23
hard 23    | 23 | 24
hard 24    | 24 | 25
hard 25    | 25 | 25
soft 25    | 25 | 25
hard 26    | 26 | 26
soft 26    | 26 | 26
soft 24    | 24 | 25
soft 17-23 | 22 | 24
soft 16    | 22 | 25
soft 14-15 | 23 | 25
"""


def test_the_published_strategy_to_the_total_and_it_never_breaks_a_forced_play() -> None:
    """G21-A1: the soft tie against a strong dealer is hit up to 24, and stood at 25 and 26."""
    targets = {}
    for dealers, hard, soft in rows(PUBLISHED):
        kind, _, span = dealers.partition(" ")
        low, _, high = span.partition("-")
        for number in range(int(low), int(high or low) + 1):
            targets[number, kind == "soft"] = (int(hard), int(soft))
    walked = 0
    for dealer, player in itertools.product(DEALERS, HANDS):
        expected = H if player[0] < targets[dealer][player[1]] else S
        assert strategy(Total(*player), Total(*dealer)) is expected
        play = plays(Total(*player), Total(*dealer))
        if play.forced is None:
            assert advise(play, []) is expected
        walked += 1
    assert walked == 39 * 42
    assert len(STRATEGY) == len(rows(PUBLISHED)) == 18 + 3  # "25 or 26": hard and soft of each


def test_one_rule_of_the_strategy_speaks_of_each_dealers_total_and_of_nothing_else() -> None:
    """So their order says nothing, and no rule covers another. Hard 1 is a total of no dealer."""
    spoken_of = [
        (number, soft) for soft, low, high, _, _ in STRATEGY for number in range(low, high + 1)
    ]
    assert sorted(spoken_of) == sorted([*DEALERS, (1, False)])


def feed(codes: str, *choices_made: Action, seats: int = 1) -> Run:
    run = Run(GAME, tuple((seat, 1_000) for seat in range(1, seats + 1)))
    choices = iter(choices_made)
    for code in codes.split():
        while isinstance(run.step, Ask):
            run.feed(next(choices))
        run.feed(card(code))
    for action in choices:
        run.feed(action)
    return run


def test_a_bust_is_lost_at_once_and_the_dealer_draws_nothing() -> None:
    run = feed("Kh 9c Td 7d Kd", H)
    assert isinstance(run.step, Settle)
    assert run.step.takes
    assert [each.code for each in run.felt.dealer.cards] == ["9c", "7d"]


def test_the_reason_of_a_forced_play_is_the_rule_in_words() -> None:
    assert ENGLISH.say(plays(Total(13), Total(17)).why) == "hard 13 is under 15"
    assert (
        ENGLISH.say(plays(Total(20), Total(22)).why) == "hard 20 is less than the dealer's hard 22"
    )
    draws = dealer_draws(Total(19))
    assert isinstance(draws, Play)
    assert ENGLISH.say(draws.why) == "hard 19 is under 21"
