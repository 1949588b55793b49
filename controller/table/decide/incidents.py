"""What only people notice: they say which irregularity it is, and the table stops for it."""

from __future__ import annotations

from typing import Final

from controller.rules.cards import Card
from controller.rules.correction import entries
from controller.rules.felt import Action, Bid
from controller.rules.steps import Ask, Deal, Settle, Vie
from controller.table.decide.draft import Draft
from controller.table.decide.readings import MAX_HOLDS
from controller.table.inputs import Happened
from controller.table.irregularities.available import (
    dealt_last,
    dealt_to_player,
    decided_last,
    playable,
)
from controller.table.irregularities.catalogue import IRREGULARITIES
from controller.table.irregularities.holds import Reason
from controller.table.phases import Phase
from controller.table.state import State
from controller.table.views.prompts import capital, said_move, where

#: What is likeliest, by where the table stands; the rest follows in the order of the table.
_FIRST: Final[dict[type, tuple[Reason, ...]]] = {
    Ask: (Reason.TAKEN_BACK, Reason.NOT_ASKED, Reason.MISREAD, Reason.WRONG_SPOT),
    Vie: (Reason.TAKEN_BACK, Reason.EXPOSED, Reason.WRONG_SPOT),
    Deal: (Reason.TAKEN_BACK, Reason.SKIPPED, Reason.WRONG_SPOT, Reason.MISREAD),
    Settle: (Reason.PAYOUT, Reason.MISREAD, Reason.TAKEN_BACK, Reason.MISDEAL),
}
_BETWEEN: Final = (Reason.PAYOUT, Reason.MISREAD, Reason.MISDEAL)
#: They are about a round, the one in play or one before it.
_OF_ANY_ROUND: Final = (Reason.MISREAD, Reason.PAYOUT, Reason.MISDEAL)
_OF_THE_SHOE: Final = (Reason.FOREIGN, Reason.KEPT_REFUSED)


def happened(draft: Draft, given: Happened) -> str | None:
    """People say what went wrong: the table stops, with its lawful ways on."""
    state, row = draft.state, IRREGULARITIES[given.what]
    if not row.called:
        return f"{row.title}: the table notices that by itself. Call the floor instead"
    if len(state.holds) >= MAX_HOLDS:
        return f"{MAX_HOLDS} things are unsettled already: void the round or load a new pack"
    number = given.round or latest(state)
    if problem := _problem(state, given.what, number):
        return f"{row.title}: {problem}"
    about = 0 if given.what in _OF_THE_SHOE else number
    if any((each.reason, each.round) == (given.what, about) for each in state.holds):
        return f"{row.title}: it has been called already"
    draft.hold(given.what, told(state, given.what, about), about=about)
    return None


def latest(state: State) -> int:
    """The round in play, or the last one that is not void; 0: none."""
    if state.phase is Phase.ROUND and state.round is not None:
        return state.round.number
    return next((each.round.number for each in reversed(state.past) if not each.void), 0)


def _problem(state: State, what: Reason, number: int) -> str:
    """Why this cannot have happened now; empty if it can."""
    in_play = state.phase is Phase.ROUND and state.round is not None
    if what is Reason.FOREIGN:
        return "" if state.shoe.number else "there is no pack at this table yet"
    if what is Reason.KEPT_REFUSED:
        return "" if state.kept else "no card lies ready"
    if what in _OF_ANY_ROUND:
        return "" if playable(state, number) else f"round {number} is void, or too long ago"
    if not in_play or state.round is None or state.round.number != number:
        return "that is said while the round is in play"
    if what is Reason.TAKEN_BACK and not decided_last(state):
        return "a card has left the shoe since, or nothing was decided: it stands"
    if what is Reason.NOT_ASKED and not dealt_to_player(state):
        return "the last thing in this round is not a player's card: call the floor"
    if what is Reason.FACE_UP and not dealt_last(state):
        return "the last thing in this round is not a card: call the floor"
    return ""


def told(state: State, what: Reason, number: int) -> str:
    """What the hold says of what happened."""
    played = state.round
    if what is Reason.KEPT_REFUSED:
        return "The card that lies ready."
    if not number or played is None:
        return "Called at the table."
    if what is Reason.TAKEN_BACK:
        # Who decided may be no longer in turn: the record knows.
        said = entries(played, state.times_ms)[-1]
        assert said.place is not None
        assert isinstance(said.answer, Action | Bid)
        return f"{capital(where(state.game, said.place))}: {said_move(said.answer)}."
    if what in (Reason.NOT_ASKED, Reason.FACE_UP):
        last = played.answers[-1]
        assert isinstance(last, Card)
        return f"The last card, {last.label}."
    return f"Round {number}."


def callable_now(state: State) -> tuple[tuple[Reason, int], ...]:
    """What people may call now and about which round, likeliest first."""
    step, number = state.step, latest(state)
    first = _FIRST.get(type(step), ()) if step is not None else _BETWEEN
    called = [reason for reason, row in IRREGULARITIES.items() if row.called]
    order = dict.fromkeys((*first, *called))
    return tuple((reason, number) for reason in order if not _problem(state, reason, number))
