"""Decisions, settlement, the shoe's preparation, dealer changes and the dealer's buttons."""

from __future__ import annotations

from typing import Final

from controller.devices.inputs import Button
from controller.rules.cards import Card, CardError, card
from controller.rules.english import ENGLISH
from controller.rules.felt import Action, Bid
from controller.rules.money import amount_text
from controller.rules.steps import AddWager, Ask, Deal, Misfit, Reveal, Settle, Vie
from controller.rules.steps import Peek as PeekStep
from controller.table import facts as f
from controller.table.decide.bets import close_bets, repeat_wagers
from controller.table.decide.draft import Draft
from controller.table.decide.entry_confirmation import TURNED, confirmed
from controller.table.decide.readings import deal_kept
from controller.table.decide.shoe_end import close_shoe, load_pack, scan_rest
from controller.table.inputs import (
    CallFloor,
    ChangeDealer,
    CloseBets,
    CloseShoe,
    ConfirmSettled,
    ConfirmWager,
    CutShoe,
    DealKept,
    Decide,
    DeclineWager,
    LoadPack,
    Peek,
    RepeatWagers,
    ScanRest,
    TurnCard,
)
from controller.table.irregularities.holds import Reason
from controller.table.phases import Phase
from controller.table.settlement import settlement
from controller.table.state import State
from controller.table.views.prompts import ACTION_WORDS, choices, sentence, waits

MAX_NAME_CHARS: Final = 40


def decide_hand(draft: Draft, given: Decide) -> str | None:
    """A free choice; forced play and other hands' turns are refused with the rule."""
    step = draft.state.step
    if not isinstance(step, Ask | Vie) or step.hand.place != (given.seat, given.hand):
        return waits(draft.state)
    if given.action not in choices(step):
        allowed = " or ".join(ACTION_WORDS[each].lower() for each in choices(step))
        why = ENGLISH.say(step.play.why, draft.state.game.words)
        return f"{ACTION_WORDS[given.action]} is not allowed: {why}; {allowed}"
    if problem := _amount_problem(step, given):
        return problem
    draft.add(f.Decided(given.seat, given.hand, given.action, amount=given.amount))
    return None


def _amount_problem(step: Ask | Vie, given: Decide) -> str | None:
    """Why the amount of a decision does not do, in the table's currency."""
    word, amount = ACTION_WORDS[given.action], given.amount
    if isinstance(step, Ask):
        return None if amount is None else f"{word} takes no amount"
    move = given.action if amount is None else Bid(given.action, amount)
    if step.problem(move) is None:
        return None
    if given.action not in (Action.BET, Action.RAISE):
        return f"{word} takes no amount"
    low, high, chip = (amount_text(each) for each in (step.low, step.high, step.chip))
    return f"{word} {low} to {high}, in chips of {chip} or more"


def _adds_wager(draft: Draft, given: ConfirmWager | DeclineWager) -> AddWager | None:
    step = draft.state.step
    right = isinstance(step, AddWager) and step.hand.place == (given.seat, given.hand)
    return step if right and isinstance(step, AddWager) else None


def confirm_wager(draft: Draft, given: ConfirmWager) -> str | None:
    """The further wager lies there."""
    step = _adds_wager(draft, given)
    if step is None:
        return waits(draft.state)
    draft.add(f.WagerAdded(given.seat, given.hand, step.action, step.amount))
    return None


def decline_wager(draft: Draft, given: DeclineWager) -> str | None:
    """The further wager is not put down."""
    step = _adds_wager(draft, given)
    if step is None:
        return waits(draft.state)
    draft.add(f.WagerDeclined(given.seat, given.hand, step.action))
    return None


def turn(draft: Draft, given: TurnCard) -> str | None:
    """A card that lay face down was turned: the one that was read, or the one that is entered.

    One that was not read is named first, and turned when the same is said again.
    """
    step = draft.state.step
    if not isinstance(step, Reveal) or step.hand.place != (given.seat, given.hand):
        return waits(draft.state)
    sealed = step.card
    kind = sealed.open()
    by_hand = kind is None
    if kind is None or given.card is not None:
        entered = _entered(draft.state, given.card)
        if isinstance(entered, str):
            return entered
        if kind is not None and kind is not entered:
            return "The card was read as another one when it was dealt: call the floor"
        kind = entered
    elif not draft.state.shoe.possible(kind):
        return f"{kind.name}: all of the pack are gone already: call the floor"
    try:
        trial = draft.branch()
        trial.add(
            f.CardTurned(kind, given.seat, given.hand, sealed.nonce.hex(), sealed.open_serial())
        )
    except Misfit as misfit:
        return ENGLISH.say(misfit.why, draft.state.game.words)
    if not by_hand or confirmed(draft, TURNED, kind):
        draft.join(trial)
    return None


def _entered(state: State, code: str | None) -> Card | str:
    """The card that was entered for one that lies face down, or why it cannot be."""
    if code is None:
        return "The card was not read when it was dealt: turn it and enter it"
    try:
        entered = card(code)
    except CardError as error:
        return str(error)
    if not state.shoe.possible(entered):
        return f"{entered.name}: all of the pack are gone already. Look again, or call the floor"
    return entered


def peek(draft: Draft, given: Peek) -> str | None:
    """What the dealer saw of a hidden card that was not read."""
    if not isinstance(draft.state.step, PeekStep):
        return waits(draft.state)
    draft.add(f.DealerPeeked(given.natural))
    return None


def settle(draft: Draft, given: ConfirmSettled) -> str | None:
    """The chips of the hand in turn have moved."""
    step = draft.state.step
    if not isinstance(step, Settle) or step.hand.place != (given.seat, given.hand):
        return waits(draft.state)
    draft.add(f.HandSettled(given.seat, given.hand, *settlement(step)))
    return None


def cut_shoe(draft: Draft, given: CutShoe) -> str | None:
    """The new shoe is cut."""
    if draft.state.phase is not Phase.CUT:
        return waits(draft.state)
    size = draft.state.shoe.pack.size
    if given.at is not None and (draft.state.game.vying or not 0 < given.at < size):
        none = "This game has no cut card" if draft.state.game.vying else ""
        return none or f"The cut card goes in after 1 to {size - 1} cards"
    draft.add(f.ShoeCut(given.at or 0))
    return None


def change_dealer(draft: Draft, given: ChangeDealer) -> str | None:
    """Another dealer, between rounds; burns as the house says."""
    name = given.name.strip()
    if not 0 < len(name) <= MAX_NAME_CHARS or not name.isprintable():
        return f"A dealer's name has 1 to {MAX_NAME_CHARS} letters"
    if draft.state.phase is not Phase.BETTING:
        return "Dealers change between rounds, while bets are open"
    draft.add(f.DealerChanged(name))
    return None


def call_floor(draft: Draft, given: CallFloor) -> str | None:
    """The dealer stops the table."""
    if draft.state.held_for(Reason.FLOOR):
        return "The floor has been called already"
    draft.hold(Reason.FLOOR, "The dealer called the floor.")
    return None


def press(draft: Draft, button: Button) -> str | None:
    """A dealer's button does what it means at this moment; no button clears a hold."""
    state = draft.state
    if button is Button.CALL:
        return call_floor(draft, CallFloor())
    if state.holds:
        return held(state)
    if button is Button.NEXT:
        return _next(draft)
    if button is Button.REPEAT:
        return repeat_wagers(draft, RepeatWagers())
    step = state.step
    if not isinstance(step, Ask | Vie):
        return waits(state)
    place = step.hand.place
    return decide_hand(draft, Decide(place.seat, Action(button.value), place.hand))


def held(state: State) -> str:
    """The refusal of anything but a resolution while a hold is open."""
    said = sentence(state)
    return f"The table is held. {said.headline}: {said.why}"


def _next(draft: Draft) -> str | None:
    """What Next means now: done, the bet lies there, turned, loaded, cut, or no more bets."""
    step = draft.state.step
    if isinstance(step, Settle):
        return settle(draft, ConfirmSettled(*step.hand.place))
    if isinstance(step, AddWager):
        return confirm_wager(draft, ConfirmWager(*step.hand.place))
    if isinstance(step, Reveal):
        return turn(draft, TurnCard(*step.hand.place))
    if draft.state.kept and (isinstance(step, Deal) or draft.state.phase is Phase.BURN):
        return deal_kept(draft, DealKept())
    if draft.state.must_close or draft.state.ledger.scanning:
        return _close(draft)
    if draft.state.phase is Phase.SHUFFLE:
        return load_pack(draft, LoadPack())
    if draft.state.phase is Phase.CUT:
        return cut_shoe(draft, CutShoe())
    if draft.state.phase is Phase.BETTING:
        return close_bets(draft, CloseBets())
    return waits(draft.state)


def _close(draft: Draft) -> str | None:
    """The shoe is over: as many cards are left as the record expects, or all went through.

    So did the whole pack, where that is run through.
    """
    state = draft.state
    if state.ledger.scans_pack:
        return load_pack(draft, LoadPack())
    if state.ledger.scanning:
        return close_shoe(draft, CloseShoe())
    if state.setup.reconcile == "scan":
        return scan_rest(draft, ScanRest())
    return close_shoe(draft, CloseShoe(state.shoe.left))
