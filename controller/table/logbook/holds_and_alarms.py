"""What the facts of trouble say: holds, entries by hand, alarms, refusals, devices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.rules.messages import Amount, Message, Seat, message
from controller.table import facts as f
from controller.table.alarms import ODDS, Alarm, Level, Trouble
from controller.table.irregularities.holds import (
    RESOLUTION_LABELS,
    Reason,
    Resolution,
    resolution_text,
)
from controller.table.logbook.play import Say
from controller.table.recorded.log_entry import LogEntry, Mark
from controller.table.state.state import State

#: Holds for a card of which a reader was not sure, or that cannot be.
_READER_DOUBTS: Final = frozenset(
    {
        Reason.UNREADABLE, Reason.BURN_UNREAD, Reason.HIDDEN_UNREAD, Reason.IMPOSSIBLE,
        Reason.FOREIGN, Reason.TWIN, Reason.MISREAD,
    }
)  # fmt: skip
#: Resolutions by which people say what lies there.
_ENTRIES: Final = frozenset({Resolution.ENTER_CARD, Resolution.FACE_DOWN})


def _hold_raised(state: State, record: f.Record, fact: f.HoldRaised) -> LogEntry:
    title = state.procedures.rows[fact.reason].title
    picture = fact.evidence if fact.open else ""
    marks = [Mark.HOLD]
    if fact.reason in _READER_DOUBTS:
        marks.append(Mark.DOUBT)
    if picture:
        marks.append(Mark.PICTURE)
    said = message("log-held", hold=title, what=fact.message)
    return LogEntry(
        record.seq, record.at_ms, said, tuple(marks), fact.round, fact.number, picture=picture
    )


def _hold_released(state: State, record: f.Record, fact: f.HoldReleased) -> LogEntry:
    hold = state.hold(fact.number)
    if hold is None:
        resolution = RESOLUTION_LABELS[fact.resolution].text
        said = message("log-released-unknown", number=fact.number, resolution=resolution)
        return LogEntry(record.seq, record.at_ms, said, (Mark.HOLD,), hold=fact.number)
    title = state.procedures.rows[hold.reason].title
    resolution = resolution_text(hold.reason, fact.resolution)
    marks = [Mark.HOLD]
    if fact.by:
        marks.append(Mark.PERSON)
    if fact.resolution in _ENTRIES:
        marks.append(Mark.ENTRY)
    said = message("replay-released", hold=title, resolution=resolution)
    return LogEntry(
        record.seq, record.at_ms, said, tuple(marks), hold.round, fact.number, fact.by,
        fact.reason, record.at_ms - hold.since_ms,
    )  # fmt: skip


def _card_named(state: State, record: f.Record, fact: f.CardNamed) -> LogEntry:
    said = message("log-card-named")
    hold = state.hold(fact.hold)
    about = hold.round if hold else 0
    return LogEntry(record.seq, record.at_ms, said, (Mark.ENTRY,), about, fact.hold)


def _card_left_unread(state: State, record: f.Record, fact: f.CardLeftUnread) -> LogEntry:
    said = message("log-card-left-unread", device=fact.source)
    return LogEntry(record.seq, record.at_ms, said, (Mark.DOUBT,))


def _felt_counted(state: State, record: f.Record, fact: f.FeltCounted) -> LogEntry:
    said = message("log-felt-counted", cards=fact.cards, shown=fact.shown)
    return LogEntry(record.seq, record.at_ms, said, (Mark.HOLD,), hold=fact.hold)


def _label(state: State, fact: f.ResolutionChosen | f.ResolutionUndone) -> Message:
    """What the button said; where the hold is settled already, what it mostly says."""
    hold = state.hold(fact.number)
    label = RESOLUTION_LABELS[fact.resolution].text
    return label if hold is None else resolution_text(hold.reason, fact.resolution)


def _resolution_chosen(state: State, record: f.Record, fact: f.ResolutionChosen) -> LogEntry:
    resolution = _label(state, fact)
    said = message("log-resolution-chosen", resolution=resolution)
    marks = (Mark.HOLD, Mark.PERSON) if fact.by else (Mark.HOLD,)
    return LogEntry(
        record.seq, record.at_ms, said, marks, hold=fact.number, by=fact.by, reason=fact.reason
    )


def _resolution_undone(state: State, record: f.Record, fact: f.ResolutionUndone) -> LogEntry:
    resolution = _label(state, fact)
    said = message("log-resolution-undone", resolution=resolution)
    marks = (Mark.HOLD, Mark.PERSON) if fact.by else (Mark.HOLD,)
    return LogEntry(
        record.seq, record.at_ms, said, marks, hold=fact.number, by=fact.by, reason=fact.reason
    )


def _alarm_escalated(state: State, record: f.Record, fact: f.AlarmEscalated) -> LogEntry:
    alarm = _alarm(state, fact.alarm)
    what = _about(state, alarm)
    if fact.level is Level.DEALER:
        said = message("log-dealer-called", what=what)
    elif fact.level is Level.FLOOR:
        said = message("log-floor-called", what=what)
    else:
        said = message("log-pit-called", what=what)
    return _of_alarm(record, alarm, said)


def _alarm_acknowledged(state: State, record: f.Record, fact: f.AlarmAcknowledged) -> LogEntry:
    alarms = [each for each in state.alarms if each.number in fact.alarms]
    what = tuple(_about(state, each) for each in alarms)
    if fact.floor:
        said = message("log-alarms-acknowledged", what=what)
    else:
        said = message("log-alarms-quiet", what=what)
    first = alarms[0] if alarms else None
    entry = _of_alarm(record, first, said)
    marks = (Mark.ALARM, Mark.PERSON) if fact.by else (Mark.ALARM,)
    took = record.at_ms - first.since_ms if first else None
    return entry._replace(marks=marks, by=fact.by, took_ms=took)


def _alarm_answered(state: State, record: f.Record, fact: f.AlarmAnswered) -> LogEntry:
    alarm = _alarm(state, fact.alarm)
    said = message("log-alarm-worked-on", what=_about(state, alarm))
    return _of_alarm(record, alarm, said)


def _alarm(state: State, number: int) -> Alarm | None:
    return next((each for each in state.alarms if each.number == number), None)


def _of_alarm(record: f.Record, alarm: Alarm | None, said: Message) -> LogEntry:
    hold = int(alarm.about) if alarm and alarm.trouble is Trouble.HOLD else 0
    return LogEntry(record.seq, record.at_ms, said, (Mark.ALARM,), hold=hold)


def _about(state: State, alarm: Alarm | None) -> Message:
    """What an alarm is about."""
    if alarm is None:
        return message("log-about-unknown")
    if alarm.trouble is Trouble.DEVICE and alarm.about == ODDS:
        return message("results-are-off")
    if alarm.trouble is Trouble.DEVICE:
        return message("device-is-down", device=alarm.about)
    if alarm.trouble is Trouble.PACK:
        return message("log-about-pack")
    if alarm.trouble is Trouble.DAY:
        return message("log-about-day")
    hold = state.hold(int(alarm.about))
    return state.procedures.rows[hold.reason].title if hold else message("log-about-unknown")


#: What was asked, by the name of the input on record (`decide`).
_ASKED: Final[Mapping[str, Message]] = {
    "place_wager": message("log-asked-place-wager"),
    "remove_wager": message("log-asked-remove-wager"),
    "repeat_wagers": message("log-asked-repeat-wagers"),
    "open_bets": message("log-asked-open-bets"),
    "take_seat": message("log-asked-take-seat"),
    "leave_seat": message("log-asked-leave-seat"),
    "mark_away": message("log-asked-mark-away"),
    "clap": message("log-asked-clap"),
    "close_bets": message("log-asked-close-bets"),
    "decide": message("log-asked-decide"),
    "confirm_wager": message("log-asked-confirm-wager"),
    "decline_wager": message("log-asked-decline-wager"),
    "turn": message("log-asked-turn"),
    "peek": message("log-asked-peek"),
    "settle": message("log-asked-settle"),
    "load_pack": message("log-asked-load-pack"),
    "scan_pack": message("log-asked-scan-pack"),
    "cut": message("log-asked-cut"),
    "scan_rest": message("log-asked-scan-rest"),
    "close_shoe": message("log-asked-close-shoe"),
    "change_dealer": message("log-asked-change-dealer"),
    "close_day": message("log-asked-close-day"),
    "call_floor": message("log-asked-call-floor"),
    "happened": message("log-asked-happened"),
    "deal_kept": message("log-asked-deal-kept"),
    "resolve": message("log-asked-resolve"),
    "undo": message("log-asked-undo"),
    "acknowledge": message("log-asked-acknowledge"),
    "correct": message("log-asked-correct"),
    "read_note": message("log-asked-read-note"),
    "close_table": message("log-asked-close-table"),
    "open_table": message("log-asked-open-table"),
    "set_options": message("log-asked-set-options"),
    "send_note": message("log-asked-send-note"),
    "ask_fill": message("log-asked-fill"),
    "silence_alarms": message("log-asked-silence"),
    "open_rack": message("log-asked-open-rack"),
    "close_rack": message("log-asked-close-rack"),
    "sign_slip": message("log-asked-sign-slip"),
    "buy_in": message("log-asked-buy-in"),
    "change_box": message("log-asked-change-box"),
    "count_box": message("log-asked-count-box"),
    "void_slip": message("log-asked-void-slip"),
    "Reload": message("log-asked-reload"),
    "RemoveDays": message("log-asked-remove-days"),
    "press": message("log-asked-press"),
    "press:next": message("log-asked-next"),
    "press:stand": message("log-asked-stand"),
    "press:hit": message("log-asked-hit"),
    "press:repeat": message("log-asked-repeat"),
    "press:call": message("log-asked-call"),
}


def asked(name: str) -> Message:
    """What was asked, in words; a build that is newer may ask for more."""
    kind, _, source = name.partition(":")
    if kind == "pit":
        return message("log-asked-by-pit", what=asked(source))
    if kind == "reading":
        return message("log-asked-reading", device=source)
    if kind == "spot":
        return message("log-asked-spot", device=source)
    return _ASKED.get(name) or message("log-asked-other", name=name)


def _refused(state: State, record: f.Record, fact: f.Refused) -> LogEntry:
    said = message("log-refused", what=asked(fact.what), why=fact.why)
    return LogEntry(record.seq, record.at_ms, said, (Mark.REFUSAL,))


def _device_down(state: State, record: f.Record, fact: f.DeviceDown) -> LogEntry:
    said = message("log-device-down", device=fact.device, why=fact.why)
    return LogEntry(record.seq, record.at_ms, said, (Mark.DEVICE,))


def _device_up(state: State, record: f.Record, fact: f.DeviceUp) -> LogEntry:
    said = message("log-device-up", device=fact.device)
    down = (
        each.since_ms
        for each in state.alarms
        if each.trouble is Trouble.DEVICE and each.about == fact.device
    )
    since = next(down, None)
    took = None if since is None else record.at_ms - since
    return LogEntry(record.seq, record.at_ms, said, (Mark.DEVICE,), took_ms=took)


def _chips_changed(state: State, record: f.Record, fact: f.ChipsChanged) -> LogEntry:
    who, chips = Seat(fact.seat), fact.chips
    if not chips.present:
        said = message("log-no-chips", who=who)
    elif chips.amount is not None:
        said = message("log-chips-worth", who=who, chips=Amount(chips.amount))
    elif chips.tags:
        said = message("log-chips-tagged", who=who, tags=chips.tags)
    else:
        said = message("log-chips", who=who)
    return LogEntry(record.seq, record.at_ms, said, (Mark.DEVICE,))


def _wrong_pins(state: State, record: f.Record, fact: f.WrongPins) -> LogEntry:
    person = message("log-pin-person", person=fact.person)
    if not fact.person:
        person = message("log-pin-unknown")
    if fact.locked_s:
        said = message("log-pin-locked", person=person, wrong=fact.wrong, seconds=fact.locked_s)
    else:
        said = message("log-pin-wrong", person=person, wrong=fact.wrong)
    return LogEntry(record.seq, record.at_ms, said, (Mark.PERSON,))


#: What each fact of trouble says.
HOLDS_AND_ALARMS: Final[Mapping[type[f.Fact], Say]] = {
    f.HoldRaised: _hold_raised,
    f.HoldReleased: _hold_released,
    f.CardNamed: _card_named,
    f.CardLeftUnread: _card_left_unread,
    f.FeltCounted: _felt_counted,
    f.ResolutionChosen: _resolution_chosen,
    f.ResolutionUndone: _resolution_undone,
    f.AlarmEscalated: _alarm_escalated,
    f.AlarmAcknowledged: _alarm_acknowledged,
    f.AlarmAnswered: _alarm_answered,
    f.Refused: _refused,
    f.DeviceDown: _device_down,
    f.WrongPins: _wrong_pins,
    f.DeviceUp: _device_up,
    f.ChipsChanged: _chips_changed,
}
