"""What only people notice: they say which irregularity it is, and the table stops for it."""

from __future__ import annotations

from controller.rules.cards import Card
from controller.rules.correction import entries
from controller.rules.felt import Action, Bid
from controller.table.decide.draft import Draft
from controller.table.decide.readings import MAX_HOLDS
from controller.table.inputs import Happened
from controller.table.irregularities.catalogue import IRREGULARITIES
from controller.table.irregularities.holds import Reason
from controller.table.queries import SHOE_INCIDENTS, latest_round, not_callable
from controller.table.state import State
from controller.table.views.prompts import capital, said_move, where


def happened(draft: Draft, given: Happened) -> str | None:
    """People say what went wrong: the table stops, with its lawful resolutions."""
    state, row = draft.state, IRREGULARITIES[given.what]
    if not row.called:
        return f"{row.title}: the table notices that by itself. Call the floor instead"
    if len(state.holds) >= MAX_HOLDS:
        return f"{MAX_HOLDS} things are unsettled already: void the round or load a new pack"
    number = given.round or latest_round(state)
    if problem := not_callable(state, given.what, number):
        return f"{row.title}: {problem}"
    about = 0 if given.what in SHOE_INCIDENTS else number
    if any((each.reason, each.round) == (given.what, about) for each in state.holds):
        return f"{row.title}: it has been called already"
    draft.hold(given.what, told(state, given.what, about), about=about)
    return None


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
