"""Judges of windows: when players at a distance may bet and decide, and what follows of silence."""

from __future__ import annotations

from controller.rules.messages import Message, message
from controller.rules.script.steps import AddWager, Ask, Vie
from controller.table import facts as f
from controller.table.decide.bets import close_bets
from controller.table.decide.draft import Draft
from controller.table.evolve.alarm_lifecycle import NS_PER_MS, clock_at
from controller.table.inputs import CloseBets, OpenBets, WindowKind
from controller.table.queries.device_failures import on_trial
from controller.table.queries.prompts import waits
from controller.table.queries.windows import BETS, WindowFor, unanswered, wanted
from controller.table.state.phases import Phase
from controller.table.state.remote_players import Window
from controller.table.state.state import State


def open_bets(draft: Draft, command: OpenBets) -> Message | None:
    """Open bets, where the dealer does so."""
    state = draft.state
    if state.phase is not Phase.BETTING:
        return waits(state)
    if state.pit.closed:
        return message("table-is-closed")
    if wanted(state) is None:
        return message("bets-have-no-clock")
    if state.remote.running is not None:
        return message("bets-are-open")
    _open(draft, BETS)
    return None


def follow(draft: Draft) -> None:
    """Open, stop or resume a window as the table stands now, with its own facts."""
    state, window = draft.state, draft.state.remote.window
    if state.setup.windows is None or on_trial(state):
        return
    if state.holds:
        if window is not None and window.runs:
            left_ns = window.due_ns - clock_at(state, draft.stamp.mono_ns)
            draft.add(f.WindowStopped(max(0, left_ns // NS_PER_MS)))
        return
    if window is not None and window.left_ms is not None:
        draft.add(f.WindowResumed(draft.stamp.at_ms + window.left_ms))
        return
    opening = wanted(state)
    if opening is not None and _is_due(draft, opening):
        _open(draft, opening)


def _is_due(draft: Draft, opening: WindowFor) -> bool:
    """Whether a window for that is to be opened by itself."""
    times, window = draft.state.setup.windows, draft.state.remote.window
    if opening is BETS and (times is None or times.opened_by_dealer):
        return False
    if window is None or not window.is_for(*opening):
        return True
    # Without bets no round has begun: the next bet opens them anew, and nothing before it does.
    placed = any(isinstance(each.fact, f.WagerPlaced) for each in draft.records)
    return opening is BETS and window.expired and placed


def _open(draft: Draft, opening: WindowFor) -> None:
    times = draft.state.setup.windows
    assert times is not None
    length_ms = times.length_ms(opening.kind)
    draft.add(f.WindowOpened(*opening, length_ms, draft.stamp.at_ms + length_ms))


def stop_for_restart(draft: Draft, before: State) -> None:
    """Stop the window that was open when the service stopped: nobody could answer since.

    What was left at the last record is left still. Another configuration has ended one for bets.
    """
    window = draft.state.remote.window
    if window is not None and window.runs:
        left_ms = max(0, (window.due_ns - before.clock.table_ns) // NS_PER_MS)
        draft.add(f.WindowStopped(left_ms))


def wake_ns(state: State, mono_ns: int) -> int | None:
    """Time from `mono_ns` of the running service until something is due in a window, in ns.

    None: nothing is. Zero or less: it is time.
    """
    window = state.remote.window
    if window is None or not window.runs:
        return None
    called_ns = _last_call_ns(state, window)
    return (window.due_ns if called_ns is None else called_ns) - clock_at(state, mono_ns)


def closes_at_ns(state: State | None) -> int | None:
    """When the window that runs closes, by the monotonic clock of the running service.

    None: none runs.
    """
    window = state.remote.running if state is not None else None
    if state is None or window is None:
        return None
    return window.due_ns - state.clock.table_ns + state.clock.mono_ns


def _last_call_ns(state: State, window: Window) -> int | None:
    """When the last call for bets is due; None where there is none any more."""
    times = state.setup.windows
    if times is None or window.kind is not WindowKind.BETS or window.last_called:
        return None
    before_ms = times.last_call_ms
    return window.due_ns - before_ms * NS_PER_MS if 0 < before_ms < window.length_ms else None


def fire(draft: Draft) -> None:
    """The last call, or the end of the window, where it is due."""
    window = draft.state.remote.window
    if window is None or not window.runs:
        return
    now_ns = clock_at(draft.state, draft.stamp.mono_ns)
    called_ns = _last_call_ns(draft.state, window)
    if now_ns >= window.due_ns:
        _expire(draft, window)
    elif called_ns is not None and now_ns >= called_ns:
        draft.add(f.LastCalled())


def _expire(draft: Draft, window: Window) -> None:
    draft.add(f.WindowExpired(window.kind, window.seat, window.hand))
    state, step = draft.state, draft.state.step
    if window.kind is WindowKind.BETS:
        if state.betting.wagers:
            # A round that cannot begin, since no card can be read, begins when the dealer says so.
            close_bets(draft, CloseBets())
    elif isinstance(step, AddWager):
        if state.setup.windows is not None and state.setup.windows.no_answer:
            draft.add(f.WagerDeclined(*step.hand.place, step.action, step.amount))
    elif isinstance(step, Ask | Vie) and (action := unanswered(state, step)) is not None:
        draft.add(f.Decided(*step.hand.place, action))
