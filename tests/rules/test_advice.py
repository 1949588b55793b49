"""What a sensible player does, as tables: simulated players, the edges and the demo play so.

21-24-27 has a published strategy: `games.test_21_24_27`.
"""

from __future__ import annotations

import itertools

import pytest

from controller.rules.actions import Action, Bid
from controller.rules.cards import card
from controller.rules.games import blackjack, casino_7_27, finnish_27, seven_27
from controller.rules.hands import Range, Total, hard_from, hard_under, soft_from, soft_under
from controller.rules.messages import message
from controller.rules.script.felt import Play, Up
from tests.rules.tables import ACTIONS, RANKS, cards, hand_of, rows

#: The operator's card as columns are: 2 to 10, then the ace.
UPS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "A")

#: A letter for each card of the operator, 2 to 10, then the ace: split, double, hit, stand.
PAIRS = """
A-A | P P P P P P P P P H
2-2 | P P P P P P H H H H
3-3 | P P P P P P H H H H
4-4 | H H H H H H H H H H
5-5 | D D D D D D D D H H
6-6 | P P P P P H H H H H
7-7 | P P P P P P H H H H
8-8 | P P P P P P P P H H
9-9 | P P P P P S S S S S
T-T | S S S S S S S S S S
"""
OTHERS = """
hard 5-9   | H H H H H H H H H H
hard 10    | D D D D D D D D H H
hard 11    | D D D D D D D D D H
hard 12    | H H S S S H H H H H
hard 13-16 | S S S S S H H H H H
hard 17-19 | S S S S S S S S S S
soft 13-17 | H H H H H H H H H H
soft 18-20 | S S S S S S S S S S
"""


def advised(codes: str, up: str) -> str:
    """The letter of what the sensible player does with two cards."""
    hand = hand_of(codes.split())
    first = blackjack.first_cards(hand)
    play = blackjack.plays(blackjack.total(hand.cards), Up(card(up + "s")), first)
    chosen = blackjack.GAME.advise(play, hand.cards)
    return next(letter for letter, action in ACTIONS.items() if action is chosen)


def test_blackjack_splits_pairs_doubles_and_hits_as_the_tables_say() -> None:
    pairs = {pair[0]: may.split() for pair, may in rows(PAIRS)}
    others = {}
    for which, may in rows(OTHERS):
        kind, _, span = which.partition(" ")
        low, _, high = span.partition("-")
        for points in range(int(low), int(high or low) + 1):
            others[kind == "soft", points] = may.split()
    walked = set()
    for one, two in itertools.product(RANKS, RANKS):
        first, second = ("T" if rank in "JQK" else rank for rank in (one, two))
        mine = blackjack.total(cards(f"{one}h {two}c"))
        if mine.points == 21:
            continue  # it stands by itself
        key = first if first == second else (mine.soft, mine.points)
        expected = pairs[first] if first == second else others[mine.soft, mine.points]
        assert [advised(f"{one}h {two}c", up) for up in UPS] == expected, (one, two)
        walked.add(key)
    assert walked == set(pairs) | set(others)


def test_blackjack_three_cards_are_not_doubled() -> None:
    hand = hand_of(["2h", "3c", "6d"])
    first = blackjack.first_cards(hand)
    play = blackjack.plays(blackjack.total(hand.cards), Up(card("6s")), first)
    assert blackjack.GAME.advise(play, hand.cards) is ACTIONS["H"]


#: Low of the hand, its aces, its high: stay low, stay high, or hit.
CASINO = """
0-3  | any  | any   | H
4    | 0-1  | any   | low
4    | 2-9  | any   | H      # three more make a 7-27
5-6  | any  | any   | low
7    | 0-1  | any   | low
8-27 | any  | 8-21  | H
8-27 | any  | 22-26 | high
"""


def within(number: int, span: str) -> bool:
    """Whether a number is one of a cell such as `4`, `0-3` or `any`."""
    low, _, high = span.partition("-")
    return span == "any" or int(low) <= number <= int(high or low)


def test_casino_7_27_stays_low_tries_for_a_7_27_and_stays_high_as_the_table_says() -> None:
    walked = set()
    for codes in itertools.chain(
        itertools.combinations_with_replacement(RANKS[:10], 2),
        itertools.combinations_with_replacement(RANKS[:10], 3),
        itertools.combinations_with_replacement(RANKS[:10], 4),
    ):
        mine = casino_7_27.total(cards(" ".join(code + "h" for code in codes)))
        if mine.bust or mine.seven_27:
            continue
        play = casino_7_27.plays(mine, Up(card("9s")))
        if play.forced is not None:
            continue
        counted = (mine.low, mine.aces, mine.high)
        (row,) = (each for each in rows(CASINO) if all(map(within, counted, each[:3])))
        assert casino_7_27.advise(play, []) is ACTIONS[row[3]], mine
        walked.add(tuple(row[:3]))
    assert len(walked) == len(rows(CASINO))


#: Seven Twenty-Seven: what is held; what the player does where nobody has bet, to the least raise,
#: to ten times as much, and where a card is offered. Near (a point off at most) is bet on twice.
SEVEN = """
7h          | bet  | raise | raise | no      # 7
6h          | bet  | raise | raise | no      # 6: a point under
5h Kh       | pass | call  | call  | no      # 5.5
5h          | pass | call  | call  | no      # 5: two points under
4h Kh       | pass | call  | call  | card    # 4.5
8h          | bet  | raise | raise | no      # 8: a point over
8h Kh       | pass | call  | call  | no      # 8.5
9h          | pass | call  | call  | no      # 9: two points over
9h Kh       | pass | call  | call  | card    # 9.5
Th 4h       | pass | call  | call  | card    # 14: seven over 7
Th 4h Kh    | pass | call  | fold  | card    # 14.5
Th 9h Kh    | pass | call  | fold  | card    # 19.5
Th Td       | pass | call  | call  | card    # 20: seven under 27
Th Td 4h Kh | pass | call  | call  | card    # 24.5
Th Td 5h    | pass | call  | call  | no      # 25: two under
Th Td 5h Kh | pass | call  | call  | no      # 25.5
Th Td 6h    | bet  | raise | raise | no      # 26
Th Td 7h    | bet  | raise | raise | no      # 27
Th Td 7h Kh | bet  | raise | raise | no      # 27.5
Th Td 8h    | bet  | raise | raise | no      # 28
Th Td 8h Kh | pass | call  | call  | no      # 28.5
Th Td 9h Kh | pass | call  | call  | no      # 29.5: too far over for a card
Th Td Tc 4h | pass | call  | call  | no      # 34: seven over
Th Td Tc 4h Kh | pass | fold | fold | no     # 34.5
Ac 6h       | bet  | raise | raise | no      # 7, or 17
Ac 5h       | bet  | raise | raise | no      # 6, or 16
Ac Th 5h    | bet  | raise | raise | no      # 16, or 26
Ac 3h       | pass | call  | call  | card    # 4, or 14
5c Ac As    | bet  | raise | raise | no      # 7, and 27
Ac Th Kh    | pass | call  | call  | card    # 11.5, or 21.5
"""
LEAST, POT = 500, 12_000


def bids(held: str, to_call: int, raises: int = 0, most_raises: int = 3) -> str:
    """What the sensible player does in a betting round; a bid is always the least."""
    stage = seven_27.Stage("betting 1", to_call, POT, LEAST, 20 * LEAST, raises)
    move = seven_27.advise(seven_27.bets(stage, most_raises), cards(held))
    if isinstance(move, Bid):
        assert move.amount == LEAST
        return move.action.name.lower()
    return move.name.lower()


@pytest.mark.parametrize(
    ("held", "first", "to_the_least", "to_much", "offered"), rows(SEVEN), ids=lambda cell: cell
)
def test_seven_27_bets_near_a_target_calls_within_reach_and_draws_as_the_table_says(
    held: str, first: str, to_the_least: str, to_much: str, offered: str
) -> None:
    assert bids(held, 0) == first
    assert bids(held, LEAST, raises=1) == to_the_least
    assert bids(held, 10 * LEAST, raises=1) == to_much
    draws = seven_27.advise(seven_27.drawing(seven_27.Stage("cards 1", pot=POT)), cards(held))
    assert draws is {"card": Action.CARD, "no": Action.NO_CARD}[offered]
    assert seven_27.takes_card(cards(held), seven_27.SevenOptions()) is (offered == "card")


def test_seven_27_calls_near_a_target_once_two_have_raised_or_no_raise_is_left() -> None:
    assert bids("7h", LEAST, raises=1) == "raise"
    assert [bids("7h", LEAST, each, most_raises=9) for each in (2, 3)] == ["call", "call"]
    assert bids("7h", LEAST, raises=1, most_raises=1) == "call"


def test_seven_27_calls_the_least_far_from_both_targets_and_nothing_above_it() -> None:
    assert bids("Th 5h", LEAST) == "call"
    assert bids("Th 5h", LEAST + 1) == "fold"


HIT, STAND, DOUBLE = Action.HIT, Action.STAND, Action.DOUBLE
SPLIT, SURRENDER = Action.SPLIT, Action.SURRENDER
EITHER = (STAND, HIT)


@pytest.mark.parametrize(
    ("player", "dealer", "may", "does"),
    [
        # A pair of sevens, of 7 and 8 together, of kings; up to a dealer's 19.
        ("hard 14", "hard 19", (*EITHER, SPLIT), SPLIT),
        ("soft 15", "soft 19", (*EITHER, SPLIT), SPLIT),
        ("hard 26", "hard 4", (*EITHER, SPLIT), SPLIT),
        ("hard 26", "hard 20", (*EITHER, SPLIT), STAND),
        ("hard 26", "hard 21", (*EITHER, SPLIT), STAND),
        ("hard 16", "hard 4", (*EITHER, SPLIT), HIT),
        ("hard 16", "hard 22", (*EITHER, SPLIT), HIT),
        ("hard 14", "hard 19", EITHER, HIT),
        # Hard 13 and 14 are doubled, a split first.
        ("hard 13", "hard 19", (*EITHER, DOUBLE), DOUBLE),
        ("hard 14", "hard 19", (*EITHER, DOUBLE), DOUBLE),
        ("hard 14", "hard 19", (*EITHER, DOUBLE, SPLIT), SPLIT),
        ("hard 14", "hard 20", (*EITHER, DOUBLE), HIT),
        ("hard 14", "hard 21", (*EITHER, DOUBLE), HIT),
        ("soft 14", "hard 19", (*EITHER, DOUBLE), HIT),
        ("hard 12", "hard 19", (*EITHER, DOUBLE), HIT),
        ("hard 15", "hard 19", (*EITHER, DOUBLE), HIT),
        # Hard 16 to 18 are given up against a dealer who stands.
        ("hard 16", "hard 23", (*EITHER, SURRENDER), SURRENDER),
        ("hard 17", "hard 26", (*EITHER, SURRENDER), SURRENDER),
        ("hard 18", "soft 25", (*EITHER, SURRENDER), SURRENDER),
        ("hard 17", "hard 22", (*EITHER, SURRENDER), HIT),
        ("hard 15", "hard 23", (*EITHER, SURRENDER), STAND),
        ("hard 19", "hard 23", (*EITHER, SURRENDER), STAND),
        ("soft 17", "hard 23", (*EITHER, SURRENDER), HIT),
        # Against a dealer who draws: hit under hard 20 and soft 24; against one who stands, a soft
        # hand alone, and not against 25 and more.
        ("hard 19", "hard 22", EITHER, HIT),
        ("hard 20", "soft 24", EITHER, STAND),
        ("soft 23", "hard 22", EITHER, HIT),
        ("soft 24", "hard 22", EITHER, STAND),
        ("soft 24", "hard 24", EITHER, HIT),
        ("soft 24", "soft 25", EITHER, STAND),
        ("soft 24", "soft 26", EITHER, STAND),
        ("hard 19", "hard 23", EITHER, STAND),
        # Where the house forces the one or the other, what is left is done.
        ("hard 10", "hard 23", (HIT, DOUBLE), HIT),
        ("hard 24", "hard 10", (STAND, SURRENDER), STAND),
    ],
)
def test_finnish_27_is_played_as_the_table_says(
    player: str, dealer: str, may: tuple[Action, ...], does: Action
) -> None:
    def total(text: str) -> Total:
        kind, _, points = text.partition(" ")
        return Total(int(points), kind == "soft")

    play = Play(may, message("best-stands", points=0), total(player), total(dealer))
    assert finnish_27.advise(play, ()) is does


@pytest.mark.parametrize(
    ("which", "text"),
    [
        (hard_under(15), "under hard 15"),
        (soft_under(25), "under soft 25"),
        (hard_from(23), "hard 23 or more"),
        (soft_from(25), "soft 25 or more"),
        (Range(False, 15, 17), "hard 15 to 17"),
        (Range(True, 15, 15), "soft 15 to 15"),
    ],
)
def test_a_range_is_written_as_the_rule_books_write_it(which: Range, text: str) -> None:
    assert str(which) == text
