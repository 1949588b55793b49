"""How the line to the bus is: in order, or since when not, and why. The table plays on anyway."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from controller.rules.messages import Message, message


@dataclass(slots=True)
class BusLink:
    """What is known of the line."""

    clock_ms: Callable[[], int]
    since_ms: int | None = None
    why: str = ""

    def lost(self, why: str) -> None:
        """The line is not in order. The first cause counts: what follows are its consequences,
        and the table's record is no place for all of them.
        """
        if self.since_ms is None:
            self.since_ms, self.why = self.clock_ms(), why

    def is_well(self) -> None:
        """What was sent has been taken."""
        self.since_ms, self.why = None, ""

    def problem(self) -> Message | None:
        """The status for the pit and the technician; None while all is well."""
        if self.since_ms is None:
            return None
        return message("bus-is-away", why=self.why)
