"""Casino 7-27 over everything that can lie on the table: RULINGS.md, section 3."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import pytest

from controller.rules.actions import Action
from controller.rules.cards import card
from controller.rules.games.casino_7_27 import (
    CasinoOptions,
    LowHigh,
    dealer_draws,
    high_outcome,
    low_cards,
    low_outcome,
    pack_of,
    plays,
    points_of_low,
    settled_at_once,
    total,
)
from controller.rules.games.registry import game
from controller.rules.money import Odds
from controller.rules.script.felt import Up
from tests.reference.casino_7_27 import high, low
from tests.rules.tables import RANKS, actions, rows

VALUES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T")

#: "Player" of the rulings: low, aces, high, what may be done; the first fitting row counts.
TABLE = """
low 7        | two aces or more | -              # 7-27, C727-A4: paid at once
low over 27  | any              | -              # bust
any          | high 27          | high           # stands automatically
low up to 7  | any              | low high H     # C727-A1, C727-A2, C727-A3
low over 7   | any              | high H
"""


def every_hand() -> Iterator[tuple[str, ...]]:
    """Every hand that a player can come to hold, by values: two cards, and on from 27 or less."""
    for size in range(2, 29):
        found = False
        for hand in extend(size, 0, 27):
            found = True
            yield hand
        if not found:
            return


def extend(size: int, first: int, room: int) -> Iterator[tuple[str, ...]]:
    """Hands of `size` values in order, whose cards but the last and largest make 27 at most."""
    if size == 1:
        yield from ((value,) for value in VALUES[first:])
        return
    for at in range(first, len(VALUES)):
        if at + 1 <= room:
            for rest in extend(size - 1, at, room - at - 1):
                yield (VALUES[at], *rest)


def row_of(lowest: int, highest: int, aces: int) -> str:
    """What the table says may be done."""
    for counts, which, may in rows(TABLE):
        fits_low = {
            "any": True,
            "low 7": lowest == 7,
            "low up to 7": lowest <= 7,
            "low over 7": lowest > 7,
            "low over 27": lowest > 27,
        }[counts]
        fits_which = {"any": True, "two aces or more": aces >= 2, "high 27": highest == 27}[which]
        if fits_low and fits_which:
            return may
    raise AssertionError("the table speaks of every hand")


def test_every_hand_a_player_can_hold_may_do_what_the_table_says_against_every_card() -> None:
    hands = list(every_hand())
    ups = [Up(card(rank + "s")) for rank in RANKS]
    counted = set()
    ended = {"7-27": 0, "bust": 0}
    for codes in hands:
        mine = total([card(value + "h") for value in codes])
        aces = codes.count("A")
        assert mine == (low(list(codes)), high(list(codes)), aces)
        assert str(mine) == f"low {mine.low} / high {mine.high}"
        counted.add(mine)
    for mine in counted:
        may = row_of(*mine)
        settled = settled_at_once(mine, CasinoOptions())
        if may == "-":
            assert settled
            ended["7-27" if mine.low == 7 else "bust"] += 1
            assert settled.net(1_000) == (25_000 if mine.low == 7 else -1_000)
            continue
        assert settled is None
        for up in ups:
            play = plays(mine, up)
            assert set(play.options) == actions(may), mine
            assert str(play.dealer) == f"up {up.card.code}"
            assert (play.forced is Action.STAY_HIGH) == (mine.high == 27)
    # By the largest m of all but the last: partitions of up to 27 - m in parts up to m, and
    # 11 - m values to follow.
    assert len(hands) == 49_511
    assert len(counted) == 654
    assert ended["7-27"] == 5  # low 7 with two, three, four, five and seven aces
    assert ended["bust"] > 50


def test_faces_count_ten_whichever_they_are() -> None:
    for face, other in itertools.product("TJQK", RANKS):
        assert total([card(face + "h"), card(other + "c")]) == total(
            [card("Tc"), card(other + "s")]
        )


def test_the_dealer_takes_cards_on_22_or_less_and_stands_on_all_23s() -> None:
    """Soft ones included (C727-A6)."""
    walked = 0
    for lowest in range(1, 38):
        for aces in range(min(lowest, 5) + 1):
            counts = [lowest + 10 * n for n in range(min(aces, 2) + 1)]
            highest = max([each for each in counts if each <= 27], default=lowest)
            draws = dealer_draws(LowHigh(lowest, highest, aces))
            assert (draws is not None) == (highest <= 22)
            assert draws is None or draws.forced is Action.HIT
            walked += 1
    assert walked == 37 * 6 - (4 + 3 + 2 + 1)


def test_the_dealers_low_is_the_longest_run_of_first_cards_up_to_7() -> None:
    """Every run of first cards, and every card that can end it; aces 1 (C727-A5)."""
    runs: list[tuple[str, ...]] = [()]
    for run in runs:
        runs.extend((*run, value) for value in VALUES if low([*run, value]) <= 7)
    assert len(runs) == 1 + 2**7 - 1
    walked = 0
    for run, end, after in itertools.product(runs, VALUES, ("A", "T")):
        if low([*run, end]) <= 7:
            continue
        row = [card(value + "c") for value in (*run, end, after)]
        assert list(low_cards(row)) == row[: len(run)]
        assert points_of_low(row) == (low(list(run)) or None)
        walked += 1
    # Every run of first cards leaves out 3 to 10 of the ten values.
    assert walked == 2 * sum(10 - (7 - low(list(run))) for run in runs)


@pytest.mark.parametrize("odds", [Odds(3), Odds(1), Odds(2), Odds(5, 2)], ids=str)
def test_every_low_against_every_low_of_the_dealer_and_none(odds: Odds) -> None:
    walked = 0
    for mine, theirs in itertools.product(range(2, 8), (None, *range(1, 8))):
        result = low_outcome(mine, theirs, odds)
        if theirs is None or mine > theirs:
            assert result.net(1_000) == 1_000 * Fraction(odds.pays, odds.per)
        else:
            assert result.net(1_000) == (0 if mine == theirs else -1_000)
        walked += 1
    assert walked == 6 * 8


@pytest.mark.parametrize("odds", [Odds(1), Odds(2), Odds(6, 5)], ids=str)
def test_every_high_against_every_high_of_the_dealer(odds: Odds) -> None:
    walked = 0
    for mine, theirs in itertools.product(range(2, 28), range(23, 38)):
        result = high_outcome(mine, theirs, odds)
        if theirs > 27 or mine > theirs:
            assert result.net(1_000) == 1_000 * Fraction(odds.pays, odds.per)
        else:
            assert result.net(1_000) == (0 if mine == theirs else -1_000)
        walked += 1
    assert walked == 26 * 15


def test_a_7_27_is_paid_at_the_odds_of_the_house() -> None:
    """C727-A4, A9: to one, at once, also with a third ace counted 1."""
    for codes in ("Ah Ac 5h", "Ah Ac 2d 3s", "Ah Ac As 4h", "Ah Ac As Ad Ah Ac As"):
        mine = total([card(code) for code in codes.split()])
        for odds in (Odds(25), Odds(20), Odds(5, 2)):
            result = settled_at_once(mine, CasinoOptions(seven_27_pays=odds))
            assert result
            assert result.net(1_000) == 1_000 * Fraction(odds.pays, odds.per)


def test_six_decks_or_eight_and_the_cut_follows() -> None:
    plain = game("casino-7-27")
    assert (plain.pack.size, plain.options.cut_after) == (416, 312)
    six = plain.with_options({"decks": 6})
    assert (six.pack.size, six.options.cut_after) == (312, 234)
    assert pack_of(six.options).times(card("Ah")) == 6
