"""Alarms across restarts, days and clocks that are set, and through whatever happens."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from controller.devices.inputs import Condition, Health
from controller.devices.scene import Sound
from controller.rules.cards import card
from controller.table import inputs as i
from controller.table.alarms import AlarmTimes, Level, Trouble
from controller.table.decide.alarm_commands import wake_ns
from controller.table.evolve.evolve import evolve
from controller.table.facts import (
    AlarmEscalated,
    PackDoubted,
    Record,
)
from controller.table.irregularities.holds import Resolution
from controller.table.state.phases import Impossible
from controller.table.views.public import public
from tests.support.dealt.days import on_the_next_day
from tests.support.forms import examples
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

NS_PER_MS = 1_000_000


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
    acknowledge(pit, FLOOR)
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
            pit._recorded = as_recorded(pit._state)
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
