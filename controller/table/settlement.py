"""Chips on the felt: in which order wagers are played, and what settling one comes to."""

from __future__ import annotations

from controller.rules.felt import Outcome
from controller.rules.round import Wagers
from controller.rules.steps import Settle
from controller.table.phases import Impossible
from controller.table.state import State


def in_order_of_play(state: State) -> Wagers:
    """The wagers that were placed, in the order in which their seats play.

    Where players deal themselves the deal passes left: the seat on the dealer's left plays first,
    the dealer last. The last seat deals first of all.
    """
    placed = sorted(state.wagers.items())
    if not state.game.vying or not placed:
        return tuple(placed)
    seats = [seat for seat, _ in placed]
    dealer = next((seat for seat in seats if seat > state.button), seats[0])
    at = seats.index(dealer if state.button else seats[-1]) + 1
    return (*placed[at:], *placed[:at])


def settlement(step: Settle) -> tuple[Outcome, int | None]:
    """Outcome and net of the hand that is to be settled; None where the wager is not tracked."""
    result, wager = step.hand.result, step.hand.wager
    if result is None:
        raise Impossible("a hand without a result cannot be settled")
    return result.outcome, None if wager is None else result.net(wager)
