"""Blackjack over everything that can lie on the table: RULINGS.md, section 5, as text tables."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import pytest

from controller.rules.actions import Action, Outcome
from controller.rules.cards import card
from controller.rules.engine.round import Run, known_answer
from controller.rules.games.blackjack import (
    Allowed,
    Offers,
    blackjack_outcome,
    contradiction,
    first_cards,
    insurance_outcome,
    is_blackjack,
    operator_draws,
    outcome,
    plays,
    said_total,
    total,
)
from controller.rules.games.registry import game
from controller.rules.hands import Total, TotalKind, TotalPart
from controller.rules.money import Odds
from controller.rules.script.felt import Up
from controller.rules.script.steps import Ask, Deal
from controller.rules.sealed import Sealed
from tests.reference.blackjack import choices, count, words
from tests.reference.table import Box
from tests.rules.tables import RANKS, actions, cards, hand_of, rows

#: What a hand may do. (D) only with double_after_split, (P) only with resplit; the first row that
#: fits counts. `initial`: the first two cards; `split`: two cards of a split hand.
TABLE = """
any     | any    | 21         | S              # stands by itself
split   | any    | split aces | S              # one card each
initial | prompt | one value  | S H D P        # BJ-A5: any pair, Q-K too
initial | prompt | any        | S H D
initial | only   | 8-8, A-A   | S H P
initial | only   | 11         | S H D
initial | only   | any        | S H
split   | prompt | one value  | S H (D) (P)    # BJ-A3
split   | prompt | any        | S H (D)
split   | only   | 8-8, A-A   | S H (P)
split   | only   | 11         | S H (D)
split   | only   | any        | S H
more    | any    | any        | S H
"""
#: "Operator offers split on 8/8 and A/A", "offers Double Down on 11 always".
OFFERED = {"8-8": Action.SPLIT, "A-A": Action.SPLIT, "11": Action.DOUBLE}

WORTH = {"A": 1, **{rank: int(rank) for rank in RANKS[1:9]}, "T": 10, "J": 10, "Q": 10, "K": 10}


class BlackjackHand(NamedTuple):
    """A hand that is asked: its codes, post-split or not."""

    codes: tuple[str, ...]
    split: bool

    @property
    def lies(self) -> str:
        if len(self.codes) > 2:
            return "more"
        return "split" if self.split else "initial"

    @property
    def is_a(self) -> set[str]:
        """Everything that the table can call this hand."""
        names = {"any", str(count(list(self.codes))[0])}
        if len(self.codes) == 2:
            one, two = (WORTH[code[0]] for code in self.codes)
            if one == two:
                names |= {"one value", {1: "A-A", 8: "8-8"}.get(one, "pair")}
            if self.split and one == 1:
                names.add("split aces")
        return names


def every_hand() -> Iterator[BlackjackHand]:
    """Every two cards by rank, first and after a split, and three cards of each total."""
    for one, two in itertools.product(RANKS, RANKS):
        for split in (False, True):
            natural = sorted((WORTH[one], WORTH[two])) == [1, 10]
            if split or not natural:  # A blackjack is never asked.
                yield BlackjackHand((one + "h", two + "c"), split)
    for codes in itertools.combinations_with_replacement("A23456789T", 3):
        for split in (False, True):
            if sum(WORTH[each] for each in codes) <= 21 and not (split and codes[0] == "A"):
                yield BlackjackHand(tuple(each + "h" for each in codes), split)


HANDS = list(every_hand())


def row_of(player: BlackjackHand, offers: str) -> str:
    """What the table lets this hand do."""
    for lies, when, called, may in rows(TABLE):
        names = {each.strip() for each in called.split(",")}
        if lies in ("any", player.lies) and when in ("any", offers) and names & player.is_a:
            return may
    raise AssertionError("the table speaks of every hand")


@pytest.mark.parametrize("doubles", [False, True])
@pytest.mark.parametrize(("resplit", "full"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("offers", ["prompt", "only"])
def test_every_hand_against_every_card_may_do_what_the_table_says(
    doubles: bool, resplit: bool, full: bool, offers: str
) -> None:
    walked = 0
    ups = [Up(card(rank + "s")) for rank in RANKS]
    for player in HANDS:
        may = row_of(player, offers)
        again = resplit and not full
        drop = ["D"] * ("(D)" in may and not doubles) + ["P"] * ("(P)" in may and not again)
        expected = actions(may, drop)
        hand = hand_of(player.codes, split=player.split)
        mine = total(hand.cards)
        wanted = [OFFERED[name] for name in ("8-8", "A-A", "11") if name in player.is_a]
        for up in ups:
            play = plays(
                mine,
                up,
                first_cards(hand),
                player.split,
                Allowed(doubles, resplit, Offers(offers)),
                full,
            )
            assert set(play.options) == expected, player
            assert len(play.options) == len(expected)
            assert play.forced is (Action.STAND if may == "S" else None)
            assert str(play.dealer) == f"up {up.card.code}"
            assert [play.offer] == (wanted if set(wanted) & expected else [None])
            walked += 1
        box = Box(1, 1_000)
        box.cards, box.split = list(player.codes), player.split
        options = {"double_after_split": doubles, "resplit": resplit, "offers": offers}
        found = choices(box, options, 4 if full else 2)
        assert {Action(each) for each in found} == expected, player
    # 169 pairs of ranks and 8 fewer that no split made; of three values, 179 make 21 or less,
    # 124 of them without an ace, which alone can come of a split.
    assert len(HANDS) == 169 + 161 + 179 + 124
    assert walked == 13 * len(HANDS)


def test_every_hand_of_up_to_four_cards_counts_with_the_best_ace() -> None:
    walked = 0
    for size in range(1, 5):
        for codes in itertools.combinations_with_replacement(RANKS, size):
            mine = total(cards(" ".join(code + "d" for code in codes)))
            number = sum(WORTH[code] for code in codes)
            best = number + 10 if "A" in codes and number + 10 <= 21 else number
            assert (mine.points, mine.soft) == (best, best != number)
            assert words([code + "d" for code in codes]).endswith(f" {best}")
            kind = TotalKind.ANNOUNCED_BUST if best > 21 else TotalKind.ANNOUNCED
            assert said_total(mine) == (
                TotalPart(kind, best),
            )  # BJ-A7: the maximum alone is announced
            walked += 1
    assert walked == 13 + 91 + 455 + 1820


def test_blackjack_is_an_ace_and_a_ten_value_on_the_first_two_cards_alone() -> None:
    found = set()
    for one, two in itertools.product(RANKS, RANKS):
        codes = (one + "h", two + "c")
        if is_blackjack(hand_of(codes)):
            found.add(one + two)
        assert not is_blackjack(hand_of(codes, split=True))
        for three in RANKS:
            assert not is_blackjack(hand_of((*codes, three + "d")))
    assert found == {"A" + ten for ten in "TJQK"} | {ten + "A" for ten in "TJQK"}


def test_the_operator_draws_to_16_and_stands_on_all_17s() -> None:
    every = [Total(n, False, 21) for n in range(2, 27)] + [
        Total(n, True, 21) for n in range(12, 22)
    ]
    for each in every:
        draws = operator_draws(each)
        assert (draws is not None) == (each.points <= 16)
        assert draws is None or draws.forced is Action.HIT
    assert len(every) == 25 + 10


def test_every_total_against_every_total_of_the_operator_is_settled_even_money() -> None:
    walked = 0
    mine = [Total(n, False, 21) for n in range(4, 22)] + [Total(n, True, 21) for n in range(12, 22)]
    theirs = [Total(n, False, 21) for n in range(17, 27)]
    theirs += [Total(n, True, 21) for n in range(17, 22)]
    for player, operator in itertools.product(mine, theirs):
        better = (player.points > operator.points) - (player.points < operator.points)
        net = 1_000 if operator.points > 21 else 1_000 * better
        assert outcome(player, operator, natural=False).net(1_000) == net
        walked += 1
    assert walked == 28 * 15


def test_an_operators_blackjack_beats_every_21_and_all_bets_of_the_box() -> None:
    """BJ-A2: nothing is refunded."""
    for player in (Total(n, soft, 21) for n in range(12, 22) for soft in (False, True)):
        result = outcome(player, Total(21, True, 21), natural=True)
        assert result.outcome is Outcome.LOSE
        assert result.net(2_000) == -2_000


@pytest.mark.parametrize("odds", [Odds(3, 2), Odds(6, 5), Odds(1, 1)], ids=str)
def test_a_blackjack_is_paid_by_the_house_option_and_pushed_by_another(odds: Odds) -> None:
    """BJ-A1."""
    assert blackjack_outcome(False, odds).net(1_000) == 1_000 * Fraction(odds.pays, odds.per)
    assert blackjack_outcome(True, odds).net(1_000) == 0
    assert blackjack_outcome(True, odds).outcome is Outcome.PUSH


def test_insurance_pays_2_to_1_and_even_money_is_an_identity_at_3_to_2() -> None:
    """BJ-A4: an insured blackjack nets its wager either way."""
    assert insurance_outcome(True).net(500) == 1_000
    assert insurance_outcome(False).net(500) == -500
    for natural in (False, True):
        blackjack = blackjack_outcome(natural, Odds(3, 2)).net(1_000)
        assert insurance_outcome(natural).net(500) + blackjack == 1_000


def test_a_hidden_card_may_not_belie_the_operators_look() -> None:
    """BJ-A2, peek: whatever card turns up, it is or is not the blackjack that was told."""
    walked = 0
    for up, hidden in itertools.product("ATJQK", RANKS):
        natural = sorted((WORTH[up], WORTH[hidden])) == [1, 10]
        for peeked in (None, False, True):
            why = contradiction(card(up + "s"), card(hidden + "d"), peeked)
            assert (why is None) == (peeked is None or peeked == natural)
            walked += 1
    assert walked == 5 * 13 * 3


@pytest.mark.parametrize("most", [2, 3, 4])
def test_a_box_has_no_more_hands_than_the_house_allows(most: int) -> None:
    plays = game("blackjack").with_options({"resplit": True, "max_hands": most})
    run = Run(plays, ((1, 1_000), (2, 1_000)))
    hands = []
    while run.step is not None:
        step = run.step
        if isinstance(step, Deal):
            run.feed(Sealed(card("5h")) if step.down else card("8s"))
        elif isinstance(step, Ask):
            hands.append(sum(each.place.seat == step.hand.place.seat for each in run.felt.hands))
            splits = Action.SPLIT in step.play.options
            assert splits == (hands[-1] < most)
            assert step.play.offer == (Action.SPLIT if splits else None)
            run.feed(Action.SPLIT if splits else Action.STAND)
        else:
            run.feed(known_answer(step))
    assert len([each for each in run.felt.hands if each.place.seat == 2]) == most
    assert max(hands) == most
