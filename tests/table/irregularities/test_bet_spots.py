"""Bet spots that sense: what lies there against what was entered, and bets that come late."""

from __future__ import annotations

from dataclasses import replace

from controller.devices.inputs import Condition, Health, SpotChips, SpotSensed
from controller.rules.actions import Action
from controller.rules.messages import message
from controller.rules.script.steps import Settle
from controller.table import inputs as i
from controller.table.facts import BetsClosed, ChipsChanged, HoldRaised, Refused
from controller.table.irregularities.holds import Reason, Resolution, late_seat
from controller.table.roles import Person, PersonId, Role
from controller.table.state.phases import Phase
from controller.table.views.scene import scene
from tests.support.pit import Pit, setup

SPOTS = "bet_spots"
NOTHING = SpotChips(present=False)


def chips(*tags: str, amount: int | None = None) -> SpotChips:
    return SpotChips(present=True, tags=tags or ("04a1",), amount=amount)


def sensed(pit: Pit, seat: int, lies: SpotChips) -> None:
    pit.give(SpotSensed(SPOTS, seat, lies))


def table(name: str = "blackjack", seats: int = 2) -> Pit:
    """Bets are open; every spot has a sensor, and nothing lies there."""
    pit = Pit(setup(seats, name))
    pit.shuffle()
    pit.give(Health(SPOTS, Condition.UP))
    for seat in range(1, seats + 1):
        sensed(pit, seat, NOTHING)
    return pit


def bet(pit: Pit, seat: int, amount: int = 1_000, lies: SpotChips | None = None) -> None:
    sensed(pit, seat, lies or chips())
    pit.give(i.PlaceWager(seat, amount))


def phase(pit: Pit) -> Phase:
    return pit.state.phase


def reasons(pit: Pit) -> list[Reason]:
    return [each.reason for each in pit.state.holds]


def resolve(pit: Pit, resolution: Resolution) -> str:
    return pit.give(i.Resolve(pit.state.holds[0].number, resolution)).code


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
    assert all(spot.agreed is None for spot in pit.state.spots.values())


def test_a_sensor_that_is_away_when_bets_are_closed_is_not_asked_this_round() -> None:
    pit = table()
    bet(pit, 1)
    pit.give(Health(SPOTS, Condition.DOWN, message("device-stopped", device=SPOTS)))
    assert not scene(pit.state).dealer.spots
    pit.give(i.CloseBets())
    pit.give(Health(SPOTS, Condition.UP))
    sensed(pit, 1, NOTHING)
    assert not pit.state.holds


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
    told = "Box 1: chips lie there, and no bet is entered; 2 more spots differ."
    assert scene(pit.state).dealer.why.endswith(told)
    pit.give(i.CloseBets())
    assert scene(pit.state).dealer.holds[0].text.startswith(told)
    assert [each.differs for each in scene(pit.state).dealer.spots].count(True) == 3


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
    assert pit.state.spots[2].agreed == NOTHING
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
    assert pit.state.spots[1].agreed == chips("04a1", "04a2")


def test_the_same_tag_that_says_another_amount_is_a_change() -> None:
    pit = table(seats=1)
    bet(pit, 1, 1_000, chips(amount=1_000))
    pit.give(i.CloseBets())
    sensed(pit, 1, chips(amount=None))
    assert not pit.state.holds
    sensed(pit, 1, chips(amount=100))
    assert reasons(pit) == [Reason.LATE_BET]


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
