"""An open alert as page and machines see it."""

from __future__ import annotations

from msgspec import Struct


class AlertView(Struct, frozen=True):
    """An alert as page and machines see it; `table` is empty for the pit, `*` for several tables.

    `who` must act. `step`: how often it went to the next of them. `answered_by` is empty until
    somebody has it in hand. Times are the pit's wall times, in ms.
    """

    number: int
    kind: str
    table: str
    text: str
    who: str
    since_ms: int
    count: int
    step: int
    answered_by: str
    answered_ms: int | None
    ended_ms: int | None


class Waiting(Struct, frozen=True):
    """How many messages wait for a receiver, and how many it never took."""

    waiting: int = 0
    left: int = 0


class AlertFigures(Struct, frozen=True):
    """How many alerts are open, by kind, and what waits for receivers, by name."""

    open: dict[str, int] = {}
    receivers: dict[str, Waiting] = {}
