"""The part of a table's state that is of players at a distance: who plays, and for how long."""

# Without slots, like the other parts of the state: `changed` copies all fields in one move.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from controller.table.inputs.windows import WindowKind

#: How many windows that have closed are remembered, to say of what comes late how late it is.
CLOSED_WINDOWS_KEPT: Final = 16


@dataclass(frozen=True)
class Window:
    """What players at a distance have a while for, and until when.

    `due_ns` is when it runs out by the table's own time, `closes_at_ms` the same by the wall clock
    as it stands on record; both hold while the clock runs. `left_ms` is what is left while it
    stands, None while it runs. `expired`: it has run out, and what it was open for has not
    happened. `last_called`: the last call has come.
    """

    kind: WindowKind
    seat: int
    hand: int
    length_ms: int
    due_ns: int
    closes_at_ms: int
    left_ms: int | None = None
    last_called: bool = False
    expired: bool = False

    @property
    def runs(self) -> bool:
        """Whether its clock runs."""
        return self.left_ms is None and not self.expired

    def is_for(self, kind: WindowKind, seat: int = 0, hand: int = 0) -> bool:
        """Whether it is open for just that."""
        return (self.kind, self.seat, self.hand) == (kind, seat, hand)


@dataclass(frozen=True)
class ClosedWindow:
    """A window of this round that has closed, at `closed_ns` of the table's own time: bets, or a
    question that was not answered in time.
    """

    kind: WindowKind
    seat: int
    hand: int
    closed_ns: int

    def is_for(self, kind: WindowKind, seat: int = 0, hand: int = 0) -> bool:
        """Whether it was open for just that."""
        return (self.kind, self.seat, self.hand) == (kind, seat, hand)


@dataclass(frozen=True)
class SeatedPlayer:
    """Who plays at a seat for a server: its own id, and what screens call that player.

    `away`: without a connection. `leaves`: once the round in play is over; the seat is then that of
    `next`, if it is reserved.
    """

    player: str
    name: str
    away: bool = False
    leaves: bool = False
    next: tuple[str, str] | None = None


@dataclass(frozen=True)
class RemotePlayers:
    """Players at a distance: what they have a while for, who plays at which seat, and the clapper.

    `closed_windows` are the newest of this round that have closed. `clapper_due_ns` is when the
    clapper ends by the table's own time, None while none goes on.
    """

    window: Window | None = None
    closed_windows: tuple[ClosedWindow, ...] = ()
    players: dict[int, SeatedPlayer] = field(default_factory=dict)
    clapper_due_ns: int | None = None

    @property
    def running(self) -> Window | None:
        """The window whose clock runs."""
        return self.window if self.window is not None and self.window.runs else None
