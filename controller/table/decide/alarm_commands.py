"""Alarm timing and acknowledgement: when the next alarm is due, who may silence which."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from controller.rules.messages import Message, message
from controller.table import facts as f
from controller.table.alarms import Alarm, Level, Trouble
from controller.table.decide.draft import Draft
from controller.table.evolve.alarm_lifecycle import clock_at, live
from controller.table.inputs import Acknowledge, TimerFired
from controller.table.roles import Needs, Role, lacking
from controller.table.state.state import State

NS_PER_MS: Final = 1_000_000


def wake_ns(state: State, mono_ns: int) -> int | None:
    """Time from `mono_ns` of the running service until the next alarm is due, in ns.

    None: nothing waits. Zero or less: it is time. One timer is enough: the next one is asked for
    when this one has fired.
    """
    due = [each.due_ms for each in live(state) if each.due_ms is not None]
    return min(due) * NS_PER_MS - clock_at(state, mono_ns) if due else None


def fire(draft: Draft, command: TimerFired) -> Message | None:
    """Escalate every alarm that is due, level by level; possibly none."""
    while late := _due(draft.state, draft.stamp.mono_ns):
        draft.add(f.AlarmEscalated(late.number, late.next_level))
    return None


def _due(state: State, mono_ns: int) -> Alarm | None:
    now_ms = clock_at(state, mono_ns) // NS_PER_MS
    waiting = [each for each in live(state) if each.due_ms is not None and each.due_ms <= now_ms]
    return min(waiting, key=lambda each: (each.due_ms, each.number), default=None)


def acknowledge(draft: Draft, command: Acknowledge) -> Message | None:
    """Acknowledge alarms: they fall silent for now. Their causes stay open.

    The dealer quiets those that call nobody else yet, and their time runs on. At a table without
    roles whoever is there stands for the floor.
    """
    state, by = draft.state, draft.stamp.by
    floor = not state.setup.roles or any(each.role is Role.FLOOR for each in by)
    asked = [
        each
        for each in _covered(state, command)
        if not (each.acknowledged if floor else each.heard)
    ]
    if not asked:
        return message("alarm-acknowledged-or-settled")
    if not floor and (command.pit or any(each.level >= Level.FLOOR for each in asked)):
        return lacking(Needs.FLOOR, by)
    draft.add(f.AlarmAcknowledged(tuple(each.number for each in asked), floor, draft.stamp.by))
    return None


def _covered(state: State, command: Acknowledge) -> Iterator[Alarm]:
    for each in live(state):
        if each.number <= command.upto and (command.pit or not each.for_pit_alone):
            yield each


def at_work(draft: Draft, hold: int) -> None:
    """Restart the alarm of a hold that stays open but is being worked on."""
    about = str(hold)
    for each in draft.state.alarms:
        if each.trouble is Trouble.HOLD and each.about == about:
            draft.add(f.AlarmAnswered(each.number))
