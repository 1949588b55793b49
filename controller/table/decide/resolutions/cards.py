"""Resolutions about a card: it is entered, put aside, kept, dealt, replaced."""

from __future__ import annotations

from typing import Final

from controller.rules.cards import card
from controller.rules.messages import Message, message
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.decide.cards.readings import place_card
from controller.table.decide.consequences.round_in_play import begun
from controller.table.decide.draft import Draft
from controller.table.facts.round import ENTERED_BY_HAND
from controller.table.inputs import Resolve
from controller.table.irregularities.holds import (
    STAYS_OPEN,
    Hold,
    Reason,
    Resolution,
    left_while_held,
)
from controller.table.state.phases import Phase

#: Where a round without bets is dealt.
DUMMY_SEAT: Final = 1


def enter_card(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """The card that lies there is the one that was entered."""
    sealed = Sealed(card(command.card or "")).stamped(draft.stamp.nonce)
    if hold.reason not in STAYS_OPEN:
        draft.release(hold, Resolution.ENTER_CARD)
    place_card(draft, sealed, ENTERED_BY_HAND)
    return None


def no_card(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """No card left the shoe. A recount stays open: the felt is counted, and then it agrees."""
    if hold.reason not in STAYS_OPEN:
        draft.release(hold, Resolution.NO_CARD)
    return None


def set_aside(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """The card goes aside, unseen: burned by rule, or put aside after an error."""
    burning = draft.state.phase is Phase.BURN
    if draft.state.ledger.scanning:
        if hold.reason is not Reason.RECOUNT:
            draft.release(hold, Resolution.SET_ASIDE)
        place_card(draft, hold.card or Sealed(None), hold.source or ENTERED_BY_HAND)
        return None
    if hold.reason in STAYS_OPEN:
        draft.add(f.CardBurned(Sealed(None), set_aside=not burning))
        return None
    draft.release(hold, Resolution.SET_ASIDE)
    by_rule = hold.reason is Reason.BURN_UNREAD or (hold.reason is Reason.FOREIGN and burning)
    sealed = hold.card or Sealed(None)
    draft.add(f.CardBurned(sealed, set_aside=not by_rule, evidence=hold.evidence))
    return None


def face_down(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """A card lies face down that could not be read: it is counted, and stays unknown."""
    if hold.reason not in STAYS_OPEN:
        draft.release(hold, Resolution.FACE_DOWN)
    place_card(draft, Sealed(None), ENTERED_BY_HAND)
    return None


def two(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """Both cards are there: the second one is dealt like the first."""
    if hold.card is None:
        raise AssertionError("a twin hold keeps the card that was read")
    draft.release(hold, Resolution.TWO)
    place_card(draft, hold.card, hold.source)
    return None


def keep(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """The card lies face down, to be the next one that is dealt."""
    draft.release(hold, Resolution.KEEP)
    draft.add(f.CardKept(hold.card or Sealed(None), hold.source, hold.evidence))
    return None


def burn_kept(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """The card that was kept is refused by everybody: it goes aside."""
    card = draft.state.aftermath.kept_cards[0]
    draft.release(hold, Resolution.BURN_KEPT)
    draft.add(f.KeptCardUsed())
    sealed = card if isinstance(card, Sealed) else Sealed(card).stamped(draft.stamp.nonce)
    draft.add(f.CardBurned(sealed, set_aside=True))
    return None


def dummy(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """The card that was drawn too early is the first of a round without bets."""
    if hold.card is None:
        raise AssertionError("a dummy round begins with a card that was read")
    draft.release(hold, Resolution.DUMMY)
    state = draft.state
    number, wagers = state.counts.rounds + 1, ((DUMMY_SEAT, 0),)
    draft.add(*begun(state.game, number, wagers, state.terms.setup_seq, DUMMY_SEAT))
    place_card(draft, hold.card, hold.source)
    return None


def replaced(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """The card replaces one of the pack; if it has just left the shoe, it is dealt.

    One that left while the table was held is like any other that did: it is no hit of a hand.
    """
    draft.release(hold, Resolution.REPLACED)
    if hold.reason is Reason.FOREIGN and hold.card is not None:
        if left_while_held(hold):
            why = message("card-left-while-held")
            draft.hold(Reason.UNEXPECTED, why, card=hold.card, source=hold.source)
        else:
            place_card(draft, hold.card, hold.source)
    return None


def refilled(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """The discards were shuffled and are in the shoe."""
    draft.add(f.DiscardsReturned())
    draft.release(hold, Resolution.REFILLED)
    return None
