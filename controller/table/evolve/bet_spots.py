"""What records change in the sensed bet spots: what lies there, and what was agreed to lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from controller.table import facts as f
from controller.table.evolve.shoe import Changes
from controller.table.irregularities.holds import Reason, late_seat
from controller.table.state.parts import Coming, SensedSpot
from controller.table.state.state import State


def _chips_changed(state: State, fact: f.ChipsChanged, at_ms: int) -> Changes:
    known = state.spots.get(fact.seat)
    if known is None:
        spot = SensedSpot(fact.source, fact.chips)
    else:
        spot = known.with_chips(fact.source, fact.chips)
    return {"spots": {**state.spots, fact.seat: spot}}


def spots_after(state: State, record: f.Record, changes: dict[str, Any]) -> None:
    """Add to `changes` what a record changes in what was agreed to lie on the spots."""
    fact, spots = record.fact, state.spots
    if isinstance(fact, f.BetsClosed):
        changes["spots"] = {seat: _closed(state, spot) for seat, spot in spots.items()}
    elif isinstance(fact, f.RoundEnded | f.RoundVoided | f.DummyBegan):
        changes["spots"] = {seat: _open(spot) for seat, spot in spots.items()}
    elif isinstance(fact, f.HoldRaised) and fact.reason is Reason.BETS_DIFFER:
        changes["spots"] = {
            seat: _all_agreed(spot) if _works(state, spot) else spot for seat, spot in spots.items()
        }
    elif isinstance(fact, f.HoldReleased):
        _released(state, fact, changes)
    elif isinstance(fact, f.DeviceUp):
        # What it said before it was away is no word about now; its first report is.
        changes["spots"] = {
            seat: spot
            for seat, spot in spots.items()
            if spot.source != fact.device or (state.in_play and spot.agreed is not None)
        }
    elif isinstance(fact, f.WagerAdded) and fact.seat in spots:
        spot = spots[fact.seat]
        sensed = spot.agreed is not None and not spot.chips.same_as(spot.agreed)
        coming = Coming.NOTHING if sensed else Coming.MORE
        changes["spots"] = {**spots, fact.seat: _agreed(spot, coming)}
    elif isinstance(fact, f.HandSettled) and fact.seat in spots:
        spot, hands = spots[fact.seat], changes["rounds"].latest.felt.hands
        over = all(each.settled for each in hands if each.status.seat == fact.seat)
        settled = _open(spot) if over else _agreed(spot, Coming.OTHER)
        changes["spots"] = {**spots, fact.seat: settled}


def _open(spot: SensedSpot) -> SensedSpot:
    return SensedSpot(spot.source, spot.chips)


def _agreed(spot: SensedSpot, coming: Coming = Coming.NOTHING) -> SensedSpot:
    """What lies there is agreed to, unless nothing had to be."""
    if spot.agreed is None:
        return spot
    return SensedSpot(spot.source, spot.chips, spot.chips, coming)


def _closed(state: State, spot: SensedSpot) -> SensedSpot:
    """The spot as bets are closed: open where its sensor is away, or chips go to a pot."""
    return _all_agreed(spot) if _works(state, spot) and not state.game.vying else _open(spot)


def _works(state: State, spot: SensedSpot) -> bool:
    return spot.source in state.devices and state.devices[spot.source] is None


def _all_agreed(spot: SensedSpot) -> SensedSpot:
    return SensedSpot(spot.source, spot.chips, spot.chips)


def _released(state: State, fact: f.HoldReleased, changes: dict[str, Any]) -> None:
    """A late bet that was settled is agreed to on its own spot; others have their own holds."""
    hold, spots = state.hold(fact.number), state.spots
    if hold is None:
        return
    if hold.reason is Reason.BETS_DIFFER:
        changes["spots"] = {seat: _open(spot) for seat, spot in spots.items()}
    elif hold.reason is Reason.LATE_BET and (seat := late_seat(hold)) in spots:
        changes["spots"] = {**spots, seat: _agreed(spots[seat], spots[seat].coming)}


#: Which function tells what a fact of the spots changes.
SPOT_EVOLVERS: Final[dict[type[f.Fact], Callable[[State, Any, int], Changes]]] = {
    f.ChipsChanged: _chips_changed,
}
