"""What facts about the gaming day change: it opens with what it takes over, it is closed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from controller.table import facts as f
from controller.table.evolve.carry_over import in_parts
from controller.table.evolve.money import day_ended
from controller.table.evolve.setup import game_of
from controller.table.evolve.shoe import Changes
from controller.table.gaming_day import CarryOver, GamingDay
from controller.table.growing import changed
from controller.table.state.phases import Impossible, Phase
from controller.table.state.state import State


def taken_over(carried: CarryOver, record: f.Record) -> State:
    """The table as a day begins, just before the record that opens it."""
    before = {"seq": record.seq - 1, "at_ms": record.at_ms, "mono_ns": record.mono_ns}
    parts = in_parts(carried, game_of(carried.fields["setup"]))
    return State(**{**parts, "clock": changed(parts["clock"], before)})


def _day_opened(state: State, fact: f.DayOpened, at_ms: int) -> Changes:
    return {
        "day": GamingDay(fact.label, fact.ends_ms, fact.schedule, state.seq + 1),
    }


def _open_day(state: State) -> GamingDay:
    if state.day is None or state.day.closed:
        raise Impossible("no gaming day is open")
    return state.day


def _day_closed(state: State, fact: f.DayClosed, at_ms: int) -> Changes:
    day = _open_day(state)
    if fact.label != day.label or fact.next_label <= day.label or state.phase is Phase.ROUND:
        raise Impossible(f"the gaming day {fact.label} cannot be closed here")
    return {"day": replace(day, closed=True), **day_ended(state, fact.label)}


def _day_rescheduled(state: State, fact: f.DayRescheduled, at_ms: int) -> Changes:
    return {"day": replace(_open_day(state), ends_ms=fact.ends_ms, schedule=fact.schedule)}


def _clock_doubted(state: State, fact: f.ClockDoubted, at_ms: int) -> Changes:
    return {"day": replace(_open_day(state), doubt=fact.doubt)}


def _day_overdue(state: State, fact: f.DayOverdue, at_ms: int) -> Changes:
    return {"day": replace(_open_day(state), overdue=True)}


def _day_removed(state: State, fact: f.DayRemoved, at_ms: int) -> Changes:
    if state.day is None or fact.label >= state.day.label:
        raise Impossible(f"the gaming day {fact.label} is not over")
    return {}


#: Which function tells what a fact of the gaming day changes.
DAY_EVOLVERS: Final[dict[type[f.Fact], Callable[[State, Any, int], Changes]]] = {
    f.DayOpened: _day_opened,
    f.DayClosed: _day_closed,
    f.DayRescheduled: _day_rescheduled,
    f.ClockDoubted: _clock_doubted,
    f.DayOverdue: _day_overdue,
    f.DayRemoved: _day_removed,
}
