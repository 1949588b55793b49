"""What the dealer does at a hold: the few large words, and the sentences under them.

A sentence names a key by its label alone (`touch-key`), and only one that is there.
"""

from __future__ import annotations

from typing import Final

from controller.rules.actions import Place
from controller.rules.messages import Message, Seat, message
from controller.table.irregularities.holds import KEPT, STAYS_OPEN, Hold, Reason, Resolution
from controller.table.queries.available import open_resolutions
from controller.table.queries.counts import count_message
from controller.table.queries.device_failures import lost_reader
from controller.table.roles import Needs
from controller.table.state.state import State

#: What hands do first, whichever resolution it comes to.
FIRST: Final[dict[Reason, Message]] = {
    Reason.UNREADABLE: message("do-leave-the-card"),
    Reason.BURN_UNREAD: message("do-put-it-aside"),
    Reason.HIDDEN_UNREAD: message("do-not-look-count"),
    Reason.IMPOSSIBLE: message("do-look-at-the-card"),
    Reason.FOREIGN: message("do-show-its-back"),
    Reason.EARLY: message("do-leave-it-face-down"),
    Reason.DRAWN: message("do-leave-the-cards"),
    Reason.OVERDRAWN: message("do-leave-the-card"),
    Reason.UNEXPECTED: message("do-leave-the-card"),
    Reason.TWIN: message("do-count-the-cards"),
    Reason.RECOUNT: message("do-count-the-cards"),
    Reason.REVISION: message("do-wait-for-the-floor"),
    Reason.OUT_OF_CARDS: message("do-shuffle-the-discards"),
    Reason.FLOOR: message("do-wait-for-the-floor"),
    Reason.DIFFERENCE: message("do-pay-and-collect"),
    Reason.SHOE_OFF: message("do-keep-its-cards-together"),
    Reason.PACK_SIZE: message("do-not-deal-from-it"),
    Reason.BETS_DIFFER: message("do-compare-chips-and-bets"),
    Reason.LATE_BET: message("do-leave-the-chips"),
    Reason.TAKEN_BACK: message("do-ask-the-player"),
    Reason.NOT_ASKED: message("do-ask-the-player"),
    Reason.FACE_UP: message("do-leave-the-card"),
    Reason.KEPT_REFUSED: message("do-put-it-aside"),
    Reason.WRONG_SPOT: message("do-leave-the-cards"),
    Reason.SKIPPED: message("do-leave-the-cards"),
    Reason.MISREAD: message("do-leave-the-cards"),
    Reason.EXPOSED: message("do-leave-it-face-down"),
    Reason.PAYOUT: message("do-compare-the-chips"),
    Reason.PAST_POSTING: message("do-leave-the-chips"),
    Reason.PLAYER_LEFT: message("do-leave-the-chips"),
    Reason.DEVICE: message("do-leave-the-cards"),
    Reason.DAMAGED: message("do-show-it-to-the-floor"),
    Reason.MISDEAL: message("do-leave-the-cards"),
}
#: Holds at which a player is asked, at the hand that the hold's message names.
_ASKED: Final = (Reason.TAKEN_BACK, Reason.NOT_ASKED)
#: What hands do instead where the card is looked at and entered.
_ENTERED: Final = {
    Reason.UNREADABLE: message("do-look-and-enter"),
    Reason.IMPOSSIBLE: message("do-look-at-the-card"),
}


def to_do(state: State, hold: Hold) -> Message:
    """The large words of a hold: what hands do now."""
    if hold.reason is Reason.RECOUNT and (lost := lost_reader(state)):
        return lost.remedy
    resolutions = open_resolutions(state, hold)
    if Resolution.ENTER_CARD in resolutions and hold.reason in _ENTERED:
        return _ENTERED[hold.reason]
    if hold.reason is Reason.OUT_OF_CARDS and Resolution.REFILLED not in resolutions:
        return message("do-wait-for-the-floor")
    if (asked := asked_at(hold)) is not None:
        return message("do-ask", who=Seat(asked))
    return FIRST[hold.reason]


def asked_at(hold: Hold) -> int | None:
    """The seat whose player is asked before the hold is settled, if one is."""
    if hold.reason not in _ASKED:
        return None
    found = dict(hold.message.params).get("hand")
    return found.seat if isinstance(found, Place) else None


def advice(state: State, hold: Hold) -> Message | str:
    """What to do at a hold, in a sentence or two; text where a house wrote its own."""
    row = state.procedures.rows[hold.reason]
    if isinstance(row.advice, str):
        return row.advice
    if hold.source == KEPT and hold.reason is Reason.UNREADABLE:
        return message("advice-kept-was-not-read")
    resolutions = open_resolutions(state, hold)
    count = count_message(state, hold)
    if hold.reason is Reason.RECOUNT and count and (lost := lost_reader(state)):
        if state.aftermath.recount.unread or state.aftermath.recount.felt:
            return message("trouble", what=lost.what, remedy=count)
        return message("when-it-is-back", what=lost.what, then=count)
    if count is not None:
        return count
    if hold.reason is Reason.OUT_OF_CARDS and Resolution.REFILLED not in resolutions:
        return message("advice-no-cards-come-back")
    return row.advice


def settled_by_dealer(state: State, hold: Hold) -> bool:
    """Whether the dealer alone may settle it, by a resolution that is open now."""
    return any(
        state.procedures.needs(hold.reason, each) is Needs.DEALER
        for each in open_resolutions(state, hold)
        if not _leaves_it_open(hold, each)
    )


#: Cards are entered one by one while these holds stay open.
_CARD_BY_CARD: Final = frozenset(
    {Resolution.ENTER_CARD, Resolution.FACE_DOWN, Resolution.SET_ASIDE}
)


def _leaves_it_open(hold: Hold, resolution: Resolution) -> bool:
    return hold.reason in STAYS_OPEN and resolution in _CARD_BY_CARD
