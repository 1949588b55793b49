"""What is wrong now, out of what the pit has heard and keeps: one cause, one alert. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from controller.pit.alerts.settings import AlertKind, AlertSettings
from controller.pit.alerts.sight import Sight
from controller.pit.archive.findings.finding_rows import FindingRow
from controller.pit.archive.findings.findings import FindingKind
from controller.pit.wall.status import OpenAlarm
from controller.pit.wall.tile import Heard
from controller.rules.money import amount_text

_MS: Final = 1_000
_DAY_MS: Final = 86_400_000
#: What tables say themselves.
_SPOKEN: Final = frozenset({
    AlertKind.HELD, AlertKind.ALARM, AlertKind.OFFLINE, AlertKind.CLOCK,
})  # fmt: skip
#: The rules of a table's alarms by what they are of, or about; the others have `ALARM`. A hold has
#: a rule of its own, and packs and wins are known from the books, too.
_RULES: Final = {"hold": AlertKind.HELD, "pack": AlertKind.PACK, "odds": AlertKind.WIN}
#: Names of tables that a text lists.
_NAMED: Final = 6
#: In place of a table: several of them.
SEVERAL: Final = "*"


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that somebody must act on; `key` tells it from all others that there are.

    `table` is empty where it is of the pit. `count`: tables, or tries. Times are the pit's, in ms.
    `is_begin`: it began at `since_ms`; else it may have begun before.
    """

    key: str
    kind: AlertKind
    table: str
    text: str
    since_ms: int
    count: int = 1
    is_begin: bool = True


def may_go_on(sight: Sight, settings: AlertSettings, kind: AlertKind, table: str) -> bool:
    """Whether a trouble may go on although it is not seen: the table had no time to speak yet."""
    if kind not in _SPOKEN:
        return False
    up_ms, heard = sight.up_since_ms, sight.heard.get(table)
    if up_ms is None:
        return kind is not AlertKind.OFFLINE
    quiet_ms = max(settings.offline_s, sight.silent_s) * _MS
    return sight.now_ms - up_ms <= quiet_ms and (heard is None or heard.at_ms < up_ms)


def causes(sight: Sight, settings: AlertSettings, known: Collection[str] = ()) -> tuple[Cause, ...]:
    """What is wrong, gathered where many tables have one trouble; `known`: keys that are open."""
    sight = sight.in_service()
    found = [*_of_the_pit(sight, settings), *_untaken(sight), *_tokens(sight, settings)]
    found += _held(sight, settings)
    found += _books(sight, settings)
    found += _fills(sight) if settings.fill else ()
    found += _warned(sight, settings, {each.key for each in found})
    found += _gathered(AlertKind.ALARM, "have an alarm", _alarms(sight, settings), settings, known)
    found += _gathered(AlertKind.OFFLINE, "are offline", _offline(sight, settings), settings, known)
    found += _gathered(
        AlertKind.CLOCK, "have a wrong clock", _clocks(sight, settings), settings, known
    )
    for kind in settings.findings:
        each = _found(sight, kind)
        about = f"have a record with a finding ({_words(kind)})"
        found += _gathered(AlertKind.RECORD, about, each, settings, known, f":{kind.value}")
    return tuple(found)


def _of_the_pit(sight: Sight, settings: AlertSettings) -> Iterator[Cause]:
    down_ms = sight.now_ms - sight.down_since_ms
    if settings.bus_s and sight.up_since_ms is None and down_ms >= settings.bus_s * _MS:
        text = f"The pit does not reach the bus ({sight.down_why}): look at the broker"
        yield Cause("bus", AlertKind.BUS, "", text, sight.down_since_ms)
    still = sight.standstill
    # Without a bus nothing can be archived: that is one cause.
    watches = settings.archive_s and sight.up_since_ms is not None
    if watches and still and sight.now_ms - still.since_ms >= settings.archive_s * _MS:
        text = f"No record is archived ({still.why})"
        yield Cause("archive", AlertKind.ARCHIVE, "", text, still.since_ms)
    free = sight.disk_free
    if settings.disk_gb and free is not None and free < settings.disk_gb * 1e9:
        text = f"The pit's disk has {free / 1e9:.1f} GB free, less than {settings.disk_gb:g}"
        yield Cause("disk", AlertKind.DISK, "", text, sight.now_ms)
    if settings.sign_in_tries and sight.wrong_tries >= settings.sign_in_tries:
        text = f"{sight.wrong_tries} wrong tries to sign in within a day: look at the audit"
        yield Cause("sign_in", AlertKind.SIGN_IN, "", text, sight.now_ms, sight.wrong_tries)
    for who, count in sorted(sight.refused.items()) if settings.refusals else ():
        if count >= settings.refusals:
            text = f"{who} asks for what another role may do, again and again: look at the audit"
            yield Cause(f"refused:{who}", AlertKind.REFUSED, "", text, sight.now_ms, count)


def receiver_key(receiver: str) -> str:
    """The key of the cause that a receiver takes nothing."""
    return f"receiver:{receiver}"


def _untaken(sight: Sight) -> Iterator[Cause]:
    for each in sight.untaken:
        what = "a message" if each.count == 1 else f"{each.count} messages"
        text = f"{each.receiver} never took {what} about alerts ({each.answer}): look at Alerts"
        key = receiver_key(each.receiver)
        yield Cause(key, AlertKind.RECEIVER, "", text, each.since_ms, each.count)


def _tokens(sight: Sight, settings: AlertSettings) -> Iterator[Cause]:
    """Tokens of machines that end soon, or have ended: nobody would know until figures stop."""
    warn_ms = int(settings.token_days * _DAY_MS)
    for each in sight.tokens if warn_ms else ():
        since_ms = each.ends_ms - warn_ms
        if sight.now_ms < since_ms:
            continue
        days = (each.ends_ms - sight.now_ms) // _DAY_MS
        when = f"ends in {days} days" if days > 1 else f"ends {'in' if days else 'within'} a day"
        if sight.now_ms >= each.ends_ms:
            when = "has ended"
        text = f"The token of {each.name} {when}: make another on Users"
        yield Cause(f"token:{each.user}", AlertKind.TOKEN, "", text, since_ms)


def _held(sight: Sight, settings: AlertSettings) -> Iterator[Cause]:
    for table, heard in sight.heard.items() if settings.held_s else ():
        if not heard.status.holds:
            continue
        oldest = min(heard.status.holds, key=lambda hold: hold.since_ms)
        since_ms = oldest.since_ms - heard.clock_ms
        if sight.now_ms - since_ms >= settings.held_s * _MS:
            key = f"held:{table}"
            count = len(heard.status.holds)
            yield Cause(key, AlertKind.HELD, table, oldest.title, since_ms, count)


def _alarms(sight: Sight, settings: AlertSettings) -> Iterator[tuple[Cause, bool]]:
    """What a table itself calls for: a device, its disk, a camera that drifted, its day."""
    for table, heard in sorted(sight.heard.items()) if settings.alarm_s else ():
        key = f"alarm:{table}"
        if heard.stopped and heard.stopped_ms is not None:
            text = "The table has stopped: it can keep no record"
            yield Cause(key, AlertKind.ALARM, table, text, heard.stopped_ms), True
        elif calling := _unseen(heard, AlertKind.ALARM):
            oldest = calling[0]
            since_ms = oldest.since_ms - heard.clock_ms
            cause = Cause(key, AlertKind.ALARM, table, oldest.title, since_ms, len(calling))
            yield cause, sight.now_ms - since_ms >= settings.alarm_s * _MS


def _unseen(heard: Heard, kind: AlertKind) -> list[OpenAlarm]:
    """The alarms of a table with that rule which nobody there has acknowledged, oldest first."""
    found = [
        each for each in heard.status.alarms
        if not each.acknowledged and _rule(each) is kind
    ]  # fmt: skip
    return sorted(found, key=lambda alarm: alarm.since_ms)


def _rule(alarm: OpenAlarm) -> AlertKind:
    return _RULES.get(alarm.trouble) or _RULES.get(alarm.about, AlertKind.ALARM)


def _warned(sight: Sight, settings: AlertSettings, known: Collection[str]) -> Iterator[Cause]:
    """Packs and wins of which a table warns before the books do: one alert, whoever says it."""
    wanted = {AlertKind.PACK: settings.pack, AlertKind.WIN: settings.win_hours > 0}
    for table, heard in sight.heard.items():
        for kind in (kind for kind, is_on in wanted.items() if is_on):
            key = f"{kind.value}:{table}"
            for alarm in _unseen(heard, kind)[:1] if key not in known else ():
                yield Cause(key, kind, table, alarm.title, alarm.since_ms - heard.clock_ms)


def _books(sight: Sight, settings: AlertSettings) -> Iterator[Cause]:
    for each in sight.packs if settings.pack else ():
        cards = "a card" if each.missing == 1 else f"{each.missing} cards"
        text = f"A shoe did not add up, {cards} missing: count the pack"
        if not each.missing:
            text = "A shoe did not add up: count the pack"
        yield Cause(f"pack:{each.table}", AlertKind.PACK, each.table, text, each.at_ms)
    for won in sight.wins if settings.win_hours else ():
        text = "What the table wins is out of its interval: look at the reports"
        yield Cause(f"win:{won.table}", AlertKind.WIN, won.table, text, won.at_ms, won.times)


def _fills(sight: Sight) -> Iterator[Cause]:
    for each in sight.fills:
        text = f"A fill of {amount_text(each.amount)} is waited for: it comes with its slip"
        yield Cause(f"fill:{each.table}:{each.seq}", AlertKind.FILL, each.table, text, each.at_ms)


def _offline(sight: Sight, settings: AlertSettings) -> Iterator[tuple[Cause, bool]]:
    """Tables that are silent, and whether for long enough; those that were closed may be."""
    if not settings.offline_s or sight.up_since_ms is None:
        return
    for table, unread in sorted(sight.unread.items()):
        cause = Cause(f"offline:{table}", AlertKind.OFFLINE, table, unread.text, unread.since_ms)
        yield cause, sight.now_ms - unread.since_ms >= settings.offline_s * _MS
    for table in sorted((sight.heard.keys() | sight.expected) - sight.unread.keys()):
        heard = sight.heard.get(table)
        if heard is not None and heard.status.closed:
            continue
        last_ms = sight.up_since_ms if heard is None else heard.at_ms
        silent_ms = sight.now_ms - max(last_ms, sight.up_since_ms)
        if silent_ms > sight.silent_s * _MS:
            text = "The table is offline: look at it, and at its line"
            # Of one that this pit has not heard since its start the silence may be older.
            cause = Cause(
                f"offline:{table}", AlertKind.OFFLINE, table, text, last_ms,
                is_begin=heard is not None,
            )  # fmt: skip
            yield cause, silent_ms >= settings.offline_s * _MS


def _clocks(sight: Sight, settings: AlertSettings) -> Iterator[tuple[Cause, bool]]:
    for table, heard in sorted(sight.heard.items()) if settings.clock_s else ():
        off_s = heard.clock_ms / _MS
        # Which of the two clocks is wrong, what the table says next tells.
        if abs(off_s) >= settings.clock_s and not heard.before_set:
            text = (
                f"The table's clock is {abs(off_s):.0f} s {'fast' if off_s > 0 else 'slow'}: set it"
            )
            yield Cause(f"clock:{table}", AlertKind.CLOCK, table, text, heard.at_ms), True


def _found(sight: Sight, kind: FindingKind) -> Iterator[tuple[Cause, bool]]:
    by_table: dict[str, list[FindingRow]] = {}
    for row in sight.findings:
        if row.kind == kind.value:
            by_table.setdefault(row.table, []).append(row)
    for table, rows in sorted(by_table.items()):
        count = sum(row.count for row in rows)
        text = f"{_words(kind).capitalize()} in the record: {rows[0].text}"
        since_ms = min(row.since_ms for row in rows)
        key = f"record:{table}:{kind.value}"
        yield Cause(key, AlertKind.RECORD, table, text, since_ms, count), True


def _gathered(
    kind: AlertKind, what: str, each: Iterable[tuple[Cause, bool]], settings: AlertSettings,
    known: Collection[str], more: str = "",
) -> list[Cause]:  # fmt: skip
    """One cause for many tables with one trouble; it is one until none of them has it."""
    all_ = list(each)
    key = f"{kind.value}:{SEVERAL}{more}"
    alone = [(cause, due) for cause, due in all_ if cause.key in known]
    rest = [(cause, due) for cause, due in all_ if cause.key not in known]
    is_storm = bool(rest) and (key in known or len(rest) >= settings.storm)
    if not is_storm:
        return [cause for cause, due in all_ if due or cause.key in known]
    found = [cause for cause, _ in alone]
    if key in known or any(due for _, due in rest):
        tables = [cause.table for cause, _ in rest]
        names = ", ".join(tables[:_NAMED])
        names += f" and {len(tables) - _NAMED} more" if len(tables) > _NAMED else ""
        since_ms = min(cause.since_ms for cause, _ in rest)
        text = f"{len(tables)} tables {what}: {names}"
        is_begin = all(cause.is_begin for cause, _ in rest)
        found.append(Cause(key, kind, SEVERAL, text, since_ms, len(tables), is_begin))
    return found


def _words(kind: FindingKind) -> str:
    return kind.value.replace("_", " ")
