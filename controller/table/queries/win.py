"""What a table won by its chips, shift of the rack by shift, beside what its rounds say.

    win = closer + credits + drop - opener - fills

Every payout is on record, so that the two must agree: what is between them is a chip that was paid,
taken, counted or written down otherwise than the record says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from controller.rules.messages import Message, message
from controller.table.state.money import Money, RackShift, SlipKind


class Win(NamedTuple):
    """What one shift of the rack, or several in a row, came to; amounts in minor units.

    `drop` is the cash that was counted so far. `chips` is the win by the chips, `rounds` that by
    the rounds; `difference` is how much more the chips say. They are None while something is
    `missing` for them. The rounds in it are `first_round` to `last_round` (below it: none).
    """

    opener: int
    closer: int | None
    fills: int
    credits: int
    drop: int
    chips: int | None
    rounds: int
    difference: int | None
    missing: tuple[Message, ...]
    first_round: int
    last_round: int


def win_of(money: Money, shifts: Sequence[RackShift], rounds_played: int) -> Win:
    """The win of `shifts`, which follow each other in `money`; one at least."""
    counted = [_counts(each) for each in shifts]
    opener = sum(each.opener for each in counted)
    closer = sum(each.closer for each in counted)
    fills, credit = (sum(each.fills for each in counted), sum(each.credits for each in counted))
    drop = sum(counts.amount for shift in shifts for counts in shift.of(SlipKind.COUNT))
    missing = tuple(_missing(money, shifts))
    chips = None if missing else closer + credit + drop - opener - fills
    untracked = sum(each.untracked for each in shifts)
    outside = sum(each.outside for each in shifts)
    if untracked:
        missing = (*missing, message("win-lacks-amounts", rounds=untracked))
    if outside:
        missing = (*missing, message("win-lacks-rounds-outside", rounds=outside))
    rounds = -sum(each.players_net for each in shifts)
    ended = shifts[-1].closer
    last = rounds_played if ended is None else shifts[-1].last_round
    return Win(
        opener, None if ended is None else closer, fills, credit, drop, chips, rounds,
        None if chips is None or untracked else chips - rounds, missing,
        shifts[0].first_round, last,
    )  # fmt: skip


class _Counts(NamedTuple):
    opener: int
    closer: int
    fills: int
    credits: int


def _counts(shift: RackShift) -> _Counts:
    closer = shift.closer
    return _Counts(
        shift.opener.amount,
        closer.amount if closer else 0,
        sum(each.amount for each in shift.of(SlipKind.FILL)),
        sum(each.amount for each in shift.of(SlipKind.CREDIT)),
    )


def _missing(money: Money, shifts: Sequence[RackShift]) -> Iterator[Message]:
    """What the win by the chips cannot be known without, in words."""
    first, last = shifts[0].number, shifts[-1].number
    for shift in shifts:
        if shift.closer is None:
            yield message("win-lacks-closer", slip=shift.opener.number)
        for box in shift.of(SlipKind.BOX):
            if box.box and money.counted(box.number) is None:
                yield message("win-lacks-count", box=box.box, slip=box.number)
    for shift in money.shifts:
        for box in shift.of(SlipKind.BOX):
            # It was under the table in these shifts and in others too.
            inside = box.since >= first and shift.number <= last
            outside = box.since > last or shift.number < first
            if box.box and not inside and not outside:
                yield message("win-shares-box", box=box.box, slip=box.number)
    if money.box and money.box_since <= last:
        yield message("win-lacks-box", box=money.box)
