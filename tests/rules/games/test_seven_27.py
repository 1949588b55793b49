"""Seven Twenty-Seven by its parts: scores, who is nearest, the division of the pot, the betting.

What is expected is worked out by `seven_reference`, which shares nothing with the engine, or
written out as data.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Final

import pytest

from controller.rules.cards import Card, card
from controller.rules.english import ENGLISH
from controller.rules.games.registry import game
from controller.rules.games.seven_27 import (
    HIGH,
    LOW,
    SevenOptions,
    Showdown,
    Stage,
    bets,
    divide,
    nearest,
    score,
)
from controller.rules.messages import Amount, message
from controller.rules.options import OptionError
from tests.rules.games import seven_reference as reference
from tests.support.forms import quick_first

GAME = game("seven-twenty-seven")
every_variant = pytest.mark.parametrize("variant", Showdown, ids=lambda each: str(each.value))


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(card(code) for code in codes.split())


# -- scores --


def hands_with_aces() -> Iterator[tuple[str, ...]]:
    """Three to six cards of one suit a rank, at least one of them an ace."""
    aces = ("Ac", "Ad", "Ah", "As")
    others = [rank + "h" for rank in "23456789TJQK"]
    for number in range(1, 5):
        for rest in itertools.combinations_with_replacement(others, 2):
            yield (*aces[:number], *rest)


@pytest.mark.parametrize("free_ace", [False, True], ids=["by side", "free"])
@every_variant
def test_every_hand_of_two_and_many_with_aces_score(variant: Showdown, free_ace: bool) -> None:
    options = SevenOptions(showdown=variant, free_ace=free_ace)
    house = reference.CaseOptions({"showdown": variant.value, "free_ace": free_ace})
    two: Iterable[tuple[str, ...]] = itertools.combinations(reference.DECK, 2)
    for codes in (*two, *hands_with_aces()):
        mine = score([card(code) for code in codes], options)
        assert (mine.low / 2, mine.high / 2) == reference.score(list(codes), house), codes


@pytest.mark.parametrize(
    ("codes", "by_side", "free"),
    [
        ("Kh Qd", (1, 1), (1, 1)),  # faces count a half
        ("6h Kh", (6.5, 6.5), (6.5, 6.5)),
        ("5c Ac As", (7, 27), (7, 27)),  # V727-A4
        ("Ac As", (2, 22), (2, 22)),
        ("Ac 6h", (7, 17), (7, 17)),
        ("Ac 9h 9d 8c", (27, 37), (27, 27)),  # a free ace counts 1 toward 27
        ("Ac Ad Ah As", (4, 44), (4, 24)),
        ("Ac Ts Td", (21, 31), (21, 31)),  # 4 over is nearer than 6 under
    ],
)
def test_an_ace_counts_by_its_side_unless_it_is_free(
    codes: str, by_side: tuple[float, float], free: tuple[float, float]
) -> None:
    for options, points in ((SevenOptions(), by_side), (SevenOptions(free_ace=True), free)):
        mine = score(cards(codes), options)
        assert (mine.low / 2, mine.high / 2) == points


def test_a_free_ace_keeps_under_where_over_is_a_bust() -> None:
    options = SevenOptions(free_ace=True, showdown=Showdown.OVER_IS_BUST)
    mine = score(cards("Ac Ts Td"), options)
    assert mine.high / 2 == 21


# -- who is nearest --

#: Half a point to 31: all distances from 7, and from 27 those that a player over it can still win.
HALVES: Final = range(1, 63)


def expected_winners(scores: tuple[int, ...], target: int, variant: Showdown) -> list[int]:
    points = {at: each / 2 for at, each in enumerate(scores)}
    return reference.winners(points, target // 2, variant.value)


@every_variant
@pytest.mark.parametrize("target", quick_first([LOW, HIGH], [HIGH]), ids=["7", "27"])
def test_who_is_nearest_of_every_two_and_three_scores(target: int, variant: Showdown) -> None:
    for pair in itertools.product(HALVES, repeat=2):
        assert nearest(pair, target, variant) == expected_winners(pair, target, variant), pair
    for one, two, three in itertools.combinations_with_replacement(HALVES, 3):
        order = (two, three, one)
        assert nearest(order, target, variant) == expected_winners(order, target, variant), order


# The rule book's own examples: scores, and the places that win the 7 and the 27.
EXAMPLES = [
    (Showdown.NEAREST, (5, 6.5, 26, 28), [1], [2, 3]),
    (Showdown.OVER_IS_BUST, (5.5, 7.5, 26, 28), [0], [2]),
    (Showdown.UNDER_TRUMPS_OVER, (6.5, 7.5, 26, 28), [0], [2]),
    (Showdown.NEAREST, (6.5, 6.5, 25), [0, 1], [2]),
]


@pytest.mark.parametrize(("variant", "scores", "low", "high"), EXAMPLES)
def test_the_rule_books_examples(
    variant: Showdown, scores: tuple[float, ...], low: list[int], high: list[int]
) -> None:
    halves = [int(2 * each) for each in scores]
    assert nearest(halves, LOW, variant) == low
    assert nearest(halves, HIGH, variant) == high


def test_over_a_target_alone_is_bust_only_where_over_is_a_bust() -> None:  # V727-A10
    assert nearest([HIGH + 1], HIGH, Showdown.NEAREST) == [0]
    assert nearest([HIGH + 1], HIGH, Showdown.UNDER_TRUMPS_OVER) == [0]
    assert nearest([HIGH + 1], HIGH, Showdown.OVER_IS_BUST) == []
    assert nearest([HIGH], HIGH, Showdown.OVER_IS_BUST) == [0]


# -- the division of the pot --

NEITHER, SEVEN, TWENTY_SEVEN, BOTH = "Kc Kd", "5c 2c", "Tc 9c 8c", "Ac Ad 5c"
PLACES = 5
SETS = [
    each for size in range(1, 5) for each in itertools.combinations(range(PLACES), size)
]  # one to four winners, wherever they sit


def hand_for(low: bool, high: bool) -> str:
    return BOTH if low and high else SEVEN if low else TWENTY_SEVEN if high else NEITHER


def by_one_chip_after_the_other(
    chips: int, low: tuple[int, ...], high: tuple[int, ...]
) -> list[int]:
    """V727-A6 dealt out chip by chip: the 27 half first, then clockwise from the left."""
    stacks = [0, 0]
    for chip in range(chips):
        stacks[1 - chip % 2] += 1
    shares = [0] * PLACES
    for winners, stack in ((low, stacks[0]), (high, stacks[1])):
        for chip in range(stack):
            shares[winners[chip % len(winners)]] += 1
    return shares


@pytest.mark.parametrize("chip", quick_first([1, 50], [50]))
def test_every_pot_among_all_winners_goes_by_the_odd_chip_rule(
    chip: int, long_form: bool
) -> None:  # V727-A6, A7
    options = SevenOptions(smallest_chip=chip)
    pots = range(61 if long_form else 2 * 2 * PLACES + 1)  # each half goes round twice
    for low, high in itertools.product(SETS, SETS):
        hands = [cards(hand_for(at in low, at in high)) for at in range(PLACES)]
        for pot in pots:
            division = divide(hands, pot * chip, options)
            assert (division.low, division.high) == (list(low), list(high))
            shares = by_one_chip_after_the_other(pot, low, high)
            assert division.shares == [each * chip for each in shares], (low, high, pot)


@pytest.mark.parametrize("chip", [1, 50])
def test_every_pot_up_to_sixty_chips_is_divided_whole(chip: int) -> None:  # V727-A6
    options = SevenOptions(smallest_chip=chip)
    for number_low, number_high, pot in itertools.product(range(1, 5), range(1, 5), range(61)):
        hands = [cards(SEVEN)] * number_low + [cards(TWENTY_SEVEN)] * number_high
        low = reference.shares(list(range(number_low)), pot // 2)
        high = reference.shares(list(range(number_high)), pot - pot // 2)
        shares = divide(hands, pot * chip, options).shares
        assert shares == [each * chip for each in (*low.values(), *high.values())]
        assert sum(shares) == pot * chip


OVER_SEVEN, OVER_BOTH, LOW_OVER_27 = "Tc 9c", "Tc 9c 9d", "Ac Ad Ah 4c"


@pytest.mark.parametrize(
    ("hands", "low", "high", "sharing"),
    [
        ([TWENTY_SEVEN, OVER_SEVEN, TWENTY_SEVEN], [], [0, 2], [0, 2]),
        ([LOW_OVER_27, OVER_BOTH, LOW_OVER_27], [0, 2], [], [0, 2]),
        ([OVER_BOTH, OVER_BOTH, OVER_BOTH], [], [], [0, 1, 2]),
    ],
    ids=["nobody for the 7", "nobody for the 27", "nobody for either"],
)
def test_a_half_that_nobody_wins_goes_undivided_to_the_other(  # V727-A5
    hands: list[str], low: list[int], high: list[int], sharing: list[int]
) -> None:
    options = SevenOptions(smallest_chip=50, showdown=Showdown.OVER_IS_BUST)
    for pot in range(61):
        division = divide([cards(each) for each in hands], pot * 50, options)
        assert (division.low, division.high) == (low, high)
        shares = reference.shares(sharing, pot)
        assert division.shares == [shares.get(at, 0) * 50 for at in range(3)]


# -- the betting round --

FREE = {"pass", "bet"}
OPEN = {"fold", "call", "raise"}
CLOSED = {"fold", "call"}

#: Chips to call, raises made, cap -> what is allowed ("THE BETTING", V727-A3).
ALLOWED: Final = [
    (0, 0, 0, FREE), (0, 0, 1, FREE), (0, 0, 3, FREE), (0, 0, 100, FREE),
    (1, 0, 0, CLOSED), (1, 0, 1, OPEN), (1, 0, 2, OPEN), (1, 0, 3, OPEN), (1, 0, 100, OPEN),
    (7, 1, 1, CLOSED), (7, 1, 2, OPEN), (7, 1, 3, OPEN), (7, 1, 100, OPEN),
    (7, 2, 2, CLOSED), (7, 2, 3, OPEN), (7, 2, 100, OPEN),
    (7, 3, 3, CLOSED), (7, 3, 100, OPEN),
    (7, 99, 100, OPEN), (7, 100, 100, CLOSED),
]  # fmt: skip


@pytest.mark.parametrize(("to_call", "raises", "cap", "allowed"), ALLOWED)
def test_what_a_player_may_do_in_a_betting_round(
    to_call: int, raises: int, cap: int, allowed: set[str]
) -> None:
    play = bets(Stage("betting 1", to_call=to_call, pot=40, raises=raises), cap)
    assert {each.value for each in play.options} == allowed
    assert len(play.options) == len(allowed)
    assert ENGLISH.say(play.why, GAME.words) == "Pot 0.40"
    assert play.forced is None


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"min_raise": 0}, "min_raise"),
        ({"min_raise": 500, "max_raise": 450}, "min_raise"),
        ({"min_raise": 1_010}, "min_raise must be a whole number"),
        ({"ante": 1_025}, "ante must be a whole number"),
        ({"ante": -50}, "ante"),
        ({"ante": 500}, "ante must be from min_bet"),
        ({"max_raises_per_round": 101}, "0 to 100"),
        ({"max_raises_per_round": -1}, "0 to 100"),
        ({"showdown": "furthest"}, "nearest, over-is-bust or under-trumps-over"),
        ({"first_card": "sideways"}, "down or up"),
        ({"free_ace": 1}, "must be of type bool"),
        ({"penetration_cards": 39}, "no option 'penetration_cards'"),
        ({"burn_after_shuffle": 1}, "no option"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        GAME.with_options(options)


def test_the_antes_are_the_tables_and_everybodys_the_same() -> None:
    assert GAME.wager_problem(1_000) is None
    assert GAME.wager_problem(1_050) == message("ante-is", ante=Amount(1_000))
    assert GAME.wager_problem(None) == message("ante-has-no-amount")
    assert GAME.options.wagers_problem([50, 100, 50, 50]) == message("antes-differ")
    assert GAME.options.wagers_problem([50, 50, 50, 50]) is None
