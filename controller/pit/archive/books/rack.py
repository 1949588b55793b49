"""The chips of a table out of its records: shifts of the rack, slips, drop boxes. Pure.

What the table's own page of chips says (`controller.table.evolve.money`), as rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Final

from controller.pit.archive.books.fold_state import (
    Earlier,
    FoldState,
    Rows,
    TallyKey,
    Values,
    quarter_of,
)
from controller.table.facts import (
    ChipsBought,
    DayClosed,
    DropBoxChanged,
    RackClosed,
    RackOpened,
    Record,
    SlipSigned,
    SlipVoided,
    SoftCounted,
)
from controller.table.inputs.money import Chips, value_of
from controller.table.roles import Person


class RackBook:
    """Adds what records say of the chips to `rows`; `state` is changed as they come."""

    def __init__(self, state: FoldState, rows: Rows, earlier: Earlier) -> None:
        self._state = state
        self._rows = rows
        self._earlier = earlier

    def add(self, record: Record) -> None:
        """Take a record, whatever it is about."""
        if (apply := _APPLY.get(type(record.fact))) is not None:
            apply(self, record, record.fact)

    def round_ended(self, net: int, game: str, *, untracked: bool) -> None:
        """A round of `game` is over, and the players gained `net` in it."""
        shift = self._state.rack.shift
        if not shift:
            return
        if not self._state.rack.is_open:
            self._shift(outside=shift["outside"] + 1)
            return
        games = json.loads(shift["games"]) if shift["rounds"] else []
        if game not in games:
            games.append(game)
        self._shift(
            rounds=shift["rounds"] + 1, players_net=shift["players_net"] + net,
            untracked=shift["untracked"] + untracked, games=json.dumps(games),
        )  # fmt: skip

    def in_currency(self, currency: str) -> None:
        """From now on, or of what is paid now, amounts are in that currency."""
        shift = self._state.rack.shift
        if not self._state.rack.is_open or currency == shift["currency"]:
            return
        others = json.loads(shift["currencies"])
        if currency not in others:
            self._shift(currencies=json.dumps([*others, currency]))

    def paid_later(self, net: int, currency: str) -> None:
        """A round that was over is put right: the players get `net`, now."""
        shift = self._state.rack.shift
        if not shift:
            return
        if self._state.rack.is_open:
            self.in_currency(currency)
            shift = self._state.rack.shift
            self._shift(players_net=shift["players_net"] + net)
        else:
            self._shift(outside=shift["outside"] + 1)

    def _shift(self, **changes: Any) -> None:
        """Change the newest shift."""
        shift = {**self._state.rack.shift, **changes}
        self._state.rack.shift = shift
        self._rows.shifts[shift["number"]] = shift

    def _slip(
        self, record: Record, fact: Any, kind: str, *, chips: Chips = (), **more: Any
    ) -> Values:
        state = self._state
        slip: Values = {
            "slip": fact.slip, "seq": record.seq, "shift": state.rack.shift.get("number", 0),
            "kind": kind, "at_ms": record.at_ms, "amount": value_of(chips),
            "chips": _pieces(chips), "box": "", "placed": "", "since": 0, "taken": 0,
            "difference": None, "rolled": False, "signed": _ids(fact.by), "void_ms": None,
            "void_reason": "", "void_by": "[]", "currency": self._slips_currency, "day": state.day,
            "game": state.game, "dealer": state.dealer, "seat": 0, **more,
        }  # fmt: skip
        self._rows.slips[fact.slip] = slip
        return slip

    @property
    def _slips_currency(self) -> str:
        """What slips are in now: what follows a closer is of its shift."""
        rack = self._state.rack
        if rack.shift and not rack.is_open:
            return str(rack.shift["currency"])
        return self._state.currency

    def _found(self, number: int) -> Values | None:
        return self._rows.slips.get(number) or self._earlier.slip(number)

    def opened(self, record: Record, fact: RackOpened) -> None:
        """The rack was counted before play."""
        state, before = self._state, self._state.rack.shift
        state.rack.is_open = True
        self._shift(
            number=before.get("number", 0) + 1, day=state.day, games=json.dumps([state.game]),
            currency=state.currency, currencies="[]", opened_ms=record.at_ms, closed_ms=None,
            first_round=state.rounds + 1, last_round=0, rounds=0, untracked=0, players_net=0,
            outside=0, unclosed="[]",
        )  # fmt: skip
        difference = None if fact.difference is None else _pieces(fact.difference)
        self._slip(
            record, fact, "opener", chips=fact.chips, difference=difference, rolled=fact.rolled
        )

    def closed(self, record: Record, fact: RackClosed) -> None:
        """The rack was counted at the end of a shift."""
        self._slip(record, fact, "closer", chips=fact.chips)
        if self._state.rack.shift:  # else its opener could not be read
            self._shift(closed_ms=record.at_ms, last_round=self._state.rounds)
        self._state.rack.is_open = False

    def signed(self, record: Record, fact: SlipSigned) -> None:
        """Chips came or went."""
        self._slip(record, fact, fact.kind.value, chips=fact.chips)

    def bought(self, record: Record, fact: ChipsBought) -> None:
        """A player bought chips."""
        slip = self._slip(
            record, fact, "buy_in", chips=fact.chips, box=fact.box, seat=fact.seat
        )  # fmt: skip
        self._rows.tally(_key_of(slip))["bought"] += slip["amount"]

    def box(self, record: Record, fact: DropBoxChanged) -> None:
        """Another drop box stands under the table."""
        rack = self._state.rack
        self._slip(record, fact, "box", box=fact.taken, placed=fact.placed, since=rack.box_since)
        number = rack.shift.get("number", 0)
        rack.box, rack.box_since = fact.placed, number if rack.is_open else number + 1

    def counted(self, record: Record, fact: SoftCounted) -> None:
        """The cash of a drop box: it belongs to the shift in which the box was taken."""
        taken = self._found(fact.taken) or {}
        self._slip(
            record, fact, "count", amount=fact.amount, box=taken.get("box", ""),
            taken=fact.taken, shift=taken.get("shift", 0),
        )  # fmt: skip

    def voided(self, record: Record, fact: SlipVoided) -> None:
        """A slip does not hold."""
        slip = self._found(fact.slip)
        if slip is None:
            return
        void = {
            "void_ms": record.at_ms, "void_reason": fact.reason, "void_by": _ids(fact.by)
        }  # fmt: skip
        self._rows.slips[fact.slip] = {**slip, **void}
        rack = self._state.rack
        if slip["kind"] == "buy_in":
            self._rows.tally(_key_of(slip))["bought"] -= slip["amount"]
        elif slip["kind"] == "box":
            rack.box, rack.box_since = slip["box"], slip["since"]
        elif slip["kind"] == "closer" and rack.shift:
            rack.is_open = True
            self._shift(closed_ms=None, last_round=0)
            self._goes_on(slip)
            self.in_currency(self._state.currency)

    def _goes_on(self, closer: Values) -> None:
        """Boxes that were put under the table after that closer are of its shift, too."""
        shift, rack = closer["shift"], self._state.rack
        rack.box_since = min(rack.box_since, shift)
        number = closer["slip"] + 1
        while slip := self._found(number):
            self._rows.slips[number] = {**slip, "since": min(slip["since"], shift)}
            number += 1

    def day_closed(self, _: Record, fact: DayClosed) -> None:
        """A gaming day ends, maybe without a closer."""
        rack = self._state.rack
        if rack.is_open:
            days = [*json.loads(rack.shift["unclosed"]), fact.label]
            self._shift(unclosed=json.dumps(days))


def _key_of(slip: Values) -> TallyKey:
    """The row of tallies to which a slip belongs."""
    quarter = quarter_of(slip["at_ms"])
    return TallyKey(
        slip["day"], quarter, slip["shift"], slip["game"], slip["dealer"], slip["currency"]
    )  # fmt: skip


def _pieces(chips: Chips) -> str:
    return json.dumps([[each.chip, each.pieces] for each in chips])


def _ids(people: Iterable[Person]) -> str:
    return json.dumps([each.id for each in people])


_APPLY: Final[dict[type, Callable[[RackBook, Record, Any], None]]] = {
    RackOpened: RackBook.opened, RackClosed: RackBook.closed, SlipSigned: RackBook.signed,
    ChipsBought: RackBook.bought, DropBoxChanged: RackBook.box, SoftCounted: RackBook.counted,
    SlipVoided: RackBook.voided, DayClosed: RackBook.day_closed,
}  # fmt: skip
ABOUT_RACK: Final = frozenset(_APPLY)
"""The facts that are about the chips."""
