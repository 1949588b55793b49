"""What alarms show and sound: the light, the sound, and the words for the display and the pit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.devices.displays import AlarmView, Key
from controller.devices.scene import Light, Sound
from controller.rules.messages import Message, message
from controller.table.alarms import ODDS, Alarm, Level, Trouble
from controller.table.evolve.alarm_lifecycle import live
from controller.table.gaming_day import ClockDoubt
from controller.table.irregularities.holds import Reason
from controller.table.queries.device_failures import plain_name
from controller.table.queries.prompt import DEALER, FLOOR, PIT_BOSS
from controller.table.queries.prompts import who_clears
from controller.table.roles import NOBODY_NAMED, Needs, PersonId, called
from controller.table.state.state import State
from controller.table.views.english import say, show

#: Who is called at each level.
CALLED: Final = {
    Level.RAISED: DEALER, Level.DEALER: DEALER, Level.FLOOR: FLOOR, Level.PIT: PIT_BOSS,
}  # fmt: skip
_SOUNDS: Final = {
    Level.DEALER: Sound.REMIND, Level.FLOOR: Sound.CALL, Level.PIT: Sound.ALARM,
}  # fmt: skip


def at_the_table(state: State) -> tuple[Alarm, ...]:
    """The alarms that the table itself may know of: an early warning is the pit's alone."""
    return tuple(each for each in live(state) if not each.for_pit_alone)


def sound(state: State) -> Sound:
    """What the buzzer does: the loudest alarm that nobody heard, else a hold, else a refusal."""
    unheard = [each for each in at_the_table(state) if not each.heard]
    level = max((each.level for each in unheard), default=Level.RAISED)
    if level in _SOUNDS and state.run.alarm_times.sound:
        return _SOUNDS[level]
    if any(each.trouble is Trouble.HOLD for each in unheard):
        return Sound.HELD
    return Sound.REFUSED if state.commands.refusal else Sound.QUIET


def held_light(state: State) -> Light:
    """What the spots of a held table say: whether somebody was called and has not come."""
    calls = any(
        each.trouble is Trouble.HOLD and each.level >= Level.FLOOR and not each.heard
        for each in state.alarms
    )
    return Light.CALLING if calls else Light.HELD


def who_acts(state: State, alarm: Alarm) -> Message:
    """Who must act on an alarm: whom it calls, or who alone may settle it."""
    hold = state.hold(int(alarm.about)) if alarm.trouble is Trouble.HOLD else None
    if (alarm.for_pit_alone or alarm.trouble is Trouble.DAY) and alarm.level < Level.FLOOR:
        return CALLED[Level.FLOOR]
    if hold is not None and alarm.level < Level.FLOOR:
        return CALLED[Level.FLOOR] if hold.reason is Reason.FLOOR else who_clears(state, hold)
    return CALLED[alarm.level]


def display_alarm(state: State, names: Mapping[PersonId, str] = NOBODY_NAMED) -> AlarmView | None:
    """The gravest alarm that calls somebody, as the dealer display shows it."""
    calling = [each for each in at_the_table(state) if each.level > Level.RAISED]
    if not calling:
        return None
    upto = max(each.number for each in at_the_table(state))
    gravest = min(
        calling, key=lambda each: (each.acknowledged, each.heard, -each.level, each.number)
    )
    return _view(state, gravest, _display_key(state, gravest, upto), names)


def pit_alarms(state: State, names: Mapping[PersonId, str] = NOBODY_NAMED) -> tuple[AlarmView, ...]:
    """Every alarm as the pit sees it, the gravest first."""
    found = sorted(live(state), key=lambda each: (each.acknowledged, -each.level, each.number))
    upto = max((each.number for each in found), default=0)
    return tuple(_view(state, each, _pit_key(state, each, upto), names) for each in found)


def _view(state: State, alarm: Alarm, key: Key | None, names: Mapping[PersonId, str]) -> AlarmView:
    return AlarmView(
        alarm.number, alarm.trouble.value, alarm.about, int(alarm.level),
        show(who_acts(state, alarm)), say(_title(state, alarm)), say(_text(state, alarm, names)),
        alarm.since_ms, alarm.heard, alarm.acknowledged, key,
    )  # fmt: skip


def _title(state: State, alarm: Alarm) -> Message:
    if alarm.trouble is Trouble.HOLD:
        hold = state.hold(int(alarm.about))
        assert hold is not None, "an alarm ends with its hold"
        return state.procedures.rows[hold.reason].title
    if alarm.trouble is Trouble.DEVICE and alarm.about == ODDS:
        return message("results-are-off")
    if alarm.trouble is Trouble.DEVICE:
        return message("device-is-down", device=plain_name(alarm.about))
    if alarm.trouble is Trouble.DAY:
        return _day_title(alarm.about, state.day.label if state.day else "")
    return message("pack-may-not-be-whole", pack=pack_message(alarm.about))


def _day_title(about: str, day: str) -> Message:
    """What keeps a gaming day open, or that it is overdue."""
    if about == ClockDoubt.BEHIND.value:
        return message("day-clock-is-behind", day=day)
    if about == ClockDoubt.NOT_SYNCHRONISED.value:
        return message("day-clock-is-not-synchronised", day=day)
    if about == ClockDoubt.JUMPED.value:
        return message("day-clock-jumped", day=day)
    return message("day-is-overdue", day=day)


def _text(state: State, alarm: Alarm, names: Mapping[PersonId, str]) -> Message:
    if alarm.acknowledged:
        if alarm.by:
            return message(
                "alarm-acknowledged-by", people=tuple(called(each.id, names) for each in alarm.by)
            )
        return message("alarm-acknowledged")
    if alarm.level is Level.RAISED:
        return message("alarm-just-raised")
    if alarm.level is Level.DEALER and alarm.heard:
        return message("alarm-heard-by-dealer")
    who = who_acts(state, alarm)
    if alarm.heard:
        return message("alarm-is-worked-on", who=who)
    return message("alarm-is-unanswered", who=who)


def pack_message(label: str) -> Message:
    """A pack by its label, or the only one."""
    return message("pack-by-label", label=label) if label else message("pack-without-label")


def _display_key(state: State, alarm: Alarm, upto: int) -> Key | None:
    """What makes it quiet at the table: the dealer at first, later the floor by name and PIN."""
    floor = alarm.level >= Level.FLOOR
    if alarm.acknowledged or (alarm.heard and not floor):
        return None
    who = Needs.FLOOR.value if floor and state.setup.roles else ""
    label = message("key-acknowledge") if floor else message("key-quiet")
    return Key(say(label), {"do": "acknowledge", "upto": upto}, "q", who=who)


def _pit_key(state: State, alarm: Alarm, upto: int) -> Key | None:
    if alarm.acknowledged:
        return None
    who = Needs.FLOOR.value if state.setup.roles else ""
    return Key(
        say(message("key-acknowledge")), {"do": "acknowledge", "upto": upto, "pit": True}, who=who
    )
