"""Bet spots that sense: what lies there against what was entered."""

from __future__ import annotations

from dataclasses import replace

from controller.devices.inputs import Condition, Health, SpotSensed
from controller.rules.actions import Action
from controller.rules.messages import message
from controller.table import inputs as i
from controller.table.facts import BetsClosed, ChipsChanged, HoldRaised, Refused
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import Person, PersonId, Role
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


def test_a_round_in_which_chips_lie_as_entered_is_not_held() -> None:
    pit = table()
    bet(pit, 1)
    pit.give(i.CloseBets())
    pit.deal("9c 7d 6h")
    assert phase(pit) is Phase.ROUND
    assert not pit.state.holds


def test_the_same_again_is_no_record() -> None:
    pit = table()
    before = len(pit.records)
    sensed(pit, 1, NOTHING)
    assert len(pit.records) == before


def test_the_display_shows_what_lies_on_the_spots_and_what_differs() -> None:
    pit = table()
    sensed(pit, 1, chips(amount=2_500))
    pit.give(i.PlaceWager(2, 1_000))
    shown = {each.seat: each for each in scene(pit.state).dealer.spots}
    assert (shown[1].chips, shown[1].differs) == ("25.00", True)
    assert (shown[2].chips, shown[2].differs) == ("no chips", True)
    assert "chips lie there, and no bet is entered" in scene(pit.state).dealer.why
    pit.give(i.PlaceWager(1, 2_500))
    sensed(pit, 2, chips())
    assert not any(each.differs for each in scene(pit.state).dealer.spots)


def test_bets_that_are_not_as_they_lie_are_not_closed() -> None:
    pit = table()
    bet(pit, 1)
    sensed(pit, 2, chips("04b2"))
    assert pit.give(i.CloseBets()).code == ""
    assert reasons(pit) == [Reason.BETS_DIFFER]
    assert phase(pit) is Phase.BETTING
    assert resolve(pit, Resolution.RELEASE) == ""
    pit.give(i.PlaceWager(2, 1_000))
    pit.give(i.CloseBets())
    assert phase(pit) is Phase.ROUND


def test_a_bet_of_another_amount_than_its_tag_differs() -> None:
    pit = table()
    bet(pit, 1, 1_000, chips(amount=2_500))
    pit.give(i.CloseBets())
    (hold,) = pit.state.holds
    assert "worth 25.00, the bet is 10.00" in scene(pit.state).dealer.holds[0].text
    assert hold.reason is Reason.BETS_DIFFER


def test_the_floor_may_say_that_the_bets_are_right() -> None:
    pit = Pit(replace(setup(2, "blackjack"), roles=True))
    pit.shuffle()
    pit.give(Health(SPOTS, Condition.UP))
    sensed(pit, 1, NOTHING)
    pit.give(i.PlaceWager(1, 1_000))
    pit.give(i.CloseBets())
    number = pit.state.holds[0].number
    asked = i.Resolve(number, Resolution.BETS_RIGHT, reason="A chip without a tag")
    assert pit.give(asked).refused
    floor = Person(PersonId("00000001"), Role.FLOOR)
    assert not pit.give(asked, by=(floor,)).refused
    assert phase(pit) is Phase.ROUND
    assert any(isinstance(each, BetsClosed) for each in pit.facts)


def test_a_sensor_that_is_away_when_bets_are_closed_is_not_asked_this_round() -> None:
    pit = table()
    bet(pit, 1)
    pit.give(Health(SPOTS, Condition.DOWN, message("device-stopped", device=SPOTS)))
    assert not scene(pit.state).dealer.spots
    pit.give(i.CloseBets())
    pit.give(Health(SPOTS, Condition.UP))
    sensed(pit, 1, NOTHING)
    assert not pit.state.holds


def test_the_spots_are_watched_across_a_restart() -> None:
    pit = table()
    bet(pit, 1)
    pit.give(i.CloseBets())
    pit.start()
    pit.give(Health(SPOTS, Condition.UP))
    sensed(pit, 1, NOTHING)
    assert Reason.LATE_BET in reasons(pit)


def test_where_players_play_for_a_pot_chips_move_as_they_like() -> None:
    pit = table("seven-twenty-seven", seats=2)
    bet(pit, 1, lies=chips("04a1"))
    bet(pit, 2, lies=chips("04b2"))
    pit.give(i.CloseBets())
    sensed(pit, 1, NOTHING)
    assert not pit.state.holds


def test_a_seat_that_the_table_does_not_have_is_refused() -> None:
    pit = table()
    assert pit.give(SpotSensed(SPOTS, 9, chips())).code == "no-such-seat"
    assert isinstance(pit.records[-1].fact, Refused)


def test_it_is_all_on_record() -> None:
    pit = table()
    bet(pit, 1)
    pit.give(i.CloseBets())
    sensed(pit, 2, chips("04b2"))
    facts = [each for each in pit.facts if isinstance(each, ChipsChanged | HoldRaised)]
    assert [type(each) for each in facts[-2:]] == [ChipsChanged, HoldRaised]


def test_one_spot_that_differs_is_named_and_the_others_are_counted() -> None:
    pit = table(seats=7)
    bet(pit, 7)
    for seat in (1, 2, 3):
        sensed(pit, seat, chips(f"04b{seat}"))
    sentence = "Box 1: chips lie there, and no bet is entered; 2 more spots differ."
    assert scene(pit.state).dealer.why.endswith(sentence)
    pit.give(i.CloseBets())
    assert scene(pit.state).dealer.holds[0].text.startswith(sentence)
    assert [each.differs for each in scene(pit.state).dealer.spots].count(True) == 3


def test_an_amount_that_is_not_read_for_a_moment_is_no_change() -> None:
    pit = table(seats=1)
    bet(pit, 1, 1_000, chips(amount=1_000))
    pit.give(i.CloseBets())
    pit.deal("5c 6d 6h 4c")
    pit.give(i.Decide(1, Action.DOUBLE))
    pit.give(i.ConfirmWager(1))
    sensed(pit, 1, chips(amount=None))
    sensed(pit, 1, chips(amount=1_000))
    assert not pit.state.holds
    sensed(pit, 1, chips("04a1", "04a2"))  # the double's chips are due still
    assert not pit.state.holds
    assert pit.state.betting.spots[1].agreed == chips("04a1", "04a2")


def test_the_same_tag_that_says_another_amount_is_a_change() -> None:
    pit = table(seats=1)
    bet(pit, 1, 1_000, chips(amount=1_000))
    pit.give(i.CloseBets())
    sensed(pit, 1, chips(amount=None))
    assert not pit.state.holds
    sensed(pit, 1, chips(amount=100))
    assert reasons(pit) == [Reason.LATE_BET]


def test_a_sensor_that_is_back_says_nothing_until_its_first_report() -> None:
    pit = table(seats=1)
    pit.give(Health(SPOTS, Condition.DOWN, message("device-stopped", device=SPOTS)))
    pit.give(i.PlaceWager(1, 1_000))
    pit.give(Health(SPOTS, Condition.UP))
    assert "no chips" not in [each.chips for each in scene(pit.state).dealer.spots]
    pit.give(i.CloseBets())
    assert not pit.state.holds
    sensed(pit, 1, chips())
    assert not pit.state.holds
