"""What the facts of the clapper say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.rules.messages import message
from controller.table import facts as f
from controller.table.logbook.play import Say
from controller.table.recorded.log_entry import LogEntry
from controller.table.state.state import State


def _began(state: State, record: f.Record, fact: f.ClapperBegan) -> LogEntry:
    return LogEntry(record.seq, record.at_ms, message("log-clapper-began"))


def _ended(state: State, record: f.Record, fact: f.ClapperEnded) -> LogEntry:
    return LogEntry(record.seq, record.at_ms, message("log-clapper-ended"))


#: What each fact of the clapper says.
CLAPPER: Final[Mapping[type[f.Fact], Say]] = {f.ClapperBegan: _began, f.ClapperEnded: _ended}
