"""Resolutions about a round or a shoe: taken back, corrected, void, counted again, a new shoe."""

from __future__ import annotations

from typing import Final

from controller.rules.actions import DRAWS
from controller.rules.messages import Message, Seat, message
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.decide.bets import begin_round
from controller.table.decide.corrections import apply, void
from controller.table.decide.draft import Draft
from controller.table.inputs import Resolve
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import (
    RESOLUTION_LABELS,
    STAYS_OPEN,
    Hold,
    Reason,
    Resolution,
)
from controller.table.queries.available import gone_by_void, latest_round
from controller.table.queries.bet_spots import bets_differ, came_to_differ
from controller.table.state.phases import Phase


def take_back(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """The player's last decision is taken back: no card has left since."""
    played = draft.state.rounds.latest
    assert played is not None
    draft.release(hold, Resolution.TAKE_BACK)
    last = f.Edit(len(played.steps) - 1, EditKind.REMOVE)
    return apply(draft, played.number, (last,), draft.reason)


def out_of_hand(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """Take the last card out of its hand, and the hit that drawing it implied."""
    played = draft.state.rounds.latest
    assert played is not None
    last = len(played.steps) - 1
    do = EditKind.KEEP if command.resolution is Resolution.KEEP_LAST else EditKind.BURN
    edits = [f.Edit(last, do)]
    if hold.reason is Reason.NOT_ASKED and last and played.steps[last - 1].action in DRAWS:
        edits.append(f.Edit(last - 1, EditKind.REMOVE))
    draft.release(hold, command.resolution)
    return apply(draft, played.number, edits, draft.reason)


def dead_hand(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """A hand that got no card at all is out; one that has a card stays in, or the round is void."""
    if command.seat is None:
        return message("say-whose-hand")
    if command.cards is None:
        return message("say-how-many-lie-there")
    placed, void_it = (
        RESOLUTION_LABELS[each].text for each in (Resolution.PLACED, Resolution.VOID)
    )
    who = Seat(command.seat)
    if command.cards:
        return message("hand-has-cards", who=who, placed=placed, void=void_it)
    draft.release(hold, Resolution.DEAD_HAND)
    dead = (f.Edit(command.seat, EditKind.DEAD),)
    problem = apply(draft, hold.round, dead, draft.reason)
    if problem is not None and problem.code == "step-no-longer-fits":
        return message("dead-hand-does-not-fit", who=who, placed=placed, void=void_it)
    return problem


def correct(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """Refused: a correction says which step was otherwise, by a command of its own."""
    return message("say-which-step")


def settled(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """Release the hold: people put it right, or it was right. Nothing else changes."""
    draft.release(hold, command.resolution)
    return None


def bets_right(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """The bets are right as they were entered, whatever the sensors say: the round begins.

    That was said of what differed as the table was held: where more differs, it is held anew.
    """
    differ = bets_differ(draft.state) if came_to_differ(draft.state) else None
    draft.release(hold, Resolution.BETS_RIGHT)
    if differ is not None:
        draft.hold(Reason.BETS_DIFFER, differ)
        return None
    return begin_round(draft)


def count_again(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """Of a shoe or a pack that does not add up; a scan that was interrupted begins anew."""
    ledger = draft.state.ledger
    draft.release(hold, Resolution.COUNT_AGAIN)
    if hold.reason is Reason.RECOUNT:
        draft.add(f.PackOpened() if ledger.scans_pack else f.RestOpened())
    return None


#: Holds about a card that left the shoe and has not been counted yet.
_UNCOUNTED: Final = (
    Reason.UNREADABLE, Reason.HIDDEN_UNREAD, Reason.UNEXPECTED, Reason.EARLY, Reason.DRAWN,
    Reason.OVERDRAWN,
)  # fmt: skip


#: Holds about cards of this shoe: a new pack settles them.
_OF_THE_SHOE: Final = (
    Reason.UNREADABLE, Reason.BURN_UNREAD, Reason.HIDDEN_UNREAD, Reason.IMPOSSIBLE,
    Reason.FOREIGN, Reason.UNEXPECTED, Reason.EARLY, Reason.DRAWN, Reason.OVERDRAWN, Reason.TWIN,
    Reason.OUT_OF_CARDS, Reason.DAMAGED,
)  # fmt: skip


def void_round(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """The round that the hold is about is void, and what left unread is put aside."""
    if hold.reason in _UNCOUNTED:
        sealed = hold.card or Sealed(None)
        draft.add(f.CardBurned(sealed, set_aside=True, evidence=hold.evidence))
    elif hold.reason in STAYS_OPEN:
        # Nobody knows where they are, but they are not in the shoe. Before the void: they are
        # missing from what the round in play shows.
        for _ in range(gone_by_void(draft.state)):
            draft.add(f.CardBurned(Sealed(None), set_aside=True))
    number = hold.round or latest_round(draft.state)
    if problem := void(draft, number):
        return problem
    if draft.state.hold(hold.number):
        draft.release(hold, Resolution.VOID)
    return None


def _void_latest(draft: Draft) -> None:
    if draft.state.rounds.latest is not None and draft.state.phase is Phase.ROUND:
        void(draft, draft.state.rounds.latest.number)


def new_shoe(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """The pack is taken out of play, with the round and every hold about its cards.

    Bets that lie for the next round are taken back: it is to be played when they are placed anew.
    """
    _void_latest(draft)  # in a round no shoe can be rejected (`phases.ARCS`)
    for seat in draft.state.betting.wagers:
        draft.add(f.WagerRemoved(seat))
    draft.add(f.ShoeRejected())
    for each in draft.state.holds:
        if each.reason in _OF_THE_SHOE:
            draft.release(each, Resolution.NEW_SHOE)
    return None
