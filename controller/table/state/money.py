"""What a table knows of its chips: openers, closers, slips, drop boxes, by shifts of the rack.

Amounts are minor units, times wall times in ms since the epoch.
"""

# Without slots, like the other parts of the state: `changed` copies all fields in one move.

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from controller.rules.messages import Message, message
from controller.table.inputs.money import Chips
from controller.table.roles import Person

#: This many shifts of the rack are known, the open one included.
SHIFTS_KEPT: Final = 8
#: And this many older ones while a drop box that was taken in them is not counted.
WAITING_KEPT: Final = 24


class SlipKind(Enum):
    """What a slip is of."""

    OPENER = "opener"
    CLOSER = "closer"
    FILL = "fill"
    CREDIT = "credit"
    BUY_IN = "buy_in"
    BOX = "box"
    COUNT = "count"


@dataclass(frozen=True)
class SlipVoid:
    """Why a slip does not hold, who signed that, and when."""

    reason: str
    at_ms: int
    by: tuple[Person, ...]


@dataclass(frozen=True)
class Slip:
    """A slip as it was signed; `void` where it does not hold any more.

    `amount` is what its chips are worth, of a count the cash. Of a change of drop boxes `box` is
    the one that was taken, empty where there was none, `since` the shift in which it was first
    under the table, and `placed` the one that was put there. Of a count `taken` is the slip by
    which the box was taken. Of a buy-in `box` is where its cash went, `seat` whose it was (0:
    nobody's of the table). `difference` is what an opener had more than the closer before; None:
    there was none.
    """

    number: int
    kind: SlipKind
    at_ms: int
    by: tuple[Person, ...]
    chips: Chips = ()
    amount: int = 0
    box: str = ""
    placed: str = ""
    since: int = 0
    taken: int = 0
    seat: int = 0
    difference: Chips | None = None
    rolled: bool = False
    void: SlipVoid | None = None


@dataclass(frozen=True)
class RackShift:
    """A shift of the rack: from an opener to its closer, with the slips that belong to it.

    `number` counts shifts from 1, `day` labels the gaming day in which it began. `first_round` is
    the number of the first round in it, `last_round` that of the last one before its closer (below
    the first: none was played), `rounds` how many ended in it, `untracked` those with
    wagers whose amount nobody entered; `players_net` is what players were paid in it, and `outside`
    how many rounds ended, or were put right, after its closer and before the next opener.
    `unclosed` are the gaming days that ended in it without a closer.
    """

    number: int
    day: str
    first_round: int
    slips: tuple[Slip, ...]
    last_round: int = 0
    rounds: int = 0
    untracked: int = 0
    players_net: int = 0
    outside: int = 0
    unclosed: tuple[str, ...] = ()

    @property
    def opener(self) -> Slip:
        """The count that it began with."""
        return self.slips[0]

    @property
    def closer(self) -> Slip | None:
        """The count that it ended with; None while it goes on."""
        return next(self.of(SlipKind.CLOSER), None)

    def of(self, *kinds: SlipKind) -> Iterator[Slip]:
        """Its slips of these kinds that hold."""
        return (each for each in self.slips if each.kind in kinds and each.void is None)


@dataclass(frozen=True)
class Money:
    """The chips of a table. `slips` is the number of the newest slip, `shifts` are the newest
    ones of the rack and those whose boxes are to be counted, the oldest first. `box` is the drop
    box under the table, empty without one, and `box_since` the first shift in which it stands
    there.
    """

    slips: int = 0
    shifts: tuple[RackShift, ...] = ()
    box: str = ""
    box_since: int = 0

    @property
    def newest(self) -> RackShift | None:
        """The newest shift, open or closed; None where the rack was never opened."""
        return self.shifts[-1] if self.shifts else None

    @property
    def open(self) -> RackShift | None:
        """The shift that goes on."""
        newest = self.newest
        return newest if newest is not None and newest.closer is None else None

    def found(self, number: int) -> tuple[RackShift, Slip] | None:
        """The slip of that number and its shift, if it is known still."""
        return next(
            (
                (shift, slip)
                for shift in self.shifts
                for slip in shift.slips
                if slip.number == number
            ),
            None,
        )

    def counted(self, taken: int) -> Slip | None:
        """The count that holds of the box taken by that slip."""
        counts = (each for shift in self.shifts for each in shift.of(SlipKind.COUNT))
        return next((each for each in counts if each.taken == taken), None)

    def why_stands(self, number: int) -> Message | None:
        """Why a slip cannot be made void, None where it can: something came upon it."""
        found = self.found(number)
        if found is None:
            return message("no-such-slip", slip=number)
        shift, slip = found
        if slip.void is not None:
            return message("slip-is-void-already", slip=number)
        if slip.kind is SlipKind.COUNT:
            return None
        if slip.kind in (SlipKind.FILL, SlipKind.CREDIT, SlipKind.BUY_IN):
            return (
                None if shift.closer is None else message("slip-is-of-a-closed-rack", slip=number)
            )
        if slip.kind is SlipKind.BOX:
            boxes = (each.number for one in self.shifts for each in one.of(SlipKind.BOX))
            if number == max(boxes) and self.counted(number) is None:
                return None
        elif slip.kind is SlipKind.CLOSER and shift is self.newest and not shift.outside:
            # Boxes that were changed or counted since are of this shift. Rounds that ended after
            # it are in no shift, and would be missing in this.
            return None
        return message("slip-is-built-upon", slip=number)

    def denominations(self, configured: tuple[int, ...]) -> tuple[int, ...]:
        """The chips that are counted, the smallest first; none: no account is kept.

        Those of the configuration, and while a rack is open what is in it: the configuration may
        have changed since its opener, the chips in the rack have not.
        """
        shift = self.open
        inside = (each for slip in shift.slips for each in slip.chips) if shift else ()
        return tuple(sorted({*configured, *(each.chip for each in inside)}))

    def to_count(self, shift: RackShift) -> Iterator[Slip]:
        """The slips of a shift by which a drop box was taken that nobody has counted yet."""
        boxes = (each for each in shift.of(SlipKind.BOX) if each.box)
        return (each for each in boxes if self.counted(each.number) is None)

    def with_shift(self, shift: RackShift) -> tuple[RackShift, ...]:
        """The shifts with another one: the newest, and older ones whose boxes are to be counted."""
        shifts = (*self.shifts, shift)
        older = [each for each in shifts[:-SHIFTS_KEPT] if any(self.to_count(each))]
        return (*older[-WAITING_KEPT:], *shifts[-SHIFTS_KEPT:])
