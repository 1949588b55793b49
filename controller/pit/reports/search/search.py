"""Finds archived rounds by table, time, card, seat, amount, dealer and reason of a hold. Blocks.

The rarest of what is asked for leads (`lead`): an index by card, amount, reason or dealer,
newest first; the others are looked up round by round. Where nothing that is asked for is rare, the
search goes back in time as far as it comes within `SEARCH_S`, and says how far that was.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, Final

from msgspec import Struct, structs
from sqlalchemy import Connection, Engine, Select, func, select

from controller.pit.accounts.on_records import ids_called, names_on_records
from controller.pit.archive.books import schema as b
from controller.pit.archive.storage import schema as s
from controller.pit.reports.asked import BadSpan
from controller.pit.reports.search.lead import (
    RoundPlace,
    RoundSearch,
    SearchLead,
    rarest_lead,
)
from controller.pit.reports.search.time_limit import BrokenOff, broken_off_after
from controller.table.roles import PersonId

#: This many rounds are shown at once.
MOST: Final = 50
#: Entries of an index that are read at once: a card may have lain at every seat of a round.
_ROWS: Final = 9 * (MOST + 1)
#: A search takes this long, about.
SEARCH_S: Final = 0.6
#: A part of it that takes longer than was thought is broken off so much later.
OVER_S: Final = 0.2
#: How far back it looks first.
FIRST_WIDTH_MS: Final = 3_600_000
_HOLD_MS: Final = 86_400_000


class HandAtSeat(Struct, frozen=True):
    """What became of a hand at the seat that was asked for; null: an amount that nobody entered."""

    hand: int
    outcome: str
    wager: int | None
    net: int | None


class FoundRound(Struct, frozen=True):
    """A round; amounts in minor units, `net` the players' gain, null while it is in play.

    `dealer` is an id, `dealt_by` who that is, where the pit knows the name. `hands` are those at
    the seat that was asked for, none where none was; as they were settled, before any correction.
    """

    table: str
    number: int
    began_ms: int
    game: str
    dealer: str
    wagered: int
    net: int | None
    void: bool
    corrections: int
    dealt_by: str = ""
    hands: tuple[HandAtSeat, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundRounds:
    """The newest rounds that fit, `MOST` at most; `more`: there are others that are older.

    `back_to_ms`: so far the search came in its time, None: to the end. `older`: from where to go on
    where there are more, or may be. A round with two holds of the reason that is asked for may be
    found again by the earlier one.
    """

    rounds: tuple[FoundRound, ...]
    more: bool = False
    back_to_ms: int | None = None
    older: RoundPlace | None = None


def find_rounds(
    engine: Engine, search: RoundSearch, seconds: float | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> FoundRounds:  # fmt: skip
    """What is found within so many seconds, `SEARCH_S` if left out.

    Raises `BadSpan`, `sqlalchemy.exc.DBAPIError`.
    """
    until = clock() + (SEARCH_S if seconds is None else seconds)
    with engine.connect().execution_options(reads_only=True) as connection:
        names = names_on_records(connection)
        if search.dealer:
            search = replace(search, dealers=ids_called(connection, search.dealer))
        table = _table(connection, search)
        lead = rarest_lead(connection, search)
        first_ms, last_ms = _span(connection, search, lead)
        # What is rare is read at once; of the common the newest, so far back as time allows.
        width_ms = last_ms - first_ms if lead.is_rare else FIRST_WIDTH_MS
        found: dict[tuple[str, int], tuple[FoundRound, RoundPlace]] = {}
        is_first = True
        while last_ms >= first_ms:
            began, from_ms = clock(), max(first_ms, last_ms - width_ms)
            query = _query(search, table, lead, from_ms, last_ms)
            # The first span is read to its end, or the search would never come past it.
            over_s = until - began + OVER_S
            limit = nullcontext() if is_first else broken_off_after(connection, over_s)
            try:
                with limit:
                    rows = connection.execute(query).all()
            except BrokenOff:
                break
            is_first = False
            for *row, at_ms, table_id in rows:
                place = RoundPlace(at_ms, table_id)
                found.setdefault((row[0], row[1]), (FoundRound(*row), place))
            if len(rows) == _ROWS:
                # There is more of this span: rounds with very many of what was asked for.
                from_ms = min(rows[-1][-2] + 1, last_ms)
            now, last_ms = clock(), from_ms - 1
            if len(found) > MOST or now >= until:
                break
            width_ms = round(width_ms * _growth(now - began, until - now))
        # In the order of the lead: of a hold's time, say.
        newest = list(found.values())
        more = len(newest) > MOST
        shown = [each for each, _ in newest[:MOST]]
        hands = _hands(connection, search.seat, shown)
    back_to_ms = last_ms + 1 if not more and last_ms >= first_ms else None
    told = (
        structs.replace(
            each, dealt_by=names.get(PersonId(each.dealer), ""),
            hands=tuple(hands[each.table, each.number]),
        )
        for each in shown
    )  # fmt: skip
    cut_off = None if back_to_ms is None else RoundPlace(back_to_ms)
    older = newest[MOST - 1][1] if more else cut_off
    return FoundRounds(tuple(told), more, back_to_ms, older)


def _hands(
    connection: Connection, seat: int | None, rounds: Sequence[FoundRound]
) -> defaultdict[tuple[str, int], list[HandAtSeat]]:
    """What became of the hands at that seat, by table and number of the round."""
    found: defaultdict[tuple[str, int], list[HandAtSeat]] = defaultdict(list)
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for each in rounds:
        numbers[each.table].append(each.number)
    if seat is None or not numbers:
        return found
    h, t = s.HANDS.c, s.TABLES.c
    for table, id_ in connection.execute(select(t.name, t.id).where(t.name.in_(numbers))).all():
        query = select(h.round, h.hand, h.outcome, h.wager, h.net).order_by(h.seq, h.hand)
        at_seat = query.where(h.table_id == id_, h.round.in_(numbers[table]), h.seat == seat)
        for number, *hand in connection.execute(at_seat):
            found[table, number].append(HandAtSeat(*hand))
    return found


def _growth(took_s: float, left_s: float) -> float:
    """How much wider the next span may be, so that it takes no more than half of what is left.

    What lies further back is not in memory: it takes longer than the last one says.
    """
    return min(4.0, max(0.25, left_s / 2 / max(took_s, 1e-6)))


def _table(connection: Connection, search: RoundSearch) -> tuple[int, ...]:
    """The tables that are searched. With a number each is one look into the index."""
    query = select(s.TABLES.c.id)
    if search.table:
        query = query.where(s.TABLES.c.name == search.table)
    elif search.number is None:
        return ()
    found = tuple(connection.execute(query).scalars())
    if search.table and not found:
        raise BadSpan(f"the archive has no table {search.table[:40]}")
    return found


def _span(connection: Connection, search: RoundSearch, lead: SearchLead) -> tuple[int, int]:
    """From when to when there are rounds at all; each is one look into the index."""
    r = s.ROUNDS.c
    oldest = connection.scalar(select(func.min(r.began_ms)))
    newest = connection.scalar(select(func.max(r.began_ms)))
    if oldest is None or newest is None:
        return 0, -1
    # A hold may be younger than the newest round.
    more_ms = _HOLD_MS if lead.table is b.STOPS else 0
    last_ms = min(search.last_ms, newest + more_ms)
    if search.before is not None:
        # At the same time other tables' rounds may have begun that were not seen.
        last_ms = min(last_ms, search.before.at_ms - (search.before.table_id is None))
    return max(search.first_ms, oldest - more_ms), last_ms


def _query(
    search: RoundSearch, tables: tuple[int, ...], lead: SearchLead, first_ms: int, last_ms: int
) -> Select[Any]:
    r = s.ROUNDS.c
    columns = (
        s.TABLES.c.name, r.number, r.began_ms, r.game, r.dealer, r.wagered, r.net, r.void,
        r.corrections, lead.at_ms.label("at_ms"), lead.table.c.table_id,
    )  # fmt: skip
    query = select(*columns).select_from(lead.table)
    if lead.table is b.STOPS:
        same = (r.table_id == b.STOPS.c.table_id) & (r.number == b.STOPS.c.round)
        query = query.join(s.ROUNDS, same)
    elif lead.table is not s.ROUNDS:
        same = (r.table_id == lead.table.c.table_id) & (r.seq == lead.table.c.seq)
        query = query.join(s.ROUNDS, same)
    query = query.join(s.TABLES, s.TABLES.c.id == lead.table.c.table_id)
    wanted = [*lead.wanted, lead.at_ms >= first_ms, lead.at_ms <= last_ms]
    if search.before is not None and search.before.table_id is not None:
        at_ms, table_id = search.before.at_ms, search.before.table_id
        wanted.append((lead.at_ms != at_ms) | (lead.table.c.table_id > table_id))
    if tables:
        wanted.append(lead.table.c.table_id.in_(tables))
    if search.number is not None:
        wanted.append(r.number == search.number)
    return (
        query.where(*wanted).order_by(lead.at_ms.desc(), lead.table.c.table_id)
        .limit(_ROWS)
    )  # fmt: skip
