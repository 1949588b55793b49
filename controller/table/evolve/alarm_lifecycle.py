"""What records change in the alarms: they begin and end with what they are about, and go further.

The table's own time: within a run of the service it goes with the monotonic clock; when the
service starts it goes on at wall time, or where it was if the wall clock was set back. So no step
of a clock makes an alarm come late, and no restart makes it begin anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from controller.table import facts as f
from controller.table.alarms import OVERDUE, Alarm, Level, Trouble
from controller.table.growing import changed
from controller.table.state.phases import Impossible
from controller.table.state.state import State

NS_PER_MS: Final = 1_000_000
#: Fields of a state with which an alarm may begin or end.
_TROUBLES: Final = frozenset({"holds", "run", "ledger", "day"})


def clock_at(state: State, mono_ns: int) -> int:
    """The table's own time at `mono_ns` of the running service, in ns."""
    return state.clock.table_ns + max(0, mono_ns - state.clock.mono_ns)


def clock_after(state: State, record: f.Record) -> int:
    """The table's own time at `record`, in ns."""
    if isinstance(record.fact, f.ServiceStarted):  # and with it another monotonic clock
        return max(state.clock.table_ns, record.at_ms * NS_PER_MS)
    return clock_at(state, record.mono_ns)


def live(state: State) -> Iterator[Alarm]:
    """The alarms that call. One of a device that has not reported since the start waits for it."""
    for each in state.alarms:
        if each.trouble is not Trouble.DEVICE or state.run.devices.get(each.about):
            yield each


def alarms_after(state: State, record: f.Record, changes: dict[str, Any]) -> None:
    """Add to `changes` what a record changes in the alarms, if anything."""
    if (judge := _STEPS.get(type(record.fact))) is not None:
        changes["alarms"] = judge(state, record.fact, changes["clock"].table_ns // NS_PER_MS)
    elif not _TROUBLES.isdisjoint(changes):
        wrong = _wrong(state, changes)
        there = {(each.trouble, each.about) for each in state.alarms}
        if there == wrong.keys():
            return
        alarms = [each for each in state.alarms if (each.trouble, each.about) in wrong]
        raised = state.counts.alarms
        times = state.run.alarm_times
        now_ms = changes["clock"].table_ns // NS_PER_MS
        for trouble, about in wrong:
            if (trouble, about) not in there:
                raised += 1
                due_ms = now_ms + times.more_ms(Level.RAISED)
                alarms.append(Alarm(raised, trouble, about, record.at_ms, due_ms))
        changes["alarms"] = tuple(alarms)
        changes["counts"] = changed(changes.get("counts", state.counts), {"alarms": raised})


def _wrong(state: State, changes: dict[str, Any]) -> dict[tuple[Trouble, str], None]:
    """What is wrong after `changes`, in order."""
    holds = changes.get("holds", state.holds)
    devices = changes.get("run", state.run).devices
    doubts = changes.get("ledger", state.ledger).doubts
    wrong = [(Trouble.HOLD, str(each.number)) for each in holds]
    wrong += [(Trouble.DEVICE, name) for name, why in devices.items() if why]
    # After a start nothing is known of a device: its alarm is what it was once it reports.
    wrong += [
        (Trouble.DEVICE, each.about)
        for each in state.alarms
        if each.trouble is Trouble.DEVICE and each.about not in devices
    ]
    wrong += [(Trouble.PACK, each.pack) for each in doubts]
    day = changes.get("day", state.day)
    if day is not None and day.doubt is not None:
        wrong.append((Trouble.DAY, day.doubt.value))
    if day is not None and day.overdue:
        wrong.append((Trouble.DAY, OVERDUE))
    return dict.fromkeys(wrong)


def _changed(state: State, number: int, change: Callable[[Alarm], Alarm]) -> tuple[Alarm, ...]:
    if all(each.number != number for each in state.alarms):
        raise Impossible(f"there is no alarm {number}")
    return tuple(change(each) if each.number == number else each for each in state.alarms)


def _escalated(state: State, fact: f.AlarmEscalated, now_ms: int) -> tuple[Alarm, ...]:
    def further(alarm: Alarm) -> Alarm:
        if alarm.due_ms is None or fact.level is not alarm.next_level:
            raise Impossible(f"alarm {fact.alarm} does not go from {alarm.level} to {fact.level}")
        return alarm.further(state.run.alarm_times)

    return _changed(state, fact.alarm, further)


def _acknowledged(state: State, fact: f.AlarmAcknowledged, now_ms: int) -> tuple[Alarm, ...]:
    def after(alarm: Alarm) -> Alarm:
        if alarm.number not in fact.alarms:
            return alarm
        if fact.floor:
            return alarm.acknowledged_by(fact.by, now_ms, state.run.alarm_times)
        return alarm.heard_by(fact.by)

    return tuple(map(after, state.alarms))


def _answered(state: State, fact: f.AlarmAnswered, now_ms: int) -> tuple[Alarm, ...]:
    return _changed(state, fact.alarm, lambda each: each.worked_on(now_ms, state.run.alarm_times))


_STEPS: Final[dict[type[f.Fact], Callable[[State, Any, int], tuple[Alarm, ...]]]] = {
    f.AlarmEscalated: _escalated,
    f.AlarmAcknowledged: _acknowledged,
    f.AlarmAnswered: _answered,
}
