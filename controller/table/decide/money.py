"""Judges of the chips of a table: counts of its rack, slips, drop boxes.

Every one is signed by two people. Numbers are given here, one after the other, and never again:
what was wrong is made void and stays on record.
"""

from __future__ import annotations

from controller.rules.messages import Amount, Message, message
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.decide.draft import Draft
from controller.table.inputs.money import Chips, less, value_of
from controller.table.roles import Needs
from controller.table.state.money import SlipKind
from controller.table.state.phases import Phase
from controller.table.state.state import State


def open_rack(draft: Draft, command: i.OpenRack) -> Message | None:
    """The rack is counted before play, and held against the closer before."""
    state = draft.state
    if problem := _unsigned(draft) or _not_counted_now(state, is_open=False):
        return problem
    if problem := _miscounted(state, command.chips) or _left_out(state, command.chips):
        return problem
    newest = state.money.newest
    closer = newest.closer if newest else None
    chips = _in_order(command.chips)
    difference = None if closer is None else less(chips, closer.chips)
    draft.add(f.RackOpened(_next_slip(draft), chips, draft.stamp.by, difference))
    return None


def close_rack(draft: Draft, command: i.CloseRack) -> Message | None:
    """The rack is counted at the end of a shift; where the house goes on, that opens the next."""
    state = draft.state
    if problem := _unsigned(draft) or _not_counted_now(state, is_open=True):
        return problem
    if problem := _miscounted(state, command.chips) or _left_out(state, command.chips):
        return problem
    if command.box and (problem := _no_other_box(state, command.box)):
        return problem
    chips, by = _in_order(command.chips), draft.stamp.by
    draft.add(f.RackClosed(_next_slip(draft), chips, by))
    if command.box:
        _put_box(draft, command.box)
    if command.roll:
        draft.add(f.RackOpened(_next_slip(draft), chips, by, (), rolled=True))
    return None


def sign_slip(draft: Draft, command: i.SignSlip) -> Message | None:
    """Chips come to the rack or go to the cage, as the slip says."""
    state = draft.state
    if problem := _unsigned(draft):
        return problem
    if state.money.open is None:
        return message("rack-is-not-open")
    if problem := _of_the_slip(state, command.amount, command.chips):
        return problem
    chips = _only_counted(command.chips)
    draft.add(f.SlipSigned(_next_slip(draft), command.kind, chips, draft.stamp.by))
    return None


def buy_in(draft: Draft, command: i.BuyIn) -> Message | None:
    """A player buys chips for cash, which goes into the drop box."""
    state = draft.state
    if not state.setup.buy_ins:
        return message("table-keeps-no-buy-ins")
    if problem := _unsigned(draft):
        return problem
    if state.money.open is None:
        return message("rack-is-not-open")
    if not state.money.box:
        return message("no-box-for-cash")
    if command.seat > state.setup.seats:
        return message("no-such-seat", seat=command.seat, seats=state.setup.seats)
    if problem := _of_the_slip(state, command.amount, command.chips):
        return problem
    chips, by = _only_counted(command.chips), draft.stamp.by
    draft.add(f.ChipsBought(_next_slip(draft), command.seat, chips, state.money.box, by))
    return None


def change_box(draft: Draft, command: i.ChangeBox) -> Message | None:
    """Another drop box is put under the table."""
    if problem := _unsigned(draft):
        return problem
    if draft.state.money.newest is None:
        return message("rack-is-not-open")
    if problem := _no_other_box(draft.state, command.box):
        return problem
    _put_box(draft, command.box)
    return None


def count_box(draft: Draft, command: i.CountBox) -> Message | None:
    """What lay in a drop box, once it has been taken."""
    state = draft.state
    if problem := _unsigned(draft):
        return problem
    found = state.money.found(command.taken)
    slip = found[1] if found else None
    if slip is None or slip.kind is not SlipKind.BOX or slip.void is not None or not slip.box:
        return message("slip-took-no-box", slip=command.taken)
    if counted := state.money.counted(command.taken):
        return message("box-is-counted-already", box=slip.box, slip=counted.number)
    if problem := _not_in_chips(state, command.amount):
        return problem
    draft.add(f.SoftCounted(_next_slip(draft), command.taken, command.amount, draft.stamp.by))
    return None


def void_slip(draft: Draft, command: i.VoidSlip) -> Message | None:
    """A slip does not hold any more, where nothing was built on it yet."""
    if problem := _unsigned(draft):
        return problem
    reason = command.reason.strip()
    if not reason or not reason.isprintable():
        return message("say-why-slip-is-void")
    if problem := draft.state.money.why_stands(command.slip):
        return problem
    draft.add(f.SlipVoided(command.slip, reason, draft.stamp.by))
    return None


def _unsigned(draft: Draft) -> Message | None:
    """Why nothing can be signed here, or who is missing for it."""
    if not _denominations(draft.state):
        return message("table-keeps-no-chips")
    by = draft.stamp.by
    if len({each.id for each in by}) < len(by):
        return message("one-person-signs-once")
    return draft.lacks(Needs.TWO)


def _denominations(state: State) -> tuple[int, ...]:
    return state.money.denominations(state.setup.chips)


def _not_counted_now(state: State, *, is_open: bool) -> Message | None:
    if state.phase is Phase.ROUND:
        return message("rack-is-counted-between-rounds")
    if is_open and state.money.open is None:
        return message("rack-is-not-open")
    if not is_open and state.money.open is not None:
        return message("rack-is-open-already")
    return None


def _not_in_chips(state: State, amount: int) -> Message | None:
    smallest = min(_denominations(state))
    if amount % smallest:
        return message("amount-not-in-chips", amount=Amount(amount), chip=Amount(smallest))
    return None


def _miscounted(state: State, chips: Chips) -> Message | None:
    """What is wrong with a count whatever it is of."""
    counted: set[int] = set()
    there = _denominations(state)
    for each in chips:
        if each.chip not in there:
            known = tuple(map(Amount, there))
            return message("no-such-chip", chip=Amount(each.chip), chips=known)
        if each.chip in counted:
            return message("chip-is-counted-twice", chip=Amount(each.chip))
        counted.add(each.chip)
    return None


def _of_the_slip(state: State, amount: int, chips: Chips) -> Message | None:
    """What is wrong with chips that come or go, beside what their slip says."""
    if problem := _not_in_chips(state, amount) or _miscounted(state, chips):
        return problem
    if value_of(chips) != amount:
        counted = Amount(value_of(chips))
        return message("slip-does-not-add-up", counted=counted, amount=Amount(amount))
    return None


def _left_out(state: State, chips: Chips) -> Message | None:
    """Which chips a count of the whole rack lacks."""
    counted = {each.chip for each in chips}
    missing = tuple(Amount(each) for each in _denominations(state) if each not in counted)
    return message("count-every-chip", chips=missing) if missing else None


def _no_other_box(state: State, box: str) -> Message | None:
    if box != box.strip() or not box.isprintable():
        return message("box-name-one-line")
    if box == state.money.box:
        return message("box-is-there-already", box=box)
    return None


def _put_box(draft: Draft, box: str) -> None:
    taken = draft.state.money.box
    draft.add(f.DropBoxChanged(_next_slip(draft), taken, box, draft.stamp.by))


def _next_slip(draft: Draft) -> int:
    return draft.state.money.slips + 1


def _only_counted(chips: Chips) -> Chips:
    return tuple(each for each in _in_order(chips) if each.pieces)


def _in_order(chips: Chips) -> Chips:
    return tuple(sorted(chips, key=lambda each: each.chip))
