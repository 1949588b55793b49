"""Judges of readings: where a card goes that left the shoe, and when it stops the table."""

from __future__ import annotations

from typing import Final

from controller.devices.inputs import Doubt, Reading
from controller.rules.actions import DRAWS
from controller.rules.cards import Card
from controller.rules.messages import Message, message
from controller.rules.script.steps import Ask, Deal, Settle, Step
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.decide.bets import begin_round
from controller.table.decide.cards.recount import left_unread
from controller.table.decide.draft import Draft
from controller.table.inputs import DealKept
from controller.table.irregularities.holds import KEPT, MAX_HOLDS, Hold, Reason, foreign_card
from controller.table.queries.available import next_lies_down
from controller.table.queries.bet_spots import bets_differ
from controller.table.queries.prompts import prompt
from controller.table.state.phases import Phase
from controller.table.state.state import State

#: The only message about a card that is to lie face down: any other would give it away.
NOT_CERTAIN: Final = message("hidden-card-not-certain")
#: With these nobody can say how many cards left the shoe.
_UNCOUNTABLE: Final = (Doubt.TOO_CLOSE, Doubt.BEAM_STUCK)


def too_many_holds() -> Message:
    """Why nothing more is held."""
    return message("too-many-holds", holds=MAX_HOLDS)


def read(draft: Draft, reading: Reading) -> Message | None:
    """Take a reading of a card that left the shoe. Returns why it is refused, if it is."""
    state = draft.state
    if reading.doubt is Doubt.READER_AWAY:
        return left_unread(draft, reading.source)
    draft.evidence = reading.picture
    draft.passed_ns = reading.passed_ns
    if reading.doubt is Doubt.CUT_CARD:
        return _cut_card(draft, reading)
    serial = reading.card.open_serial() if reading.card is not None else ""
    # A card that is read twice is no second card, whatever the table waits for: before any hold.
    rest = state.ledger.rest if state.ledger.scanning else ()
    if serial and any(serial == each.open_serial() for each in rest):
        return message("card-is-counted-already")
    if serial and any(_is_card(each, serial) for each in state.holds):
        return message("card-was-read-twice")
    # Of a pack that is run through before it is loaded, cards may have left the shoe an hour ago.
    known = serial in state.shoe.serials and not state.ledger.scans_pack
    if known and state.shoe.last is not None and serial == state.shoe.last.open_serial():
        return message("card-was-read-twice")
    if len(state.holds) >= MAX_HOLDS:
        # A reader that reports cards without end must not fill the record: they are counted.
        return left_unread(draft) if state.shoe_in_use else too_many_holds()
    if reading.card is None:
        _not_read(draft, reading)
        return None
    card = reading.card.stamped(draft.stamp.nonce)
    if known or state.ledger.is_foreign(serial):
        why = foreign_card(known=known, held=_left_while_held(draft))
        draft.hold(Reason.FOREIGN, why, card=card, source=reading.source, is_open=lies_open(draft))
        return None
    if _left_while_held(draft):
        why = message("card-left-while-held")
        draft.hold(Reason.UNEXPECTED, why, card=card, source=reading.source)
        return None
    if state.aftermath.kept_cards and not state.ledger.scanning:
        why = message("kept-card-goes-first")
        draft.hold(Reason.DRAWN, why, card=card, source=reading.source)
        return None
    if not (reading.apart or serial) and _twins(state, card):
        why = message("one-or-two-beside-hidden-card")
        if not (state.shoe.last_hidden or next_lies_down(state)):
            why = message("one-or-two-of-a-kind")
        draft.hold(Reason.TWIN, why, card=card, source=reading.source)
        return None
    place_card(draft, card, reading.source)
    return None


def _is_card(hold: Hold, serial: str) -> bool:
    """Whether a hold is about the very card of that serial number: it is settled there."""
    return hold.card is not None and hold.card.open_serial() == serial


def _left_while_held(draft: Draft) -> bool:
    """Whether the card left while the table was held, also where its reading comes after that.

    A recount may have counted it: dealt now, it would be on record twice.
    """
    state, passed_ns = draft.state, draft.passed_ns
    held_until_ns = state.aftermath.held_until_ns
    return bool(state.holds) or (passed_ns is not None and passed_ns < held_until_ns)


def _cut_card(draft: Draft, reading: Reading) -> Message | None:
    """Record that the cut card came out; it is not dealt, so nothing is held."""
    cut = draft.state.ledger.cut
    if cut is None or cut.scanned:
        return message("cut-card-is-known")
    draft.add(f.CutCardSeen(reading.source))
    return None


def _not_read(draft: Draft, reading: Reading) -> None:
    """Take a card that was not recognised: the table holds, unless it goes face down."""
    state = draft.state
    assert reading.doubt is not None
    why = message("card-not-read", doubt=reading.doubt.value)
    if (astray := _astray(draft)) is not None:
        # Nobody looks at a card that the table does not wait for, whether it was read or not.
        draft.hold(astray, why, source=reading.source)
        return
    if next_lies_down(state):
        if reading.apart and reading.doubt not in _UNCOUNTABLE:
            place_card(draft, Sealed(None), reading.source)
        else:
            draft.hold(Reason.HIDDEN_UNREAD, NOT_CERTAIN, source=reading.source)
        return
    reason = Reason.BURN_UNREAD if state.phase is Phase.BURN else Reason.UNREADABLE
    open_ = lies_open(draft)
    if open_ and any(each.card is not None for each in reading.parts):
        readers = tuple(_by_reader(each) for each in reading.parts)
        why = message("card-read-differently", doubt=reading.doubt.value, readers=readers)
    draft.hold(reason, why, source=reading.source, is_open=open_)


def _astray(draft: Draft) -> Reason | None:
    """Why a card that left now stops the table, whatever it is; None where one is waited for."""
    state = draft.state
    if _left_while_held(draft):
        return Reason.UNEXPECTED
    if state.ledger.scanning:
        return None
    if state.aftermath.kept_cards:
        return Reason.DRAWN
    if state.phase is Phase.BURN or toward_card(draft) is not None:
        return None
    return too_soon(state)


def _by_reader(part: Reading) -> Message:
    """What one of several readers read of a card that lies face up."""
    kind = part.card.open() if part.card is not None else None
    if kind is None:
        return message("reader-could-not-tell", reader=part.source)
    return message("reader-saw", reader=part.source, card=kind)


def lies_open(draft: Draft) -> bool:
    """Whether a card that leaves the shoe now goes face up in the round: it may be named."""
    state = draft.state
    if _left_while_held(draft) or state.aftermath.kept_cards:
        return False
    if state.phase is not Phase.ROUND or next_lies_down(state):
        return False
    return toward_card(draft) is not None


def _twins(state: State, card: Sealed) -> bool:
    """Whether this could be the last card, read twice.

    Next to a card that lies face down the question is asked whatever was read: else it would tell
    that the two are alike.
    """
    last = state.shoe.last
    if last is None:
        return False
    return state.shoe.last_hidden or next_lies_down(state) or card.open() is last.open()


def place_card(draft: Draft, card: Sealed, source: str) -> None:
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
    trial = toward_card(draft) or _bets_closed_by_card(draft)
    if trial is not None and next_lies_down(state):
        hand = trial_hand(trial.state.step)
        hidden = card if possible else Sealed(None)
        trial.add(f.CardDealtDown(hidden, *hand, source, draft.evidence))
        draft.join(trial)
    elif kind is not None and not possible:
        why = impossible(state, kind)
        draft.hold(Reason.IMPOSSIBLE, why, card=card, source=source, is_open=lies_open(draft))
    elif state.phase is Phase.BURN:
        draft.add(f.CardBurned(card, evidence=draft.evidence))
    elif kind is not None and trial is not None:
        hand = trial_hand(trial.state.step)
        trial.add(f.CardDealt(kind, *hand, source, card.open_serial(), draft.evidence))
        draft.join(trial)
    else:
        why = message("card-left-too-soon", next=prompt(state).headline)
        if isinstance(state.step, Ask) and not was_asked(draft):
            why = message("card-left-before-asked", hand=state.step.hand.place)
        draft.hold(too_soon(state), why, card=card, source=source)


def too_soon(state: State) -> Reason:
    """The reason to hold for a card that nobody waited for, by where the table stands."""
    if state.in_play is None:
        return Reason.EARLY
    undecided = any(each.result is None for each in state.hands)
    if isinstance(state.step, Settle) and not undecided:
        return Reason.OVERDRAWN
    return Reason.DRAWN


def deal_kept(draft: Draft, command: DealKept) -> Message | None:
    """The card that was kept is dealt, or burned, where the next card goes."""
    state = draft.state
    if not state.aftermath.kept_cards:
        return message("no-card-lies-ready")
    if state.phase is not Phase.BURN and toward_card(draft) is None:
        return message("kept-card-not-yet", next=prompt(state).headline)
    card = state.aftermath.kept_cards[0]
    kind = card.open() if isinstance(card, Sealed) else card
    down = next_lies_down(state) or state.phase is Phase.BURN
    if kind is None and not down:
        # It lies face up from now on: whoever turns it sees what it is.
        draft.add(f.KeptCardUsed())
        draft.hold(Reason.UNREADABLE, message("kept-card-was-not-read"), source=KEPT)
        return None
    sealed = card if isinstance(card, Sealed) else Sealed(card).stamped(draft.stamp.nonce)
    shown = None if down or isinstance(card, Card) else kind
    nonce, serial = (sealed.nonce.hex(), sealed.open_serial()) if shown else ("", "")
    draft.add(f.KeptCardUsed(shown, nonce, serial))
    place_card(draft, sealed, KEPT)
    return None


def trial_hand(step: Step | None) -> tuple[int, int]:
    """Seat and number of the hand that a step is about."""
    assert step is not None
    return step.hand.place


def impossible(state: State, kind: Card) -> Message:
    """Why the pack cannot hold this card any more; it is not named where it is to be hidden."""
    if state.phase is Phase.BURN:
        return NOT_CERTAIN
    count = state.shoe.pack.times(kind)
    if not count:
        return message("kind-is-not-in-pack", card=kind)
    return message("kind-is-gone", card=kind, count=count)


def toward_card(draft: Draft) -> Draft | None:
    """A branch at the `Deal` that a drawn card answers, with the decision that drawing implies.

    A card drawn while a hit (or a further card) is allowed to a hand that was asked is that hit.
    A drawn card never moves chips: none was taken, paid or put down because of it. None where no
    card is waited for.
    """
    # On a branch: whether a card is waited for is known only when all that it implies was tried.
    trial = draft.branch()
    step = trial.state.step
    if type(step) is Ask:
        drawn = next((each for each in step.play.options if each in DRAWS), None)
        if drawn is None or not trial.state.setup.draw_means_hit or not was_asked(draft):
            return None
        trial.add(f.Decided(*step.hand.place, drawn, by_draw=True))
        step = trial.state.step
    if type(step) is not Deal or len(trial.state.holds) > len(draft.state.holds):
        return None
    return trial


def _bets_closed_by_card(draft: Draft) -> Draft | None:
    """A branch at the first `Deal` of a round, where the house lets the first card close bets.

    None where it does not, where no round can begin, or where that card would lie face down.
    """
    state = draft.state
    times = state.setup.windows
    if times is None or not times.card_closes or state.remote.running is None:
        return None
    if state.phase is not Phase.BETTING:
        return None
    trial = draft.branch()
    if begin_round(trial) is not None or bets_differ(state):
        return None
    step = trial.state.step
    return trial if type(step) is Deal and not step.down else None


def was_asked(draft: Draft) -> bool:
    """Whether the hand in turn was asked already when the card passed the exit, if that is known.

    A code may come a moment after its card: what was drawn before the prompt is no answer to it.
    """
    return draft.passed_ns is None or draft.passed_ns >= draft.state.rounds.turn_ns
