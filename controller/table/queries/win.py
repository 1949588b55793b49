"""What a table won by its chips, shift of the rack by shift, beside what its rounds say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from controller.rules.messages import Amount, Message, message
from controller.table.rack_win import RackSums, RackWin, rack_win
from controller.table.state.money import Money, RackShift, SlipKind

Say = Callable[[Message], str]
"""Puts a message into the reader's words."""


def win_of(money: Money, shifts: Sequence[RackShift], rounds_played: int, say: Say) -> RackWin:
    """The win of `shifts`, which follow each other in `money`; one at least."""
    counted = [_counts(each) for each in shifts]
    ended = shifts[-1].closer
    sums = RackSums(
        opener=sum(each.opener for each in counted),
        closer=None if ended is None else sum(each.closer for each in counted),
        fills=sum(each.fills for each in counted),
        credits=sum(each.credits for each in counted),
        drop=sum(counts.amount for shift in shifts for counts in shift.of(SlipKind.COUNT)),
        buy_ins=sum(counts.amount for shift in shifts for counts in shift.of(SlipKind.BUY_IN)),
        rounds=-sum(each.players_net for each in shifts),
        untracked=sum(each.untracked for each in shifts),
        outside=sum(each.outside for each in shifts),
    )
    lacking = tuple(map(say, _missing(money, shifts)))
    beside = tuple(map(say, _beside(sums, whole=not lacking)))
    last = rounds_played if ended is None else shifts[-1].last_round
    return rack_win(sums, lacking, beside, shifts[0].first_round, last)


def _beside(sums: RackSums, *, whole: bool) -> Iterator[Message]:
    """What is told with the win; `whole`: every box of these shifts is counted."""
    if whole and sums.buy_ins and sums.buy_ins != sums.drop:
        drop, bought = Amount(sums.drop), Amount(sums.buy_ins)
        yield message("win-buy-ins-differ", drop=drop, bought=bought)
    if sums.untracked:
        yield message("win-lacks-amounts", rounds=sums.untracked)
    if sums.outside:
        yield message("win-lacks-rounds-outside", rounds=sums.outside)


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
