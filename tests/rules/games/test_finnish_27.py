"""Finnish 27 over everything that can lie on the table: RULINGS.md, section 1, as text tables."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from controller.rules.actions import Action
from controller.rules.cards import JOKER, card
from controller.rules.games.finnish_27 import (
    Forced,
    Standing,
    dealer_draws,
    plays,
    standing_of,
    total,
)
from controller.rules.hands import Total
from tests.reference.counting_27 import count, words
from tests.reference.finnish_27 import choices
from tests.rules.tables import DECK, RANKS, actions, cards, hand_of, rows

#: What is offered, whatever `forced_play` says. (D) only with double_after_split, (P) with a pair.
ALWAYS = """
any    | one        | any             | H      # post-split
any    | two, more  | total 27        | S      # F27-A4, F27-A6
weak   | more       | hard 0-14       | H
weak   | more       | soft 14-23      | H
weak   | more       | hard 25-26      | S
weak   | more       | hard 15-24      | S H
weak   | more       | soft 24-26      | S H
strong | split two, more | below      | H
strong | split two, more | hard equal | S
strong | split two, more | soft above | S
strong | split two, more | hard above | S H    # F27-A4
strong | split two, more | soft equal | S H    # F27-A4
"""

#: forced_play "hit_or_stand": the rows of two cards (F27-A2, F27-A3).
HIT_OR_STAND = """
weak   | initial two | hard 0-14  | H D (P) R
weak   | initial two | soft 14-23 | H D (P) R
weak   | initial two | hard 15-24 | S H D (P) R
weak   | initial two | soft 24-26 | S H D (P) R
weak   | initial two | hard 25-26 | S D (P) R
weak   | split two   | hard 0-14  | H (D)
weak   | split two   | soft 14-23 | H (D)
weak   | split two   | hard 15-24 | S H (D)
weak   | split two   | soft 24-26 | S H (D)
weak   | split two   | hard 25-26 | S (D)
strong | initial two | below      | H (P) R
strong | initial two | hard equal | S (P) R
strong | initial two | soft above | S (P) R
strong | initial two | hard above | S H (P) R
strong | initial two | soft equal | S H (P) R
"""

#: forced_play "after_hit": forced only where neither double, split nor surrender is open; but
#: nobody stands below a strong dealer.
AFTER_HIT = """
weak   | initial two | any    | S H D (P) R
weak   | split two   | any    | S H (D)
strong | initial two | below  | H (P) R
strong | initial two | level  | S H (P) R
"""
AFTER_HIT_WITHOUT_DOUBLE = """
weak   | initial two | any        | S H D (P) R
weak   | split two   | hard 0-14  | H
weak   | split two   | soft 14-23 | H
weak   | split two   | hard 15-24 | S H
weak   | split two   | soft 24-26 | S H
weak   | split two   | hard 25-26 | S
strong | initial two | below      | H (P) R
strong | initial two | level      | S H (P) R
"""

TABLES = {
    ("hit_or_stand", True): ALWAYS + HIT_OR_STAND,
    ("hit_or_stand", False): ALWAYS + HIT_OR_STAND,
    ("after_hit", True): ALWAYS + AFTER_HIT,
    ("after_hit", False): ALWAYS + AFTER_HIT_WITHOUT_DOUBLE,
}


class Finnish27Hand(NamedTuple):
    """A hand that is asked: how it counts, how many cards, whether a pair or post-split."""

    number: int
    soft: bool
    cards: int
    pair: bool
    split: bool


def is_row(row: list[str], player: Finnish27Hand, dealer: tuple[int, bool]) -> bool:
    """Whether a row of the table speaks of this hand against this dealer."""
    against, cards_are, counts, _ = row
    number, soft = dealer
    strong = (number >= 25) if soft else (number >= 23)
    size = ("one", "two", "more")[min(player.cards, 3) - 1]
    sizes = [each.strip() for each in cards_are.split(",")]
    lies = {size, f"{'split' if player.split else 'initial'} {size}"}
    if against not in ("any", "strong" if strong else "weak") or not lies & set(sizes):
        return False
    if player.number == 27 and player.cards > 1:
        return counts == "total 27"
    step = (player.number > number) - (player.number < number)
    kind = "soft" if player.soft else "hard"
    relation = ("equal", "above", "below")[step]
    if counts in ("any", relation, f"{kind} {relation}"):
        return True
    if counts == "level":
        return relation != "below"
    of_kind, _, span = counts.partition(" ")
    low, dash, high = span.partition("-")
    return of_kind == kind and bool(dash) and int(low) <= player.number <= int(high)


#: Every total that a dealer's two cards can make when the hand is played (no initial 27).
DEALERS = sorted(
    {
        count([one + "h", two + "c"], wild=True)
        for one in RANKS
        for two in RANKS
        if {one, two} != {"A", "K"}
    }
)


def every_hand() -> Iterator[tuple[Finnish27Hand, tuple[str, ...] | None]]:
    """Every hand that can be asked, with its cards where it is one or two of them."""
    for one in RANKS:
        yield Finnish27Hand(*count([one + "h"], wild=True), 1, False, True), (one + "h",)
        for two in (*RANKS, "Jo"):
            codes = (one + "h", two if two == "Jo" else two + "c")
            pair = one == two
            counted = count(list(codes), wild=True)
            yield Finnish27Hand(*counted, 2, pair, True), codes
            if counted[0] < 27:  # An initial 27 is settled and never asked.
                yield Finnish27Hand(*counted, 2, pair, False), codes
    for size in (3, 4, 9):
        for split in (False, True):
            for number in range(3, 28):
                yield Finnish27Hand(number, False, size, False, split), None
            for number in range(14, 28):
                yield Finnish27Hand(number, True, size, False, split), None


HANDS = list(every_hand())
QUICK = (("after_hit", False),)


@pytest.mark.parametrize(
    ("reach", "doubles"),
    [each if each in QUICK else pytest.param(*each, marks=pytest.mark.long) for each in TABLES],
)
def test_every_hand_against_every_dealer_is_offered_what_the_table_says(
    reach: str, doubles: bool
) -> None:
    table = rows(TABLES[reach, doubles])
    walked = 0
    for dealer, (player, codes) in itertools.product(DEALERS, HANDS):
        fitting = [row for row in table if is_row(row, player, dealer)]
        assert len(fitting) == 1, (player, dealer, fitting)
        drop = ["P"] * (not player.pair) + ["D"] * (player.split and not doubles)
        expected = actions(fitting[0][3], drop)
        play = plays(
            Total(player.number, player.soft),
            Total(*dealer),
            Standing(player.cards, player.pair, player.split),
            doubles,
            Forced(reach),
        )
        assert set(play.options) == expected, (player, dealer)
        assert len(play.options) == len(expected)
        assert play.forced is (next(iter(expected)) if len(expected) == 1 else None)
        if codes:
            hand = hand_of(codes, split=player.split)
            assert total(hand.cards)[:2] == (player.number, player.soft)
            assert standing_of(hand) == (player.cards, player.pair, player.split)
            options = {"forced_play": reach, "double_after_split": doubles}
            second = choices(list(codes), split=player.split, dealer=dealer, options=options)
            assert {Action(each) for each in second} == expected, (player, dealer)
        walked += 1
    assert len(DEALERS) == 23 + 12  # hard 4 to 26, soft 15 to 26
    assert walked == 35 * (13 + 13 * 14 + (13 * 13 - 2) + 3 * 2 * (25 + 14)) == 20_860


def test_the_dealer_hits_hard_under_23_and_soft_under_25_and_stands_on_the_rest() -> None:
    hits = {f"hard {n}" for n in range(23)} | {f"soft {n}" for n in range(14, 25)}
    every = [Total(n) for n in range(41)] + [Total(n, True) for n in range(14, 28)]
    assert {str(each) for each in every if dealer_draws(each)} == hits
    assert all(play.forced is Action.HIT for each in every if (play := dealer_draws(each)))


def test_every_hand_of_up_to_four_cards_counts_as_scoring_says() -> None:
    kinds = [rank + "h" for rank in RANKS] + ["Jo"]
    walked = 0
    for size in range(1, 5):
        for codes in itertools.combinations_with_replacement(kinds, size):
            assert str(total(cards(" ".join(codes)))) == words(count(list(codes), wild=True))
            walked += 1
    assert walked == 14 + 105 + 560 + 2380


def test_a_joker_makes_27_in_every_hand_and_is_no_pair() -> None:
    assert total([JOKER, JOKER]).points == 27
    for code in DECK:
        hand = [JOKER, card(code)]
        assert total(hand) == (27, code[0] == "A", 27)
        assert not standing_of(hand_of(["Jo", code])).pair
