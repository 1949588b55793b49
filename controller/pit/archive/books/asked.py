"""What the pit asked a table for, and what stands of it: closed, limits that it set, fills. Pure.

A fill that was asked for waits for its slip. Where no rack is open, none will come: it is over once
the dealer has read of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, Final

from controller.pit.archive.books.fold_state import Earlier, FoldState, Rows, Values
from controller.table.facts import (
    FillAnnounced,
    NoteRead,
    PitAsked,
    PlayClosed,
    PlayOpened,
    RackClosed,
    Record,
    SlipSigned,
    SlipVoided,
    TableOpened,
)
from controller.table.inputs.money import Moved, value_of


class AskedKind(Enum):
    """What stands at a table by the pit's word."""

    CLOSED = "closed"
    LIMITS = "limits"
    FILL = "fill"


class Became(Enum):
    """What became of it; `PUT_BACK`: the table is open again, or as its house configures it."""

    STANDS = ""
    PUT_BACK = "put_back"
    CHANGED = "changed"
    CAME = "came"
    NEVER = "never"
    READ = "read"


class AskedBook:
    """Adds what records say of it to `rows`; `state` is changed as they come."""

    def __init__(self, state: FoldState, rows: Rows, earlier: Earlier) -> None:
        self._state = state
        self._rows = rows
        self._earlier = earlier

    def add(self, record: Record) -> None:
        """Take a record, whatever it is about."""
        if (apply := _APPLY.get(type(record.fact))) is not None:
            apply(self, record, record.fact)

    def _begin(self, record: Record, kind: AskedKind, *, amount: int = 0, text: str = "") -> None:
        state = self._state
        # What the table was asked for follows at once.
        who = state.asker if record.seq == state.asker_seq + 1 else ""
        row: Values = {
            "seq": record.seq, "kind": kind.value, "day": state.day, "at_ms": record.at_ms,
            "who": who, "amount": amount, "text": text, "slip": 0, "brought": 0,
            "ended_ms": None, "became": Became.STANDS.value,
        }  # fmt: skip
        state.asked[record.seq] = self._rows.asked[record.seq] = row

    def _end(self, row: Values, at_ms: int, became: Became, **more: int) -> None:
        del self._state.asked[row["seq"]]
        row = {**row, "ended_ms": at_ms, "became": became.value, **more}
        self._rows.asked[row["seq"]] = row

    def _standing(self, kind: AskedKind) -> Iterator[Values]:
        return (each for each in list(self._state.asked.values()) if each["kind"] == kind.value)

    def pit_asked(self, record: Record, fact: PitAsked) -> None:
        """Somebody of the pit asks for what may follow."""
        self._state.asker, self._state.asker_seq = fact.who, record.seq

    def closed(self, record: Record, _: PlayClosed) -> None:
        """The table takes no bets."""
        self._begin(record, AskedKind.CLOSED)

    def reopened(self, record: Record, _: PlayOpened) -> None:
        """The table takes bets again."""
        for each in self._standing(AskedKind.CLOSED):
            self._end(each, record.at_ms, Became.PUT_BACK)

    def opened(self, record: Record, fact: TableOpened) -> None:
        """The table runs by a setup: other limits than before, or those that it had."""
        options = [[each.name, each.value] for each in fact.setup.set_by_pit]
        text = json.dumps(options) if options else ""
        for each in self._standing(AskedKind.LIMITS):
            if each["text"] == text:
                return
            self._end(each, record.at_ms, Became.CHANGED if text else Became.PUT_BACK)
        if text:
            self._begin(record, AskedKind.LIMITS, text=text)

    def fill(self, record: Record, fact: FillAnnounced) -> None:
        """A fill is to come."""
        self._begin(record, AskedKind.FILL, amount=fact.amount)

    def signed(self, record: Record, fact: SlipSigned) -> None:
        """A fill came: that of its amount, or the one that was asked for first."""
        waiting = list(self._standing(AskedKind.FILL)) if fact.kind is Moved.FILL else []
        if waiting:
            worth = value_of(fact.chips)
            one = next((each for each in waiting if each["amount"] == worth), waiting[0])
            self._end(one, record.at_ms, Became.CAME, slip=fact.slip, brought=worth)

    def voided(self, record: Record, fact: SlipVoided) -> None:
        """Did it come by a slip that does not hold, it is waited for again."""
        row = self._row_of(fact.slip)
        if row is not None:
            stands: Values = {
                "ended_ms": None, "became": Became.STANDS.value, "slip": 0, "brought": 0
            }  # fmt: skip
            self._state.asked[row["seq"]] = self._rows.asked[row["seq"]] = {**row, **stands}

    def _row_of(self, slip: int) -> Values | None:
        now = (each for each in self._rows.asked.values() if each["slip"] == slip)
        return next(now, None) or self._earlier.asked_by_slip(slip)

    def rack_closed(self, record: Record, _: RackClosed) -> None:
        """What did not come by now never came."""
        for each in self._standing(AskedKind.FILL):
            self._end(each, record.at_ms, Became.NEVER)

    def read(self, record: Record, fact: NoteRead) -> None:
        """The dealer knows of it."""
        row = self._state.asked.get(fact.note)
        if row is not None and not self._state.rack.is_open:
            self._end(row, record.at_ms, Became.READ)


_APPLY: Final[dict[type, Callable[[AskedBook, Record, Any], None]]] = {
    PitAsked: AskedBook.pit_asked, PlayClosed: AskedBook.closed, PlayOpened: AskedBook.reopened,
    TableOpened: AskedBook.opened, FillAnnounced: AskedBook.fill, SlipSigned: AskedBook.signed,
    SlipVoided: AskedBook.voided, RackClosed: AskedBook.rack_closed, NoteRead: AskedBook.read,
}  # fmt: skip
ABOUT_ASKED: Final = frozenset(_APPLY)
"""The facts that are about it."""
