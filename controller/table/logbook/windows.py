"""What the facts of windows say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.rules.actions import SIDE_BET, Place
from controller.rules.messages import Message, Seat, message
from controller.table import facts as f
from controller.table.inputs import WindowKind
from controller.table.logbook.play import Say
from controller.table.recorded.log_entry import LogEntry
from controller.table.state.state import State


def _window_opened(state: State, record: f.Record, fact: f.WindowOpened) -> LogEntry:
    seconds = -(-fact.length_ms // 1_000)
    if fact.kind is WindowKind.BETS:
        said = message("log-bets-open", seconds=seconds)
    else:
        said = message("log-window-open", hand=_asked(fact), seconds=seconds)
    return LogEntry(record.seq, record.at_ms, said)


def _last_called(state: State, record: f.Record, fact: f.LastCalled) -> LogEntry:
    return LogEntry(record.seq, record.at_ms, message("log-last-call"))


def _window_stopped(state: State, record: f.Record, fact: f.WindowStopped) -> LogEntry:
    said = message("log-window-stopped", seconds=-(-fact.left_ms // 1_000))
    return LogEntry(record.seq, record.at_ms, said)


def _window_resumed(state: State, record: f.Record, fact: f.WindowResumed) -> LogEntry:
    return LogEntry(record.seq, record.at_ms, message("log-window-resumed"))


def _window_expired(state: State, record: f.Record, fact: f.WindowExpired) -> LogEntry:
    if fact.kind is WindowKind.BETS:
        return LogEntry(record.seq, record.at_ms, message("log-bets-over"))
    return LogEntry(record.seq, record.at_ms, message("log-no-answer", hand=_asked(fact)))


def _asked(fact: f.WindowOpened | f.WindowExpired) -> Place | Message:
    if fact.hand == SIDE_BET:
        return message("log-insurance-of", who=Seat(fact.seat))
    return Place(fact.seat, fact.hand)


#: What each fact of a window says.
WINDOWS: Final[Mapping[type[f.Fact], Say]] = {
    f.WindowOpened: _window_opened,
    f.LastCalled: _last_called,
    f.WindowStopped: _window_stopped,
    f.WindowResumed: _window_resumed,
    f.WindowExpired: _window_expired,
}
