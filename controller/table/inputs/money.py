"""Commands about the chips of a table: its rack is opened and closed, slips, drop boxes.

Amounts are minor units. All of them take two people, who sign with their PINs.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Literal

from annotated_types import Ge, Le, MaxLen, MinLen

from controller.rules.frozen import frozen
from controller.table.inputs.bounds import Amount, AnySeat, ReasonText

Pieces = Annotated[int, Ge(0), Le(10**6)]
Cash = Annotated[int, Ge(0), Le(10**12)]
BoxName = Annotated[str, MinLen(1), MaxLen(16)]
SlipNumber = Annotated[int, Ge(1), Le(2**31 - 1)]


class Moved(Enum):
    """Which way chips go: from the cage into the rack, or back."""

    FILL = "fill"
    CREDIT = "credit"


@frozen
class ChipCount:
    """`pieces` of the chip that is worth `chip`; of a difference they may be below zero."""

    chip: Amount
    pieces: Pieces


Chips = tuple[ChipCount, ...]
CountedChips = Annotated[tuple[ChipCount, ...], MinLen(1), MaxLen(32)]


def value_of(chips: Chips) -> int:
    """What chips are worth together."""
    return sum(each.chip * each.pieces for each in chips)


def less(chips: Chips, other: Chips) -> Chips:
    """What `chips` have more than `other`, chip by chip; of what is the same, nothing."""
    found = {each.chip: each.pieces for each in chips}
    for each in other:
        found[each.chip] = found.get(each.chip, 0) - each.pieces
    return tuple(ChipCount(chip, pieces) for chip, pieces in sorted(found.items()) if pieces)


@frozen
class OpenRack:
    """The rack was counted before play, every chip of the table: the opener."""

    chips: CountedChips
    do: Literal["open_rack"] = "open_rack"


@frozen
class CloseRack:
    """The rack was counted at the end of a shift, every chip of the table: the closer.

    `roll`: the next shift goes on with this very count as its opener. `box` is the drop box that
    is put under the table now, empty where it is not changed.
    """

    chips: CountedChips
    roll: bool = False
    box: Annotated[str, MaxLen(16)] = ""
    do: Literal["close_rack"] = "close_rack"


@frozen
class SignSlip:
    """Chips have come to the rack or gone to the cage: `amount` is what the slip says."""

    kind: Moved
    amount: Amount
    chips: CountedChips
    do: Literal["sign_slip"] = "sign_slip"


@frozen
class BuyIn:
    """A player has bought chips: `amount` of cash goes into the drop box, `chips` out of the rack.

    `seat` is the player's, 0 for somebody who stands by.
    """

    amount: Amount
    chips: CountedChips
    seat: AnySeat = 0
    do: Literal["buy_in"] = "buy_in"


@frozen
class ChangeBox:
    """The drop box is taken away, if there was one, and `box` is put in its place."""

    box: BoxName
    do: Literal["change_box"] = "change_box"


@frozen
class CountBox:
    """What lay in the drop box that the slip `taken` says was taken: the soft count."""

    taken: SlipNumber
    amount: Cash
    do: Literal["count_box"] = "count_box"


@frozen
class VoidSlip:
    """A slip does not hold; its number is not given again."""

    slip: SlipNumber
    reason: ReasonText
    do: Literal["void_slip"] = "void_slip"
