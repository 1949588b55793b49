"""Sensed bet spots as the dealer sees them."""

from __future__ import annotations

from controller.devices.displays import SpotView
from controller.rules.messages import Amount, message
from controller.table.queries.bet_spots import bet_differs, moved, sensed_spots
from controller.table.state.parts import SensedSpot
from controller.table.state.phases import Phase
from controller.table.state.state import State
from controller.table.views.english import show


def spot_views(state: State) -> tuple[SpotView, ...]:
    """Each spot whose sensor works, seat 1 first."""
    return tuple(
        SpotView(seat, _chips(spot), _differs(state, seat, spot))
        for seat, spot in sensed_spots(state).items()
    )


def _chips(spot: SensedSpot) -> str:
    if not spot.chips.present:
        return show(message("spot-without-chips"))
    amount = spot.chips.amount
    return show(message("spot-with-chips") if amount is None else Amount(amount))


def _differs(state: State, seat: int, spot: SensedSpot) -> bool:
    if state.phase is Phase.BETTING:
        return bet_differs(state, seat, spot) is not None
    return moved(state, seat)
