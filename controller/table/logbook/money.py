"""What the facts of the chips of a table say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.rules.messages import Amount, Message, message
from controller.table import facts as f
from controller.table.inputs.money import Chips, Moved, value_of
from controller.table.logbook.play import Say
from controller.table.recorded.log_entry import LogEntry, Mark
from controller.table.roles import Person
from controller.table.state.state import State


def _signed(record: f.Record, said: Message, by: tuple[Person, ...], reason: str = "") -> LogEntry:
    marks = (Mark.PERSON,) if by else ()
    return LogEntry(record.seq, record.at_ms, said, marks, by=by, reason=reason)


def _by_chip(chips: Chips) -> tuple[Message, ...]:
    return tuple(
        message("log-pieces", pieces=each.pieces, chip=Amount(each.chip))
        for each in chips
        if each.pieces
    )


def _rack_opened(state: State, record: f.Record, fact: f.RackOpened) -> LogEntry:
    amount = Amount(value_of(fact.chips))
    if fact.rolled:
        said = message("log-rack-rolled", slip=fact.slip, amount=amount)
    elif fact.difference:
        said = message(
            "log-rack-opened-off", slip=fact.slip, amount=amount,
            difference=Amount(value_of(fact.difference)), chips=_by_chip(fact.difference),
        )  # fmt: skip
    else:
        said = message("log-rack-opened", slip=fact.slip, amount=amount)
    return _signed(record, said, fact.by)


def _rack_closed(state: State, record: f.Record, fact: f.RackClosed) -> LogEntry:
    said = message("log-rack-closed", slip=fact.slip, amount=Amount(value_of(fact.chips)))
    return _signed(record, said, fact.by)


def _slip_signed(state: State, record: f.Record, fact: f.SlipSigned) -> LogEntry:
    amount, chips = Amount(value_of(fact.chips)), _by_chip(fact.chips)
    if fact.kind is Moved.FILL:
        said = message("log-fill", slip=fact.slip, amount=amount, chips=chips)
    else:
        said = message("log-credit", slip=fact.slip, amount=amount, chips=chips)
    return _signed(record, said, fact.by)


def _chips_bought(state: State, record: f.Record, fact: f.ChipsBought) -> LogEntry:
    amount, chips = Amount(value_of(fact.chips)), _by_chip(fact.chips)
    if fact.seat:
        said = message(
            "log-bought-at-seat", slip=fact.slip, amount=amount, chips=chips, box=fact.box,
            seat=fact.seat,
        )  # fmt: skip
    else:
        said = message("log-bought", slip=fact.slip, amount=amount, chips=chips, box=fact.box)
    return _signed(record, said, fact.by)


def _box_changed(state: State, record: f.Record, fact: f.DropBoxChanged) -> LogEntry:
    said = message("log-box-placed", slip=fact.slip, placed=fact.placed)
    if fact.taken:
        said = message("log-box-changed", slip=fact.slip, taken=fact.taken, placed=fact.placed)
    return _signed(record, said, fact.by)


def _soft_counted(state: State, record: f.Record, fact: f.SoftCounted) -> LogEntry:
    amount = Amount(fact.amount)
    said = message("log-soft-count", slip=fact.slip, taken=fact.taken, amount=amount)
    return _signed(record, said, fact.by)


def _slip_voided(state: State, record: f.Record, fact: f.SlipVoided) -> LogEntry:
    said = message("log-slip-voided", slip=fact.slip)
    return _signed(record, said, fact.by, fact.reason)


#: What each fact of the chips says.
MONEY: Final[Mapping[type[f.Fact], Say]] = {
    f.RackOpened: _rack_opened,
    f.RackClosed: _rack_closed,
    f.SlipSigned: _slip_signed,
    f.ChipsBought: _chips_bought,
    f.DropBoxChanged: _box_changed,
    f.SoftCounted: _soft_counted,
    f.SlipVoided: _slip_voided,
}
