"""What a sensible player does, as text tables: simulated players, the edges and the demo play so.

21-24-27 has a published strategy: `games.test_21_24_27`.
"""

from __future__ import annotations

import itertools

from controller.rules.cards import card
from controller.rules.games import blackjack, casino_7_27
from controller.rules.script.felt import Up
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
