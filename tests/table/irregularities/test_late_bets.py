"""Chips that come, go or change after "no more bets", and what holds the table anew."""

from __future__ import annotations

from dataclasses import replace

from controller.devices.inputs import Condition, Health
from controller.rules.actions import Action
from controller.rules.messages import message
from controller.rules.script.steps import Settle
from controller.table import inputs as i
from controller.table.irregularities.holds import Reason, Resolution, late_seat
from controller.table.state.phases import Phase
from controller.table.views.scene import scene
from tests.support.pit import Pit, setup
from tests.table.irregularities.sensed_spots import (
    NOTHING,
    SPOTS,
    bet,
    chips,
    phase,
    reasons,
    resolve,
    sensed,
    table,
)


def test_a_bet_that_appears_after_no_more_bets_holds_the_table() -> None:
    pit = table()
    bet(pit, 1)
    pit.give(i.CloseBets())
    pit.deal("9c")
    sensed(pit, 2, chips("04b2"))
    assert reasons(pit) == [Reason.LATE_BET]
    shown = scene(pit.state).dealer
    assert shown.headline.startswith("Late bet")
    assert shown.holds[0].text.startswith("Box 2: chips were put down after")
    offered = [each.command.get("resolution") for each in shown.holds[0].resolutions]
    assert "chips_back" not in offered
    assert resolve(pit, Resolution.CHIPS_BACK) == "resolution-is-not-open"
    sensed(pit, 2, NOTHING)
    assert reasons(pit) == [Reason.LATE_BET]  # people say that it is settled
    assert resolve(pit, Resolution.CHIPS_BACK) == ""
    assert not pit.state.holds
    pit.deal("7d 6h")
    assert not pit.state.holds


def test_chips_that_are_taken_away_or_changed_hold_the_table_once_a_spot() -> None:
    pit = table()
    bet(pit, 1)
    bet(pit, 2, lies=chips("04b2"))
    pit.give(i.CloseBets())
    sensed(pit, 1, NOTHING)
    sensed(pit, 2, chips("04b2", "04b3"))
    sensed(pit, 2, chips("04b3"))
    assert reasons(pit) == [Reason.LATE_BET, Reason.LATE_BET]
    texts = [each.text for each in scene(pit.state).dealer.holds]
    assert "taken away" in texts[0]
    assert "changed" in texts[1]


def test_what_the_floor_accepts_is_not_asked_again() -> None:
    pit = table()
    bet(pit, 1)
    pit.give(i.CloseBets())
    sensed(pit, 1, chips("04c9"))
    assert resolve(pit, Resolution.STANDS) == ""
    pit.deal("9c")
    assert not pit.state.holds
    sensed(pit, 1, chips("04a1"))
    assert reasons(pit) == [Reason.LATE_BET]


def test_a_void_round_leaves_the_spots_open() -> None:
    pit = table()
    bet(pit, 1)
    pit.give(i.CloseBets())
    sensed(pit, 1, NOTHING)
    assert resolve(pit, Resolution.VOID) == ""
    while pit.state.holds:
        resolve(pit, Resolution.SQUARED)
    assert phase(pit) is Phase.BETTING
    bet(pit, 1)
    pit.give(i.CloseBets())
    assert phase(pit) is Phase.ROUND


def doubling() -> Pit:
    """Seat 1 is asked with 11 against 6."""
    pit = table(seats=1)
    bet(pit, 1)
    pit.give(i.CloseBets())
    pit.deal("5c 6d 6h 4c")
    return pit


def test_further_chips_may_come_before_or_after_they_are_confirmed() -> None:
    for early in (True, False):
        pit = doubling()
        if early:
            sensed(pit, 1, chips("04a1", "04a2"))
        pit.give(i.Decide(1, Action.DOUBLE))
        pit.give(i.ConfirmWager(1))
        if not early:
            sensed(pit, 1, chips("04a1", "04a2"))
        assert not pit.state.holds
        sensed(pit, 1, chips("04a1", "04a2", "04a3"))
        assert reasons(pit) == [Reason.LATE_BET]


def test_the_bet_itself_may_not_change_while_the_player_is_asked() -> None:
    pit = doubling()
    sensed(pit, 1, chips("04ff", "04a2"))
    assert reasons(pit) == [Reason.LATE_BET]


def test_further_chips_that_were_not_for_a_double_are_late() -> None:
    pit = doubling()
    sensed(pit, 1, chips("04a1", "04a2"))
    assert not pit.state.holds
    pit.give(i.Decide(1, Action.HIT))
    assert reasons(pit) == [Reason.LATE_BET]


def test_chips_are_free_once_the_hand_is_settled() -> None:
    pit = table(seats=2)
    bet(pit, 1)
    bet(pit, 2, lies=chips("04b2"))
    pit.give(i.CloseBets())
    pit.deal("Tc Td Th Jc Jd Js")
    pit.give(i.Decide(1, Action.STAND))
    pit.give(i.Decide(2, Action.STAND))
    pit.give(i.TurnCard())
    assert isinstance(pit.state.step, Settle)
    first = pit.state.step.hand.place.seat
    then = 3 - first
    sensed(pit, first, NOTHING)
    assert not pit.state.holds
    pit.give(i.ConfirmSettled(first))
    sensed(pit, first, chips("0909"))
    assert not pit.state.holds
    pit.give(i.ConfirmSettled(then))
    assert phase(pit) is Phase.BETTING
    assert all(spot.agreed is None for spot in pit.state.betting.spots.values())


def test_what_changed_while_the_sensor_was_away_is_late_when_it_is_back() -> None:
    pit = table()
    bet(pit, 1)
    pit.give(i.CloseBets())
    pit.give(Health(SPOTS, Condition.DOWN, message("device-stopped", device=SPOTS)))
    pit.give(Health(SPOTS, Condition.UP))
    sensed(pit, 1, chips())
    assert not pit.state.holds
    sensed(pit, 2, chips("04b2"))
    assert reasons(pit) == [Reason.LATE_BET]


def late(pit: Pit, seat: int) -> int:
    """The number of the hold for that seat's late bet."""
    return next(each.number for each in pit.state.holds if late_seat(each) == seat)


def two_late_bets() -> Pit:
    """Seats 1 and 2 have no bet, and chips lie there; who deals is not the floor."""
    pit = Pit(replace(setup(3, "blackjack"), roles=True))
    pit.shuffle()
    pit.give(Health(SPOTS, Condition.UP))
    for seat in (1, 2, 3):
        sensed(pit, seat, NOTHING)
    bet(pit, 3)
    pit.give(i.CloseBets())
    pit.deal("9c")
    sensed(pit, 1, chips("04b1"))
    sensed(pit, 2, chips("04b2"))
    return pit


def test_a_late_bet_that_goes_back_frees_no_other_spot() -> None:
    pit = two_late_bets()
    sensed(pit, 1, NOTHING)
    first, second = late(pit, 1), late(pit, 2)
    assert not pit.give(i.Resolve(first, Resolution.CHIPS_BACK)).refused
    back = i.Resolve(second, Resolution.CHIPS_BACK)
    assert pit.give(back).code == "resolution-is-not-open"
    assert pit.state.betting.spots[2].agreed == NOTHING
    sensed(pit, 2, NOTHING)
    assert not pit.give(back).refused
    assert not pit.state.holds


def test_a_double_s_chips_may_come_after_another_seat_s_late_bet_is_settled() -> None:
    pit = table(seats=2)
    bet(pit, 1)
    bet(pit, 2, lies=chips("04b2"))
    pit.give(i.CloseBets())
    pit.deal("5c 9c 6d 6h 9h 4c")
    pit.give(i.Decide(1, Action.DOUBLE))
    pit.give(i.ConfirmWager(1))
    sensed(pit, 2, chips("04b2", "04b3"))
    sensed(pit, 2, chips("04b2"))
    assert resolve(pit, Resolution.CHIPS_BACK) == ""
    sensed(pit, 1, chips("04a1", "04a2"))
    assert not pit.state.holds


def test_a_spot_that_comes_to_differ_while_the_table_is_held_holds_it_anew() -> None:
    pit = table()
    bet(pit, 1)
    bet(pit, 2, 1_000, chips("04b2", amount=1_000))
    sensed(pit, 1, NOTHING)
    pit.give(i.CloseBets())
    (first,) = pit.state.holds
    sensed(pit, 2, chips("04b2", amount=100))
    assert resolve(pit, Resolution.BETS_RIGHT) == ""
    (again,) = pit.state.holds
    assert again.number != first.number
    assert again.reason is Reason.BETS_DIFFER
    assert phase(pit) is Phase.BETTING
    assert resolve(pit, Resolution.BETS_RIGHT) == ""
    assert phase(pit) is Phase.ROUND


def test_another_spot_that_differs_instead_holds_the_table_anew() -> None:
    """The sentence counts the other spots: it reads the same."""
    pit = table(seats=3)
    bet(pit, 1)
    sensed(pit, 1, NOTHING)
    sensed(pit, 2, chips("04b2"))
    pit.give(i.CloseBets())
    (first,) = pit.state.holds
    sensed(pit, 2, NOTHING)
    sensed(pit, 3, chips("04b3"))
    assert resolve(pit, Resolution.BETS_RIGHT) == ""
    (again,) = pit.state.holds
    assert again.message == first.message
    assert again.number != first.number
    assert phase(pit) is Phase.BETTING


def test_chips_that_lie_right_by_now_do_not_hold_the_table_anew() -> None:
    pit = table(seats=2)
    bet(pit, 1)
    sensed(pit, 1, NOTHING)
    pit.give(i.CloseBets())
    sensed(pit, 1, chips())
    assert resolve(pit, Resolution.BETS_RIGHT) == ""
    assert phase(pit) is Phase.ROUND


def test_the_next_bet_on_an_empty_spot_may_come_while_hands_are_settled() -> None:
    pit = table(seats=2)
    bet(pit, 1)
    pit.give(i.CloseBets())
    pit.deal("Tc Td Th Jd")
    pit.give(i.Decide(1, Action.STAND))
    pit.give(i.TurnCard())
    assert isinstance(pit.state.step, Settle)
    sensed(pit, 2, chips("04b2"))
    assert not pit.state.holds
