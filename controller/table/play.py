"""Decisions, settlement, the shoe's preparation, dealer changes and the dealer's buttons."""

from __future__ import annotations

from typing import Final

from controller.devices.inputs import Button
from controller.rules.felt import Action
from controller.rules.game import Ask, Settle
from controller.table import facts as f
from controller.table.bets import close_bets, repeat_wagers
from controller.table.draft import Draft
from controller.table.evolve import settlement
from controller.table.holds import Reason
from controller.table.inputs import (
    CallFloor,
    ChangeDealer,
    CloseBets,
    ConfirmSettled,
    CutShoe,
    Decide,
    LoadPack,
    RepeatWagers,
)
from controller.table.phases import Phase
from controller.table.state import State
from controller.table.words import ACTION_WORDS, sentence

MAX_NAME_CHARS: Final = 40


def waits(state: State) -> str:
    """The refusal of something that is not in turn: what the table waits for instead."""
    said = sentence(state)
    why = f" ({said.why.rstrip('.')})" if said.why else ""
    return f"Not now. {said.headline}{why}"


def decide_hand(draft: Draft, given: Decide) -> str | None:
    """A free choice; forced play and other hands' turns are refused with the rule."""
    step = draft.state.step
    if not isinstance(step, Ask) or step.hand.place != (given.seat, given.hand):
        return waits(draft.state)
    if given.action not in step.play.options:
        allowed = " or ".join(ACTION_WORDS[each].lower() for each in step.play.options)
        return f"{ACTION_WORDS[given.action]} is not allowed: {step.play.why}; {allowed}"
    draft.add(f.Decided(given.seat, given.hand, given.action))
    return None


def settle(draft: Draft, given: ConfirmSettled) -> str | None:
    """The chips of the hand in turn have moved."""
    step = draft.state.step
    if not isinstance(step, Settle) or step.hand.place != (given.seat, given.hand):
        return waits(draft.state)
    draft.add(f.HandSettled(given.seat, given.hand, *settlement(step)))
    return None


def load_pack(draft: Draft, given: LoadPack) -> str | None:
    """A new shoe, when one is due."""
    shoe = draft.state.shoe
    if draft.state.phase is not Phase.SHUFFLE:
        return waits(draft.state)
    draft.add(f.PackLoaded(shoe.number + 1, shoe.pack.size))
    return None


def cut_shoe(draft: Draft, given: CutShoe) -> str | None:
    """The new shoe is cut."""
    if draft.state.phase is not Phase.CUT:
        return waits(draft.state)
    draft.add(f.ShoeCut())
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
    if not isinstance(step, Ask):
        return waits(state)
    place = step.hand.place
    return decide_hand(draft, Decide(place.seat, Action(button.value), place.hand))


def held(state: State) -> str:
    """The refusal of anything but a way on while a hold is open."""
    said = sentence(state)
    return f"The table is held. {said.headline}: {said.why}"


def _next(draft: Draft) -> str | None:
    """What Next means now: done, loaded, cut, or no more bets."""
    step = draft.state.step
    if isinstance(step, Settle):
        place = step.hand.place
        return settle(draft, ConfirmSettled(place.seat, place.hand))
    if draft.state.phase is Phase.SHUFFLE:
        return load_pack(draft, LoadPack())
    if draft.state.phase is Phase.CUT:
        return cut_shoe(draft, CutShoe())
    if draft.state.phase is Phase.BETTING:
        return close_bets(draft, CloseBets())
    return waits(draft.state)
