"""Judges of decisions, settlement, the cut, dealer changes and the dealer's buttons."""

from __future__ import annotations

from collections.abc import Sequence

from controller.devices.inputs import Button
from controller.rules.actions import DRAWS, Action, Bid
from controller.rules.cards import Card, CardError, card
from controller.rules.messages import Amount, Message, message
from controller.rules.script.steps import AddWager, Ask, Deal, Misfit, Peek, Reveal, Settle, Vie
from controller.table import facts as f
from controller.table.decide.bets import close_bets, repeat_wagers
from controller.table.decide.cards.readings import deal_kept
from controller.table.decide.cards.shoe_end import close_shoe, load_pack, scan_rest
from controller.table.decide.consequences.round_in_play import settlement
from controller.table.decide.draft import Draft
from controller.table.decide.remote_players.windows import open_bets
from controller.table.decide.resolutions.entry_confirmation import TURNED, confirmed
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
    OpenBets,
    RepeatWagers,
    ReportPeek,
    ScanRest,
    TurnCard,
)
from controller.table.irregularities.holds import Reason
from controller.table.queries.prompts import waits
from controller.table.queries.step_prompts import choices
from controller.table.queries.windows import (
    bets_to_open,
    declined_already,
    late_ms,
    opening_of,
)
from controller.table.roles import Needs, Person, PersonId, Role, is_person_id, lacking
from controller.table.state.phases import Phase
from controller.table.state.state import State


def decide_hand(draft: Draft, command: Decide) -> Message | None:
    """Record a player's free choice; forced play and other hands' turns are refused."""
    step = draft.state.step
    if late := _came_late(draft, command):
        return late
    if not isinstance(step, Ask | Vie) or step.hand.place != (command.seat, command.hand):
        return waits(draft.state)
    if command.action not in choices(step):
        return message(
            "choice-not-allowed", action=command.action, why=step.play.why, allowed=choices(step)
        )
    if problem := _amount_problem(step, command):
        return problem
    if draft.state.game.vying and command.action in DRAWS and draft.state.empty:
        return message("no-card-is-left")  # and none comes back (V727-A8)
    if draft.stamp.player and declined_already(draft.state, command.action):
        return message("further-bet-was-declined", action=command.action)
    draft.add(f.Decided(command.seat, command.hand, command.action, amount=command.amount))
    return None


def _came_late(draft: Draft, command: Decide | ConfirmWager | DeclineWager) -> Message | None:
    """Why an answer comes too late, where its window has closed."""
    if draft.state.setup.windows is None:
        return None
    opening = opening_of(command.seat, command.hand)
    late = late_ms(draft.state, draft.stamp, opening)
    return message("answer-came-late", late=late) if late else None


def _amount_problem(step: Ask | Vie, command: Decide) -> Message | None:
    """Why the amount of a decision is not valid, if it is not."""
    action, amount = command.action, command.amount
    if isinstance(step, Ask):
        return None if amount is None else message("action-takes-no-amount", action=action)
    move = action if amount is None else Bid(action, amount)
    if step.problem(move) is None:
        return None
    if action not in (Action.BET, Action.RAISE):
        return message("action-takes-no-amount", action=action)
    low, high, chip = (Amount(each) for each in (step.low, step.high, step.chip))
    return message("bet-outside", action=action, low=low, high=high, chip=chip)


def _adds_wager(draft: Draft, command: ConfirmWager | DeclineWager) -> AddWager | None:
    step = draft.state.step
    right = isinstance(step, AddWager) and step.hand.place == (command.seat, command.hand)
    return step if right and isinstance(step, AddWager) else None


def confirm_wager(draft: Draft, command: ConfirmWager) -> Message | None:
    """The further wager was placed."""
    if late := _came_late(draft, command):
        return late
    step = _adds_wager(draft, command)
    if step is None:
        return waits(draft.state)
    draft.add(f.WagerAdded(command.seat, command.hand, step.action, step.amount))
    return None


def decline_wager(draft: Draft, command: DeclineWager) -> Message | None:
    """The further wager was not placed."""
    if late := _came_late(draft, command):
        return late
    step = _adds_wager(draft, command)
    if step is None:
        return waits(draft.state)
    draft.add(f.WagerDeclined(command.seat, command.hand, step.action, step.amount))
    return None


def turn(draft: Draft, command: TurnCard) -> Message | None:
    """Turn a card that lies face down: the one that was read, or the one that is entered.

    One that was not read has to be entered twice.
    """
    step = draft.state.step
    if not isinstance(step, Reveal) or step.hand.place != (command.seat, command.hand):
        return waits(draft.state)
    sealed = step.card
    kind = sealed.open()
    by_hand = kind is None
    if kind is None or command.card is not None:
        entered = _entered(draft.state, command.card)
        if isinstance(entered, Message):
            return entered
        if kind is not None and kind is not entered:
            return message("turned-card-was-read-otherwise")
        kind = entered
    elif not draft.state.shoe.possible(kind):
        return message("turned-kind-is-gone", card=kind)
    try:
        # Tried before the second entry is asked for: what the rules refuse is typed once.
        trial = draft.branch()
        trial.add(
            f.CardTurned(kind, command.seat, command.hand, sealed.nonce.hex(), sealed.open_serial())
        )
    except Misfit as misfit:
        return misfit.why
    if not by_hand or confirmed(draft, TURNED, kind):
        draft.join(trial)
    return None


def _entered(state: State, code: str | None) -> Card | Message:
    """The card entered for one that lies face down, or why it cannot be."""
    if code is None:
        return message("turned-card-not-read")
    try:
        entered = card(code)
    except CardError:
        return message("no-such-card", card=code)
    if not state.shoe.possible(entered):
        return message("entered-kind-is-gone", card=entered)
    return entered


def peek(draft: Draft, command: ReportPeek) -> Message | None:
    """Record whether a hidden card that was not read makes a natural."""
    if not isinstance(draft.state.step, Peek):
        return waits(draft.state)
    draft.add(f.DealerPeeked(command.natural))
    return None


def settle(draft: Draft, command: ConfirmSettled) -> Message | None:
    """Record that the chips of the hand in turn have moved."""
    step = draft.state.step
    if not isinstance(step, Settle) or step.hand.place != (command.seat, command.hand):
        return waits(draft.state)
    draft.add(settlement(step))
    return None


def cut_shoe(draft: Draft, command: CutShoe) -> Message | None:
    """The new shoe is cut."""
    if draft.state.phase is not Phase.CUT:
        return waits(draft.state)
    size = draft.state.shoe.pack.size
    if command.at is not None and (draft.state.game.vying or not 0 < command.at < size):
        if draft.state.game.vying:
            return message("game-has-no-cut-card")
        return message("cut-card-outside-pack", most=size - 1)
    usual = 0 if draft.state.game.vying else draft.state.shoe.penetration_cards
    draft.add(f.ShoeCut(command.at or usual, declared=command.at is not None))
    return None


def change_dealer(draft: Draft, command: ChangeDealer) -> Message | None:
    """Change dealers between rounds; the house options say how many cards are then burned.

    Whoever proves who they are takes over. Somebody else is named by the floor or the pit, or by
    a machine that sends no proofs.
    """
    if command.person and not is_person_id(command.person):
        return message("dealer-is-no-id")
    if draft.state.phase is not Phase.BETTING:
        return message("dealers-change-between-rounds")
    person = _who_takes_over(PersonId(command.person), draft.stamp.by)
    if isinstance(person, Message):
        return person
    draft.add(f.DealerChanged(person, draft.state.options.burns(dealer_change=True)))
    return None


def _who_takes_over(named: PersonId, by: Sequence[Person]) -> PersonId | Message:
    """The new dealer, empty if unknown; `by` are those who proved who they are. Else a refusal."""
    proven = [each for each in by if is_person_id(each.id)]
    if named:
        allowed = not proven or named in {each.id for each in proven}
        by_floor = lacking(Needs.FLOOR, proven) is None
        return named if allowed or by_floor else message("dealers-take-over-themselves")
    dealers = [each for each in proven if each.role is Role.DEALER] or proven
    if len(dealers) > 1:
        return message("one-dealer-takes-over")
    return dealers[0].id if dealers else named


def call_floor(draft: Draft, command: CallFloor) -> Message | None:
    """The dealer stops the table."""
    if draft.state.held_for(Reason.FLOOR):
        return message("floor-is-called")
    draft.hold(Reason.FLOOR, message("dealer-called-the-floor"))
    return None


def press(draft: Draft, button: Button) -> Message | None:
    """Apply a dealer's button as it is meant at this moment. No button clears a hold: it is
    too easily pressed by habit.
    """
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


def held(state: State) -> Message:
    """The refusal of anything but a resolution while a hold is open; the display says why it is."""
    title = state.procedures.rows[state.holds[0].reason].title
    return message("table-is-held", title=title)


def _next(draft: Draft) -> Message | None:
    """Apply Next: done, bet placed, turned, loaded, cut, or no more bets."""
    state, step = draft.state, draft.state.step
    if isinstance(step, Settle):
        return settle(draft, ConfirmSettled(*step.hand.place))
    if isinstance(step, AddWager):
        return confirm_wager(draft, ConfirmWager(*step.hand.place))
    if isinstance(step, Reveal):
        return turn(draft, TurnCard(*step.hand.place))
    if state.aftermath.kept_cards and (isinstance(step, Deal) or state.phase is Phase.BURN):
        return deal_kept(draft, DealKept())
    if state.must_close or state.ledger.scanning:
        return _close(draft)
    if state.phase is Phase.SHUFFLE:
        return load_pack(draft, LoadPack())
    if state.phase is Phase.CUT:
        return cut_shoe(draft, CutShoe())
    if state.phase is Phase.BETTING:
        if bets_to_open(state):
            return open_bets(draft, OpenBets())
        return close_bets(draft, CloseBets())
    return waits(state)


def _close(draft: Draft) -> Message | None:
    """Close the shoe: as many cards are left as the record expects, or all were scanned.

    So did the whole pack, where that is run through.
    """
    state = draft.state
    if state.ledger.scans_pack:
        return load_pack(draft, LoadPack())
    if state.ledger.scanning:
        return close_shoe(draft, CloseShoe())
    if state.setup.reconcile == "scan":
        return scan_rest(draft, ScanRest())
    if state.setup.blind_counts:
        return message("count-and-type")
    return close_shoe(draft, CloseShoe(state.shoe.left))
