"""What facts about the chips of a table change, and what rounds add to a shift of its rack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from controller.table import facts as f
from controller.table.evolve.shoe import Changes
from controller.table.growing import changed
from controller.table.inputs.money import Moved, value_of
from controller.table.state.money import (
    Money,
    RackShift,
    Slip,
    SlipKind,
    SlipVoid,
)
from controller.table.state.phases import Impossible, Phase
from controller.table.state.state import State

_MOVED: Final = {Moved.FILL: SlipKind.FILL, Moved.CREDIT: SlipKind.CREDIT}
#: Facts by which players are paid, or pay.
PAYS: Final = frozenset({f.RoundEnded, f.RoundCorrected, f.SettledRoundVoided})


def money_after(state: State, fact: f.Fact, changes: Changes) -> None:
    """Add to `changes` what a round that ended, or was put right, comes to in its shift."""
    shift = state.money.newest
    if shift is None:
        return
    more: dict[str, Any] = {}
    if isinstance(fact, f.RoundEnded):
        latest = state.rounds.latest
        assert latest is not None
        if shift.closer is not None:
            more["outside"] = shift.outside + 1
        else:
            more["rounds"] = shift.rounds + 1
            more["players_net"] = shift.players_net + fact.net
            if any(each.wager is None for each in latest.felt.hands):
                more["untracked"] = shift.untracked + 1
    elif isinstance(fact, f.RoundCorrected | f.SettledRoundVoided):
        if state.in_play is not None and state.in_play.number == fact.number:
            return  # it is part of what that round comes to
        # Its chips move now, whenever the round was.
        if shift.closer is not None:
            more["outside"] = shift.outside + 1
        else:
            more["players_net"] = shift.players_net + sum(amount for _, amount in fact.owed)
    changes["money"] = _with_shift(state.money, changed(shift, more))


def day_ended(state: State, label: str) -> Changes:
    """What the end of a gaming day changes where the rack is open: its closer is missing."""
    shift = state.money.open
    if shift is None:
        return {}
    unclosed = changed(shift, {"unclosed": (*shift.unclosed, label)})
    return {"money": _with_shift(state.money, unclosed)}


def _with_shift(money: Money, shift: RackShift) -> Money:
    """The money with a shift in the place of the one of that number."""
    shifts = tuple(shift if each.number == shift.number else each for each in money.shifts)
    return changed(money, {"shifts": shifts})


def _with_slip(state: State, slip: Slip, **more: Any) -> Changes:
    """One more slip of the newest shift."""
    shift = state.money.newest
    if shift is None:
        raise Impossible(f"slip {slip.number} is of a rack that was never opened")
    return _with_slip_of(state, shift, slip, **more)


def _with_slip_of(state: State, shift: RackShift, slip: Slip, **more: Any) -> Changes:
    _follows(state, slip.number)
    longer = changed(shift, {"slips": (*shift.slips, slip)})
    money = _with_shift(state.money, longer)
    return {"money": changed(money, {"slips": slip.number, **more})}


def _follows(state: State, slip: int) -> None:
    if slip != state.money.slips + 1:
        raise Impossible(f"slip {slip} does not follow slip {state.money.slips}")


def _between_rounds(state: State, slip: int, *, is_open: bool) -> None:
    if state.phase is Phase.ROUND or (state.money.open is not None) is not is_open:
        raise Impossible(f"the rack cannot be counted here, by slip {slip}")


def _rack_opened(state: State, fact: f.RackOpened, at_ms: int) -> Changes:
    _between_rounds(state, fact.slip, is_open=False)
    _follows(state, fact.slip)
    opener = Slip(
        fact.slip, SlipKind.OPENER, at_ms, fact.by, fact.chips, value_of(fact.chips),
        difference=fact.difference, rolled=fact.rolled,
    )  # fmt: skip
    money, newest = state.money, state.money.newest
    number = newest.number + 1 if newest else 1
    day = state.day.label if state.day else ""
    shift = RackShift(number, day, state.counts.rounds + 1, (opener,))
    return {"money": changed(money, {"slips": fact.slip, "shifts": money.with_shift(shift)})}


def _rack_closed(state: State, fact: f.RackClosed, at_ms: int) -> Changes:
    _between_rounds(state, fact.slip, is_open=True)
    closer = Slip(fact.slip, SlipKind.CLOSER, at_ms, fact.by, fact.chips, value_of(fact.chips))
    shift = state.money.open
    assert shift is not None, "it was looked at"
    return _with_slip_of(state, changed(shift, {"last_round": state.counts.rounds}), closer)


def _slip_signed(state: State, fact: f.SlipSigned, at_ms: int) -> Changes:
    amount = value_of(fact.chips)
    return _with_slip(state, Slip(fact.slip, _MOVED[fact.kind], at_ms, fact.by, fact.chips, amount))


def _chips_bought(state: State, fact: f.ChipsBought, at_ms: int) -> Changes:
    if fact.box != state.money.box or state.money.open is None:
        raise Impossible(f"slip {fact.slip} puts cash into a box that is not under the table")
    slip = Slip(
        fact.slip, SlipKind.BUY_IN, at_ms, fact.by, fact.chips, value_of(fact.chips),
        box=fact.box, seat=fact.seat,
    )  # fmt: skip
    return _with_slip(state, slip)


def _box_changed(state: State, fact: f.DropBoxChanged, at_ms: int) -> Changes:
    money = state.money
    if fact.taken != money.box:
        raise Impossible(f"slip {fact.slip} takes a box that is not under the table")
    slip = Slip(
        fact.slip, SlipKind.BOX, at_ms, fact.by, box=fact.taken, placed=fact.placed,
        since=money.box_since,
    )  # fmt: skip
    newest = money.newest
    number = newest.number if newest else 0
    since = number if money.open is not None else number + 1
    return _with_slip(state, slip, box=fact.placed, box_since=since)


def _soft_counted(state: State, fact: f.SoftCounted, at_ms: int) -> Changes:
    found = state.money.found(fact.taken)
    if found is None or found[1].kind is not SlipKind.BOX or found[1].void or not found[1].box:
        raise Impossible(f"slip {fact.slip} counts a box that slip {fact.taken} did not take")
    shift, box = found
    slip = Slip(
        fact.slip, SlipKind.COUNT, at_ms, fact.by, amount=fact.amount, box=box.box,
        taken=fact.taken,
    )  # fmt: skip
    return _with_slip_of(state, shift, slip)


def _slip_voided(state: State, fact: f.SlipVoided, at_ms: int) -> Changes:
    found = state.money.found(fact.slip)
    if found is None or found[1].void is not None:
        raise Impossible(f"slip {fact.slip} cannot be made void")
    shift, slip = found
    void = changed(slip, {"void": SlipVoid(fact.reason, at_ms, fact.by)})
    slips = tuple(void if each is slip else each for each in shift.slips)
    more: Changes = {}
    if slip.kind is SlipKind.CLOSER:
        slips = tuple(_since(each, shift.number) for each in slips)
        more = {"box_since": min(state.money.box_since, shift.number)}
    money = changed(_with_shift(state.money, changed(shift, {"slips": slips})), more)
    if slip.kind is SlipKind.BOX:
        money = changed(money, {"box": slip.box, "box_since": slip.since})
    return {"money": money}


def _since(slip: Slip, shift: int) -> Slip:
    """A slip of that shift, which goes on: a box that was put after its closer is of it, too."""
    return changed(slip, {"since": min(slip.since, shift)})


#: Which function says what a fact of the chips changes.
MONEY_EVOLVERS: Final[dict[type[f.Fact], Callable[[State, Any, int], Changes]]] = {
    f.RackOpened: _rack_opened,
    f.RackClosed: _rack_closed,
    f.SlipSigned: _slip_signed,
    f.ChipsBought: _chips_bought,
    f.DropBoxChanged: _box_changed,
    f.SoftCounted: _soft_counted,
    f.SlipVoided: _slip_voided,
}
