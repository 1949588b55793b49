"""Facts of windows: how long players at a distance have to bet and to decide.

A window is closed by what it was open for (`BetsClosed`, `Decided`, ...), or it runs out.
"""

from __future__ import annotations

from controller.rules.frozen import frozen
from controller.table.inputs.windows import WindowKind


@frozen
class WindowOpened:
    """Players have `length_ms` from here on; at `closes_at_ms` of wall time the window runs out.

    A decision is that of `hand` at `seat`; both are 0 where all may bet.
    """

    kind: WindowKind
    seat: int
    hand: int
    length_ms: int
    closes_at_ms: int


@frozen
class LastCalled:
    """The last call for bets: they close soon."""


@frozen
class WindowStopped:
    """The clock of the window stands, since the table is held; `left_ms` are left."""

    left_ms: int


@frozen
class WindowResumed:
    """The clock of the window goes on: it runs out at `closes_at_ms` of wall time."""

    closes_at_ms: int


@frozen
class WindowExpired:
    """The window has run out. What was decided by that follows on record."""

    kind: WindowKind
    seat: int
    hand: int
