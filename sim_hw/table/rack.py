"""The chips beside the felt, as they lie there: the rack and the cash in the drop box.

Nobody writes anything down here. Hands that are paid take chips out, hands that are taken and fills
put some in; what people count is compared with what they signed by the table, not by the world.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

#: So many of each smaller chip lie in a rack, as long as its worth allows.
_PIECES: Final = 40


@dataclass(slots=True)
class Bought:
    """A player at `seat` has put so much cash down for chips of that worth, in minor units."""

    seat: int
    amount: int


@dataclass(slots=True)
class PhysicalRack:
    """A rack with chips of these `denominations`, the smallest first, together worth `worth`.

    Amounts are minor units. `cash` lies in the drop box, `boxes` holds that of boxes which were
    taken away, by name; `bought` are players' purchases that no slip was signed for yet.
    """

    denominations: tuple[int, ...]
    worth: int
    cash: int = 0
    boxes: dict[str, int] = field(default_factory=dict)
    bought: list[Bought] = field(default_factory=list)

    def pay(self, net: int) -> None:
        """A hand's chips move: `net` is the player's gain."""
        self.worth -= net

    def sell(self, seat: int, amount: int) -> None:
        """A player buys chips: the cash goes into the box."""
        self.worth -= amount
        self.cash += amount
        self.bought.append(Bought(seat, amount))

    def take_box(self, name: str) -> None:
        """The drop box goes to the count, and an empty one is put in its place."""
        if name:
            self.boxes[name] = self.cash
        self.cash = 0

    def count(self) -> list[dict[str, int]]:
        """What people count: every chip with its pieces, as the table takes it."""
        # With nothing left players are paid out of a purse of the floor's, until a fill comes.
        return pieces_of(max(0, self.worth), self.denominations, _PIECES)


def pieces_of(worth: int, denominations: Sequence[int], least: int = 0) -> list[dict[str, int]]:
    """Chips worth so much, every denomination named: `least` of each smaller one, if there are."""
    found, left = dict.fromkeys(denominations, 0), worth
    for chip in denominations[:-1]:
        found[chip] = min(least, left // chip)
        left -= found[chip] * chip
    for chip in reversed(denominations):
        found[chip] += left // chip
        left %= chip
    return [{"chip": chip, "pieces": pieces} for chip, pieces in found.items()]
