"""Texts of hands and moves, for the views: in words what `prompts` gives as messages."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from controller.devices.felt_view import TotalView
from controller.rules.actions import DEALER_SEAT, SIDE_BET, Action, Outcome
from controller.rules.hands import TotalParts
from controller.rules.messages import Amount, Message, message
from controller.rules.script.felt import Hand
from controller.rules.spoken import spoken
from controller.rules.totals import as_shown, is_over, number_of, total_message, word_of
from controller.table.queries.wagers import pays_value, wager_value
from controller.table.recorded.hands import HandStatus, RecordedHand
from controller.table.views.english import ENGLISH, say, show


def total_text(status: HandStatus) -> str:
    """What a hand counts, in one line."""
    return _total_line(status.total, status.seat == DEALER_SEAT, spoken(ENGLISH).code)


@lru_cache(maxsize=4096)  # for every hand of every picture; once for each language
def _total_line(total: TotalParts, dealer: bool, _language: str) -> str:
    return show(total_message(total, dealer=dealer)) if total else ""


def total_views(total: TotalParts) -> tuple[TotalView, ...]:
    """What a hand counts, part by part."""
    return _total_views(total, spoken(ENGLISH).code)


@lru_cache(maxsize=4096)
def _total_views(total: TotalParts, _language: str) -> tuple[TotalView, ...]:
    return tuple(
        TotalView(_shown(word_of(each)), _shown(number_of(each)), is_over(each))
        for each in as_shown(total)
    )


def _shown(said: Message | None) -> str:
    return "" if said is None else show(said)


def wager_text(hand: Hand | RecordedHand) -> str:
    """The wager of a hand; "the bet" where its amount is not tracked."""
    return show(wager_value(hand))


def pays_text(hand: Hand | RecordedHand) -> str:
    """What a won hand is paid: the exact amount, or the odds where the wager is not tracked."""
    return "" if hand.result is None else show(pays_value(hand))


def net_text(hand: Hand | RecordedHand) -> str:
    """The player's gain on a hand with its sign; odds where the wager is not tracked."""
    if hand.result is None:
        return ""
    if hand.wager is None:
        return pays_text(hand) if hand.result.outcome is Outcome.WIN else ""
    net = hand.net or 0
    return f"+{show(Amount(net))}" if net > 0 else show(Amount(net)) if net else ""


_RESULTS: Final = {
    Outcome.WIN: message("wins"),
    Outcome.LOSE: message("loses"),
    Outcome.PUSH: message("pushes"),
    Outcome.SURRENDER: message("surrenders"),
}
#: How a hand that its player completed stands there.
_ENDED: Final[dict[Action, Message]] = {
    Action.STAND: message("stands"),
    Action.STAY_LOW: message("stays-low"),
    Action.STAY_HIGH: message("stays-high"),
    Action.SURRENDER: message("surrenders"),
    Action.FOLD: message("folded"),
}


def outcome_value(hand: Hand | RecordedHand) -> str:
    """How a hand ended, for pages to draw by; empty while it has not."""
    return hand.result.outcome.value if hand.result else ""


def result_text(hand: Hand | RecordedHand) -> str:
    """How a hand ended, in a word."""
    return say(_RESULTS[hand.result.outcome]) if hand.result else ""


def note_text(hand: RecordedHand) -> str:
    """How a hand stands that has no result yet, in a word or two."""
    if hand.place.hand == SIDE_BET:
        return show(message("insurance"))
    if hand.ended is Action.FOLD:
        return show(_ENDED[hand.ended])
    notes = [message("doubled")] if hand.doubled else []
    if not all(each.digest for each in hand.face_down):
        notes.append(message("note-hidden-card-not-certain"))
    if hand.ended and not hand.result:
        notes.append(_ENDED[hand.ended])
    return show(tuple(notes))
