"""Commands about who sits where, of the server for which players at a distance play."""

from __future__ import annotations

from typing import Annotated, Literal

from annotated_types import MaxLen, MinLen

from controller.rules.frozen import frozen
from controller.table.inputs.bounds import PlayerId, SeatNumber

#: A name for screens: what a player is called there, and never an account.
ScreenName = Annotated[str, MinLen(1), MaxLen(16)]


@frozen
class TakeSeat:
    """`player` takes a seat and is called `name` on screens.

    `player` is the server's own id, which no display shows. At a seat whose player leaves, it is
    kept for the next round.
    """

    seat: SeatNumber
    player: PlayerId
    name: ScreenName
    do: Literal["take_seat"] = "take_seat"


@frozen
class LeaveSeat:
    """The player of a seat leaves: at once between rounds, else when the round is over."""

    seat: SeatNumber
    do: Literal["leave_seat"] = "leave_seat"


@frozen
class MarkAway:
    """The player of a seat has lost the connection (`away`), or is back. The clock goes on."""

    seat: SeatNumber
    away: bool
    do: Literal["mark_away"] = "mark_away"
