"""Recovery at a start: the state that the record tells, and what the configuration makes of it."""

from __future__ import annotations

from collections.abc import Callable

from controller.host.defects import report
from controller.record.journal import JournalBusy, JournalError
from controller.rules.messages import message
from controller.service.recorder import Recorder
from controller.table.decide.decide import Decision, decide
from controller.table.gaming_day import Today
from controller.table.inputs import Stamp, Start
from controller.table.state.state import State
from controller.table.views.english import say


class SetupRefused(Exception):
    """The configuration does not fit the round that the record holds; the text says what to do."""


class Unrecoverable(Exception):
    """No state can be derived from the record: the table stays in SAFE; the text says why."""


def recovered_state(recorder: Recorder, on_failure: Callable[[str], None]) -> State | None:
    """The state that the record's newest day tells; None for a new table.

    `on_failure` is called with a later failure of the journal that no commit waits for. Raises
    `JournalBusy` where another service has the record, `Unrecoverable`.
    """
    try:
        return recorder.recover(on_failure)
    except JournalBusy:
        raise
    except JournalError as error:
        raise Unrecoverable(str(error)) from error
    except Exception as error:
        # Whatever it is, this record cannot be trusted to tell the table's state.
        raise Unrecoverable(report("the record cannot be replayed", error)) from error


def first_day_problem(state: State | None, today: Today | None) -> str:
    """Why a new table's first day cannot be opened now; empty if it can.

    The day would be named after a clock that may be years off, and later labels only rise.
    """
    if state is not None or today is None or today.synchronised:
        return ""
    return say(message("first-day-needs-a-clock", day=today.label))


def start_decision(state: State | None, start: Start, stamp: Stamp) -> Decision:
    """What a start of the service puts on record. Raises `SetupRefused`."""
    decision = decide(state, start, stamp)
    if decision.refused:
        raise SetupRefused(say(decision.refused))
    return decision
