"""The ways on from a hold: what each does, as facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.rules.cards import Card, CardError, card
from controller.rules.felt import DRAWS, Action
from controller.rules.sealed import Sealed
from controller.rules.steps import Ask, Deal
from controller.table import facts as f
from controller.table.decide.alarm_commands import at_work
from controller.table.decide.corrections import apply, void
from controller.table.decide.draft import Draft
from controller.table.decide.entry_confirmation import confirmed
from controller.table.decide.incidents import latest
from controller.table.decide.readings import place
from controller.table.inputs import Resolve
from controller.table.irregularities.available import open_ways
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import WAY_LABELS, Hold, Reason, Way
from controller.table.phases import Phase
from controller.table.roles import Needs
from controller.table.state import State

ENTERED_BY_HAND: Final = "dealer"
#: Holds in which cards are entered one by one, until another way ends them.
_STAYS_OPEN: Final = (Reason.RECOUNT, Reason.FLOOR)
#: Where a round without bets is dealt.
DUMMY_SEAT: Final = 1


def resolve(draft: Draft, given: Resolve) -> str | None:
    """Choose a lawful way on from an open hold.

    A card that is entered is named first. Who may enter it is asked when it is confirmed.
    """
    state = draft.state
    hold = state.hold(given.hold)
    if hold is None:
        return f"Hold {given.hold} is not open"
    ways = open_ways(state, hold)
    if given.way not in ways:
        lawful = ", ".join(WAY_LABELS[way].text.lower() for way in ways)
        return f"{state.procedures.rows[hold.reason].title}: the ways on are {lawful}"
    if given.way is Way.ENTER_CARD:
        entered = _entry(state, hold, given.card)
        if isinstance(entered, str):
            return entered
        if not confirmed(draft, hold.number, entered):
            return None
    wanted = state.procedures.needs(hold.reason, given.way)
    if problem := draft.lacks(wanted) or _reason_problem(state, wanted, given.reason):
        return problem
    draft.evidence = hold.evidence
    draft.reason = given.reason.strip()
    refused = _WAYS[given.way](draft, hold, given)
    if not refused and draft.state.hold(hold.number):
        at_work(draft, hold.number)
    return refused


def _reason_problem(state: State, wanted: Needs, reason: str) -> str | None:
    """What is the matter with the reason that the floor gives."""
    if not reason.isprintable():
        return "A reason is a few words on one line"
    if state.setup.roles and wanted is not Needs.DEALER and not reason.strip():
        return "Say why, in a few words"
    return None


def _entry(state: State, hold: Hold, code: str | None) -> Card | str:
    """The card that is entered, or why it cannot be."""
    if code is None:
        return "Say which card it is"
    try:
        entered = card(code)
    except CardError as error:
        return str(error)
    if entered not in state.shoe.pack.kinds():
        return f"{entered.name} is not in this pack"
    if not state.ledger.scanning and not state.shoe.possible(entered):
        return f"{entered.name}: all of the pack are gone already. Look again, or call the floor"
    if hold.reason in _STAYS_OPEN and not _card_wanted(state):
        return "The table waits for no card now: put it aside, or void the round"
    return entered


def _card_wanted(state: State) -> bool:
    """Whether a card that is entered while the hold stays open would have a place to go."""
    step = state.step
    if state.ledger.scanning:
        return True
    if isinstance(step, Ask):
        return state.setup.draw_means_hit and Action.HIT in step.play.options
    return isinstance(step, Deal)


def _enter_card(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    sealed = Sealed(card(given.card or "")).stamped(draft.stamp.nonce)
    if hold.reason not in _STAYS_OPEN:
        _release(draft, hold, Way.ENTER_CARD)
    place(draft, sealed, ENTERED_BY_HAND)
    return None


def _release(draft: Draft, hold: Hold, way: Way) -> None:
    draft.add(f.HoldReleased(hold.number, way, draft.names(), draft.reason))


def _set_aside(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    burning = draft.state.phase is Phase.BURN
    if draft.state.ledger.scanning:
        if hold.reason is not Reason.RECOUNT:
            _release(draft, hold, Way.SET_ASIDE)
        place(draft, hold.card or Sealed(None), hold.source or ENTERED_BY_HAND)
        return None
    if hold.reason in _STAYS_OPEN:
        draft.add(f.CardBurned(Sealed(None), set_aside=not burning))
        return None
    _release(draft, hold, Way.SET_ASIDE)
    by_rule = hold.reason is Reason.BURN_UNREAD or (hold.reason is Reason.STRAY and burning)
    sealed = hold.card or Sealed(None)
    draft.add(f.CardBurned(sealed, set_aside=not by_rule, evidence=hold.evidence))
    return None


def _face_down(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    if hold.reason not in _STAYS_OPEN:
        _release(draft, hold, Way.FACE_DOWN)
    place(draft, Sealed(None), ENTERED_BY_HAND)
    return None


def _two(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    if hold.card is None:
        raise AssertionError("a twin hold keeps the card that was read")
    _release(draft, hold, Way.TWO)
    place(draft, hold.card, hold.source)
    return None


def _keep(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    _release(draft, hold, Way.KEEP)
    draft.add(f.CardKept(hold.card or Sealed(None), hold.source, hold.evidence))
    return None


def _burn_kept(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    kept = draft.state.kept[0]
    _release(draft, hold, Way.BURN_KEPT)
    draft.add(f.KeptCardUsed())
    sealed = kept if isinstance(kept, Sealed) else Sealed(kept).stamped(draft.stamp.nonce)
    draft.add(f.CardBurned(sealed, set_aside=True))
    return None


def _dummy(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    """The card that was drawn too early is the first of a round without bets."""
    if hold.card is None:
        raise AssertionError("a dummy round begins with a card that was read")
    _release(draft, hold, Way.DUMMY)
    state = draft.state
    draft.add(f.DummyBegan(state.rounds_played + 1, DUMMY_SEAT, state.setup_seq))
    place(draft, hold.card, hold.source)
    return None


def _take_back(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    played = draft.state.round
    assert played is not None
    _release(draft, hold, Way.TAKE_BACK)
    last = f.Edit(len(played.answers) - 1, EditKind.REMOVE)
    return apply(draft, played.number, (last,), "taken back")


def _out_of_hand(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    """The last card leaves its hand; the hit that it said by itself goes with it."""
    played = draft.state.round
    assert played is not None
    last = len(played.answers) - 1
    do = EditKind.KEEP if given.way is Way.KEEP_LAST else EditKind.BURN
    edits = [f.Edit(last, do)]
    if hold.reason is Reason.NOT_ASKED and last and played.answers[last - 1] in DRAWS:
        edits.append(f.Edit(last - 1, EditKind.REMOVE))
    _release(draft, hold, given.way)
    return apply(draft, played.number, edits, draft.reason or WAY_LABELS[given.way].text.lower())


def _dead_hand(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    if given.seat is None:
        return "Say whose hand it is"
    _release(draft, hold, Way.DEAD_HAND)
    dead = (f.Edit(given.seat, EditKind.DEAD),)
    return apply(draft, hold.round, dead, draft.reason or "got no card")


def _correct(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    return "Say which step of the round was otherwise: it goes on with the correction"


def _settled(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    """People have put it right, or it was right: nothing on record changes."""
    _release(draft, hold, given.way)
    return None


def _replaced(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    """The card was put in for one of the pack: where it has just left the shoe, it is dealt."""
    _release(draft, hold, Way.REPLACED)
    if hold.reason is Reason.STRAY and hold.card is not None:
        place(draft, hold.card, hold.source)
    return None


def _agrees(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    if draft.state.blind and not draft.state.ledger.scanning:
        return f"No card could be read: {draft.state.blind}"
    _release(draft, hold, Way.AGREES)
    return None


def _refilled(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    draft.add(f.DiscardsReturned())
    _release(draft, hold, Way.REFILLED)
    return None


#: Holds about a card that left the shoe and has not been counted yet.
_UNCOUNTED: Final = (
    Reason.UNREADABLE, Reason.HIDDEN_UNREAD, Reason.UNEXPECTED, Reason.EARLY, Reason.DRAWN,
    Reason.OVERDRAWN,
)  # fmt: skip
#: Holds about cards of this shoe: a new pack settles them.
_OF_THE_SHOE: Final = (
    Reason.UNREADABLE, Reason.BURN_UNREAD, Reason.HIDDEN_UNREAD, Reason.IMPOSSIBLE,
    Reason.STRAY, Reason.UNEXPECTED, Reason.EARLY, Reason.DRAWN, Reason.OVERDRAWN, Reason.TWIN,
    Reason.OUT_OF_CARDS, Reason.FOREIGN,
)  # fmt: skip


def _void(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    if hold.reason in _UNCOUNTED:
        sealed = hold.card or Sealed(None)
        draft.add(f.CardBurned(sealed, set_aside=True, evidence=hold.evidence))
    number = hold.round or latest(draft.state)
    if problem := void(draft, number):
        return problem
    _release(draft, hold, Way.VOID)
    return None


def _void_round(draft: Draft) -> None:
    if draft.state.round is not None and draft.state.phase is Phase.ROUND:
        void(draft, draft.state.round.number)


def _new_shoe(draft: Draft, hold: Hold, given: Resolve) -> str | None:
    _void_round(draft)
    draft.add(f.ShoeRejected())
    for each in draft.state.holds:
        if each.reason in _OF_THE_SHOE:
            _release(draft, each, Way.NEW_SHOE)
    return None


_WAYS: Final[dict[Way, Callable[[Draft, Hold, Resolve], str | None]]] = {
    Way.ENTER_CARD: _enter_card,
    Way.NO_CARD: _settled,
    Way.SET_ASIDE: _set_aside,
    Way.FACE_DOWN: _face_down,
    Way.ONE: _settled,
    Way.TWO: _two,
    Way.AGREES: _agrees,
    Way.REFILLED: _refilled,
    Way.RELEASE: _settled,
    Way.SQUARED: _settled,
    Way.VOID: _void,
    Way.NEW_SHOE: _new_shoe,
    Way.COUNT_AGAIN: _settled,
    Way.PACK_OUT: _settled,
    Way.KEEP: _keep,
    Way.DUMMY: _dummy,
    Way.TAKE_BACK: _take_back,
    Way.BURN_LAST: _out_of_hand,
    Way.KEEP_LAST: _out_of_hand,
    Way.BURN_KEPT: _burn_kept,
    Way.PLACED: _settled,
    Way.DEAD_HAND: _dead_hand,
    Way.CORRECT: _correct,
    Way.REPLACED: _replaced,
    Way.STANDS: _settled,
}
