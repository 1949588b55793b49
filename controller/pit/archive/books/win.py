"""What a shift of the rack won by its chips, out of rows; words here are the pit's. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.rules.money import amount_text
from controller.table.rack_win import RackSums, RackWin, rack_win

Row = Mapping[str, Any]
"""A row of `rack_shifts` or `slips`."""


@dataclass(frozen=True, slots=True)
class RackRows:
    """Everything that is kept of a table's chips; `box` stands under it since shift `box_since`.

    `last_round` is the number of the newest round that is over.
    """

    shifts: Sequence[Row]
    slips: Sequence[Row]
    box: str = ""
    box_since: int = 0
    last_round: int = 0


def wins(rack: RackRows) -> Iterator[tuple[Row, RackWin]]:
    """Each shift and what it came to, the oldest first."""
    for shift in sorted(rack.shifts, key=lambda each: each["number"]):
        yield shift, _win(shift, rack)


def _win(shift: Row, rack: RackRows) -> RackWin:
    standing = [
        each for each in rack.slips
        if each["shift"] == shift["number"] and each["void_ms"] is None
    ]  # fmt: skip

    def total(kind: str) -> int:
        return sum(each["amount"] for each in standing if each["kind"] == kind)

    is_closed = shift["closed_ms"] is not None
    sums = RackSums(
        total("opener"), total("closer") if is_closed else None, total("fill"), total("credit"),
        total("count"), total("buy_in"), -shift["players_net"], shift["untracked"],
        shift["outside"],
    )  # fmt: skip
    lacking = tuple(_missing(shift, standing, rack))
    return rack_win(
        sums, lacking, tuple(_beside(sums, whole=not lacking)), shift["first_round"],
        shift["last_round"] if is_closed else rack.last_round,
    )  # fmt: skip


def _beside(sums: RackSums, *, whole: bool) -> Iterator[str]:
    """What is told with the win; `whole`: every box of the shift is counted."""
    if whole and sums.buy_ins and sums.buy_ins != sums.drop:
        held, bought = amount_text(sums.drop), amount_text(sums.buy_ins)
        yield f"the drop boxes held {held}, and the buy-ins on slips come to {bought}"
    if sums.untracked:
        yield f"{_rounds(sums.untracked)} had wagers without an amount"
    if sums.outside:
        outside = _rounds(sums.outside)
        yield f"{outside} ended or were put right after the closer, before the next opener"


def _missing(shift: Row, standing: Sequence[Row], rack: RackRows) -> Iterator[str]:
    """What the win by the chips cannot be known without."""
    number = shift["number"]
    if others := json.loads(shift["currencies"]):
        said = " and ".join((shift["currency"], *others))
        yield f"its amounts are in {said}: what chips and rounds come to together is no sum"
    if shift["closed_ms"] is None:
        yield "the rack is open: there is no closer yet"
    counted = {
        each["taken"] for each in rack.slips if each["kind"] == "count" and each["void_ms"] is None
    }  # fmt: skip
    for slip in standing:
        if slip["kind"] == "box" and slip["box"] and slip["slip"] not in counted:
            yield f"drop box {slip['box']} (slip {slip['slip']}) is not counted yet"
    for slip in rack.slips:
        if slip["kind"] != "box" or slip["void_ms"] is not None or not slip["box"]:
            continue
        inside = slip["since"] >= number and slip["shift"] <= number
        outside = slip["since"] > number or slip["shift"] < number
        if not inside and not outside:
            yield f"drop box {slip['box']} (slip {slip['slip']}) was there in other shifts, too"
    if rack.box and rack.box_since <= number:
        yield f"drop box {rack.box} is still under the table"


def _rounds(count: int) -> str:
    return f"{count} round" if count == 1 else f"{count} rounds"
