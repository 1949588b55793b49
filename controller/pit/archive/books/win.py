"""What a shift of the rack won by its chips, beside what its rounds say. Pure.

    win = closer + credits + drop - opener - fills

The same as the table's own page of chips (`controller.table.queries.win`), out of rows; words here
are the pit's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]
"""A row of `rack_shifts` or `slips`."""


@dataclass(frozen=True, slots=True)
class ShiftWin:
    """What a shift came to, in minor units. A figure is None while something is `missing` for it.

    `chips` is the win by the chips, `rounds` that by the rounds; `difference` is how much more the
    chips say: it lies in the rounds `first_round` to `last_round` (below it: there was none).
    """

    number: int
    day: str
    opened_ms: int
    closed_ms: int | None
    opener: int
    closer: int | None
    fills: int
    credits: int
    drop: int
    chips: int | None
    rounds: int
    difference: int | None
    missing: tuple[str, ...]
    first_round: int
    last_round: int


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


def wins(rack: RackRows) -> Iterator[ShiftWin]:
    """What each shift came to, the oldest first."""
    for shift in sorted(rack.shifts, key=lambda each: each["number"]):
        yield _win(shift, rack)


def _win(shift: Row, rack: RackRows) -> ShiftWin:
    standing = [
        each for each in rack.slips
        if each["shift"] == shift["number"] and each["void_ms"] is None
    ]  # fmt: skip

    def total(kind: str) -> int:
        return sum(each["amount"] for each in standing if each["kind"] == kind)

    is_closed = shift["closed_ms"] is not None
    opener, closer = total("opener"), total("closer")
    fills, credit, drop = total("fill"), total("credit"), total("count")
    missing = tuple(_missing(shift, standing, rack))
    chips = None if missing else closer + credit + drop - opener - fills
    if shift["untracked"]:
        missing += (f"{_rounds(shift['untracked'])} had wagers without an amount",)
    if shift["outside"]:
        outside = _rounds(shift["outside"])
        missing += (f"{outside} ended or were put right after the closer, before the next opener",)
    rounds = -shift["players_net"]
    return ShiftWin(
        shift["number"], shift["day"], shift["opened_ms"], shift["closed_ms"], opener,
        closer if is_closed else None, fills, credit, drop, chips, rounds,
        None if chips is None or shift["untracked"] else chips - rounds, missing,
        shift["first_round"], shift["last_round"] if is_closed else rack.last_round,
    )  # fmt: skip


def _missing(shift: Row, standing: Sequence[Row], rack: RackRows) -> Iterator[str]:
    """What the win by the chips cannot be known without."""
    number = shift["number"]
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
