"""One thing that goes wrong at a table: where it ends, and the test that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.table.irregularities.catalogue import IRREGULARITIES
from controller.table.irregularities.holds import Reason
from controller.table.views.english import say


class FaultEnd(Enum):
    """The named state in which a fault ends."""

    GOES_ON = "goes on"
    HELD = "held"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Case:
    """A fault, its end state with a word on it, and the test (file::name) that shows it."""

    fault: str
    end: FaultEnd
    how: str
    proof: str


def held(reason: Reason, how: str) -> str:
    """How a hold is told in the table."""
    return f"*{say(IRREGULARITIES[reason].title)}*: {how}"
