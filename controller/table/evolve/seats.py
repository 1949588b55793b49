"""What records change in who plays where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from controller.table import facts as f
from controller.table.evolve.shoe import Changes, change_in
from controller.table.growing import changed
from controller.table.state.phases import Impossible
from controller.table.state.remote_players import SeatedPlayer
from controller.table.state.state import State


def _taken(state: State, fact: f.SeatTaken, at_ms: int) -> Changes:
    return _with(state, fact.seat, SeatedPlayer(fact.player, fact.name))


def _reserved(state: State, fact: f.SeatReserved, at_ms: int) -> Changes:
    return _changed(state, fact.seat, next=(fact.player, fact.name))


def _left(state: State, fact: f.SeatLeft, at_ms: int) -> Changes:
    if fact.after_round:
        return _changed(state, fact.seat, leaves=True)
    _changed(state, fact.seat)
    left = {seat: each for seat, each in state.remote.players.items() if seat != fact.seat}
    return {"remote": changed(state.remote, {"players": left})}


def _away(state: State, fact: f.PlayerAway, at_ms: int) -> Changes:
    return _changed(state, fact.seat, away=True)


def _back(state: State, fact: f.PlayerBack, at_ms: int) -> Changes:
    return _changed(state, fact.seat, away=False)


def _changed(state: State, seat: int, **how: Any) -> Changes:
    if seat not in state.remote.players:
        raise Impossible(f"nobody plays at seat {seat}")
    return _with(state, seat, changed(state.remote.players[seat], how))


def _with(state: State, seat: int, player: SeatedPlayer) -> Changes:
    players = dict(sorted({**state.remote.players, seat: player}.items()))
    return {"remote": changed(state.remote, {"players": players})}


def seats_after_round(state: State, changes: dict[str, Any]) -> None:
    """Add to `changes` that a round is over: who leaves has left, and reserved seats are taken."""
    if any(each.leaves for each in state.remote.players.values()):
        players = {
            seat: SeatedPlayer(*each.next) if each.leaves and each.next else each
            for seat, each in state.remote.players.items()
            if each.next or not each.leaves
        }
        change_in(changes, state, "remote", {"players": players})


#: Which function says what a fact of a seat changes.
SEAT_EVOLVERS: Final[dict[type[f.Fact], Callable[[State, Any, int], Changes]]] = {
    f.SeatTaken: _taken,
    f.SeatReserved: _reserved,
    f.SeatLeft: _left,
    f.PlayerAway: _away,
    f.PlayerBack: _back,
}
