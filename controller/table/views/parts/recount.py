"""What was chosen last to settle a hold has done, and the key that undoes it."""

from __future__ import annotations

from typing import Final

from controller.devices.displays import Key
from controller.rules.messages import Message, message
from controller.table.irregularities.holds import AS_SHOWN, Resolution
from controller.table.queries.available import TAKEN_OUT, undoable
from controller.table.roles import Needs
from controller.table.state.parts import Resolved
from controller.table.state.state import State
from controller.table.views.english import say

#: What a resolution that was chosen has done.
DONE: Final[dict[Resolution, Message]] = {
    Resolution.ENTER_CARD: message("done-enter-card"),
    Resolution.NO_CARD: message("done-no-card"),
    Resolution.SET_ASIDE: message("done-set-aside"),
    Resolution.FACE_DOWN: message("done-face-down"),
    Resolution.ONE: message("done-one"),
    Resolution.TWO: message("done-two"),
    Resolution.COUNT: message("done-count"),
    Resolution.REFILLED: message("done-refilled"),
    Resolution.RELEASE: message("done-release"),
    Resolution.SQUARED: message("done-squared"),
    Resolution.VOID: message("done-void"),
    Resolution.NEW_SHOE: message("done-new-shoe"),
    Resolution.COUNT_AGAIN: message("done-count-again"),
    Resolution.PACK_OUT: message("done-pack-out"),
    Resolution.KEEP: message("done-keep"),
    Resolution.DUMMY: message("done-dummy"),
    Resolution.TAKE_BACK: message("done-take-back"),
    Resolution.BURN_LAST: message("done-burn-last"),
    Resolution.KEEP_LAST: message("done-keep-last"),
    Resolution.BURN_KEPT: message("done-burn-kept"),
    Resolution.PLACED: message("done-placed"),
    Resolution.DEAD_HAND: message("done-dead-hand"),
    Resolution.CORRECT: message("done-correct"),
    Resolution.REPLACED: message("done-replaced"),
    Resolution.STANDS: message("done-stands"),
    Resolution.RESUMED: message("done-resumed"),
    Resolution.CHIPS_BACK: message("done-chips-back"),
    Resolution.BETS_RIGHT: message("done-bets-right"),
}

#: What the key that undoes a resolution says of it.
_UNDONE: Final[dict[Resolution, Message]] = {
    Resolution.ENTER_CARD: message("undo-card-entered"),
    Resolution.FACE_DOWN: message("undo-card-face-down"),
    Resolution.TWO: message("undo-two-cards"),
    Resolution.ONE: message("undo-one-card"),
    Resolution.NO_CARD: message("undo-no-card"),
    Resolution.SET_ASIDE: message("undo-card-put-aside"),
    Resolution.KEEP: message("undo-card-kept"),
    Resolution.COUNT: message("undo-count"),
    Resolution.RELEASE: message("undo-go-on"),
    Resolution.STANDS: message("undo-it-stays"),
    Resolution.PLACED: message("undo-card-moved"),
    Resolution.SQUARED: message("undo-paid"),
}


def done(state: State) -> Message | None:
    """What was chosen last to settle a hold has done; None once anything else happened."""
    resolved = state.aftermath.resolved
    if resolved is None:
        return None
    if resolved.resolution in TAKEN_OUT and state.ledger.scanning:
        return message("done-card-counted")
    if resolved.resolution in TAKEN_OUT and not placed(state, resolved):
        astray = state.counts.holds > resolved.holds
        return message("done-not-awaited") if astray else message("done-counted")
    felt = state.aftermath.recount.felt
    if resolved.resolution is Resolution.COUNT and felt is not None:
        return message("done-count-open", cards=felt.cards)
    gone = state.shoe.gone - resolved.shoe.gone
    if resolved.resolution is Resolution.VOID and gone:
        return message("done-void-and-gone", cards=gone)
    resolution, reason = resolved.resolution, resolved.hold.reason
    if resolution is Resolution.STANDS and reason in AS_SHOWN:
        return message("done-as-shown")
    return DONE[resolution]


def placed(state: State, chosen: Resolved) -> bool:
    """Whether the card that was put on record lies at a hand now."""
    return state.in_play is not None and len(state.in_play.steps) > chosen.steps


def undo_keys(state: State) -> tuple[Key, ...]:
    """The key that undoes it; none where that is not lawful."""
    last = undoable(state)
    if last is None:
        return ()
    wanted = state.procedures.needs(last.hold.reason, last.resolution)
    who = wanted.value if state.setup.roles and wanted is not Needs.DEALER else ""
    command: dict[str, str | int | bool] = {"do": "undo", "hold": last.hold.number}
    label = say(message("key-undo", what=_UNDONE[last.resolution]))
    return (Key(label, command, "y", who=who),)
