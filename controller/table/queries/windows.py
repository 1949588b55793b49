"""Windows of players at a distance: what one is to be open for, and how late something came."""

from __future__ import annotations

from typing import NamedTuple

from controller.rules.actions import SIDE_BET, Action
from controller.rules.script.steps import AddWager, Ask, Step, Vie
from controller.table.evolve.alarm_lifecycle import NS_PER_MS
from controller.table.inputs import Stamp, WindowKind
from controller.table.queries.step_prompts import choices
from controller.table.recorded.steps import StepKind
from controller.table.state.phases import Phase
from controller.table.state.state import State


class WindowFor(NamedTuple):
    """What a window is open for: bets (seat and hand are 0 then), or what a hand is asked."""

    kind: WindowKind
    seat: int = 0
    hand: int = 0


BETS = WindowFor(WindowKind.BETS)


def wanted(state: State) -> WindowFor | None:
    """What players have a while for as the table stands; None where they have as long as they like,
    or nothing is asked of them.
    """
    times = state.setup.windows
    if times is None:
        return None
    opening = BETS if state.phase is Phase.BETTING else asked(state.step)
    if opening is None or not times.length_ms(opening.kind):
        return None
    return None if opening is BETS and state.pit.closed else opening


def asked(step: Step | None) -> WindowFor | None:
    """What a player is asked by the step of a round; None where it is the dealer's."""
    if not isinstance(step, Ask | Vie | AddWager):
        return None
    return opening_of(*step.hand.place)


def unanswered(state: State, step: Ask | Vie) -> Action | None:
    """What is chosen for a player who has not answered in time; None: nothing, the table waits."""
    times = state.setup.windows
    open_now = choices(step)
    return next((each for each in times.no_answer if each in open_now), None) if times else None


def declined_already(state: State, action: Action) -> bool:
    """Whether no chips came a moment ago for that choice of the hand in turn.

    Asked anew, a player has the whole time again: without end, if the same may be chosen again.
    """
    played, step = state.in_play, state.step
    for each in reversed(played.steps if played is not None and step is not None else ()):
        asked = step is not None and (each.seat, each.hand) == step.hand.place
        if not asked or each.kind not in (StepKind.DECIDE, StepKind.WAGER) or each.confirmed:
            return False
        if each.kind is StepKind.WAGER and each.action is action:
            return True
    return False


def bets_are_open(state: State) -> bool:
    """Whether bets are taken as far as the clock goes; always at a table where none runs."""
    times = state.setup.windows
    if times is None or not times.bets_ms or not times.opened_by_dealer:
        return True
    window = state.remote.running
    return window is not None and window.kind is WindowKind.BETS


def bets_to_open(state: State) -> bool:
    """Whether the dealer opens bets next: they are not open, and too few lie there for a round."""
    return not bets_are_open(state) and len(state.betting.wagers) < state.game.seats.start


def late_ms(state: State, stamp: Stamp, opening: WindowFor) -> int:
    """How long after its window what came at `stamp` arrived, in ms rounded up; 0: in time.

    A window that runs on record still is over for whatever arrives after its end.
    """
    arrived_ns = stamp.mono_ns if stamp.arrived_ns is None else stamp.arrived_ns
    # Not `clock_at`: what arrived before the last record was written arrived before it.
    arrived_ns += state.clock.table_ns - state.clock.mono_ns
    window = state.remote.window
    if window is not None and window.is_for(*opening):
        # Bets that make a round are closed for players though it cannot begin, as without a reader;
        # what the house enters still counts, and opens them anew. So does the next bet of anybody
        # where there are too few for a round.
        whole = len(state.betting.wagers) >= state.game.seats.start
        over = window.expired and bool(stamp.player) and whole
        closed_ns = window.due_ns if window.runs or over else None
    else:
        closed = [each for each in state.remote.closed_windows if each.is_for(*opening)]
        closed_ns = closed[-1].closed_ns if closed else None
    return 0 if closed_ns is None else max(0, -((closed_ns - arrived_ns) // NS_PER_MS))


def opening_of(seat: int, hand: int) -> WindowFor:
    """What a window is open for while that hand is asked."""
    kind = WindowKind.INSURANCE if hand == SIDE_BET else WindowKind.DECISION
    return WindowFor(kind, seat, hand)
