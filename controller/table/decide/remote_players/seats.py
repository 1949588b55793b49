"""Judges of seats: who plays where for a server, and whose a command is."""

from __future__ import annotations

from typing import Final

from controller.rules.messages import Message, Seat, message
from controller.table import facts as f
from controller.table.decide.draft import Draft
from controller.table.inputs import (
    ConfirmWager,
    Decide,
    DeclineWager,
    LeaveSeat,
    MarkAway,
    PlaceWager,
    RemoveWager,
    TableInput,
    TakeSeat,
)
from controller.table.state.remote_players import SeatedPlayer
from controller.table.state.state import State

#: Commands that a player sends for the own seat.
_OF_A_SEAT: Final = (
    PlaceWager, RemoveWager, Decide, ConfirmWager, DeclineWager, LeaveSeat, MarkAway
)  # fmt: skip


def not_theirs(state: State, table_input: TableInput, player: str) -> Message | None:
    """Why a command that was sent for `player` is refused: it is the house's to ask, or the seat is
    none of that player's.
    """
    if not player or isinstance(table_input, TakeSeat):
        return None
    if not isinstance(table_input, _OF_A_SEAT):
        return message("not-for-a-player")
    seated = state.remote.players.get(table_input.seat)
    if seated is not None and seated.player == player:
        return None
    return message("seat-is-of-another", seat=Seat(table_input.seat))


def take_seat(draft: Draft, command: TakeSeat) -> Message | None:
    """Take a free seat, or reserve one whose player leaves. The name goes on no record."""
    state, seat = draft.state, command.seat
    if seat > state.setup.seats:
        return message("no-such-seat", seat=seat, seats=state.setup.seats)
    name = command.name.strip()
    if not name or not name.isprintable() or not command.player.isprintable():
        return message("name-is-no-line")
    players = state.remote.players
    elsewhere = next(
        (at for at, each in players.items() if at != seat and _has(each, command.player)),
        None,
    )
    if elsewhere is not None:
        return message("player-sits-elsewhere", seat=Seat(elsewhere))
    seated = players.get(seat)
    if seated is None:
        draft.add(f.SeatTaken(seat, command.player, ""))
        return None
    if seated.player == command.player:
        return message("seat-is-yours-already", seat=Seat(seat))
    if not seated.leaves:
        return message("seat-is-taken", seat=Seat(seat))
    if seated.next is not None:
        return message("seat-is-reserved", seat=Seat(seat))
    draft.add(f.SeatReserved(seat, command.player, ""))
    return None


def _has(seated: SeatedPlayer, player: str) -> bool:
    """Whether a seat is that player's, now or from the next round on."""
    if seated.next is not None and seated.next[0] == player:
        return True
    return seated.player == player and not seated.leaves


def leave_seat(draft: Draft, command: LeaveSeat) -> Message | None:
    """Leave a seat. A bet that lies there stays: it is taken back by itself, while that may be."""
    state, seated = draft.state, draft.state.remote.players.get(command.seat)
    if seated is None or seated.leaves:
        return message("nobody-plays-there", seat=Seat(command.seat))
    in_play = state.in_play
    plays = in_play is not None and any(seat == command.seat for seat, _ in in_play.wagers)
    if command.seat in state.betting.wagers:
        return message("take-the-bet-back-first", seat=Seat(command.seat))
    draft.add(f.SeatLeft(command.seat, after_round=plays))
    return None


def mark_away(draft: Draft, command: MarkAway) -> Message | None:
    """Note that a player has no connection, or has one again."""
    seated = draft.state.remote.players.get(command.seat)
    if seated is None:
        return message("nobody-plays-there", seat=Seat(command.seat))
    if seated.away is command.away:
        return message("connection-is-so-already", seat=Seat(command.seat))
    draft.add(f.PlayerAway(command.seat) if command.away else f.PlayerBack(command.seat))
    return None
