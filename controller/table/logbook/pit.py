"""What the facts of the pit say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.rules.messages import Amount, message
from controller.table import facts as f
from controller.table.logbook.holds_and_alarms import asked
from controller.table.logbook.play import Say
from controller.table.recorded.log_entry import LogEntry, Mark
from controller.table.roles import pit_user
from controller.table.state.state import State


def _pit_asked(state: State, record: f.Record, fact: f.PitAsked) -> LogEntry:
    role = fact.role.replace("_", " ")
    said = message(
        "log-pit-asked", user=pit_user(fact.who), pit=fact.pit, role=role, what=asked(fact.act)
    )
    return LogEntry(record.seq, record.at_ms, said, (Mark.PERSON,))


def _play_closed(state: State, record: f.Record, fact: f.PlayClosed) -> LogEntry:
    return LogEntry(record.seq, record.at_ms, message("log-play-closed"))


def _play_opened(state: State, record: f.Record, fact: f.PlayOpened) -> LogEntry:
    return LogEntry(record.seq, record.at_ms, message("log-play-opened"))


def _directory_installed(state: State, record: f.Record, fact: f.DirectoryInstalled) -> LogEntry:
    said = message("log-directory-installed", serial=fact.serial, people=fact.people)
    return LogEntry(record.seq, record.at_ms, said)


def _note_sent(state: State, record: f.Record, fact: f.NoteSent) -> LogEntry:
    return LogEntry(record.seq, record.at_ms, message("log-note-sent", text=fact.text))


def _fill_announced(state: State, record: f.Record, fact: f.FillAnnounced) -> LogEntry:
    said = message("log-fill-announced", amount=Amount(fact.amount))
    return LogEntry(record.seq, record.at_ms, said)


def _note_read(state: State, record: f.Record, fact: f.NoteRead) -> LogEntry:
    sent = next((each.at_ms for each in state.pit.notes if each.seq == fact.note), None)
    took = None if sent is None else record.at_ms - sent
    said = message("log-note-read", note=fact.note)
    return LogEntry(record.seq, record.at_ms, said, took_ms=took)


#: What each fact of the pit says.
PIT: Final[Mapping[type[f.Fact], Say]] = {
    f.PitAsked: _pit_asked,
    f.PlayClosed: _play_closed,
    f.PlayOpened: _play_opened,
    f.DirectoryInstalled: _directory_installed,
    f.NoteSent: _note_sent,
    f.FillAnnounced: _fill_announced,
    f.NoteRead: _note_read,
}
