"""The judge of a chosen resolution: whether it is open, who may, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.rules.cards import Card, CardError, card
from controller.rules.messages import Message, message
from controller.table import facts as f
from controller.table.decide.alarm_commands import at_work
from controller.table.decide.cards.recount import count_felt
from controller.table.decide.draft import Draft
from controller.table.decide.resolutions import cards, rounds
from controller.table.decide.resolutions.entry_confirmation import confirmed
from controller.table.inputs import Resolve
from controller.table.irregularities.holds import (
    STAYS_OPEN,
    Hold,
    Reason,
    Resolution,
    resolution_text,
)
from controller.table.queries.available import (
    card_wanted,
    count_agrees,
    open_resolutions,
)
from controller.table.roles import Needs
from controller.table.state.state import State


def resolve(draft: Draft, command: Resolve) -> Message | None:
    """Settle an open hold by one of its lawful resolutions.

    A card that is entered is named first. Who may enter it is asked when it is confirmed.
    """
    state = draft.state
    hold = state.hold(command.hold)
    if hold is None:
        return message("hold-is-not-open", hold=command.hold)
    resolutions = open_resolutions(state, hold)
    if command.resolution not in resolutions:
        title = state.procedures.rows[hold.reason].title
        lawful = tuple(resolution_text(hold.reason, each) for each in resolutions)
        return message("resolution-is-not-open", title=title, lawful=lawful)
    if command.resolution is Resolution.ENTER_CARD:
        entered = _entry(state, hold, command.card)
        if isinstance(entered, Message):
            return entered
        if not confirmed(draft, hold.number, entered):
            return None
    wanted = state.procedures.needs(hold.reason, command.resolution)
    if problem := draft.lacks(wanted) or reason_problem(state, wanted, command.reason):
        return problem
    draft.evidence, draft.order = hold.evidence, hold.order
    draft.reason = command.reason.strip()
    draft.add(f.ResolutionChosen(hold.number, command.resolution, draft.stamp.by, draft.reason))
    if refused := _RESOLUTIONS[command.resolution](draft, hold, command):
        return refused
    if (
        hold.reason is Reason.RECOUNT
        and draft.state.hold(hold.number)
        and count_agrees(draft.state)
    ):
        draft.release(hold, Resolution.COUNT)
    if draft.state.hold(hold.number):
        at_work(draft, hold.number)
    return None


def reason_problem(state: State, wanted: Needs, reason: str) -> Message | None:
    """Why the reason that the floor gives is not valid, if it is not."""
    if not reason.isprintable():
        return message("reason-on-one-line")
    if state.setup.roles and wanted is not Needs.DEALER and not reason.strip():
        return message("say-why")
    return None


def _entry(state: State, hold: Hold, code: str | None) -> Card | Message:
    """The card that is entered, or why it cannot be."""
    if code is None:
        return message("say-which-card")
    try:
        entered = card(code)
    except CardError:
        return message("no-such-card", card=code)
    if entered not in state.shoe.pack.kinds():
        return message("kind-is-not-in-this-pack", card=entered)
    if not state.ledger.scanning and not state.shoe.possible(entered):
        return message("entered-kind-is-gone", card=entered)
    if hold.reason in STAYS_OPEN and not card_wanted(state):
        return message("no-card-is-wanted")
    return entered


_RESOLUTIONS: Final[dict[Resolution, Callable[[Draft, Hold, Resolve], Message | None]]] = {
    Resolution.ENTER_CARD: cards.enter_card,
    Resolution.NO_CARD: cards.no_card,
    Resolution.SET_ASIDE: cards.set_aside,
    Resolution.FACE_DOWN: cards.face_down,
    Resolution.ONE: rounds.settled,
    Resolution.TWO: cards.two,
    Resolution.COUNT: count_felt,
    Resolution.REFILLED: cards.refilled,
    Resolution.RELEASE: rounds.settled,
    Resolution.SQUARED: rounds.settled,
    Resolution.VOID: rounds.void_round,
    Resolution.NEW_SHOE: rounds.new_shoe,
    Resolution.COUNT_AGAIN: rounds.count_again,
    Resolution.PACK_OUT: rounds.settled,
    Resolution.KEEP: cards.keep,
    Resolution.DUMMY: cards.dummy,
    Resolution.TAKE_BACK: rounds.take_back,
    Resolution.BURN_LAST: rounds.out_of_hand,
    Resolution.KEEP_LAST: rounds.out_of_hand,
    Resolution.BURN_KEPT: cards.burn_kept,
    Resolution.PLACED: rounds.settled,
    Resolution.DEAD_HAND: rounds.dead_hand,
    Resolution.CORRECT: rounds.correct,
    Resolution.REPLACED: cards.replaced,
    Resolution.STANDS: rounds.settled,
    Resolution.CHIPS_BACK: rounds.settled,
    Resolution.BETS_RIGHT: rounds.bets_right,
}
