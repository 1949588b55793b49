"""Alarms: one that nobody answers escalates step by step; acknowledging it resolves nothing."""

from __future__ import annotations

from dataclasses import replace

from controller.devices.inputs import Condition, Health
from controller.devices.scene import Light, Sound
from controller.rules.cards import card
from controller.rules.messages import message
from controller.table import inputs as i
from controller.table.alarms import ODDS, AlarmTimes, Level
from controller.table.decide.alarm_commands import wake_ns
from controller.table.evolve.evolve import evolve
from controller.table.facts import (
    AlarmAcknowledged,
    AlarmAnswered,
    PackDoubted,
    Record,
)
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import Person, PersonId, Role
from controller.table.state.state import State
from controller.table.views.public import public
from controller.table.views.scene import scene
from tests.support.pit import Pit, as_recorded
from tests.table.decide.alarmed_table import (
    BUSY,
    FLOOR,
    acknowledge,
    escalations,
    held,
    level,
    sound,
    with_roles,
)

DEALER = Person(PersonId("aino"), Role.DEALER)


# What nobody answers


def test_the_status_page_counts_from_the_hold_that_it_shows() -> None:
    pit = held()
    began = public(pit.state).since_ms
    pit.wait(5)
    pit.press("call")
    status = public(pit.state)
    assert len(status.holds) == 2
    assert status.since_ms == status.holds[0].since_ms == began


def test_a_hold_that_nobody_answers_calls_the_dealer_the_floor_and_the_pit_boss() -> None:
    pit = held()
    assert (level(pit), sound(pit), pit.lights[0]) == (Level.RAISED, Sound.HELD, "held")
    view = pit.display.alarm
    assert view is None
    for waited, called, heard, light, who in (
        (20, Level.DEALER, Sound.REMIND, Light.HELD, "dealer"),
        (40, Level.FLOOR, Sound.CALL, Light.CALLING, "floor"),
        (120, Level.PIT, Sound.ALARM, Light.CALLING, "pit boss"),
    ):
        pit.wait(waited)
        assert (level(pit), sound(pit)) == (called, heard)
        assert pit.lights == [light.value] * 3
        assert (view := pit.display.alarm) is not None
        assert (view.level, view.who, view.title) == (called, who, "Card not read")
        status = public(pit.state)
        assert status.who == who
        assert status.alarms == (replace(view, key=status.alarms[0].key),)
        assert view.since_ms == pit.state.holds[0].since_ms
    assert escalations(pit) == [Level.DEALER, Level.FLOOR, Level.PIT]
    assert wake_ns(pit.state, 0) is None, "it calls as loudly as it can"


def test_a_timer_that_fires_too_early_writes_nothing() -> None:
    pit = held()
    written = len(pit.records)
    decision = pit.wait(18)
    assert (decision.records, decision.refused) == ((), "")
    assert len(pit.records) == written


def test_late_timers_delay_nothing() -> None:
    pit = held()
    pit.wait(59)
    assert level(pit) is Level.DEALER
    pit.wait(1)
    assert level(pit) is Level.FLOOR


def test_a_way_on_ends_the_alarm() -> None:
    pit = held()
    pit.wait(61)
    pit.enter(i.Resolve(pit.state.holds[0].number, Resolution.ENTER_CARD, "7d"), by=())
    assert pit.state.alarms == ()
    assert sound(pit) is Sound.QUIET
    assert wake_ns(pit.state, 0) is None


def test_a_press_aimed_at_the_picture_before_an_alarm_went_further_counts() -> None:
    pit = held()
    picture = pit.display.seq
    pit.wait(61)
    resolution = i.Resolve(pit.state.holds[0].number, Resolution.ENTER_CARD, "7d")
    assert pit.give(resolution, view_seq=picture).refused == ""
    assert pit.give(resolution, view_seq=picture).refused == ""
    assert not pit.state.holds


def test_work_on_a_hold_that_stays_open_is_an_answer() -> None:
    pit = with_roles()
    pit.deal("Kh 9c 9d")
    pit.start()
    hold = next(each for each in pit.state.holds if each.reason is Reason.RECOUNT)
    pit.give(i.Resolve(hold.number, Resolution.COUNT, reason="counted", cards=6), by=(FLOOR,))
    for code in ("2c", "2d"):
        pit.wait(15)
        assert pit.enter(i.Resolve(hold.number, Resolution.ENTER_CARD, code)).refused == ""
    assert escalations(pit) == []
    pit.wait(20)
    assert escalations(pit) == [Level.DEALER]


def test_work_on_a_hold_is_no_answer_to_another_alarm() -> None:
    pit = with_roles()
    pit.deal("Kh 9c 9d")
    pit.give(Health("leds", Condition.DOWN, BUSY))
    pit.press("call")
    pit.start()
    hold = next(each for each in pit.state.holds if each.reason is Reason.RECOUNT)
    assert len(pit.state.holds) == 2
    pit.give(i.Resolve(hold.number, Resolution.COUNT, reason="counted", cards=6), by=(FLOOR,))
    pit.enter(i.Resolve(hold.number, Resolution.ENTER_CARD, "2c"))
    answered = {each.alarm for each in pit.facts if isinstance(each, AlarmAnswered)}
    of_hold = {each.number for each in pit.state.alarms if each.about == str(hold.number)}
    assert answered == of_hold
    assert len(pit.state.alarms) > len(of_hold)


# Devices


def test_lights_that_fail_call_and_do_not_stop_the_game() -> None:
    pit = with_roles()
    pit.give(Health("leds", Condition.DOWN, BUSY))
    pit.wait(61)
    assert not pit.state.holds
    assert sound(pit) is Sound.CALL
    assert pit.display.alarm is not None
    assert pit.display.alarm.title == "Leds down"
    assert pit.lights[0] == "card", "the game goes on"
    pit.give(Health("leds", Condition.UP))
    assert pit.state.alarms == ()
    assert sound(pit) is Sound.QUIET


def test_results_beyond_luck_are_reported_to_the_pit_alone() -> None:
    pit = with_roles()
    pit.give(Health(ODDS, Condition.DOWN, message("house-wins-too-much", round=9, day="today")))
    assert public(pit.state).alarms[0].title == "Results are beyond what luck does"
    assert pit.display.alarm is None


def test_a_device_whose_words_change_is_the_same_alarm() -> None:
    pit = with_roles()
    pit.give(Health("disk", Condition.DOWN, message("disk-nearly-full", folder="/", free_mb=90)))
    pit.wait(61)
    pit.give(Health("disk", Condition.DOWN, message("disk-full", folder="/")))
    assert level(pit) is Level.FLOOR
    assert len(pit.state.alarms) == 1


# Who may make it quiet


def test_the_dealer_quiets_the_first_call_alone_and_its_time_runs_on() -> None:
    pit = held()
    pit.wait(20)
    assert acknowledge(pit) == ""
    assert (sound(pit), level(pit)) == (Sound.QUIET, Level.DEALER)
    assert pit.state.holds, "nothing is settled by it"
    pit.wait(39)
    assert (sound(pit), level(pit)) == (Sound.CALL, Level.FLOOR)
    for by in ((), (DEALER,)):
        assert "the floor" in acknowledge(pit, *by)
        assert sound(pit) is Sound.CALL


def test_the_floor_quiets_it_and_it_comes_again() -> None:
    pit = held()
    pit.wait(61)
    assert acknowledge(pit, FLOOR) == ""
    assert (sound(pit), pit.lights[0]) == (Sound.QUIET, "held")
    view = pit.display.alarm
    assert view is not None
    assert (view.acknowledged, view.key) == (True, None)
    assert view.text == "Seen by person eino, not settled yet", "no name is known"
    named = scene(pit.state, {FLOOR.id: "Eino"}).dealer.alarm
    assert named is not None
    assert named.text == "Seen by Eino, not settled yet"
    assert isinstance(pit.facts[-1], AlarmAcknowledged)
    assert pit.facts[-1].by == (FLOOR,)
    assert "already" in acknowledge(pit, FLOOR)
    pit.wait(598)
    assert sound(pit) is not Sound.ALARM
    pit.wait(1)
    assert (sound(pit), level(pit)) == (Sound.ALARM, Level.PIT)
    assert acknowledge(pit, FLOOR) == ""
    pit.wait(600)
    assert (sound(pit), level(pit)) == (Sound.ALARM, Level.PIT), "it calls again"


def test_without_roles_whoever_is_there_stands_for_the_floor() -> None:
    pit = held(roles=False)
    pit.wait(181)
    assert acknowledge(pit) == ""
    assert sound(pit) is Sound.QUIET


def test_what_came_after_the_picture_is_not_seen_with_it() -> None:
    pit = held()
    pit.wait(20)
    view = pit.display.alarm
    assert view is not None
    assert view.key is not None
    upto = view.key.command["upto"]
    pit.press("call")
    pit.wait(20)
    pit.give(i.Acknowledge(int(upto)))
    assert [each.heard for each in pit.state.alarms] == [True, False]
    assert sound(pit) is Sound.REMIND


def test_a_studio_may_switch_the_calls_off() -> None:
    pit = with_roles()
    pit.start(alarms=AlarmTimes(sound=False))
    pit.wait(200)
    assert level(pit) is Level.PIT
    assert sound(pit) is Sound.HELD, "the short sound of a hold, which was made already"
    assert pit.lights[0] == Light.CALLING.value


# An early warning is the pit's alone


def doubted(pit: Pit) -> State:
    """The early warning speaks of the pack."""
    fact = PackDoubted("", card("7d"), missing=True, shoes=40)
    state = pit.state
    return evolve(
        state, Record(state.seq + 1, state.clock.at_ms, state.clock.mono_ns, "test", fact)
    )


def test_an_early_warning_is_reported_to_the_pit_and_to_nobody_at_the_table() -> None:
    pit = with_roles()
    state = doubted(pit)
    pit._state, pit._recorded = state, as_recorded(state)
    assert scene(state).dealer.alarm is None
    pit.wait(200)
    shown = scene(pit.state)
    assert (shown.sound, shown.dealer.alarm) == (Sound.QUIET, None)
    (alarm,) = public(pit.state).alarms
    assert (alarm.trouble, alarm.level, alarm.who) == ("pack", Level.PIT, "pit boss")
    assert acknowledge(pit, FLOOR) != "", "the table cannot see it, and so cannot have seen it"
    assert "the floor" in acknowledge(pit, DEALER, pit_page=True)
    assert acknowledge(pit, FLOOR, pit_page=True) == ""
