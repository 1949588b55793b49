"""Facts of seats: who plays where, for a server whose players are elsewhere."""

from __future__ import annotations

from controller.rules.frozen import frozen


@frozen
class SeatTaken:
    """`player`, by the server's own id, plays at `seat`.

    `name` is empty: what screens call a player stands beside the record, for as long as that player
    has a seat. Older records have it here.
    """

    seat: int
    player: str
    name: str


@frozen
class SeatReserved:
    """The seat, whose player leaves, is `player`'s once the round in play is over.

    `name` as in `SeatTaken`.
    """

    seat: int
    player: str
    name: str


@frozen
class SeatLeft:
    """The player of the seat leaves; `after_round`: once the round in play is over."""

    seat: int
    after_round: bool


@frozen
class PlayerAway:
    """The player of the seat has lost the connection."""

    seat: int


@frozen
class PlayerBack:
    """The player of the seat is connected again."""

    seat: int
