"""The end of a gaming day: by the clock at the first moment between rounds, or by the floor."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from controller.rules.messages import Message, message
from controller.table import facts as f
from controller.table.decide.draft import Draft
from controller.table.evolve.carry_over import carry_over, digest, next_day
from controller.table.evolve.evolve import evolve
from controller.table.gaming_day import JUMP_MS, LATE_MS, ClockDoubt, Today
from controller.table.inputs import CloseDay, DayCheck, RemoveDays, Stamp
from controller.table.roles import Needs, Person
from controller.table.state.phases import Phase
from controller.table.state.state import State

#: Doubts that end by themselves once the clock is right again.
PASSING: Final = (ClockDoubt.BEHIND, ClockDoubt.NOT_SYNCHRONISED)


def check_at_ms(state: State) -> int | None:
    """From which wall time on the table wants a `DayCheck`; None while nothing waits for one.

    A day that the clock may not close is overdue later all the same.
    """
    day = state.day
    if day is None or day.closed:
        return None
    if state.phase is not Phase.ROUND and day.doubt is None:
        return day.ends_ms
    return None if day.overdue else day.ends_ms + LATE_MS


def recheck_day(state: State) -> bool:
    """Whether the day waits for nothing but a clock that is right again."""
    day = state.day
    if day is None or day.closed or state.phase is Phase.ROUND:
        return False
    return day.doubt in PASSING


def check_day(draft: Draft, command: DayCheck) -> Message | None:
    """The planned end has come, or two hours more: close the day, or say why it stays open."""
    state, today = draft.state, draft.stamp.today
    day = state.day
    if day is None or day.closed or today is None:
        return None
    now_ms = max(draft.stamp.at_ms, state.clock.at_ms)
    if now_ms < day.ends_ms:
        return None
    doubt = _doubt(state, draft.stamp, today)
    if day.doubt in PASSING and doubt is None:
        day = replace(day, doubt=None)
    if state.phase is not Phase.ROUND:
        if day.doubt is None and doubt is None:
            _close(draft, today, ())
            return None
        if day.doubt is None and doubt is not None:
            draft.add(f.ClockDoubted(day.label, doubt))
    if now_ms >= day.ends_ms + LATE_MS and not day.overdue:
        draft.add(f.DayOverdue(day.label))
    return None


def _doubt(state: State, stamp: Stamp, today: Today) -> ClockDoubt | None:
    """Why the wall clock is not believed now, if it is not."""
    if stamp.at_ms < state.clock.at_ms:
        return ClockDoubt.BEHIND
    if stamp.at_ms - state.clock.at_ms > JUMP_MS:
        return ClockDoubt.JUMPED
    return None if today.synchronised else ClockDoubt.NOT_SYNCHRONISED


def close_day(draft: Draft, command: CloseDay) -> Message | None:
    """The floor closes the day, whatever the clock says."""
    state, today = draft.state, draft.stamp.today
    day = state.day
    if day is None or today is None:
        return message("no-gaming-days")
    if lacking := draft.lacks(Needs.FLOOR):
        return lacking
    if state.phase is Phase.ROUND:
        return message("day-closes-between-rounds")
    if day.label > today.label and day.doubt is None:
        return message("day-has-not-begun", day=day.label)
    _close(draft, today, draft.stamp.by)
    return None


def _close(draft: Draft, today: Today, by: tuple[Person, ...]) -> None:
    state = draft.state
    assert state.day is not None
    closed = f.DayClosed(
        state.day.label, "", "", today.next_label, today.next_ends_ms, today.schedule, by
    )
    stamp = draft.stamp
    # What is carried over is the table as it is after this fact, which names the digest of it: so
    # it is tried without that, which changes nothing of the state.
    record = f.Record(state.seq + 1, stamp.at_ms, stamp.mono_ns, stamp.cause, closed)
    carried = carry_over(evolve(state, record), stamp.nonce)
    draft.add(replace(closed, digest=digest(carried), hidden=carried.hidden))
    draft.add(next_day(draft.state, closed, stamp.nonce))


def remove_days(draft: Draft, asked: RemoveDays) -> Message | None:
    """Closed days go from beside the table, on record before their files do."""
    day = draft.state.day
    for label, archived in asked.days:
        if day is not None and label < day.label:
            draft.add(f.DayRemoved(label, archived))
    return None


def open_first_day(draft: Draft) -> None:
    """A new table's first day, where it has a calendar."""
    today = draft.stamp.today
    if today is not None:
        draft.add(f.DayOpened(today.label, today.ends_ms, today.schedule))


def check_start(draft: Draft, before: State) -> None:
    """At a start: another schedule is taken over; a clock that jumped while away is doubted."""
    today, day = draft.stamp.today, draft.state.day
    if today is None:
        return
    if day is None:
        open_first_day(draft)
        return
    if today.schedule != day.schedule:
        draft.add(f.DayRescheduled(day.label, today.ends_ms, today.schedule))
    check_jump(draft, before)


def check_jump(draft: Draft, before: State) -> None:
    """A clock that jumped since the state `before` is doubted, whichever input is the first after.

    Once a record has the new time, no later one shows the jump.
    """
    day = draft.state.day
    if day is None or day.closed or day.doubt is not None:
        return
    same_day = before.day is not None and before.day.label == day.label
    if same_day and draft.stamp.at_ms - before.clock.at_ms > JUMP_MS:
        draft.add(f.ClockDoubted(day.label, ClockDoubt.JUMPED))
