"""Finnish 27: who wins and what is paid, over every hand: RULINGS.md, section 1, as tables."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from controller.rules.actions import Action, Outcome
from controller.rules.cards import card
from controller.rules.games.finnish_27 import (
    FinnishOptions,
    initial_27,
    initial_outcome,
    outcome,
    predetermined,
)
from controller.rules.hands import Total
from tests.reference.counting_27 import count
from tests.rules.tables import DECK, RANKS, hand_of, rows
from tests.support.forms import quick_first


def test_closer_to_27_wins_equal_pushes_and_a_dealer_bust_loses() -> None:
    walked = 0
    mine = [Total(n) for n in range(3, 28)] + [Total(n, True) for n in range(14, 28)]
    theirs = [Total(n) for n in range(23, 37)] + [Total(n, True) for n in range(25, 28)]
    for player, dealer in itertools.product(mine, theirs):
        far, theirs_far = 27 - player.points, 27 - dealer.points
        expected = "lose" if far > theirs_far else "push" if far == theirs_far else "win"
        if dealer.points > 27:
            expected = "win"
        result = outcome(player, dealer)
        assert result.outcome.value == expected
        net = {"win": 1_000, "push": 0, "lose": -1_000}[expected]
        assert result.net(1_000) == net
        walked += 1
    assert walked == 39 * 17


#: "Determine Whether A Predetermined Outcome Occurs", player's initial hand down, dealer's across.
INITIAL = """
        | JoJo   | AK   | Joanca | other
JoJo    | push   | 1:1  | 1:1    | 1:1
AK      | lose   | push | 1:2    | 1:2
Joanca  | lose   | lose | push   | 0
other   | lose   | lose | lose   | -
"""


def kind_of(one: str, two: str) -> str:
    if one == two == "Jo":
        return "JoJo"
    if {one[0], two[0]} == {"A", "K"}:
        return "AK"
    return "Joanca" if "Jo" in (one, two) else "other"


def test_every_pair_of_initial_hands_is_settled_as_the_ranks_say() -> None:
    head, *lines = rows(INITIAL)
    table = {
        (line[0], dealer): cell
        for line in lines
        for dealer, cell in zip(head[1:], line[1:], strict=True)
    }
    assert len(table) == 16
    kinds = [rank + "s" for rank in RANKS] + ["Jo"]
    walked = 0
    hands = list(itertools.product(kinds, repeat=2))
    initial = {hand: initial_27([card(each) for each in hand]) for hand in hands}
    for mine, theirs in itertools.product(hands, hands):
        cell = table[kind_of(*mine), kind_of(*theirs)]
        result = initial_outcome(initial[mine], initial[theirs])
        if cell == "-":
            assert result is None
        elif cell in ("push", "lose"):
            assert result
            assert result.outcome.value == cell
            assert result.net(1_000) == (0 if cell == "push" else -1_000)
        else:
            assert result
            assert result.outcome is Outcome.WIN
            pays, _, per = cell.partition(":")
            assert result.net(1_000) == 1_000 + 1_000 * Fraction(int(pays), int(per or 1))
        walked += 1
    assert walked == 14**4


#: "Bonus Payouts For Predetermined Combinations Of Cards", three cards; dollars in cents.
BONUS = """
8-9-10 | mixed    | 1:2  | 1:2
8-9-10 | hearts   | 1:1  | 1:1
8-9-10 | clubs    | 1:1  | 1:1
8-9-10 | diamonds | 1:1  | 1:1
8-9-10 | spades   | 2:1  | 2:1
9-9-9  | mixed    | 9000  | 999000   # the dealer's initial 9-9: replaces, F27-A9
9-9-9  | hearts   | 99000 | 999000
9-9-9  | clubs    | 99000 | 999000
9-9-9  | diamonds | 99000 | 999000
9-9-9  | spades   | 99000 | 999000
"""
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


@pytest.mark.parametrize("wager", [1_000, 2_000])  # F27-A8: odds on the doubled wager
@pytest.mark.parametrize("nines", quick_first([False, True], [True]))
def test_every_hand_of_three_cards_is_paid_by_the_bonus_table(nines: bool, wager: int) -> None:
    table = {(name, suits): (plain, jackpot) for name, suits, plain, jackpot in rows(BONUS)}
    options = FinnishOptions()
    walked = won = 0
    for codes in itertools.combinations_with_replacement([*DECK, "Jo"], 3):
        ranks = sorted(code[0] for code in codes)
        name = {"89T": "8-9-10", "999": "9-9-9"}.get("".join(ranks), "")
        if "Jo" in codes:
            name = ""
        suits = {code[1] for code in codes}
        found = predetermined(hand_of(codes, wager), nines, options)
        number = count(list(codes), wild=True)[0]
        walked += 1
        if not name:
            assert (found.outcome if found else None) is (Outcome.LOSE if number > 27 else None)
            continue
        won += 1
        cell = table[name, SUITS[suits.pop()] if len(suits) == 1 else "mixed"][nines]
        pays, _, per = cell.partition(":")
        bonus = Fraction(int(pays), int(per)) * wager if per else int(pays)
        assert found
        assert found.outcome is Outcome.WIN
        assert found.net(wager) == wager + bonus, codes
        for order in itertools.permutations(codes):
            assert predetermined(hand_of(order, wager), nines, options) == found
            assert predetermined(hand_of(order, wager, split=True), nines, options) == found
    assert (walked, won) == (26_235, 64 + 20)


def test_no_hand_of_two_or_four_cards_is_settled_before_the_dealer_but_a_bust() -> None:
    kinds = [rank + "s" for rank in RANKS] + ["Jo"]
    walked = 0
    for size in (2, 4, 5):
        for codes in itertools.combinations_with_replacement(kinds, size):
            number = count(list(codes), wild=True)[0]
            found = predetermined(hand_of(codes), True, FinnishOptions())
            assert (found.outcome if found else None) is (Outcome.LOSE if number > 27 else None)
            walked += 1
    assert walked == 105 + 2_380 + 8_568


def test_a_surrender_loses_half_whatever_the_hand() -> None:
    for one, two in itertools.product(RANKS, RANKS):
        hand = hand_of((one + "h", two + "c"))
        hand.ended = Action.SURRENDER
        found = predetermined(hand, True, FinnishOptions())
        assert found
        assert found.outcome is Outcome.SURRENDER
        assert found.net(1_000) == -500


def test_the_bonus_dollars_are_the_house_options() -> None:
    options = FinnishOptions(bonus_999_mixed=100, bonus_999_suited=200, bonus_999_jackpot=300)
    for codes, nines, bonus in (
        ("9h 9h 9s", False, 100),
        ("9h 9h 9h", False, 200),
        ("9h 9h 9s", True, 300),
        ("9h 9h 9h", True, 300),
    ):
        found = predetermined(hand_of(codes.split()), nines, options)
        assert found
        assert found.net(1_000) == 1_000 + bonus
