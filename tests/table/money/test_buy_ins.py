"""Buy-ins, where the house wants them: chips out of the rack, cash into the drop box, one sum."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.table import facts as f
from controller.table import inputs as i
from controller.table.evolve.evolve import evolve
from controller.table.inputs.money import ChipCount
from controller.table.roles import Person
from controller.table.state.phases import Impossible
from tests.support.forms import examples
from tests.support.pit import Pit
from tests.table.money.cage import (
    AINO,
    FIA,
    buy_in,
    chips,
    fill,
    lost_round,
    newest_win,
    rack_table,
    sign,
)


@pytest.fixture
def pit() -> Pit:
    """A table of a house that puts buy-ins on slips; 30 of each chip, drop box A7."""
    return racked()


def racked() -> Pit:
    table = rack_table(buy_ins=True)
    sign(table, i.OpenRack(chips(30, 30, 30)))
    sign(table, i.ChangeBox("A7"))
    return table


def codes(pit: Pit) -> list[str]:
    return list(newest_win(pit).missing)


def test_a_buy_in_is_a_slip_of_the_record(pit: Pit) -> None:
    assert not buy_in(pit, 4, seat=2).refused
    assert pit.facts[-1] == f.ChipsBought(3, 2, (ChipCount(500, 4),), "A7", (FIA, AINO))
    assert not fill(pit, 2).refused
    assert pit.state.money.slips == 4


@examples(10, long=200)
@given(st.lists(st.integers(1, 5), max_size=4), st.integers(-3, 3))
def test_a_buy_in_is_no_win_and_cash_that_is_not_in_the_box_is_the_difference(
    bought: list[int], astray: int
) -> None:
    pit = racked()
    for fives in bought:
        assert not buy_in(pit, fives).refused
    lost_round(pit)
    cash = 500 * sum(bought)
    sign(pit, i.CloseRack(chips(30, 32 - sum(bought), 30), box="A8"))
    assert newest_win(pit).chips is None
    counted = max(0, cash + 100 * astray)
    sign(pit, i.CountBox(pit.state.money.slips, counted))
    win = newest_win(pit)
    # Ten were lost in the round, and nothing else is won.
    assert (win.chips, win.rounds) == (1_000 + counted - cash, 1_000)
    assert (win.drop, win.buy_ins, win.difference) == (counted, cash, counted - cash)
    differs = bool(bought) and counted != cash
    assert codes(pit) == (["win-buy-ins-differ"] if differs else [])


def test_cash_that_is_not_counted_yet_is_not_said_to_differ(pit: Pit) -> None:
    buy_in(pit, 4)
    assert codes(pit) == ["win-lacks-closer", "win-lacks-box"]
    assert newest_win(pit).buy_ins == 2_000


def test_one_that_is_void_counts_nowhere_and_its_number_is_not_given_again(pit: Pit) -> None:
    buy_in(pit, 4)
    assert not sign(pit, i.VoidSlip(3, "paid by card")).refused
    assert newest_win(pit).buy_ins == 0
    buy_in(pit, 2)
    assert pit.state.money.slips == 4
    sign(pit, i.CloseRack(chips(30, 28, 30)))
    assert sign(pit, i.VoidSlip(4, "too late")).code == "slip-is-of-a-closed-rack"


@pytest.mark.parametrize(
    ("by", "code"),
    [
        ((), "needs-the-floor-and-a-second"), ((FIA,), "needs-a-second-person"),
        ((FIA, FIA), "one-person-signs-once"),
    ],
)  # fmt: skip
def test_two_people_sign(pit: Pit, by: tuple[Person, ...], code: str) -> None:
    assert buy_in(pit, 4, by=by).code == code
    assert pit.state.money.slips == 2


def test_what_is_no_buy_in_is_refused(pit: Pit) -> None:
    assert buy_in(pit, 4, cash=2_500).code == "slip-does-not-add-up"
    assert buy_in(pit, 4, cash=2_050).code == "amount-not-in-chips"
    assert buy_in(pit, 4, seat=4).code == "no-such-seat"
    assert sign(pit, i.BuyIn(300, (ChipCount(300, 1),))).code == "no-such-chip"
    sign(pit, i.CloseRack(chips(30, 30, 30)))
    assert buy_in(pit, 4).code == "rack-is-not-open"
    assert pit.state.money.slips == 3
    without = rack_table(buy_ins=True)
    sign(without, i.OpenRack(chips(30, 30, 30)))
    assert buy_in(without, 4).code == "no-box-for-cash"
    not_here = rack_table()
    sign(not_here, i.OpenRack(chips(30, 30, 30)))
    sign(not_here, i.ChangeBox("A7"))
    assert buy_in(not_here, 4).code == "table-keeps-no-buy-ins"


def test_a_record_that_puts_cash_into_another_box_is_none(pit: Pit) -> None:
    state = pit.state
    fact = f.ChipsBought(3, 1, (ChipCount(500, 1),), "B1", (FIA, AINO))
    record = f.Record(state.seq + 1, state.clock.at_ms, state.clock.mono_ns, "forged", fact)
    with pytest.raises(Impossible, match="a box that is not under the table"):
        evolve(state, record)
