"""In which order wagers are played."""

from __future__ import annotations

from controller.rules.round import Wagers
from controller.table.state import State


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
