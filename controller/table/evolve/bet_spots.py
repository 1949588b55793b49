"""What records change in the sensed bet spots: what lies there, and what was agreed to lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from controller.table import facts as f
from controller.table.evolve.shoe import Changes, change_in
from controller.table.growing import changed
from controller.table.irregularities.holds import Reason, late_seat
from controller.table.state.parts import Coming, SensedSpot
from controller.table.state.state import State


def _chips_changed(state: State, fact: f.ChipsChanged, at_ms: int) -> Changes:
    known = state.betting.spots.get(fact.seat)
    if known is None:
        spot = SensedSpot(fact.source, fact.chips)
    else:
        spot = known.with_chips(fact.source, fact.chips)
    spots = {**state.betting.spots, fact.seat: spot}
    return {"betting": changed(state.betting, {"spots": spots})}


def spots_after(state: State, record: f.Record, changes: Changes) -> None:
    """Add to `changes` what a record changes in what was agreed to lie on the spots."""
    after = _agreed_after(state, record.fact, changes)
    if after is not None:
        change_in(changes, state, "betting", {"spots": after})


def _agreed_after(state: State, fact: f.Fact, changes: Changes) -> dict[int, SensedSpot] | None:
    """The spots after a fact that changes what was agreed to, None after others."""
    spots = state.betting.spots
    if isinstance(fact, f.BetsClosed):
        return {seat: _closed(state, spot) for seat, spot in spots.items()}
    if isinstance(fact, f.RoundEnded | f.RoundVoided | f.DummyBegan):
        return {seat: _open(spot) for seat, spot in spots.items()}
    if isinstance(fact, f.HoldRaised) and fact.reason is Reason.BETS_DIFFER:
        return {
            seat: _all_agreed(spot) if _works(state, spot) else spot for seat, spot in spots.items()
        }
    if isinstance(fact, f.HoldReleased):
        return _released(state, fact)
    if isinstance(fact, f.DeviceUp):
        # What it said before it was away is no word about now; its first report is.
        return {
            seat: spot
            for seat, spot in spots.items()
            if spot.source != fact.device or (state.in_play and spot.agreed is not None)
        }
    if isinstance(fact, f.WagerAdded) and fact.seat in spots:
        spot = spots[fact.seat]
        sensed = spot.agreed is not None and not spot.chips.same_as(spot.agreed)
        coming = Coming.NOTHING if sensed else Coming.MORE
        return {**spots, fact.seat: _agreed(spot, coming)}
    if isinstance(fact, f.HandSettled) and fact.seat in spots:
        spot, hands = spots[fact.seat], changes["rounds"].latest.felt.hands
        over = all(each.settled for each in hands if each.status.seat == fact.seat)
        settled = _open(spot) if over else _agreed(spot, Coming.OTHER)
        return {**spots, fact.seat: settled}
    return None


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
    return spot.source in state.run.devices and state.run.devices[spot.source] is None


def _all_agreed(spot: SensedSpot) -> SensedSpot:
    return SensedSpot(spot.source, spot.chips, spot.chips)


def _released(state: State, fact: f.HoldReleased) -> dict[int, SensedSpot] | None:
    """A late bet that was settled is agreed to on its own spot; others have their own holds."""
    hold, spots = state.hold(fact.number), state.betting.spots
    if hold is None:
        return None
    if hold.reason is Reason.BETS_DIFFER:
        return {seat: _open(spot) for seat, spot in spots.items()}
    if hold.reason is Reason.LATE_BET and (seat := late_seat(hold)) in spots:
        return {**spots, seat: _agreed(spots[seat], spots[seat].coming)}
    return None


#: Which function tells what a fact of the spots changes.
SPOT_EVOLVERS: Final[dict[type[f.Fact], Callable[[State, Any, int], Changes]]] = {
    f.ChipsChanged: _chips_changed,
}
