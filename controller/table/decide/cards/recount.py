"""Judges of what left unseen: cards past the beam alone, the count of the felt, and its hold."""

from __future__ import annotations

from controller.rules.messages import Message, message
from controller.table import facts as f
from controller.table.decide.draft import Draft
from controller.table.inputs import Resolve
from controller.table.irregularities.holds import Hold, Reason
from controller.table.queries.available import shown_by_seat
from controller.table.queries.device_failures import no_card_can_be_read
from controller.table.shoe.recount import SeatCount
from controller.table.state.phases import Phase


def recount(draft: Draft, why: Message) -> None:
    """Hold the table for a recount where cards may have left the shoe unread."""
    state, unread = draft.state, draft.state.aftermath.recount.unread
    counting = state.phase is not Phase.SHUFFLE or state.ledger.scanning or unread
    if counting and not state.held_for(Reason.RECOUNT):
        if state.ledger.scans_pack:
            why = message("recount-of-pack", why=why)
        elif state.ledger.scans_rest:
            why = message("recount-of-rest", why=why)
        draft.hold(Reason.RECOUNT, why)


def left_unread(draft: Draft, away: str = "") -> Message | None:
    """Record a card that left and that nobody read: its reader was `away`, or too much was open."""
    state = draft.state
    if state.aftermath.recount.unread >= state.shoe.pack.size:
        # A beam that flickers must not fill the record: no shoe has that many cards.
        return message("more-cards-than-the-pack", cards=state.shoe.pack.size)
    draft.add(f.CardLeftUnread(away))
    lost = message("reader-was-lost", device=away)
    recount(draft, lost if away else message("card-left-while-held"))
    return None


def count_felt(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """Record how many cards people counted on the felt; a recount is over if it agrees."""
    state = draft.state
    if (why := no_card_can_be_read(state)) and not state.ledger.scanning:
        return why
    cards = command.cards
    seats: tuple[SeatCount, ...] = ()
    if command.seats:
        found = {each.seat: each.cards for each in command.seats}
        shown = shown_by_seat(state)
        if found.keys() != shown.keys() or len(found) < len(command.seats):
            return message("count-every-seat")
        cards = sum(found.values())
        seats = tuple(SeatCount(seat, found[seat], there) for seat, there in shown.items())
    if cards is None:
        return message("say-how-many-cards")
    draft.add(f.FeltCounted(hold.number, cards, state.cards_shown, seats))
    return None
