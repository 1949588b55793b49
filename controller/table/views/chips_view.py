"""The chips of a table as its page shows them: shifts of the rack, slips, what they came to."""

from __future__ import annotations

from collections.abc import Mapping

from controller.rules.frozen import frozen
from controller.table.inputs.money import Chips
from controller.table.queries.win import win_of
from controller.table.rack_win import RackWin
from controller.table.roles import PersonId, called
from controller.table.state.money import Money, RackShift, Slip, SlipVoid
from controller.table.state.phases import Phase
from controller.table.state.state import State
from controller.table.views.english import say

Names = Mapping[PersonId, str]


@frozen
class PiecesView:
    """`pieces` of the chip that is worth `chip`; of a difference they may be below zero."""

    chip: int
    pieces: int


@frozen
class SlipVoidView:
    """Why a slip does not hold, when that was signed, and by whom."""

    reason: str
    at_ms: int
    by: tuple[str, ...]


@frozen
class SlipView:
    """A slip: `kind` is opener, closer, fill, credit, buy_in, box or count; `by` names who signed.

    `amount` is what its chips are worth, of a count the cash. `box` is the drop box that was taken
    or counted, of a buy-in where its cash went; `seat` is whose buy-in it was (0: of nobody
    seated). `placed` is the box that was put there, `taken` the slip by which a counted one was
    taken. `difference` is what an opener had more than the closer before it, null where there was
    none. `rolled`: nobody counted anew. `to_count`: its box is still to be counted. `may_void`: it
    can be made void now.
    """

    number: int
    kind: str
    at_ms: int
    by: tuple[str, ...]
    chips: tuple[PiecesView, ...]
    amount: int
    box: str
    placed: str
    taken: int
    seat: int
    difference: tuple[PiecesView, ...] | None
    rolled: bool
    to_count: bool
    may_void: bool
    void: SlipVoidView | None


@frozen
class RackShiftView:
    """A shift of the rack, its slips from the first; `unclosed`: days that ended without closer."""

    number: int
    day: str
    open: bool
    slips: tuple[SlipView, ...]
    win: RackWin
    unclosed: tuple[str, ...]


@frozen
class ChipsView:
    """The chips of the table. `denominations` are those that are counted, the smallest first; none:
    it keeps no account. `counting`: the rack may be counted now, which it is between rounds alone.
    `buy_ins`: the house puts buy-ins on slips, of one of `seats`. `box` is the drop box under the
    table, empty without one. The newest shift comes first.
    """

    table: str
    currency: str
    denominations: tuple[int, ...]
    open: bool
    counting: bool
    buy_ins: bool
    seats: int
    box: str
    shifts: tuple[RackShiftView, ...]


def chips_view(state: State, names: Names) -> ChipsView:
    """The view of what is on record now."""
    money = state.money
    return ChipsView(
        table=state.setup.table,
        currency=state.setup.currency,
        denominations=money.denominations(state.setup.chips),
        open=money.open is not None,
        counting=state.phase is not Phase.ROUND,
        buy_ins=state.setup.buy_ins,
        seats=state.setup.seats,
        box=money.box,
        shifts=tuple(_shift(state, each, names) for each in reversed(money.shifts)),
    )


def _shift(state: State, shift: RackShift, names: Names) -> RackShiftView:
    return RackShiftView(
        number=shift.number,
        day=shift.day,
        open=shift.closer is None,
        slips=tuple(_slip(state.money, shift, each, names) for each in shift.slips),
        win=win_of(state.money, (shift,), state.counts.rounds, say),
        unclosed=shift.unclosed,
    )


def _slip(money: Money, shift: RackShift, slip: Slip, names: Names) -> SlipView:
    void = slip.void
    return SlipView(
        number=slip.number,
        kind=slip.kind.value,
        at_ms=slip.at_ms,
        by=tuple(called(each.id, names) for each in slip.by),
        chips=_pieces(slip.chips),
        amount=slip.amount,
        box=slip.box,
        placed=slip.placed,
        taken=slip.taken,
        seat=slip.seat,
        difference=None if slip.difference is None else _pieces(slip.difference),
        rolled=slip.rolled,
        to_count=slip in money.to_count(shift),
        may_void=money.why_stands(slip.number) is None,
        void=None if void is None else _void(void, names),
    )


def _void(void: SlipVoid, names: Names) -> SlipVoidView:
    return SlipVoidView(void.reason, void.at_ms, tuple(called(each.id, names) for each in void.by))


def _pieces(chips: Chips) -> tuple[PiecesView, ...]:
    return tuple(PiecesView(each.chip, each.pieces) for each in chips)
