"""Facts of windows: how long players at a distance have to bet and to decide.

A window is closed by what it was open for (`BetsClosed`, `Decided`, ...), or it runs out.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.table.inputs.windows import WindowKind


@dataclass(frozen=True, slots=True)
class WindowOpened:
    """Players have `length_ms` from here on; at `closes_at_ms` of wall time the window runs out.

    A decision is that of `hand` at `seat`; both are 0 where all may bet.
    """

    kind: WindowKind
    seat: int
    hand: int
    length_ms: int
    closes_at_ms: int


@dataclass(frozen=True, slots=True)
class LastCalled:
    """The last call for bets: they close soon."""


@dataclass(frozen=True, slots=True)
class WindowStopped:
    """The clock of the window stands, since the table is held; `left_ms` are left."""

    left_ms: int


@dataclass(frozen=True, slots=True)
class WindowResumed:
    """The clock of the window goes on: it runs out at `closes_at_ms` of wall time."""

    closes_at_ms: int


@dataclass(frozen=True, slots=True)
class WindowExpired:
    """The window has run out. What was decided by that follows on record."""

    kind: WindowKind
    seat: int
    hand: int
