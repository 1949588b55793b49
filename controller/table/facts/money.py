"""Facts of the chips of a table. Each is a slip with a number of its own, from 1 without gaps, but
for what makes one void. `by` are the two people who signed; amounts are minor units.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.table.inputs.money import Chips, Moved
from controller.table.roles import Person


@dataclass(frozen=True, slots=True)
class RackOpened:
    """The rack was counted before play: the opener.

    `difference` is what was there more than in the closer before (pieces below zero: less), None
    where there is none. `rolled`: nobody counted anew, the closer was taken over as it was.
    """

    slip: int
    chips: Chips
    by: tuple[Person, ...]
    difference: Chips | None = None
    rolled: bool = False


@dataclass(frozen=True, slots=True)
class RackClosed:
    """The rack was counted at the end of a shift: the closer."""

    slip: int
    chips: Chips
    by: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class SlipSigned:
    """Chips came from the cage (a fill) or went there (a credit)."""

    slip: int
    kind: Moved
    chips: Chips
    by: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class ChipsBought:
    """A player bought `chips`; their worth in cash went into the drop box `box`.

    `seat` is 0 for somebody who has none.
    """

    slip: int
    seat: int
    chips: Chips
    box: str
    by: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class DropBoxChanged:
    """The drop box `taken` was taken away (empty: there was none), and `placed` put there."""

    slip: int
    taken: str
    placed: str
    by: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class SoftCounted:
    """`amount` of cash lay in the drop box that was taken by the slip `taken`."""

    slip: int
    taken: int
    amount: int
    by: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class SlipVoided:
    """The slip of that number does not hold."""

    slip: int
    reason: str
    by: tuple[Person, ...]
