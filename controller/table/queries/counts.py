"""Counts of the felt, as the dealer reads of them: the dealer's number first, ours after it."""

from __future__ import annotations

from functools import reduce

from controller.rules.messages import Message, Seat, message
from controller.table.irregularities.holds import STAYS_OPEN, Hold, Reason
from controller.table.queries.available import count_agrees, shown_by_seat
from controller.table.shoe.recount import FeltCount
from controller.table.state.phases import Phase
from controller.table.state.state import State


def count_message(state: State, hold: Hold) -> Message | None:
    """What is known of missing cards, and what is to be counted; None: nothing, or no count."""
    if hold.reason not in STAYS_OPEN:
        return None
    known = state.aftermath.recount
    felt = known.felt
    said: list[Message] = []
    if known.unread:
        left = message("cards-left-while-held", cards=known.unread)
        if known.source:
            left = message("cards-left-while-away", cards=known.unread, device=known.source)
        said.append(left)
    if felt is None:
        if hold.reason is Reason.RECOUNT:
            said.append(_to_count(state))
    elif count_agrees(state):
        said.append(message("count-is-right", cards=felt.cards))
    elif apart := _apart(state, felt):
        said.append(message("count-differs-at", places=apart))
    elif known.unread and felt.cards == state.cards_shown:
        # The felt is right: counting it seat by seat would not tell where the others are.
        said.append(message("count-without-those", cards=felt.cards, left=known.unread))
    else:
        said.append(_differs(state))
    if not said:
        return None
    return reduce(lambda first, then: message("sentences", first=first, second=then), said)


def _apart(state: State, felt: FeltCount) -> tuple[Message, ...]:
    """The seats at which other cards were counted than are shown; none without a count of each."""
    shown = shown_by_seat(state)
    return tuple(
        message("count-at", who=Seat(each.seat), cards=each.cards, shown=shown[each.seat])
        for each in felt.seats
        if each.seat in shown and each.cards != shown[each.seat]
    )


def _differs(state: State) -> Message:
    felt = state.aftermath.recount.felt
    assert felt is not None
    if state.in_play is None:
        return message("count-differs-between-rounds", cards=felt.cards, shown=state.cards_shown)
    return message("count-differs", cards=felt.cards, shown=state.cards_shown, each=Seat(1))


def _to_count(state: State) -> Message:
    """What is counted; how many the record expects is added where the house wants it shown."""
    asked = message("count-the-felt")
    if state.ledger.scanning:
        asked = message("count-what-went-through")
    elif state.phase is Phase.BURN:
        asked = message("count-the-felt-and-the-burned")
    if state.setup.blind_counts:
        return asked
    return message("count-expected", asked=asked, shown=state.cards_shown)


def count_needs(state: State) -> str:
    """What the page asks for: one number, or seat by seat where that number did not agree."""
    felt = state.aftermath.recount.felt
    apart = felt is not None and not count_agrees(state) and state.in_play is not None
    return "counts" if apart else "count"
