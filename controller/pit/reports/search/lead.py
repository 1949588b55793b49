"""What a search of rounds goes by: the rarest of what is asked for, of which there is an index."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Table, exists, func, select

from controller.pit.archive.books import schema as b
from controller.pit.archive.storage import schema as s

#: What comes up less often is rare: all of it is read at once.
RARE: Final = 2_000
LAST_MS: Final = 253_402_300_799_999


@dataclass(frozen=True, slots=True)
class RoundPlace:
    """How far down the newest rounds somebody came: to the one of that table at that time, both of
    the lead; without a table to the end of what began at that time or later.
    """

    at_ms: int
    table_id: int | None = None

    def __str__(self) -> str:
        """As links have it."""
        return str(self.at_ms) if self.table_id is None else f"{self.at_ms}-{self.table_id}"


@dataclass(frozen=True, slots=True)
class RoundSearch:
    """What is looked for; empty or None: whatever it is. Times in ms, `amount` in minor units.

    What is older than `before` alone is found. Any of `cards` is meant. With these or `amount`,
    `seat` is where that lay. `dealers` are the ids of whoever is called `dealer`; none: that is an
    id.
    """

    table: str = ""
    number: int | None = None
    first_ms: int = 0
    last_ms: int = LAST_MS
    cards: tuple[str, ...] = ()
    seat: int | None = None
    amount: int | None = None
    dealer: str = ""
    reason: str = ""
    dealers: tuple[str, ...] = ()
    before: RoundPlace | None = None


@dataclass(frozen=True, slots=True)
class SearchLead:
    """The table that leads, its time, and all that is wanted of it and of its round."""

    table: Table
    at_ms: Any
    wanted: tuple[ColumnElement[bool], ...]
    is_rare: bool = False


@dataclass(frozen=True, slots=True)
class _Asked:
    """Something that is asked for, in the index that leads to it, and as a mark of a round.

    `key` enters the index, before the time; `there` is what else an entry has to have.
    """

    table: Table
    at_ms: Any
    key: ColumnElement[bool]
    there: tuple[ColumnElement[bool], ...]
    of_round: ColumnElement[bool]


def rarest_lead(connection: Connection, search: RoundSearch) -> SearchLead:
    """By what of `search` to go: it costs a look into each index that there is of it."""
    asked = list(_asked(search))
    if search.number is not None:
        # A number is one round of each table: nothing is rarer.
        counts, at = [], None
    else:
        counts = [_count(connection, each, search) for each in asked]
        at = min(range(len(asked)), key=counts.__getitem__, default=None)
    rest = tuple(each.of_round for place, each in enumerate(asked) if place != at)
    if search.seat is not None and not search.cards and search.amount is None:
        r, h = s.ROUNDS.c, s.HANDS.c
        rest += (
            exists().where(h.table_id == r.table_id, h.round == r.number, h.seat == search.seat),
        )
    if at is None:
        return SearchLead(s.ROUNDS, s.ROUNDS.c.began_ms, rest, search.number is not None)
    lead = asked[at]
    return SearchLead(lead.table, lead.at_ms, (lead.key, *lead.there, *rest), counts[at] < RARE)


def _count(connection: Connection, asked: _Asked, search: RoundSearch) -> int:
    """How many entries there are by the key, `RARE` at most. What else an entry has to have is not
    asked: of a common card at a seat that nobody took every entry would be looked at.
    """
    span = (asked.at_ms >= search.first_ms, asked.at_ms <= search.last_ms)
    some = select(asked.at_ms).where(asked.key, *span).limit(RARE).subquery()
    return int(connection.scalar(select(func.count()).select_from(some)) or 0)


def _asked(search: RoundSearch) -> Iterator[_Asked]:
    r = s.ROUNDS.c
    if search.reason:
        k = b.STOPS.c
        key = k.reason == search.reason
        same = exists().where(key, k.table_id == r.table_id, k.round == r.number)
        yield _Asked(b.STOPS, k.began_ms, key, (), same)
    if search.amount is not None:
        yield _in_index(b.ROUND_AMOUNTS, b.ROUND_AMOUNTS.c.amount == search.amount, search)
    if search.cards:
        yield _in_index(b.ROUND_CARDS, _one_of(b.ROUND_CARDS.c.card, search.cards), search)
    if search.dealer:
        ids = search.dealers or (search.dealer,)
        by = _one_of(r.dealer, ids)
        yield _Asked(s.ROUNDS, r.began_ms, by, (), by)


def _one_of(column: ColumnElement[str], values: tuple[str, ...]) -> ColumnElement[bool]:
    return column == values[0] if len(values) == 1 else column.in_(values)


def _in_index(index: Table, key: ColumnElement[bool], search: RoundSearch) -> _Asked:
    """A card or an amount, at the seat that is asked for."""
    i, r = index.c, s.ROUNDS.c
    there = () if search.seat is None else (i.seat == search.seat,)
    same = (i.at_ms == r.began_ms) & (i.table_id == r.table_id) & (i.seq == r.seq)
    return _Asked(index, i.at_ms, key, there, exists().where(key, *there, same))
