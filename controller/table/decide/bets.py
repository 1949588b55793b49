"""Wagers and "no more bets"."""

from __future__ import annotations

from controller.rules.english import ENGLISH
from controller.table import facts as f
from controller.table.decide.draft import Draft
from controller.table.inputs import CloseBets, PlaceWager, RemoveWager, RepeatWagers
from controller.table.phases import Phase
from controller.table.settlement import in_order_of_play
from controller.table.state import State
from controller.table.views.prompts import capital, sentence


def _closed(state: State) -> str | None:
    """Why no wager can be placed or taken back now."""
    if state.phase is Phase.BETTING:
        return None
    if state.phase is Phase.ROUND:
        return "No more bets: the round is in play"
    return f"No bets yet: {sentence(state).headline.lower()}"


def wager_problem(state: State, seat: int, amount: int | None) -> str | None:
    """Why this wager cannot be placed on this spot, in the words of the rule."""
    if not 1 <= seat <= state.setup.seats:
        return f"There is no seat {seat}: this table has seats 1 to {state.setup.seats}"
    problem = state.game.wager_problem(amount)
    return None if problem is None else capital(ENGLISH.say(problem, state.game.words))


def place_wager(draft: Draft, given: PlaceWager) -> str | None:
    """A wager on a spot, or another amount for it."""
    problem = _closed(draft.state) or wager_problem(draft.state, given.seat, given.amount)
    if problem is None:
        draft.add(f.WagerPlaced(given.seat, given.amount))
    return problem


def remove_wager(draft: Draft, given: RemoveWager) -> str | None:
    """A wager is taken back."""
    problem = _closed(draft.state)
    if problem is None and given.seat not in draft.state.wagers:
        problem = f"There is no bet at seat {given.seat}"
    if problem is None:
        draft.add(f.WagerRemoved(given.seat))
    return problem


def repeat_wagers(draft: Draft, given: RepeatWagers) -> str | None:
    """The wagers of the last round again, on the spots that have none."""
    state = draft.state
    if problem := _closed(state):
        return problem
    again = [each for each in state.last_wagers.items() if each[0] not in state.wagers]
    if not again:
        return "There are no bets of the last round to repeat"
    for seat, amount in again:
        draft.add(f.WagerPlaced(seat, amount))
    return None


def close_bets(draft: Draft, given: CloseBets) -> str | None:
    """The round begins, if there is a bet and cards can be read."""
    state = draft.state
    if problem := _closed(state):
        return problem
    if not state.wagers:
        return "No bets are placed: place one, or wait"
    least = state.game.seats.start
    if len(state.wagers) < least:
        return f"{state.game.title} takes {least} players: {len(state.wagers)} have put in"
    if unequal := state.options.wagers_problem(list(state.wagers.values())):
        return capital(ENGLISH.say(unequal, state.game.words))
    if state.blind:
        return f"No card could be read: {state.blind}"
    number = state.rounds_played + 1
    draft.add(f.BetsClosed(number, in_order_of_play(state), state.setup_seq))
    return None
