"""Judges of the clapper: when its code begins, and when it is over."""

from __future__ import annotations

from controller.devices.lights import CLAP_MS
from controller.rules.messages import Message, message
from controller.table import facts as f
from controller.table.decide.draft import Draft
from controller.table.evolve.alarm_lifecycle import clock_at
from controller.table.inputs import Clap
from controller.table.state.state import State


def clap(draft: Draft, command: Clap) -> Message | None:
    """Flash the code. In a round the spots have something else to say."""
    state = draft.state
    if state.in_play is not None:
        return message("no-clapper-in-a-round")
    if state.remote.clapper_due_ns is not None:
        return message("clapper-runs")
    draft.add(f.ClapperBegan(CLAP_MS))
    return None


def wake_ns(state: State, mono_ns: int) -> int | None:
    """Time from `mono_ns` of the running service until the code is over, in ns; None: none runs."""
    if state.remote.clapper_due_ns is None:
        return None
    return state.remote.clapper_due_ns - clock_at(state, mono_ns)


def fire(draft: Draft) -> None:
    """The end of the code, where it is due."""
    left_ns = wake_ns(draft.state, draft.stamp.mono_ns)
    if left_ns is not None and left_ns <= 0:
        draft.add(f.ClapperEnded())
