"""Facts of the chips of a table. Each is a slip with a number of its own, from 1 without gaps, but
for what makes one void. `by` are the two people who signed; amounts are minor units.
"""

from __future__ import annotations

from controller.rules.frozen import frozen
from controller.table.inputs.money import Chips, Moved
from controller.table.roles import Person


@frozen
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


@frozen
class RackClosed:
    """The rack was counted at the end of a shift: the closer."""

    slip: int
    chips: Chips
    by: tuple[Person, ...]


@frozen
class SlipSigned:
    """Chips came from the cage (a fill) or went there (a credit)."""

    slip: int
    kind: Moved
    chips: Chips
    by: tuple[Person, ...]


@frozen
class ChipsBought:
    """A player bought `chips`; their worth in cash went into the drop box `box`.

    `seat` is 0 for somebody who has none.
    """

    slip: int
    seat: int
    chips: Chips
    box: str
    by: tuple[Person, ...]


@frozen
class DropBoxChanged:
    """The drop box `taken` was taken away (empty: there was none), and `placed` put there."""

    slip: int
    taken: str
    placed: str
    by: tuple[Person, ...]


@frozen
class SoftCounted:
    """`amount` of cash lay in the drop box that was taken by the slip `taken`."""

    slip: int
    taken: int
    amount: int
    by: tuple[Person, ...]


@frozen
class SlipVoided:
    """The slip of that number does not hold."""

    slip: int
    reason: str
    by: tuple[Person, ...]
