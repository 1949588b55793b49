"""Incidents: irregularities that only people notice and report; the table stops for them."""

from __future__ import annotations

from controller.rules.actions import Action, Bid, Place
from controller.rules.messages import Message, message
from controller.table.decide.cards.readings import too_many_holds
from controller.table.decide.draft import Draft
from controller.table.inputs import Happened
from controller.table.irregularities.catalogue import IRREGULARITIES
from controller.table.irregularities.holds import MAX_HOLDS, Reason
from controller.table.queries.available import SHOE_INCIDENTS, latest_round, not_callable
from controller.table.queries.wagers import move_message
from controller.table.state.state import State


def happened(draft: Draft, command: Happened) -> Message | None:
    """Hold the table for an incident that people report."""
    state, row = draft.state, IRREGULARITIES[command.what]
    if not row.called:
        return message("incident-is-noticed-by-the-table", title=row.title)
    if len(state.holds) >= MAX_HOLDS:
        return too_many_holds()
    number = command.round or latest_round(state)
    if problem := not_callable(state, command.what, number):
        return message("incident-cannot-be-called", title=row.title, why=problem)
    about = 0 if command.what in SHOE_INCIDENTS else number
    if any((each.reason, each.round) == (command.what, about) for each in state.holds):
        return message("incident-is-called", title=row.title)
    draft.hold(command.what, description(state, command.what, about), about=about)
    return None


def description(state: State, what: Reason, number: int) -> Message:
    """What the hold says about the incident."""
    played = state.rounds.latest
    if what is Reason.KEPT_REFUSED:
        return message("called-about-kept-card")
    if not number or played is None:
        return message("called-at-the-table")
    if what is Reason.TAKEN_BACK:
        # Who decided may be no longer in turn: the record knows.
        last = played.steps[-1]
        assert isinstance(last.answer, Action | Bid)
        place = Place(last.seat, last.hand)
        return message("called-about-decision", hand=place, move=move_message(last.answer))
    if what in (Reason.NOT_ASKED, Reason.FACE_UP):
        last = played.steps[-1]
        assert last.card is not None
        return message("called-about-last-card", card=last.card, hand=Place(last.seat, last.hand))
    return message("called-about-round", round=number)
