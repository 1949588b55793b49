"""What records change in the window that is open for players at a distance.

A window ends with what it was open for; that is no fact of its own.
"""

from __future__ import annotations

from typing import Any

from controller.table import facts as f
from controller.table.evolve.alarm_lifecycle import NS_PER_MS
from controller.table.evolve.shoe import Changes, change_in
from controller.table.growing import changed
from controller.table.inputs import WindowKind
from controller.table.state.phases import Impossible, Phase
from controller.table.state.remote_players import CLOSED_WINDOWS_KEPT, ClosedWindow, Window
from controller.table.state.state import State

#: Facts that end a window for bets, but for those that lead out of the phase in which bets are.
_ENDS_BETS = (f.PlayClosed, f.TableOpened)
#: Facts that may touch the round in play without answering what a player is asked.
_ANSWERS_NOTHING = (f.HoldRaised,)


def window_after(state: State, record: f.Record, changes: Changes) -> None:
    """Add to `changes` what a record changes in the window, if anything.

    Raises `Impossible` where a record is about a window and none is open.
    """
    fact, now_ns, open_now = record.fact, changes["clock"].table_ns, state.remote.window
    more: Changes = {}
    phase = changes.get("phase", state.phase)
    if isinstance(fact, f.WindowOpened):
        due_ns = now_ns + fact.length_ms * NS_PER_MS
        more["window"] = Window(
            fact.kind, fact.seat, fact.hand, fact.length_ms, due_ns, fact.closes_at_ms
        )
    elif isinstance(fact, f.LastCalled | f.WindowStopped | f.WindowResumed | f.WindowExpired):
        if open_now is None:
            raise Impossible(f"no window is open for {type(fact).__name__}")
        more["window"] = changed(open_now, _clock_changes(open_now, fact, now_ns))
    elif open_now is not None and _ended(state, open_now, fact, changes):
        more["window"] = None
        if open_now.expired or open_now.kind is WindowKind.BETS:
            more["closed_windows"] = _with_closed(state, open_now, now_ns)
    if phase is Phase.BETTING and state.phase is not Phase.BETTING:
        more["closed_windows"] = ()  # whatever comes from here on is of the next round
    if more:
        change_in(changes, state, "remote", more)


def _clock_changes(
    window: Window,
    fact: f.LastCalled | f.WindowStopped | f.WindowResumed | f.WindowExpired,
    now_ns: int,
) -> dict[str, Any]:
    if isinstance(fact, f.LastCalled):
        return {"last_called": True}
    if isinstance(fact, f.WindowStopped):
        return {"left_ms": fact.left_ms}
    if isinstance(fact, f.WindowExpired):
        return {"expired": True}
    due_ns = now_ns + (window.left_ms or 0) * NS_PER_MS
    return {"left_ms": None, "due_ns": due_ns, "closes_at_ms": fact.closes_at_ms}


def _ended(state: State, window: Window, fact: f.Fact, changes: dict[str, Any]) -> bool:
    phase = changes.get("phase", state.phase)
    if window.kind is WindowKind.BETS:
        return phase is not Phase.BETTING or isinstance(fact, _ENDS_BETS)
    if phase is not Phase.ROUND:
        return True
    rounds = changes.get("rounds", state.rounds)
    return rounds.latest is not state.rounds.latest and not isinstance(fact, _ANSWERS_NOTHING)


def _with_closed(state: State, window: Window, now_ns: int) -> tuple[ClosedWindow, ...]:
    closed_ns = now_ns if window.left_ms is not None else min(window.due_ns, now_ns)
    closed = ClosedWindow(window.kind, window.seat, window.hand, closed_ns)
    return (*state.remote.closed_windows, closed)[-CLOSED_WINDOWS_KEPT:]
