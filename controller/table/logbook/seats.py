"""What the facts of seats say. Ids and names of players are in no text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.rules.messages import Message, Seat, message
from controller.table import facts as f
from controller.table.logbook.play import Say
from controller.table.recorded.log_entry import LogEntry
from controller.table.state.state import State


def _plain(record: f.Record, said: Message) -> LogEntry:
    return LogEntry(record.seq, record.at_ms, said)


def _taken(state: State, record: f.Record, fact: f.SeatTaken) -> LogEntry:
    if fact.name:  # as older records have it
        return _plain(record, message("log-seat-taken", seat=Seat(fact.seat), name=fact.name))
    return _plain(record, message("log-player-sits", seat=Seat(fact.seat)))


def _reserved(state: State, record: f.Record, fact: f.SeatReserved) -> LogEntry:
    if fact.name:
        return _plain(record, message("log-seat-reserved", seat=Seat(fact.seat), name=fact.name))
    return _plain(record, message("log-seat-kept", seat=Seat(fact.seat)))


def _left(state: State, record: f.Record, fact: f.SeatLeft) -> LogEntry:
    seat = Seat(fact.seat)
    if fact.after_round:
        return _plain(record, message("log-seat-left-after-round", seat=seat))
    return _plain(record, message("log-seat-left", seat=seat))


def _away(state: State, record: f.Record, fact: f.PlayerAway) -> LogEntry:
    return _plain(record, message("log-player-away", seat=Seat(fact.seat)))


def _back(state: State, record: f.Record, fact: f.PlayerBack) -> LogEntry:
    return _plain(record, message("log-player-back", seat=Seat(fact.seat)))


#: What each fact of a seat says.
SEATS: Final[Mapping[type[f.Fact], Say]] = {
    f.SeatTaken: _taken,
    f.SeatReserved: _reserved,
    f.SeatLeft: _left,
    f.PlayerAway: _away,
    f.PlayerBack: _back,
}
