"""The win by the chips beside the win by the rounds: equal where all is honest, else named."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.table import inputs as i
from controller.table.facts import RoundCorrected
from controller.table.irregularities.edits import EditKind
from controller.table.queries.win import win_of
from tests.support.forms import examples
from tests.support.pit import Pit
from tests.table.money.cage import (
    chips,
    code_of,
    credit,
    fill,
    lost_round,
    newest_win,
    rack_table,
    sign,
)


def racked() -> Pit:
    """A table whose rack holds 30 of each chip."""
    pit = rack_table()
    sign(pit, i.OpenRack(chips(30, 30, 30)))
    return pit


def codes(pit: Pit) -> list[str]:
    """What the win of the newest shift lacks."""
    return list(newest_win(pit).missing)


def test_a_round_that_is_lost_is_the_win_of_both() -> None:
    pit = racked()
    lost_round(pit)
    sign(pit, i.CloseRack(chips(30, 32, 30)))
    win = newest_win(pit)
    assert (win.chips, win.rounds, win.difference, win.missing) == (1_000, 1_000, 0, ())
    assert (win.first_round, win.last_round) == (1, 1)


@examples(10, long=200)
@given(st.lists(st.integers(-5, 5).filter(bool), max_size=5), st.integers(-3, 3))
def test_fills_and_credits_are_no_win_and_a_chip_that_is_not_there_is_the_difference(
    moves: list[int], astray: int
) -> None:
    pit = racked()
    for many in moves:
        assert not (fill(pit, many) if many > 0 else credit(pit, -many)).refused
    sign(pit, i.CloseRack(chips(30, 30 + sum(moves) + astray, 30)))
    win = newest_win(pit)
    assert win.chips == win.difference == 500 * astray
    assert win.fills - win.credits == 500 * sum(moves)


def test_what_is_lacking_is_named() -> None:
    pit = racked()
    assert codes(pit) == ["win-lacks-closer"]
    sign(pit, i.ChangeBox("A7"))
    sign(pit, i.CloseRack(chips(30, 30, 30), box="A8"))
    assert codes(pit) == ["win-lacks-count"]
    assert newest_win(pit).chips is None
    sign(pit, i.CountBox(4, 2_000))
    assert codes(pit) == []
    assert newest_win(pit).chips == 2_000


def test_a_bet_without_an_amount_leaves_the_difference_open() -> None:
    pit = racked()
    lost_round(pit, None)
    sign(pit, i.CloseRack(chips(30, 32, 30)))
    assert codes(pit) == ["win-lacks-amounts"]
    assert newest_win(pit).difference is None


def test_a_void_slip_counts_for_nothing() -> None:
    pit = racked()
    fill(pit, 4)
    sign(pit, i.VoidSlip(2, "never came"))
    sign(pit, i.CloseRack(chips(30, 30, 30)))
    assert newest_win(pit).chips == 0


def test_a_round_that_is_corrected_moves_the_win_of_the_shift_in_which_it_is_put_right() -> None:
    pit = racked()
    lost_round(pit)
    sign(pit, i.CloseRack(chips(30, 32, 30), roll=True))
    first = pit.state.money.shifts[0]
    edit = i.EditAsked(4, EditKind.REPLACE, "2c")
    assert not sign(pit, i.Correct(1, (edit,), "misread")).refused
    paid = sum(
        amount for each in pit.facts if isinstance(each, RoundCorrected) for _, amount in each.owed
    )
    assert paid
    assert newest_win(pit).rounds == -paid
    assert pit.state.money.shifts[0] == first


def test_rounds_while_the_rack_is_closed_are_named_and_in_no_win() -> None:
    pit = racked()
    sign(pit, i.CloseRack(chips(30, 30, 30)))
    lost_round(pit)
    assert codes(pit) == ["win-lacks-rounds-outside"]
    assert newest_win(pit).rounds == 0


def test_a_box_that_served_two_shifts_says_so_in_each_and_in_neither_together() -> None:
    pit = racked()
    sign(pit, i.ChangeBox("A7"))
    sign(pit, i.CloseRack(chips(30, 30, 30), roll=True))
    sign(pit, i.ChangeBox("A8"))
    sign(pit, i.CountBox(5, 2_000))
    sign(pit, i.CloseRack(chips(30, 30, 30), box="A9"))
    sign(pit, i.CountBox(8, 500))
    assert codes(pit) == ["win-shares-box"]
    money = pit.state.money
    both = win_of(money, money.shifts, pit.state.counts.rounds, code_of)
    assert (both.chips, both.drop, both.missing) == (2_500, 2_500, ())


def test_a_round_put_right_while_the_rack_is_closed_leaves_the_win_of_the_rounds_alone() -> None:
    pit = racked()
    lost_round(pit)
    sign(pit, i.CloseRack(chips(30, 32, 30)))
    edit = i.EditAsked(4, EditKind.REPLACE, "2c")
    assert not sign(pit, i.Correct(1, (edit,), "misread")).refused
    assert codes(pit) == ["win-lacks-rounds-outside"]
    assert newest_win(pit).rounds == 1_000
