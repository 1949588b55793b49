"""Recovery at a start: the state that the record tells, and what the configuration makes of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Final

from controller.host.defects import report
from controller.record.journal import JournalBusy, JournalError
from controller.rules.messages import message
from controller.service.recorder import Recorder
from controller.table.decide.decide import Decision, decide
from controller.table.decide.setup import as_set_by_pit
from controller.table.gaming_day import Today
from controller.table.inputs import Setup, Stamp, Start
from controller.table.state.state import State
from controller.table.views.english import say

#: Where the configuration says each part of a setup but its house options.
SETUP_KEYS: Final = {
    "table": "[table] name",
    "game": "[table] game",
    "seats": "[table] seats",
    "draw_means_hit": "[table] draw_means_hit",
    "currency": "[table] currency",
    "roles": "[people]",
    "reconcile": "[table] reconcile",
    "procedures": "[table] procedures",
    "own_procedures": "[table] procedures_file",
    "blind_counts": "[table] blind_counts",
    "index": "[table] index",
    "pit_acts": "[pit] acts",
    "chips": "[chips] denominations",
    "windows": "[studio]",
    "buy_ins": "[chips] buy_ins",
}
#: Values that a configuration has as they are; of the others it is said that they differ.
_SAID: Final = frozenset(SETUP_KEYS) - {"roles", "own_procedures", "windows"}


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
        refused = say(decision.refused)
        if state is None:
            raise SetupRefused(refused)
        differs = "; ".join(_differences(state.setup, as_set_by_pit(start.setup, state.setup)))
        raise SetupRefused(f"{refused} ({differs})")
    return decision


def _differences(recorded: Setup, configured: Setup) -> Iterator[str]:
    """Each key of the configuration that is not as it is on record, with what is on record."""
    before, now = asdict(recorded), asdict(configured)
    for name, key in SETUP_KEYS.items():
        if before[name] != now[name]:
            value = json.dumps(before[name], default=lambda each: each.value)
            yield f"{key} was {value}" if name in _SAID else f"{key} differs"
    if recorded.game == configured.game:
        options = dict(recorded.options)
        # Once the file has another value than it had when the pit set one, the pit's is dropped:
        # what puts it right is the file's own, whatever the table runs by.
        dropped = {each.name: each for each in recorded.set_by_pit}
        for each in configured.set_by_pit:
            dropped.pop(each.name, None)
        for name, each in dropped.items():
            was, set_to = json.dumps(each.configured), json.dumps(each.value)
            yield f"[options] {name} was {was} when the pit set it to {set_to}"
        for option, wanted in configured.options:
            if option in dropped:
                continue
            if option not in options:
                yield f"[options] {option} did not exist"
            elif options[option] != wanted:
                yield f"[options] {option} was {json.dumps(options[option])}"
