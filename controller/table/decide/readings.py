"""Cards that arrive: what a reading means at this moment, and when it has to stop the table."""

from __future__ import annotations

from typing import Final

from controller.devices.english import ENGLISH
from controller.devices.inputs import Doubt, Reading
from controller.rules.cards import Card
from controller.rules.felt import DRAWS
from controller.rules.sealed import Sealed
from controller.rules.steps import Ask, Deal, Settle, Step
from controller.table import facts as f
from controller.table.decide.draft import Draft
from controller.table.inputs import DealKept
from controller.table.irregularities.holds import Reason
from controller.table.phases import Phase
from controller.table.queries import next_lies_down
from controller.table.settlement import settlement
from controller.table.state import State
from controller.table.views.prompts import sentence

#: More open holds than this are more than people can work through: the reading is refused, and
#: the holds that are open already stop the table.
MAX_HOLDS: Final = 20
#: All that is ever said of a card that is to lie face down.
NOT_CERTAIN: Final = "Hidden card not certain."
#: What is said of a card that its serial number gives away; it may have to lie face down.
NOT_OF_PACK: Final = "This card is not of this pack: its serial number is none of the pack's."
LEFT_ALREADY: Final = "This very card has left already: its serial number is known."
#: Where a card comes from that was kept.
KEPT: Final = "kept"
#: With these nobody can say how many cards left the shoe.
_UNCOUNTABLE: Final = (Doubt.TOO_CLOSE, Doubt.BEAM_STUCK)


def read(draft: Draft, reading: Reading) -> str | None:
    """A card left the shoe, as a reader saw it. Returns why it is refused, if it is."""
    state = draft.state
    if len(state.holds) >= MAX_HOLDS:
        return f"{MAX_HOLDS} things are unsettled already: void the round or load a new pack"
    draft.evidence = reading.picture
    if reading.doubt is Doubt.CUT_CARD:
        return _cut_card(draft, reading)
    if reading.card is None:
        _not_read(draft, reading)
        return None
    card = reading.card.stamped(draft.stamp.nonce)
    serial = card.open_serial()
    rest = state.ledger.rest if state.ledger.scanning else ()
    if serial and any(serial == each.open_serial() for each in rest):
        return "This very card has been counted already; it counts once"
    known = serial in state.shoe.serials and not state.ledger.scans_pack
    if known and state.shoe.last is not None and serial == state.shoe.last.open_serial():
        return "the same card was read twice; it counts once"
    if known or state.ledger.foreign(serial):
        text = LEFT_ALREADY if known else NOT_OF_PACK
        draft.hold(Reason.FOREIGN, text, card=card, source=reading.source, is_open=lies_open(draft))
        return None
    if state.holds:
        text = "A card left the shoe while the table was held."
        draft.hold(Reason.UNEXPECTED, text, card=card, source=reading.source)
        return None
    if state.kept and not state.ledger.scanning:
        text = "A card lies ready to be dealt: it goes before those of the shoe."
        draft.hold(Reason.DRAWN, text, card=card, source=reading.source)
        return None
    if not (reading.apart or serial) and _twins(state, card):
        text = "Without an exit beam the reader cannot tell next to a hidden card."
        if not (state.shoe.last_hidden or next_lies_down(state)):
            text = "The same card was read twice; without an exit beam the reader cannot tell."
        draft.hold(Reason.TWIN, text, card=card, source=reading.source)
        return None
    place(draft, card, reading.source)
    return None


def _cut_card(draft: Draft, reading: Reading) -> str | None:
    """The cut card came out: no card has left, and nothing is held for it."""
    cut = draft.state.ledger.cut
    if cut is None or cut.scanned:
        return "That is the cut card: it is no card of the pack, and has been told already"
    draft.add(f.CutCardSeen(reading.source))
    return None


def _not_read(draft: Draft, reading: Reading) -> None:
    """A card that the reader could not tell; a hidden one is unknown, and the round goes on."""
    state = draft.state
    if not state.holds and next_lies_down(state):
        if reading.apart and reading.doubt not in _UNCOUNTABLE:
            place(draft, Sealed(None), reading.source)
        else:
            draft.hold(Reason.HIDDEN_UNREAD, NOT_CERTAIN, source=reading.source)
        return
    doubt = ENGLISH.say(reading.doubt.value) if reading.doubt else ""
    burning = state.phase is Phase.BURN and not state.holds
    reason = Reason.BURN_UNREAD if burning else Reason.UNREADABLE
    text = f"{doubt[:1].upper()}{doubt[1:]}."
    open_ = lies_open(draft)
    if open_ and any(each.card is not None for each in reading.parts):
        text = f"{text} {' '.join(_said(each) for each in reading.parts)}"
    draft.hold(reason, text, source=reading.source, is_open=open_)


def _said(part: Reading) -> str:
    """What one of several readers said of a card that lies face up."""
    kind = part.card.open() if part.card is not None else None
    return f"{part.source[:1].upper()}{part.source[1:]}: {kind.name if kind else 'not told'}."


def lies_open(draft: Draft) -> bool:
    """Whether a card that leaves the shoe now goes face up in the round: it may be spoken of."""
    state = draft.state
    if state.holds or state.kept or state.phase is not Phase.ROUND or next_lies_down(state):
        return False
    return toward_card(draft) is not None


def _twins(state: State, card: Sealed) -> bool:
    """Whether this could be the last card, read again.

    Next to a card that lies face down the question is asked whatever was read: else it would tell
    that the two are alike.
    """
    last = state.shoe.last
    if last is None:
        return False
    return state.shoe.last_hidden or next_lies_down(state) or card.open() is last.open()


def place(draft: Draft, card: Sealed, source: str) -> None:
    """Put a card where the table waits for one, or stop the table.

    A card that goes face down and cannot be what was read is unknown until it is turned.
    """
    state = draft.state
    if state.ledger.scanning:
        counted = f.PackCardCounted if state.ledger.whole else f.RestCounted
        draft.add(counted(card, source, draft.evidence))
        return
    kind = card.open()
    possible = kind is not None and state.shoe.possible(kind)
    if next_lies_down(state) and (trial := toward_card(draft)) is not None:
        hand = trial_hand(trial.state.step)
        hidden = card if possible else Sealed(None)
        trial.add(f.CardDealtDown(hidden, *hand, source, draft.evidence))
        draft.join(trial)
    elif kind is None:
        raise AssertionError("a card that was not read is held before it is placed face up")
    elif not possible:
        text = impossible_text(state, kind)
        draft.hold(Reason.IMPOSSIBLE, text, card=card, source=source, is_open=lies_open(draft))
    elif state.phase is Phase.BURN:
        draft.add(f.CardBurned(card, evidence=draft.evidence))
    elif (trial := toward_card(draft)) is not None:
        hand = trial_hand(trial.state.step)
        trial.add(f.CardDealt(kind, *hand, source, card.open_serial(), draft.evidence))
        draft.join(trial)
    else:
        waiting = sentence(state).headline
        text = f"A card left the shoe, but the table waits: {waiting}."
        draft.hold(too_soon(state), text, card=card, source=source)


def too_soon(state: State) -> Reason:
    """What it is that a card left the shoe when none was waited for, by where the table stands."""
    if state.phase is not Phase.ROUND or state.round is None:
        return Reason.EARLY
    if isinstance(state.step, Settle) and not state.round.felt.in_play():
        return Reason.OVERDRAWN
    return Reason.DRAWN


def deal_kept(draft: Draft, given: DealKept) -> str | None:
    """The card that was kept is dealt, or burned, where the next card goes."""
    state = draft.state
    if not state.kept:
        return "No card lies ready"
    if state.phase is not Phase.BURN and toward_card(draft) is None:
        return f"Not yet: {sentence(state).headline}"
    kept = state.kept[0]
    kind = kept.open() if isinstance(kept, Sealed) else kept
    down = next_lies_down(state) or state.phase is Phase.BURN
    if kind is None and not down:
        # Kept cards were read; without the openings nobody deals.
        return "The card that lies ready was not read: put it aside"
    sealed = kept if isinstance(kept, Sealed) else Sealed(kept).stamped(draft.stamp.nonce)
    shown = None if down or isinstance(kept, Card) else kind
    nonce, serial = (sealed.nonce.hex(), sealed.open_serial()) if shown else ("", "")
    draft.add(f.KeptCardUsed(shown, nonce, serial))
    place(draft, sealed, KEPT)
    return None


def trial_hand(step: Step | None) -> tuple[int, int]:
    """Seat and number of the hand that a step is about."""
    assert step is not None
    return step.hand.place


def impossible_text(state: State, kind: Card) -> str:
    """What is said of a card that the pack cannot hold any more; nothing of one to be hidden."""
    if state.phase is Phase.BURN:
        return NOT_CERTAIN
    count = state.shoe.pack.times(kind)
    if not count:
        return f"{kind.name}: the pack has none."
    return f"{kind.name}: all {count} of the pack are gone already."


def toward_card(draft: Draft) -> Draft | None:
    """A branch at the `Deal` that a drawn card answers, with what drawing it says by itself.

    A card drawn while a hit (or a further card) is allowed is that hit; a card drawn after a lost
    bet says that the bet was taken. Never that a bet was paid, nor that a further wager was put
    down. None where no card is waited for.
    """
    trial = draft.branch()
    while (step := trial.state.step) is not None and type(step) is not Deal:
        place = step.hand.place
        if type(step) is Ask:
            drawn = next((each for each in step.play.options if each in DRAWS), None)
            if drawn is None or not trial.state.setup.draw_means_hit:
                return None
            trial.add(f.Decided(place.seat, place.hand, drawn, by_draw=True))
        elif type(step) is Settle and step.takes:
            trial.add(f.HandSettled(place.seat, place.hand, *settlement(step)))
        else:
            return None
    if step is None or len(trial.state.holds) > len(draft.state.holds):
        return None
    return trial
