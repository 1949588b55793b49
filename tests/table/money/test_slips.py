"""Slips: two people sign each, numbers have no gap, none is edited, and bad ones are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.table import facts as f
from controller.table import inputs as i
from controller.table.evolve.evolve import evolve
from controller.table.inputs.money import ChipCount, Moved
from controller.table.roles import Person, PersonId, Role
from controller.table.state.money import SHIFTS_KEPT, SlipKind
from controller.table.state.phases import Impossible
from tests.support.dealt.days import CalendarPit, on_the_next_day
from tests.support.pit import Pit, opened
from tests.table.money.cage import (
    AINO,
    BOTH,
    FIA,
    chips,
    credit,
    fill,
    lost_round,
    newest_win,
    rack_table,
    sign,
)

DEALERS = (AINO, Person(PersonId("0e170003"), Role.DEALER))


@pytest.fixture
def pit() -> Pit:
    """A table whose rack holds 30 of each chip."""
    table = rack_table()
    assert not sign(table, i.OpenRack(chips(30, 30, 30))).refused
    return table


def numbers(pit: Pit) -> list[int]:
    """The numbers on record, in order."""
    signed = (f.RackOpened, f.RackClosed, f.SlipSigned, f.DropBoxChanged, f.SoftCounted)
    return [each.slip for each in pit.facts if isinstance(each, signed)]


def test_slips_are_numbered_without_gaps_whatever_is_refused_or_void(pit: Pit) -> None:
    assert not fill(pit, 4).refused
    assert fill(pit, 4, by=(FIA,)).refused
    assert not sign(pit, i.VoidSlip(2, "wrong table")).refused
    assert not credit(pit, 2).refused
    assert not sign(pit, i.ChangeBox("A7")).refused
    assert not sign(pit, i.ChangeBox("A8")).refused
    assert not sign(pit, i.CountBox(5, 12_300)).refused
    assert not sign(pit, i.CloseRack(chips(30, 28, 30), roll=True)).refused
    assert numbers(pit) == list(range(1, 9))
    assert pit.state.money.slips == 8


@pytest.mark.parametrize(
    ("by", "code"),
    [
        ((), "needs-the-floor-and-a-second"),
        ((FIA,), "needs-a-second-person"),
        ((AINO,), "needs-the-floor-and-a-second"),
        ((FIA, FIA), "one-person-signs-once"),
        ((FIA, AINO, FIA), "one-person-signs-once"),
        (DEALERS, "needs-the-floor-and-a-second"),
    ],
)
def test_two_people_sign_one_of_them_of_the_floor(
    pit: Pit, by: tuple[Person, ...], code: str
) -> None:
    before = pit.state.money
    commands = (
        i.CloseRack(chips(1, 1, 1)),
        i.SignSlip(Moved.FILL, 500, (ChipCount(500, 1),)),
        i.ChangeBox("A7"),
        i.CountBox(1, 100),
        i.VoidSlip(1, "no"),
    )
    for command in commands:
        assert sign(pit, command, by).code == code
    assert pit.state.money == before
    assert sign(rack_table(), i.OpenRack(chips()), by).code == code


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (i.SignSlip(Moved.FILL, 550, (ChipCount(500, 1),)), "amount-not-in-chips"),
        (i.SignSlip(Moved.FILL, 1_000, (ChipCount(500, 1),)), "slip-does-not-add-up"),
        (i.SignSlip(Moved.FILL, 200, (ChipCount(200, 1),)), "no-such-chip"),
        (i.SignSlip(Moved.FILL, 200, (ChipCount(100, 1),) * 2), "chip-is-counted-twice"),
        (i.CloseRack((ChipCount(100, 1),)), "count-every-chip"),
        (i.OpenRack(chips(1, 1, 1)), "rack-is-open-already"),
        (i.ChangeBox(" A7"), "box-name-one-line"),
        (i.ChangeBox("A\n7"), "box-name-one-line"),
        (i.CountBox(1, 100), "slip-took-no-box"),
        (i.CountBox(9, 100), "slip-took-no-box"),
        (i.VoidSlip(1, " "), "say-why-slip-is-void"),
        (i.VoidSlip(9, "why"), "no-such-slip"),
        (i.VoidSlip(1, "why"), "slip-is-built-upon"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    pit: Pit, command: i.Command, code: str
) -> None:
    before = pit.state.money
    assert sign(pit, command).code == code
    assert pit.state.money == before


def test_a_table_without_chips_keeps_no_account() -> None:
    pit = opened(3)
    assert sign(pit, i.OpenRack(chips(1, 1, 1))).code == "table-keeps-no-chips"


def test_the_rack_is_counted_between_rounds_and_chips_come_at_any_time(pit: Pit) -> None:
    pit.bet(1)
    pit.no_more_bets()
    assert sign(pit, i.CloseRack(chips(1, 1, 1))).code == "rack-is-counted-between-rounds"
    pit.scanner_down()
    assert pit.state.holds
    assert not fill(pit, 4).refused
    assert not sign(pit, i.ChangeBox("A7")).refused


def test_a_slip_refuses_no_press_that_the_dealer_makes_on_what_was_shown_before(pit: Pit) -> None:
    pit.bet(1)
    shown = pit.state.clock.since_seq
    assert not fill(pit, 4).refused
    assert pit.state.clock.since_seq == shown
    assert not pit.give(i.CloseBets(), view_seq=shown).refused


def test_a_slip_of_a_closed_rack_stands_until_its_closer_is_void(pit: Pit) -> None:
    fill(pit, 4)
    sign(pit, i.CloseRack(chips(30, 34, 30)))
    assert sign(pit, i.VoidSlip(2, "not ours")).code == "slip-is-of-a-closed-rack"
    assert not sign(pit, i.VoidSlip(3, "counted wrong")).refused
    assert not sign(pit, i.VoidSlip(2, "not ours")).refused
    assert sign(pit, i.VoidSlip(2, "not ours")).code == "slip-is-void-already"
    assert pit.state.money.open is not None


def test_a_closer_with_a_box_is_made_void_and_the_box_is_of_its_shift(pit: Pit) -> None:
    """Who closes a rack takes the box: what was counted wrong was never to be put right."""
    sign(pit, i.ChangeBox("A7"))
    sign(pit, i.CloseRack(chips(30, 34, 30), box="A8"))
    sign(pit, i.ChangeBox("A9"))
    sign(pit, i.CountBox(4, 700))
    assert not sign(pit, i.VoidSlip(3, "counted wrong")).refused
    money = pit.state.money
    assert money.open is not None
    assert [each.since for each in money.open.of(SlipKind.BOX)] == [0, 1, 1]
    assert (money.box, money.box_since) == ("A9", 1)
    assert not sign(pit, i.VoidSlip(5, "not taken")).refused
    assert (pit.state.money.box, pit.state.money.box_since) == ("A8", 1)
    assert not sign(pit, i.CloseRack(chips(30, 30, 30))).refused
    assert newest_win(pit).missing == ("win-lacks-box",), "it stands there since this shift"


def test_a_closer_stands_once_the_rack_was_opened_again(pit: Pit) -> None:
    sign(pit, i.CloseRack(chips(30, 30, 30), roll=True, box="A8"))
    assert sign(pit, i.VoidSlip(2, "counted wrong")).code == "slip-is-built-upon"


def test_a_closer_stands_once_a_round_was_played_after_it(pit: Pit) -> None:
    """That round is in no shift: were the shift open again, its win would lack it."""
    sign(pit, i.CloseRack(chips(30, 30, 30)))
    lost_round(pit)
    assert sign(pit, i.VoidSlip(2, "counted wrong")).code == "slip-is-built-upon"


def test_a_box_is_counted_once_and_again_when_its_count_is_void(pit: Pit) -> None:
    sign(pit, i.ChangeBox("A7"))
    assert sign(pit, i.ChangeBox("A7")).code == "box-is-there-already"
    sign(pit, i.ChangeBox("A8"))
    assert not sign(pit, i.CountBox(3, 700)).refused
    assert sign(pit, i.CountBox(3, 700)).code == "box-is-counted-already"
    assert sign(pit, i.VoidSlip(3, "not taken")).code == "slip-is-built-upon"
    assert not sign(pit, i.VoidSlip(4, "a note stuck")).refused
    assert not sign(pit, i.CountBox(3, 800)).refused
    assert pit.state.money.slips == 5


def test_an_opener_that_differs_from_the_closer_says_by_which_chips(pit: Pit) -> None:
    sign(pit, i.CloseRack(chips(30, 30, 30)))
    assert not sign(pit, i.OpenRack(chips(29, 30, 31))).refused
    newest = pit.state.money.newest
    assert newest is not None
    assert newest.opener.difference == (ChipCount(100, -1), ChipCount(2_500, 1))
    assert newest.opener.by == BOTH


def test_slips_go_on_over_the_days_and_a_day_without_a_closer_says_so() -> None:
    pit = CalendarPit("21-24-27")
    assert pit.state.day is not None
    pit.give(i.Start(replace(pit.state.setup, chips=(100, 500, 2_500)), "0.0-test", ()))
    assert not sign(pit, i.OpenRack(chips(30, 30, 30))).refused
    label = pit.state.day.label
    pit.close_day()
    again = on_the_next_day(pit.state)
    assert again.money == pit.state.money
    assert again.money.slips == 1
    assert again.money.newest is not None
    assert again.money.newest.unclosed == (label,)


@pytest.mark.parametrize(
    "fact",
    [
        f.RackOpened(2, chips(1, 1, 1), BOTH),
        f.SlipSigned(3, Moved.FILL, chips(1), BOTH),
        f.DropBoxChanged(2, "A7", "A8", BOTH),
        f.SoftCounted(2, 1, 500, BOTH),
        f.SoftCounted(2, 9, 500, BOTH),
        f.SlipVoided(9, "why", BOTH),
    ],
)
def test_a_record_that_no_table_could_have_written_is_not_read(pit: Pit, fact: f.Fact) -> None:
    state = pit.state
    record = f.Record(state.seq + 1, state.clock.at_ms, state.clock.mono_ns, "forged", fact)
    with pytest.raises(Impossible):
        evolve(state, record)


def configured(pit: Pit, *denominations: int) -> None:
    """The service starts with other chips in its configuration."""
    pit.setup = replace(pit.state.setup, chips=denominations)
    pit.give(i.Start(pit.setup, "0.0-test", ()))


def test_what_lies_in_an_open_rack_is_counted_whatever_the_configuration_says_now(pit: Pit) -> None:
    configured(pit, 100, 500)
    assert pit.state.setup.chips == (100, 500)
    two = chips(30, 30)[:2]
    assert sign(pit, i.CloseRack(two)).code == "count-every-chip"
    assert not sign(pit, i.CloseRack(chips(30, 30, 30))).refused
    assert sign(pit, i.OpenRack(chips(30, 30, 30))).code == "no-such-chip"
    assert not sign(pit, i.OpenRack(two)).refused


def test_an_open_rack_is_closed_where_chips_are_configured_no_more(pit: Pit) -> None:
    configured(pit)
    assert not sign(pit, i.CloseRack(chips(30, 30, 30))).refused
    assert sign(pit, i.OpenRack(chips(30, 30, 30))).code == "table-keeps-no-chips"


def test_a_box_waits_for_its_count_however_many_shifts_come_after(pit: Pit) -> None:
    sign(pit, i.ChangeBox("A7"))
    sign(pit, i.ChangeBox("A8"))
    for _ in range(SHIFTS_KEPT + 3):
        assert not sign(pit, i.CloseRack(chips(30, 30, 30), roll=True)).refused
    assert [each.number for each in pit.state.money.shifts][:2] == [1, 5]
    assert not sign(pit, i.CountBox(3, 12_300)).refused
    assert not sign(pit, i.CloseRack(chips(30, 30, 30), roll=True)).refused
    assert len(pit.state.money.shifts) == SHIFTS_KEPT
