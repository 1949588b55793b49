"""Judges of wagers and of "no more bets"."""

from __future__ import annotations

from controller.devices.inputs import SpotSensed
from controller.rules.engine.round import Wagers
from controller.rules.messages import Message, Seat, message
from controller.table import facts as f
from controller.table.decide.consequences.round_in_play import begun
from controller.table.decide.draft import Draft
from controller.table.inputs import CloseBets, PlaceWager, RemoveWager, RepeatWagers
from controller.table.irregularities.holds import MAX_HOLDS, Reason, late_seat
from controller.table.queries.bet_spots import bets_differ, late_bet
from controller.table.queries.device_failures import no_card_can_be_read, no_round_by_this_software
from controller.table.queries.prompts import prompt
from controller.table.queries.wagers import to_repeat
from controller.table.queries.windows import BETS, bets_are_open, late_ms
from controller.table.state.phases import Phase
from controller.table.state.state import State


def _closed(state: State) -> Message | None:
    """Why no wager can be placed or taken back now."""
    if state.phase is Phase.BETTING:
        return message("table-is-closed") if state.pit.closed else None
    if state.phase is Phase.ROUND:
        return message("no-more-bets")
    return message("no-bets-yet", next=prompt(state).headline)


def _not_taken(draft: Draft) -> Message | None:
    """Why no wager can be placed or taken back now, by the clock too."""
    state = draft.state
    problem = _closed(state)
    if state.setup.windows is not None and not state.pit.closed:
        late = late_ms(state, draft.stamp, BETS)
        if late and state.phase in (Phase.BETTING, Phase.ROUND):
            return message("bet-came-late", late=late)
    if problem is not None:
        return problem
    return None if bets_are_open(state) else message("bets-not-open-yet")


def wager_problem(state: State, seat: int, amount: int | None) -> Message | None:
    """Why this wager cannot be placed on this spot, by the rule."""
    if not 1 <= seat <= state.setup.seats:
        return message("no-such-seat", seat=seat, seats=state.setup.seats)
    return state.game.wager_problem(amount)


def place_wager(draft: Draft, command: PlaceWager) -> Message | None:
    """Place a wager on a spot, or change its amount."""
    problem = _not_taken(draft) or wager_problem(draft.state, command.seat, command.amount)
    if problem is None:
        draft.add(f.WagerPlaced(command.seat, command.amount))
    return problem


def remove_wager(draft: Draft, command: RemoveWager) -> Message | None:
    """Take a wager back."""
    problem = _not_taken(draft)
    if problem is None and command.seat not in draft.state.betting.wagers:
        problem = message("no-bet-at-seat", seat=Seat(command.seat))
    if problem is None:
        draft.add(f.WagerRemoved(command.seat))
    return problem


def repeat_wagers(draft: Draft, command: RepeatWagers) -> Message | None:
    """Place the wagers of the last round again, on the spots that have none."""
    if problem := _not_taken(draft):
        return problem
    again = to_repeat(draft.state)
    if not again:
        return message("no-bets-to-repeat")
    for seat, amount in again:
        draft.add(f.WagerPlaced(seat, amount))
    return None


def close_bets(draft: Draft, command: CloseBets) -> Message | None:
    """Begin the round; the table stops where what lies on the spots is not what was entered."""
    # First whether a round can begin: a table without bets, or without a reader, says so, and is
    # not held for chips.
    trial = draft.branch()
    if problem := begin_round(trial):
        return problem
    if differ := bets_differ(draft.state):
        draft.hold(Reason.BETS_DIFFER, differ)
    else:
        draft.join(trial)
    return None


def begin_round(draft: Draft) -> Message | None:
    """Begin the round, if there is a bet and cards can be read."""
    state = draft.state
    if problem := _closed(state):
        return problem
    if not state.betting.wagers:
        return message("no-bets-placed")
    least = state.game.seats.start
    if len(state.betting.wagers) < least:
        return message("too-few-players", least=least, players=len(state.betting.wagers))
    if problem := state.options.wagers_problem(list(state.betting.wagers.values())):
        return problem
    if blind := no_card_can_be_read(state):
        return blind
    if other := no_round_by_this_software(state):
        return other
    number = state.counts.rounds + 1
    draft.add(*begun(state.game, number, in_order_of_play(state), state.terms.setup_seq))
    return None


def in_order_of_play(state: State) -> Wagers:
    """The wagers that were placed, in the order in which their seats play.

    Where players deal themselves the deal passes left: the seat on the dealer's left plays first,
    the dealer last. The last seat deals first of all.
    """
    placed = sorted(state.betting.wagers.items())
    if not state.game.vying or not placed:
        return tuple(placed)
    seats = [seat for seat, _ in placed]
    dealer = next((seat for seat in seats if seat > state.betting.button), seats[0])
    at = seats.index(dealer if state.betting.button else seats[-1]) + 1
    return (*placed[at:], *placed[:at])


def sense_spot(draft: Draft, sensed: SpotSensed) -> Message | None:
    """Record what lies on a spot, where that is something else than before."""
    seats = draft.state.setup.seats
    if not 1 <= sensed.seat <= seats:
        return message("no-such-seat", seat=sensed.seat, seats=seats)
    known = draft.state.betting.spots.get(sensed.seat)
    if known is None or (known.source, known.chips) != (sensed.source, sensed.chips):
        draft.add(f.ChipsChanged(sensed.source, sensed.seat, sensed.chips))
    return None


def hold_late_bets(draft: Draft) -> None:
    """Stop the table for each spot on which chips came, went or changed after "no more bets"."""
    for seat in draft.state.betting.spots:
        state = draft.state
        if (why := late_bet(state, seat)) is None or len(state.holds) >= MAX_HOLDS:
            continue
        held = (late_seat(each) for each in state.holds if each.reason is Reason.LATE_BET)
        if seat not in held and state.in_play is not None:
            draft.hold(Reason.LATE_BET, why, about=state.in_play.number)
