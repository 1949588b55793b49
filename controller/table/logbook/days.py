"""What the facts of the service and the gaming day say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.rules.messages import Message, message
from controller.table import facts as f
from controller.table.gaming_day import CarryOver, ClockDoubt
from controller.table.logbook.play import Say
from controller.table.recorded.log_entry import LogEntry, Mark
from controller.table.shoe.shoe import Shoe
from controller.table.state.parts import Counts
from controller.table.state.state import State


def _table_opened(state: State, record: f.Record, fact: f.TableOpened) -> LogEntry:
    setup, before = fact.setup, state.setup.table
    said = message("log-table-opened", table=setup.table, game=setup.game, seats=setup.seats)
    if before != setup.table:
        # A table was renamed, or goes on with a record that is another one's: auditors ask which.
        said = message("log-table-renamed", opened=said, before=before)
    return LogEntry(record.seq, record.at_ms, said)


def _service_started(state: State, record: f.Record, fact: f.ServiceStarted) -> LogEntry:
    said = message("log-service-started", build=fact.software)
    return LogEntry(record.seq, record.at_ms, said, (Mark.RESTART,))


def _alarm_times_set(state: State, record: f.Record, fact: f.AlarmTimesSet) -> LogEntry:
    return LogEntry(record.seq, record.at_ms, message("log-alarm-times"))


def _day_opened(state: State, record: f.Record, fact: f.DayOpened) -> LogEntry:
    said = message("log-day-opened", day=fact.label)
    if fact.carried is not None:
        said = message("log-day-taken-over", said=said, parts=_taken_over(fact.carried))
    return LogEntry(record.seq, record.at_ms, said)


def _taken_over(carried: CarryOver) -> tuple[Message, ...]:
    """What the day takes over, as far as people have to go on with it."""
    shoe: Shoe = carried.fields["shoe"]
    counts: Counts = carried.fields["counts"]
    parts = [message("log-over-rounds", rounds=counts.rounds)]
    if shoe.number:
        parts.append(message("log-over-shoe", shoe=shoe.number, out=shoe.gone, left=shoe.left))
    if wagers := len(carried.fields["betting"].wagers):
        parts.append(message("log-over-bets", bets=wagers))
    if kept_cards := len(carried.fields["kept_cards"]):
        parts.append(message("log-over-kept", cards=kept_cards))
    if holds := len(carried.fields["holds"]):
        parts.append(message("log-over-holds", holds=holds))
    if alarms := len(carried.fields["alarms"]):
        parts.append(message("log-over-alarms", alarms=alarms))
    return tuple(parts)


def _day_closed(state: State, record: f.Record, fact: f.DayClosed) -> LogEntry:
    said = message("log-day-closed", day=fact.label)
    marks = (Mark.PERSON,) if fact.by else ()
    return LogEntry(record.seq, record.at_ms, said, marks, by=fact.by)


def _day_rescheduled(state: State, record: f.Record, fact: f.DayRescheduled) -> LogEntry:
    said = message("log-day-rescheduled", day=fact.label)
    return LogEntry(record.seq, record.at_ms, said)


def _clock_doubted(state: State, record: f.Record, fact: f.ClockDoubted) -> LogEntry:
    if fact.doubt is ClockDoubt.BEHIND:
        said = message("day-clock-is-behind", day=fact.label)
    elif fact.doubt is ClockDoubt.NOT_SYNCHRONISED:
        said = message("day-clock-is-not-synchronised", day=fact.label)
    else:
        said = message("day-clock-jumped", day=fact.label)
    return LogEntry(record.seq, record.at_ms, said, (Mark.ALARM,))


def _day_overdue(state: State, record: f.Record, fact: f.DayOverdue) -> LogEntry:
    said = message("day-is-overdue", day=fact.label)
    return LogEntry(record.seq, record.at_ms, said, (Mark.ALARM,))


def _day_removed(state: State, record: f.Record, fact: f.DayRemoved) -> LogEntry:
    said = message("log-day-removed", day=fact.label)
    if fact.archived:
        said = message("log-day-moved-to-archive", day=fact.label)
    return LogEntry(record.seq, record.at_ms, said)


#: What each fact of the service and the gaming day says.
DAYS: Final[Mapping[type[f.Fact], Say]] = {
    f.TableOpened: _table_opened,
    f.ServiceStarted: _service_started,
    f.AlarmTimesSet: _alarm_times_set,
    f.DayOpened: _day_opened,
    f.DayClosed: _day_closed,
    f.DayRescheduled: _day_rescheduled,
    f.ClockDoubted: _clock_doubted,
    f.DayOverdue: _day_overdue,
    f.DayRemoved: _day_removed,
}
