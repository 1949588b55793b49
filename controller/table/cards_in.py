"""Cards that arrive: what a reading means at this moment, and when it has to stop the table."""

from __future__ import annotations

from controller.devices.inputs import Reading
from controller.rules.cards import Card
from controller.rules.felt import Action
from controller.rules.game import Ask, Deal, Settle
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.draft import Draft
from controller.table.evolve import settlement
from controller.table.holds import Reason
from controller.table.phases import Phase
from controller.table.state import State
from controller.table.words import sentence

#: More open holds than this are more than people can work through: the reading is refused, and
#: the holds that are open already stop the table.
MAX_HOLDS = 20


def read(draft: Draft, reading: Reading) -> str | None:
    """A card left the shoe, as a reader saw it. Returns why it is refused, if it is."""
    state = draft.state
    if len(state.holds) >= MAX_HOLDS:
        return f"{MAX_HOLDS} things are unsettled already: void the round or load a new pack"
    if reading.card is None:
        doubt = reading.doubt.value if reading.doubt else ""
        burning = state.phase is Phase.BURN and not state.holds
        reason = Reason.BURN_UNREAD if burning else Reason.UNREADABLE
        draft.hold(reason, f"{_sentence_case(doubt)}.", source=reading.source)
        return None
    card = reading.card.stamped(draft.stamp.nonce)
    serial = card.open_serial()
    if serial and serial in state.shoe.serials:
        if state.shoe.last is not None and serial == state.shoe.last.open_serial():
            return "the same card was read twice; it counts once"
        text = "This very card has left the shoe before: its serial number is known."
        draft.hold(Reason.IMPOSSIBLE, text, card=card, source=reading.source)
        return None
    if state.holds:
        text = "A card left the shoe while the table was held."
        draft.hold(Reason.UNEXPECTED, text, card=card, source=reading.source)
        return None
    if not (reading.apart or serial) and _same_kind(card, state.shoe.last):
        text = "Without an exit beam the reader cannot tell."
        draft.hold(Reason.TWIN, text, card=card, source=reading.source)
        return None
    place(draft, card, reading.source)
    return None


def _sentence_case(text: str) -> str:
    return text[:1].upper() + text[1:]


def _same_kind(card: Sealed, last: Sealed | None) -> bool:
    return last is not None and card.open() is last.open()


def place(draft: Draft, card: Sealed, source: str) -> None:
    """Put a card where the table waits for one, or stop the table."""
    state = draft.state
    kind = card.open()
    if kind is None:
        raise AssertionError("a card that was not read is held before it is placed")
    if not state.shoe.possible(kind):
        text = impossible_text(state, kind)
        draft.hold(Reason.IMPOSSIBLE, text, card=card, source=source)
    elif state.phase is Phase.BURN:
        draft.add(f.CardBurned(card))
    elif not _deal(draft, kind, card, source):
        waiting = sentence(state).headline
        text = f"A card left the shoe, but the table waits: {waiting}."
        draft.hold(Reason.UNEXPECTED, text, card=card, source=source)


def impossible_text(state: State, kind: Card) -> str:
    """What is said of a card that the pack cannot hold any more; nothing of one to be hidden."""
    if state.phase is Phase.BURN:
        return "Hidden card not certain."
    count = state.shoe.pack.times(kind)
    return f"{kind.name}: all {count} of the pack are gone already."


def _deal(draft: Draft, kind: Card, card: Sealed, source: str) -> bool:
    """Deal the card to the hand in turn, with what drawing it says by itself.

    A card drawn while a hit is allowed is the hit; a card drawn after a lost bet says that the
    bet was taken. Never that a bet was paid.
    """
    trial = draft.branch()
    while (step := trial.state.step) is not None and type(step) is not Deal:
        place = step.hand.place
        if type(step) is Ask:
            if not (trial.state.setup.draw_means_hit and Action.HIT in step.play.options):
                return False
            trial.add(f.Decided(place.seat, place.hand, Action.HIT, by_draw=True))
        elif type(step) is Settle:
            if not step.takes:
                return False
            trial.add(f.HandSettled(place.seat, place.hand, *settlement(step)))
    if step is None or len(trial.state.holds) > len(draft.state.holds):
        return False
    place = step.hand.place
    trial.add(f.CardDealt(kind, place.seat, place.hand, source, card.open_serial()))
    draft.join(trial)
    return True
