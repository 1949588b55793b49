"""What facts change of cards that left unseen, and of what may be undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from controller.table import facts as f
from controller.table.evolve.shoe import Changes
from controller.table.growing import changed
from controller.table.irregularities.holds import STAYS_OPEN, Hold, Reason, Resolution
from controller.table.shoe.recount import FeltCount, Recount
from controller.table.state.parts import Resolved
from controller.table.state.phases import Impossible
from controller.table.state.state import State

#: Resolutions that put one of the missing cards on record.
_PLACES: Final = (Resolution.ENTER_CARD, Resolution.FACE_DOWN, Resolution.SET_ASIDE)


def _card_left_unread(state: State, fact: f.CardLeftUnread, at_ms: int) -> Changes:
    if not state.shoe_in_use:
        return {}  # a pack is being handled
    return _known(state, state.aftermath.recount.left_unread(fact.source))


def _felt_counted(state: State, fact: f.FeltCounted, at_ms: int) -> Changes:
    if state.hold(fact.hold) is None:
        raise Impossible(f"nothing is counted for hold {fact.hold}")
    felt = FeltCount(fact.cards, fact.shown, fact.seats)
    return _known(state, state.aftermath.recount.counted(felt))


def _known(state: State, recount: Recount) -> Changes:
    return {"aftermath": changed(state.aftermath, {"recount": recount})}


def resolution_chosen(state: State, fact: f.ResolutionChosen, cause: str) -> Changes:
    """What may be undone from here on, and what the resolution says of missing cards."""
    hold = state.hold(fact.number)
    if hold is None:
        raise Impossible(f"hold {fact.number} is not open")
    played, known = state.in_play, state.aftermath
    after: Changes = {
        "resolved": Resolved(
            hold, fact.resolution, cause, state.phase, state.shoe, known.kept_cards, known.recount,
            len(played.steps) if played else 0, state.counts.holds,
        )
    }  # fmt: skip
    if hold.reason in STAYS_OPEN:
        if fact.resolution in _PLACES:
            off_felt = fact.resolution is Resolution.SET_ASIDE
            after["recount"] = known.recount.placed(state.cards_shown, off_felt=off_felt)
        elif fact.resolution is Resolution.NO_CARD:
            after["recount"] = Recount()
    return {"aftermath": changed(known, after)}


def _resolution_undone(state: State, fact: f.ResolutionUndone, at_ms: int) -> Changes:
    before = state.aftermath.resolved
    if before is None or (before.hold.number, before.resolution) != (fact.number, fact.resolution):
        raise Impossible(f"the resolution of hold {fact.number} cannot be undone here")
    after: Changes = {"recount": before.recount, "resolved": None}
    changes: Changes = {}
    if fact.resolution in (Resolution.SET_ASIDE, Resolution.KEEP):
        changes["shoe"] = before.shoe
        after["kept_cards"] = before.kept_cards
    return {**changes, "aftermath": changed(state.aftermath, after)}


def released(state: State, hold: Hold, resolution: Resolution) -> Changes:
    """What is left to be known of missing cards once `hold` is released.

    Nothing where a void has put them on record, although another hold may still ask for a count.
    """
    if hold.reason is Reason.RECOUNT or resolution is Resolution.VOID:
        return _known(state, Recount())
    known = state.aftermath.recount
    return _known(state, Recount(known.unread, known.source))


#: Which function tells what a fact changes; `resolution_chosen` takes the record's cause too.
RECOUNT_EVOLVERS: Final[dict[type[f.Fact], Callable[[State, Any, int], Changes]]] = {
    f.CardLeftUnread: _card_left_unread,
    f.FeltCounted: _felt_counted,
    f.ResolutionUndone: _resolution_undone,
}
