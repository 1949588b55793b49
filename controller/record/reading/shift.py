"""The sheet of a shift: the figures of a gaming day, or of hours of it, and where the record ends.

It is printed, signed and kept where the table's disk is not: the head on it proves later that the
record still contains what stood there then (`tablectl verify --head`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Final

from controller.record.files.database import JournalError
from controller.record.files.head_anchor import Head, Position, noted
from controller.record.files.span import Span
from controller.record.reading.history import LoggedRecord, logged_records
from controller.record.reading.report_text import wall_text
from controller.record.reading.rounds import RoundLine, round_line, rounds_of, zone_of
from controller.record.reading.shift_hours import WHOLE_DAY, Hours, Instants, instants_of
from controller.rules.frozen import frozen
from controller.rules.messages import Amount, Message, Value, message
from controller.table import facts as f
from controller.table.recorded.log_entry import Mark as LogMark
from controller.table.recorded.round import RecordedRound
from controller.table.roles import NOBODY_NAMED, PersonId
from controller.table.state.state import State
from controller.table.views.english import say, show
from controller.table.views.logbook import Badge


@frozen
class ShiftSheet:
    """What happened at a table in a gaming day, or in the hours of it that were asked for.

    Times are wall times in ms since the epoch, `zone` is the table's. `rounds` were begun in that
    time and are over, `void` of them are void; `players_net` is what the players won with the
    others, in minor units, as the rounds stood at the end of that time, `earlier_net` what they
    were paid in it (below zero: gave back) for earlier rounds that were corrected or voided.
    `found` is how many records have each mark, `wrong_pins` how many wrong PINs were entered,
    `lock_outs` how many names they locked. `people` gave their PINs. `closed`: nothing is added to
    the day any more. `head` is where the day ends by now. `lines` are all of it in words, each with
    its name.
    """

    table: str
    game: str
    currency: str
    day: str
    zone: str
    since_ms: int
    until_ms: int
    rounds: int
    void: int
    without_bets: int
    players_net: int
    earlier_net: int
    cards: int
    shoes: int
    found: tuple[Badge, ...]
    wrong_pins: int
    lock_outs: int
    people: tuple[str, ...]
    open_holds: int
    closed: bool
    head: str
    lines: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Tally:
    since_ms: int = 0
    until_ms: int = 0
    earlier_net: int = 0
    cards: int = 0
    shoes: int = 0
    wrong_pins: int = 0
    lock_outs: int = 0
    marks: Counter[str] = field(default_factory=Counter)
    people: dict[str, None] = field(default_factory=dict)

    def add(self, each: LoggedRecord, hours: Instants) -> None:
        fact = each.record.fact
        self.since_ms = self.since_ms or each.record.at_ms
        self.until_ms = each.record.at_ms
        self.cards += isinstance(fact, f.CardDealt | f.CardDealtDown)
        self.shoes += isinstance(fact, f.PackLoaded)
        if isinstance(fact, f.RoundCorrected | f.SettledRoundVoided):
            self.earlier_net += _paid_for_earlier(fact, each.state, hours)
        if isinstance(fact, f.WrongPins):
            self.wrong_pins += fact.wrong
            self.lock_outs += bool(fact.locked_s)
        self.marks.update(each.line.marks)
        self.people.update(dict.fromkeys(each.line.by))


def _past(state: State, number: int) -> RecordedRound | None:
    """The round of that number once it is over, void or not."""
    return next((each for each in state.rounds.past if each.number == number), None)


def _paid_for_earlier(
    fact: f.RoundCorrected | f.SettledRoundVoided, state: State, hours: Instants
) -> int:
    """What players are paid by a correction of a round that stands on an earlier sheet."""
    if state.in_play is not None and state.in_play.number == fact.number:
        return 0  # it is part of what that round comes to
    day = state.day.label if state.day else ""
    corrected = _past(state, fact.number)
    if fact.day in ("", day) and (corrected is None or corrected.started_ms in hours):
        return 0
    return sum(amount for _, amount in fact.owed)


def shift_sheet(
    folder: Path,
    day: str = "",
    hours: Hours = WHOLE_DAY,
    names: Mapping[PersonId, str] = NOBODY_NAMED,
) -> ShiftSheet:
    """The sheet of the gaming day labelled `day` (empty: the newest), or of some hours of it.

    A round belongs to the hours in which it began, and stands there as it did at their end, or at
    its own: what is corrected later is on the sheet of that time. What was played after the planned
    end of the day, before it was closed, belongs to its last shift.

    Raises `JournalError`, also for a damaged record: its figures are worth nothing.
    """
    label = day or Span(folder).days[-1].label
    instants = instants_of(folder, label, hours)
    tally = _Tally()
    last: LoggedRecord | None = None
    # One reading for all: a record that grows meanwhile has no round that is not under the head.
    reading = logged_records(Span(folder, label, label), names)

    def in_hours() -> Iterator[State]:
        nonlocal last
        for last in reading:
            if instants.are_over(last.record.at_ms):
                return
            if last.record.at_ms in instants:
                tally.add(last, instants)
            yield last.state

    lines = [each for each in rounds_of(in_hours()) if each.started_ms in instants]
    played = [each for each in lines if each.ended_ms]
    unfinished = next((each.number for each in lines if not each.ended_ms), 0)
    if last is None:
        raise JournalError(f"nothing is on record of {label} in {folder}: verify the record")
    for each in chain((last,), reading):
        last = each
        if unfinished and (ended := _past(each.state, unfinished)):
            played.append(round_line(ended, each.state))
            unfinished = 0
    return _sheet(label, tally, played, last)


def _sheet(label: str, tally: _Tally, played: list[RoundLine], last: LoggedRecord) -> ShiftSheet:
    state, end = last.state, Position(last.row.seq, last.row.hash)
    setup = state.setup
    sheet = ShiftSheet(
        table=setup.table, game=state.game.title, currency=setup.currency, day=label,
        zone=zone_of(state), since_ms=tally.since_ms,
        until_ms=tally.until_ms, rounds=len(played), void=sum(each.void for each in played),
        without_bets=sum(each.dummy for each in played),
        players_net=sum(each.net for each in played if not each.void),
        earlier_net=tally.earlier_net, cards=tally.cards, shoes=tally.shoes,
        found=tuple(
            Badge(mark.value, tally.marks[mark.value])
            for mark in LogMark
            if tally.marks[mark.value]
        ),
        wrong_pins=tally.wrong_pins, lock_outs=tally.lock_outs, people=tuple(tally.people),
        open_holds=len(state.holds), closed=bool(state.day and state.day.closed),
        head=str(noted(Head(label, end))),
    )  # fmt: skip
    return replace(sheet, lines=tuple(_lines(sheet)))


#: How a mark is counted on a sheet.
_COUNTED: Final = {
    LogMark.HOLD: message("shift-holds"),
    LogMark.ALARM: message("shift-alarms"),
    LogMark.PERSON: message("shift-pins"),
    LogMark.ENTRY: message("shift-entries"),
    LogMark.REFUSAL: message("shift-refusals"),
    LogMark.DOUBT: message("shift-doubts"),
    LogMark.DEVICE: message("shift-devices"),
    LogMark.CORRECTION: message("shift-corrections"),
    LogMark.VOID: message("shift-voids"),
    LogMark.ASIDE: message("shift-asides"),
    LogMark.RESTART: message("shift-restarts"),
}


def _lines(sheet: ShiftSheet) -> Iterator[tuple[str, str]]:
    """The sheet in words, in the language that is spoken."""
    for name, value in _messages(sheet):
        yield say(name), show(value)


def _messages(sheet: ShiftSheet) -> Iterator[tuple[Message, Value]]:
    yield message("shift-table"), message("shift-table-is", table=sheet.table, game=sheet.game)
    yield (
        message("shift-day"),
        message("shift-day-closed", day=sheet.day)
        if sheet.closed
        else message("shift-day-open", day=sheet.day),
    )
    if sheet.since_ms:
        since, until = (wall_text(each, sheet.zone) for each in (sheet.since_ms, sheet.until_ms))
        yield message("shift-from"), since
        yield message("shift-to"), until
    yield message("shift-times"), message("shift-times-of", zone=sheet.zone)
    void = (message("shift-void", rounds=sheet.void),) if sheet.void else ()
    without = (message("shift-without-bets", rounds=sheet.without_bets),)
    yield (
        message("shift-rounds"),
        (str(sheet.rounds), *void, *(without if sheet.without_bets else ())),
    )
    yield message("shift-players-net"), _money(sheet.players_net, sheet)
    if sheet.earlier_net:
        yield message("shift-earlier"), _money(sheet.earlier_net, sheet)
    yield message("shift-shoes"), sheet.shoes
    yield message("shift-cards"), sheet.cards
    found = {each.mark: each.count for each in sheet.found}
    for mark, name in _COUNTED.items():
        yield name, found.get(mark.value, 0)
    wrong: Value = sheet.wrong_pins
    if sheet.lock_outs:
        wrong = message("shift-lock-outs", pins=sheet.wrong_pins, locks=sheet.lock_outs)
    yield message("shift-wrong-pins"), wrong
    yield message("shift-pins-by"), ", ".join(sheet.people) or message("shift-nobody")
    yield message("shift-open-holds"), sheet.open_holds
    yield message("shift-head"), sheet.head


def _money(amount: int, sheet: ShiftSheet) -> Message:
    return message("shift-money", amount=Amount(amount), currency=sheet.currency)
