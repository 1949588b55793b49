"""The ways on from a hold: what each does, as facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.rules.cards import Card, CardError, card
from controller.rules.felt import Action
from controller.rules.sealed import Sealed
from controller.rules.steps import Ask, Deal
from controller.table import facts as f
from controller.table.calling import at_work
from controller.table.cards_in import next_lies_down, place
from controller.table.draft import Draft
from controller.table.holds import HOLDS, WAY_LABELS, Hold, Reason, Way
from controller.table.inputs import Resolve
from controller.table.phases import Phase
from controller.table.roles import Needs, needs
from controller.table.state import State

ENTERED_BY_HAND: Final = "dealer"
#: Holds in which cards are entered one by one, until another way ends them.
_STAYS_OPEN: Final = (Reason.RECOUNT, Reason.FLOOR)


def resolve(draft: Draft, given: Resolve) -> str | None:
    """Choose a lawful way on from an open hold."""
    state = draft.state
    hold = state.hold(given.hold)
    if hold is None:
        return f"Hold {given.hold} is not open"
    ways = hold.ways(closed_ways(state))
    if given.way not in ways:
        lawful = ", ".join(WAY_LABELS[way].text.lower() for way in ways)
        return f"{HOLDS[hold.reason].title}: the ways on are {lawful}"
    wanted = needs(hold.reason, given.way)
    if problem := draft.lacks(wanted) or _reason_problem(state, wanted, given.reason):
        return problem
    entered: Card | None = None
    if given.way is Way.ENTER_CARD:
        if problem := _entry_problem(state, hold, given.card):
            return problem
        entered = card(given.card or "")
    draft.reason = given.reason.strip()
    refused = _WAYS[given.way](draft, hold, entered)
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


def closed_ways(state: State) -> frozenset[Way]:
    """The ways on that make no sense now, whatever the hold.

    A round can be voided only while one is in play. A card that lies face down is not looked at.
    Where one deck is shuffled before every round, its discards do not come back (V727-A8).
    """
    closed = {Way.ENTER_CARD if next_lies_down(state) else Way.FACE_DOWN}
    if state.phase is not Phase.ROUND:
        closed.add(Way.VOID)
    if state.game.vying:
        closed.add(Way.REFILLED)
    return frozenset(closed)


def _entry_problem(state: State, hold: Hold, code: str | None) -> str | None:
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
    return None


def _card_wanted(state: State) -> bool:
    """Whether a card that is entered while the hold stays open would have a place to go."""
    step = state.step
    if state.ledger.scanning:
        return True
    if isinstance(step, Ask):
        return state.setup.draw_means_hit and Action.HIT in step.play.options
    return isinstance(step, Deal)


def _enter_card(draft: Draft, hold: Hold, entered: Card | None) -> str | None:
    sealed = Sealed(entered).stamped(draft.stamp.nonce)
    if hold.reason not in _STAYS_OPEN:
        _release(draft, hold, Way.ENTER_CARD)
    place(draft, sealed, ENTERED_BY_HAND)
    return None


def _release(draft: Draft, hold: Hold, way: Way) -> None:
    draft.add(f.HoldReleased(hold.number, way, draft.names(), draft.reason))


def _no_card(draft: Draft, hold: Hold, entered: Card | None) -> str | None:
    _release(draft, hold, Way.NO_CARD)
    return None


def _set_aside(draft: Draft, hold: Hold, entered: Card | None) -> str | None:
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
    by_rule = hold.reason is Reason.BURN_UNREAD
    draft.add(f.CardBurned(hold.card or Sealed(None), set_aside=not by_rule))
    return None


def _face_down(draft: Draft, hold: Hold, entered: Card | None) -> str | None:
    if hold.reason not in _STAYS_OPEN:
        _release(draft, hold, Way.FACE_DOWN)
    place(draft, Sealed(None), ENTERED_BY_HAND)
    return None


def _one(draft: Draft, hold: Hold, entered: Card | None) -> str | None:
    _release(draft, hold, Way.ONE)
    return None


def _two(draft: Draft, hold: Hold, entered: Card | None) -> str | None:
    if hold.card is None:
        raise AssertionError("a twin hold keeps the card that was read")
    _release(draft, hold, Way.TWO)
    place(draft, hold.card, hold.source)
    return None


def _agrees(draft: Draft, hold: Hold, entered: Card | None) -> str | None:
    if draft.state.blind and not draft.state.ledger.scanning:
        return f"No card could be read: {draft.state.blind}"
    _release(draft, hold, Way.AGREES)
    return None


def _refilled(draft: Draft, hold: Hold, entered: Card | None) -> str | None:
    draft.add(f.DiscardsReturned())
    _release(draft, hold, Way.REFILLED)
    return None


def _go_on(draft: Draft, hold: Hold, entered: Card | None) -> str | None:
    _release(draft, hold, Way.RELEASE)
    return None


def _squared(draft: Draft, hold: Hold, entered: Card | None) -> str | None:
    _release(draft, hold, Way.SQUARED)
    return None


#: Holds about a card that left the shoe and has not been counted yet.
_UNCOUNTED: Final = (Reason.UNREADABLE, Reason.HIDDEN_UNREAD, Reason.UNEXPECTED)
#: Holds about cards of this shoe: a new pack settles them.
_OF_THE_SHOE: Final = (
    Reason.UNREADABLE, Reason.BURN_UNREAD, Reason.HIDDEN_UNREAD, Reason.IMPOSSIBLE,
    Reason.UNEXPECTED, Reason.TWIN, Reason.OUT_OF_CARDS,
)  # fmt: skip


def _add_up(draft: Draft, hold: Hold, way: Way) -> str | None:
    _release(draft, hold, way)
    return None


def _void(draft: Draft, hold: Hold, entered: Card | None) -> str | None:
    if hold.reason in _UNCOUNTED:
        draft.add(f.CardBurned(hold.card or Sealed(None), set_aside=True))
    _void_round(draft)
    _release(draft, hold, Way.VOID)
    return None


def _void_round(draft: Draft) -> None:
    if draft.state.round is not None and draft.state.phase is Phase.ROUND:
        draft.add(f.RoundVoided(draft.state.round.number))


def _new_shoe(draft: Draft, hold: Hold, entered: Card | None) -> str | None:
    _void_round(draft)
    draft.add(f.ShoeRejected())
    for each in draft.state.holds:
        if each.reason in _OF_THE_SHOE:
            _release(draft, each, Way.NEW_SHOE)
    return None


_WAYS: Final[dict[Way, Callable[[Draft, Hold, Card | None], str | None]]] = {
    Way.ENTER_CARD: _enter_card,
    Way.NO_CARD: _no_card,
    Way.SET_ASIDE: _set_aside,
    Way.FACE_DOWN: _face_down,
    Way.ONE: _one,
    Way.TWO: _two,
    Way.AGREES: _agrees,
    Way.REFILLED: _refilled,
    Way.RELEASE: _go_on,
    Way.SQUARED: _squared,
    Way.VOID: _void,
    Way.NEW_SHOE: _new_shoe,
    Way.COUNT_AGAIN: lambda draft, hold, _: _add_up(draft, hold, Way.COUNT_AGAIN),
    Way.PACK_OUT: lambda draft, hold, _: _add_up(draft, hold, Way.PACK_OUT),
}
