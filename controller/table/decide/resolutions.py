"""What each resolution of a hold does, as facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.rules.actions import DRAWS
from controller.rules.cards import Card, CardError, card
from controller.rules.messages import Message, Seat, message
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.decide.alarm_commands import at_work
from controller.table.decide.consequences import begun
from controller.table.decide.corrections import apply, void
from controller.table.decide.draft import Draft
from controller.table.decide.entry_confirmation import confirmed
from controller.table.decide.readings import place
from controller.table.decide.recount import count_felt
from controller.table.inputs import Resolve
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import (
    RESOLUTION_LABELS,
    STAYS_OPEN,
    Hold,
    Reason,
    Resolution,
)
from controller.table.phases import Phase
from controller.table.queries.available import (
    card_wanted,
    count_agrees,
    latest_round,
    open_resolutions,
)
from controller.table.roles import Needs
from controller.table.state import State

ENTERED_BY_HAND: Final = "dealer"
#: Where a round without bets is dealt.
DUMMY_SEAT: Final = 1


def resolve(draft: Draft, command: Resolve) -> Message | None:
    """Settle an open hold by one of its lawful resolutions.

    A card that is entered is named first. Who may enter it is asked when it is confirmed.
    """
    state = draft.state
    hold = state.hold(command.hold)
    if hold is None:
        return message("hold-is-not-open", hold=command.hold)
    resolutions = open_resolutions(state, hold)
    if command.resolution not in resolutions:
        title = state.procedures.rows[hold.reason].title
        lawful = tuple(RESOLUTION_LABELS[each].text for each in resolutions)
        return message("resolution-is-not-open", title=title, lawful=lawful)
    if command.resolution is Resolution.ENTER_CARD:
        entered = _entry(state, hold, command.card)
        if isinstance(entered, Message):
            return entered
        if not confirmed(draft, hold.number, entered):
            return None
    wanted = state.procedures.needs(hold.reason, command.resolution)
    if problem := draft.lacks(wanted) or reason_problem(state, wanted, command.reason):
        return problem
    draft.evidence = hold.evidence
    draft.reason = command.reason.strip()
    draft.add(f.ResolutionChosen(hold.number, command.resolution, draft.stamp.by, draft.reason))
    if refused := _RESOLUTIONS[command.resolution](draft, hold, command):
        return refused
    if (
        hold.reason is Reason.RECOUNT
        and draft.state.hold(hold.number)
        and count_agrees(draft.state)
    ):
        _release(draft, hold, Resolution.COUNT)
    if draft.state.hold(hold.number):
        at_work(draft, hold.number)
    return None


def reason_problem(state: State, wanted: Needs, reason: str) -> Message | None:
    """Why the reason that the floor gives is not valid, if it is not."""
    if not reason.isprintable():
        return message("reason-on-one-line")
    if state.setup.roles and wanted is not Needs.DEALER and not reason.strip():
        return message("say-why")
    return None


def _entry(state: State, hold: Hold, code: str | None) -> Card | Message:
    """The card that is entered, or why it cannot be."""
    if code is None:
        return message("say-which-card")
    try:
        entered = card(code)
    except CardError:
        return message("no-such-card", card=code)
    if entered not in state.shoe.pack.kinds():
        return message("kind-is-not-in-this-pack", card=entered)
    if not state.ledger.scanning and not state.shoe.possible(entered):
        return message("entered-kind-is-gone", card=entered)
    if hold.reason in STAYS_OPEN and not card_wanted(state):
        return message("no-card-is-wanted")
    return entered


def _enter_card(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    sealed = Sealed(card(command.card or "")).stamped(draft.stamp.nonce)
    if hold.reason not in STAYS_OPEN:
        _release(draft, hold, Resolution.ENTER_CARD)
    place(draft, sealed, ENTERED_BY_HAND)
    return None


def _release(draft: Draft, hold: Hold, resolution: Resolution) -> None:
    draft.add(f.HoldReleased(hold.number, resolution, draft.stamp.by, draft.reason))


def _set_aside(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    burning = draft.state.phase is Phase.BURN
    if draft.state.ledger.scanning:
        if hold.reason is not Reason.RECOUNT:
            _release(draft, hold, Resolution.SET_ASIDE)
        place(draft, hold.card or Sealed(None), hold.source or ENTERED_BY_HAND)
        return None
    if hold.reason in STAYS_OPEN:
        draft.add(f.CardBurned(Sealed(None), set_aside=not burning))
        return None
    _release(draft, hold, Resolution.SET_ASIDE)
    by_rule = hold.reason is Reason.BURN_UNREAD or (hold.reason is Reason.FOREIGN and burning)
    sealed = hold.card or Sealed(None)
    draft.add(f.CardBurned(sealed, set_aside=not by_rule, evidence=hold.evidence))
    return None


def _face_down(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    if hold.reason not in STAYS_OPEN:
        _release(draft, hold, Resolution.FACE_DOWN)
    place(draft, Sealed(None), ENTERED_BY_HAND)
    return None


def _two(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    if hold.card is None:
        raise AssertionError("a twin hold keeps the card that was read")
    _release(draft, hold, Resolution.TWO)
    place(draft, hold.card, hold.source)
    return None


def _keep(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    _release(draft, hold, Resolution.KEEP)
    draft.add(f.CardKept(hold.card or Sealed(None), hold.source, hold.evidence))
    return None


def _burn_kept(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    card = draft.state.kept[0]
    _release(draft, hold, Resolution.BURN_KEPT)
    draft.add(f.KeptCardUsed())
    sealed = card if isinstance(card, Sealed) else Sealed(card).stamped(draft.stamp.nonce)
    draft.add(f.CardBurned(sealed, set_aside=True))
    return None


def _dummy(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """The card that was drawn too early is the first of a round without bets."""
    if hold.card is None:
        raise AssertionError("a dummy round begins with a card that was read")
    _release(draft, hold, Resolution.DUMMY)
    state = draft.state
    number, wagers = state.counts.rounds + 1, ((DUMMY_SEAT, 0),)
    draft.add(*begun(state.game, number, wagers, state.setup_seq, DUMMY_SEAT))
    place(draft, hold.card, hold.source)
    return None


def _take_back(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    played = draft.state.rounds.latest
    assert played is not None
    _release(draft, hold, Resolution.TAKE_BACK)
    last = f.Edit(len(played.steps) - 1, EditKind.REMOVE)
    return apply(draft, played.number, (last,), draft.reason)


def _out_of_hand(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """Take the last card out of its hand, and the hit that drawing it implied."""
    played = draft.state.rounds.latest
    assert played is not None
    last = len(played.steps) - 1
    do = EditKind.KEEP if command.resolution is Resolution.KEEP_LAST else EditKind.BURN
    edits = [f.Edit(last, do)]
    if hold.reason is Reason.NOT_ASKED and last and played.steps[last - 1].action in DRAWS:
        edits.append(f.Edit(last - 1, EditKind.REMOVE))
    _release(draft, hold, command.resolution)
    return apply(
        draft,
        played.number,
        edits,
        draft.reason,
    )


def _dead_hand(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """A hand that got no card at all is out; one that has a card stays in, or the round is void."""
    if command.seat is None:
        return message("say-whose-hand")
    if command.cards is None:
        return message("say-how-many-lie-there")
    placed, void_it = (
        RESOLUTION_LABELS[each].text for each in (Resolution.PLACED, Resolution.VOID)
    )
    who = Seat(command.seat)
    if command.cards:
        return message("hand-has-cards", who=who, placed=placed, void=void_it)
    _release(draft, hold, Resolution.DEAD_HAND)
    dead = (f.Edit(command.seat, EditKind.DEAD),)
    problem = apply(draft, hold.round, dead, draft.reason)
    if problem is not None and problem.code == "step-no-longer-fits":
        return message("dead-hand-does-not-fit", who=who, placed=placed, void=void_it)
    return problem


def _correct(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    return message("say-which-step")


def _settled(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """Release the hold: people put it right, or it was right. Nothing else changes."""
    _release(draft, hold, command.resolution)
    return None


def _replaced(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """The card replaces one of the pack; if it has just left the shoe, it is dealt."""
    _release(draft, hold, Resolution.REPLACED)
    if hold.reason is Reason.FOREIGN and hold.card is not None:
        place(draft, hold.card, hold.source)
    return None


def _no_card(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """No card left the shoe. A recount stays open: the felt is counted, and then it agrees."""
    if hold.reason not in STAYS_OPEN:
        _release(draft, hold, Resolution.NO_CARD)
    return None


def _count_again(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    """Of a shoe or a pack that does not add up; a scan that was interrupted begins anew."""
    ledger = draft.state.ledger
    _release(draft, hold, Resolution.COUNT_AGAIN)
    if hold.reason is Reason.RECOUNT:
        draft.add(f.PackOpened() if ledger.scans_pack else f.RestOpened())
    return None


def _refilled(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    draft.add(f.DiscardsReturned())
    _release(draft, hold, Resolution.REFILLED)
    return None


#: Holds about a card that left the shoe and has not been counted yet.
_UNCOUNTED: Final = (
    Reason.UNREADABLE, Reason.HIDDEN_UNREAD, Reason.UNEXPECTED, Reason.EARLY, Reason.DRAWN,
    Reason.OVERDRAWN,
)  # fmt: skip
#: Holds about cards of this shoe: a new pack settles them.
_OF_THE_SHOE: Final = (
    Reason.UNREADABLE, Reason.BURN_UNREAD, Reason.HIDDEN_UNREAD, Reason.IMPOSSIBLE,
    Reason.FOREIGN, Reason.UNEXPECTED, Reason.EARLY, Reason.DRAWN, Reason.OVERDRAWN, Reason.TWIN,
    Reason.OUT_OF_CARDS, Reason.DAMAGED,
)  # fmt: skip


def _void(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    if hold.reason in _UNCOUNTED:
        sealed = hold.card or Sealed(None)
        draft.add(f.CardBurned(sealed, set_aside=True, evidence=hold.evidence))
    elif hold.reason in STAYS_OPEN:
        # Nobody knows where they are, but they are not in the shoe.
        for _ in range(draft.state.missing):
            draft.add(f.CardBurned(Sealed(None), set_aside=True))
    number = hold.round or latest_round(draft.state)
    if problem := void(draft, number):
        return problem
    _release(draft, hold, Resolution.VOID)
    return None


def _void_round(draft: Draft) -> None:
    if draft.state.rounds.latest is not None and draft.state.phase is Phase.ROUND:
        void(draft, draft.state.rounds.latest.number)


def _new_shoe(draft: Draft, hold: Hold, command: Resolve) -> Message | None:
    _void_round(draft)
    draft.add(f.ShoeRejected())
    for each in draft.state.holds:
        if each.reason in _OF_THE_SHOE:
            _release(draft, each, Resolution.NEW_SHOE)
    return None


_RESOLUTIONS: Final[dict[Resolution, Callable[[Draft, Hold, Resolve], Message | None]]] = {
    Resolution.ENTER_CARD: _enter_card,
    Resolution.NO_CARD: _no_card,
    Resolution.SET_ASIDE: _set_aside,
    Resolution.FACE_DOWN: _face_down,
    Resolution.ONE: _settled,
    Resolution.TWO: _two,
    Resolution.COUNT: count_felt,
    Resolution.REFILLED: _refilled,
    Resolution.RELEASE: _settled,
    Resolution.SQUARED: _settled,
    Resolution.VOID: _void,
    Resolution.NEW_SHOE: _new_shoe,
    Resolution.COUNT_AGAIN: _count_again,
    Resolution.PACK_OUT: _settled,
    Resolution.KEEP: _keep,
    Resolution.DUMMY: _dummy,
    Resolution.TAKE_BACK: _take_back,
    Resolution.BURN_LAST: _out_of_hand,
    Resolution.KEEP_LAST: _out_of_hand,
    Resolution.BURN_KEPT: _burn_kept,
    Resolution.PLACED: _settled,
    Resolution.DEAD_HAND: _dead_hand,
    Resolution.CORRECT: _correct,
    Resolution.REPLACED: _replaced,
    Resolution.STANDS: _settled,
}
