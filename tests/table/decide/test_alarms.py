"""Alarms: one that nobody answers escalates step by step; acknowledging it resolves nothing."""

from __future__ import annotations

from dataclasses import replace

import hypothesis.strategies as st
import pytest
from hypothesis import given

from controller.devices.inputs import Condition, Doubt, Health
from controller.devices.scene import Light, Sound
from controller.rules.cards import card
from controller.rules.messages import message
from controller.table import inputs as i
from controller.table.alarms import ODDS, AlarmTimes, Level, Trouble
from controller.table.decide.alarm_commands import wake_ns
from controller.table.evolve.evolve import evolve
from controller.table.facts import (
    AlarmAcknowledged,
    AlarmAnswered,
    AlarmEscalated,
    PackDoubted,
    Record,
)
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import Person, PersonId, Role
from controller.table.state.phases import Impossible
from controller.table.state.state import State
from controller.table.views.public import public
from controller.table.views.scene import scene
from tests.support.days import on_the_next_day
from tests.support.forms import examples
from tests.support.pit import Pit, opened, setup

DEALER = Person(PersonId("aino"), Role.DEALER)
FLOOR = Person(PersonId("eino"), Role.FLOOR)
NS_PER_MS = 1_000_000

BUSY = message("pins-failed", device="leds", detail="busy")


def with_roles() -> Pit:
    """A table with people, bets placed, and nothing wrong."""
    pit = Pit(replace(setup(3), roles=True))
    for hold in pit.state.holds:
        pit.give(i.Resolve(hold.number, Resolution.COUNT, reason="opening"), by=(FLOOR,))
    pit.shuffle()
    pit.bet(1)
    pit.no_more_bets()
    return pit


def held(*, roles: bool = True) -> Pit:
    """A card was not read, and nobody does anything about it."""
    pit = with_roles() if roles else opened(3)
    if not roles:
        pit.bet(1)
        pit.no_more_bets()
    pit.doubt(Doubt.NO_CODE)
    return pit


def level(pit: Pit) -> Level:
    return pit.state.alarms[0].level


def sound(pit: Pit) -> Sound:
    return scene(pit.state).sound


def seen(pit: Pit, *by: Person, pit_page: bool = False) -> str:
    upto = max(each.number for each in pit.state.alarms)
    return pit.give(i.Acknowledge(upto, pit=pit_page), by=by).refused


def escalations(pit: Pit) -> list[Level]:
    """How far the first alarm went."""
    first = pit.state.alarms[0].number
    return [
        each.level for each in pit.facts if isinstance(each, AlarmEscalated) and each.alarm == first
    ]


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
    assert seen(pit) == ""
    assert (sound(pit), level(pit)) == (Sound.QUIET, Level.DEALER)
    assert pit.state.holds, "nothing is settled by it"
    pit.wait(39)
    assert (sound(pit), level(pit)) == (Sound.CALL, Level.FLOOR)
    for by in ((), (DEALER,)):
        assert "the floor" in seen(pit, *by)
        assert sound(pit) is Sound.CALL


def test_the_floor_quiets_it_and_it_comes_again() -> None:
    pit = held()
    pit.wait(61)
    assert seen(pit, FLOOR) == ""
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
    assert "already" in seen(pit, FLOOR)
    pit.wait(598)
    assert sound(pit) is not Sound.ALARM
    pit.wait(1)
    assert (sound(pit), level(pit)) == (Sound.ALARM, Level.PIT)
    assert seen(pit, FLOOR) == ""
    pit.wait(600)
    assert (sound(pit), level(pit)) == (Sound.ALARM, Level.PIT), "it calls again"


def test_without_roles_whoever_is_there_stands_for_the_floor() -> None:
    pit = held(roles=False)
    pit.wait(181)
    assert seen(pit) == ""
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
    pit._state, pit._recorded = state, replace(state, script=None)
    assert scene(state).dealer.alarm is None
    pit.wait(200)
    shown = scene(pit.state)
    assert (shown.sound, shown.dealer.alarm) == (Sound.QUIET, None)
    (alarm,) = public(pit.state).alarms
    assert (alarm.trouble, alarm.level, alarm.who) == ("pack", Level.PIT, "pit boss")
    assert seen(pit, FLOOR) != "", "the table cannot see it, and so cannot have seen it"
    assert "the floor" in seen(pit, DEALER, pit_page=True)
    assert seen(pit, FLOOR, pit_page=True) == ""


# Clocks and restarts


@pytest.mark.parametrize("wall_s", [-3_600, 315_360_000])
def test_a_clock_that_is_set_in_mid_run_changes_nothing(wall_s: int) -> None:
    pit = held()
    pit.wait(19, wall_s=wall_s)
    assert level(pit) is Level.RAISED
    pit.wait(1)
    assert level(pit) is Level.DEALER


def test_after_a_restart_the_level_is_what_it_was_and_time_went_on() -> None:
    pit = held()
    pit.wait(21)
    pit.start()
    assert level(pit) is Level.DEALER
    assert sound(pit) is Sound.REMIND
    pit.start(away_s=100)
    pit.wait(1)
    assert level(pit) is Level.FLOOR
    assert escalations(pit) == [Level.DEALER, Level.FLOOR], "no level is left out"


def test_a_clock_set_back_while_the_table_was_off_delays_nothing() -> None:
    pit = held()
    pit.wait(14)
    pit.press("stand")  # on record: what came after the last record nobody knows
    pit.start(away_s=-3_600)
    pit.wait(2)
    assert level(pit) is Level.RAISED
    pit.wait(2)
    assert level(pit) is Level.DEALER


def test_a_device_that_is_still_down_after_a_restart_calls_where_it_was() -> None:
    pit = with_roles()
    pit.give(Health("leds", Condition.DOWN, BUSY))
    pit.wait(61)
    pit.start(away_s=5)
    number = pit.state.alarms[0].number
    alarms = public(pit.state).alarms
    assert all(each.trouble != "device" for each in alarms), "nothing is known of it yet"
    pit.give(Health("leds", Condition.DOWN, BUSY))
    alarm = next(each for each in public(pit.state).alarms if each.trouble == "device")
    assert (alarm.number, alarm.level) == (number, Level.FLOOR)


def test_a_device_that_works_after_a_restart_calls_no_more() -> None:
    pit = with_roles()
    pit.give(Health("leds", Condition.DOWN, BUSY))
    pit.start()
    pit.give(Health("leds", Condition.UP))
    assert all(each.trouble is not Trouble.DEVICE for each in pit.state.alarms)


def test_an_alarm_goes_to_the_next_level_and_to_no_other() -> None:
    pit = held()
    state = pit.state
    for wrong in (Level.RAISED, Level.FLOOR, Level.PIT):
        fact = AlarmEscalated(state.alarms[0].number, wrong)
        with pytest.raises(Impossible):
            evolve(
                state, Record(state.seq + 1, state.clock.at_ms, state.clock.mono_ns, "test", fact)
            )


def test_a_new_day_keeps_the_alarms_and_the_tables_time() -> None:
    pit = held()
    pit.wait(61)
    seen(pit, FLOOR)
    pit.give(Health("leds", Condition.DOWN, BUSY))
    again = on_the_next_day(pit.state)
    assert again.alarms == pit.state.alarms
    assert again.run.alarm_times == pit.state.run.alarm_times
    for mono_ns in (pit.state.clock.mono_ns, pit.state.clock.mono_ns + 10**12):
        assert wake_ns(again, mono_ns) == wake_ns(pit.state, mono_ns)


# Whatever happens

STEPS = st.one_of(
    st.tuples(st.just("wait"), st.floats(0.1, 400)),
    st.tuples(st.just("on time"), st.just(0.0)),
    st.tuples(st.just("set the clock"), st.floats(-10_000, 10_000)),
    st.tuples(st.just("restart"), st.floats(-500, 500)),
    st.tuples(
        st.sampled_from(
            ["doubt", "call", "leds down", "leds up", "scanner down", "scanner up", "dealer",
             "floor", "way on", "enter", "warning"]
        ),
        st.just(0.0),
    ),
)  # fmt: skip


def do(pit: Pit, what: str, how: float) -> None:
    first = pit.state.holds[0].number if pit.state.holds else 1
    match what:
        case "wait":
            pit.wait(how)
        case "on time":
            due = wake_ns(pit.state, pit.state.clock.mono_ns)
            pit.wait(0 if due is None else max(0, due) / 1e9)
        case "set the clock":
            pit.wait(0, wall_s=how)
        case "restart":
            pit.start(away_s=how)
        case "doubt":
            pit.doubt()
        case "call":
            pit.press("call")
        case "dealer" | "floor":
            by = (FLOOR,) if what == "floor" else ()
            pit.give(i.Acknowledge(max(1, pit.state.counts.alarms)), by=by)
        case "way on":
            for resolution in (
                Resolution.COUNT,
                Resolution.RELEASE,
                Resolution.NO_CARD,
                Resolution.SET_ASIDE,
            ):
                pit.give(i.Resolve(first, resolution, reason="looked"), by=(FLOOR,))
        case "enter":
            pit.enter(i.Resolve(first, Resolution.ENTER_CARD, "7d", "looked"), by=(FLOOR,))
        case "warning":
            pit.records.append(Record(pit.state.seq + 1, 0, 0, "t", PackDoubted(
                "", card("7d"), missing=True, shoes=40)))  # fmt: skip
            pit._state = evolve(pit.state, pit.records[-1])
            pit._recorded = replace(pit._state, script=None)
        case _:
            name, _, how_it_is = what.partition(" ")
            condition = Condition.DOWN if how_it_is == "down" else Condition.UP
            pit.give(Health(name, condition, BUSY if condition is Condition.DOWN else None))


@examples(12, long=600)
@given(st.lists(STEPS, max_size=40))
def test_levels_never_go_down_never_skip_and_replay_as_they_went(
    steps: list[tuple[str, float]],
) -> None:
    pit = with_roles()
    reached: dict[int, Level] = {}
    clock_ns = pit.state.clock.table_ns
    for what, how in steps:
        before = {each.number: each for each in pit.state.alarms}
        written = len(pit.records)
        do(pit, what, how)
        for fact in (record.fact for record in pit.records[written:]):
            if isinstance(fact, AlarmEscalated):
                was = reached.get(fact.alarm, Level.RAISED)
                assert fact.level == min(was + 1, Level.PIT)
                assert was < Level.PIT or before[fact.alarm].heard, "it calls again once seen"
                reached[fact.alarm] = fact.level
        for alarm in pit.state.alarms:
            assert alarm.level == reached.get(alarm.number, Level.RAISED)
            assert alarm.number in before or alarm.level is Level.RAISED
        about = [(each.trouble, each.about) for each in pit.state.alarms]
        assert len(set(about)) == len(about)
        assert {int(name) for trouble, name in about if trouble is Trouble.HOLD} == {
            each.number for each in pit.state.holds
        }
        assert pit.state.clock.table_ns >= clock_ns, "the table's time never runs backwards"
        clock_ns = pit.state.clock.table_ns
        if what in ("wait", "on time"):
            due = wake_ns(pit.state, pit.state.clock.mono_ns)
            assert due is None or due > -NS_PER_MS * 1_000_000, what
    again = None
    for record in pit.records:
        again = evolve(again, record)
    assert again is not None
    assert again.alarms == pit.state.alarms


@examples(15, long=300)
@given(st.lists(st.floats(0.1, 100), min_size=1, max_size=10))
def test_what_nobody_touches_is_where_its_time_says(waits: list[float]) -> None:
    pit = held()
    alarm = pit.state.alarms[0]
    times = AlarmTimes()
    raised_ms = alarm.due_ms - times.dealer_s * 1_000 if alarm.due_ms else 0
    for wait in waits:
        pit.wait(wait)
        age_s = (
            pit._mono_ms * NS_PER_MS - pit.state.clock.mono_ns + pit.state.clock.table_ns
        ) / 1e9
        age_s -= raised_ms / 1_000
        passed = sum(age_s >= each for each in (times.dealer_s, times.floor_s, times.pit_s))
        assert level(pit) == passed
