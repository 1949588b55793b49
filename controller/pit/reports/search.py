"""Finds archived rounds by table, time, card, seat, amount, dealer and reason of a hold. Blocks.

The rarest of what is asked for leads: an index by card, amount, reason or dealer, newest first; the
others are looked up round by round. Only cards that lay face up are in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Engine, exists, select

from controller.pit.archive import schema as s
from controller.pit.archive.books import schema as b
from controller.pit.reports.asked import BadSpan
from controller.rules.cards import CardError, card
from controller.table.irregularities.holds import Reason

#: So many rounds are shown at once.
MOST: Final = 50
#: A card may have lain at every seat of a round.
_SEATS: Final = 9
_LAST_MS: Final = 253_402_300_799_999
REASONS: Final = tuple(each.value for each in Reason)


@dataclass(frozen=True, slots=True)
class RoundSearch:
    """What is looked for; empty or None: whatever it is. Times in ms, `amount` in minor units.

    With `card` or `amount`, `seat` is where that lay.
    """

    table: str = ""
    number: int | None = None
    first_ms: int = 0
    last_ms: int = _LAST_MS
    card: str = ""
    seat: int | None = None
    amount: int | None = None
    dealer: str = ""
    reason: str = ""


class FoundRound(Struct, frozen=True):
    """A round; amounts in minor units, `net` the players' gain, null while it is in play."""

    table: str
    number: int
    began_ms: int
    game: str
    dealer: str
    wagered: int
    net: int | None
    void: bool
    corrections: int


def read_search(fields: Mapping[str, str]) -> RoundSearch:
    """What a form or a link looks for. Raises `BadSpan`, which says what to write."""
    code = fields.get("card", "").strip().replace("10", "T")
    if code:
        try:
            code = card(code[:1].upper() + code[1:].lower()).code
        except CardError as error:
            raise BadSpan(f"card: {error}") from None
    reason = fields.get("reason", "").strip().replace(" ", "_")
    if reason and reason not in REASONS:
        raise BadSpan(f"reason: {reason[:40]!r} is none: use one of {', '.join(REASONS)}")
    return RoundSearch(
        fields.get("table", "").strip()[:64], _number(fields, "round"),
        _moment(fields, "from", 0), _moment(fields, "to", _LAST_MS), code,
        _number(fields, "seat"), _amount(fields), fields.get("dealer", "").strip()[:64], reason,
    )  # fmt: skip


def _number(fields: Mapping[str, str], name: str) -> int | None:
    text = fields.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise BadSpan(f"{name}: {text[:40]!r} is no number: write it like 3")
    return int(text)


def _moment(fields: Mapping[str, str], name: str, otherwise: int) -> int:
    text = fields.get(name, "").strip()
    if not text:
        return otherwise
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        at_ms = round(moment.timestamp() * 1_000)
    except (ValueError, OverflowError):
        raise BadSpan(
            f"{name}: {text[:40]!r} is no time: write it like 2026-11-26 or 2026-11-26T21:30 (UTC)"
        ) from None
    # A day or a minute is meant to its end.
    whole = 86_400_000 if len(text) == len("2026-11-26") else 60_000
    return at_ms + whole - 1 if name == "to" else at_ms


def _amount(fields: Mapping[str, str]) -> int | None:
    text = fields.get("amount", "").strip().replace(",", "")
    if not text:
        return None
    try:
        minor = Decimal(text) * 100
        if not minor.is_finite() or minor != minor.to_integral_value() or abs(minor) > 10**15:
            raise InvalidOperation
    except InvalidOperation:
        raise BadSpan(f"amount: {text[:40]!r} is none: write it like 25 or 12.50") from None
    return abs(int(minor))


def find_rounds(engine: Engine, search: RoundSearch) -> list[FoundRound]:
    """The newest rounds that fit, one more than `MOST` where there are more.

    Raises `sqlalchemy.exc.DBAPIError`.
    """
    with engine.connect().execution_options(reads_only=True) as connection:
        return _found(connection, search)


def _found(connection: Connection, search: RoundSearch) -> list[FoundRound]:
    r = s.ROUNDS.c
    table: int | None = None
    if search.table:
        query = select(s.TABLES.c.id).where(s.TABLES.c.name == search.table)
        table = connection.scalar(query)
        if table is None:
            raise BadSpan(f"the archive has no table {search.table[:40]}")
    lead, at_ms, wanted = _lead(search)
    wanted += [at_ms >= search.first_ms, at_ms <= search.last_ms]
    if table is not None:
        wanted.append(lead.c.table_id == table)
    if search.number is not None:
        wanted.append(r.number == search.number)
    if search.dealer:
        wanted.append(r.dealer == search.dealer)
    columns = (
        s.TABLES.c.name, r.number, r.began_ms, r.game, r.dealer, r.wagered, r.net, r.void,
        r.corrections,
    )  # fmt: skip
    query = select(*columns).select_from(lead)
    if lead is b.STOPS:
        same = (r.table_id == b.STOPS.c.table_id) & (r.number == b.STOPS.c.round)
        query = query.join(s.ROUNDS, same)
    elif lead is not s.ROUNDS:
        same = (r.table_id == lead.c.table_id) & (r.seq == lead.c.seq)
        query = query.join(s.ROUNDS, same)
    query = query.join(s.TABLES, s.TABLES.c.id == lead.c.table_id)
    rows = connection.execute(
        query.where(*wanted).order_by(at_ms.desc(), lead.c.table_id).limit((MOST + 1) * _SEATS)
    )
    unique = {(row[0], row[1]): FoundRound(*row) for row in rows}
    return sorted(unique.values(), key=lambda each: -each.began_ms)[: MOST + 1]


def _lead(search: RoundSearch) -> tuple[Any, Any, list[ColumnElement[bool]]]:
    """The table that leads, its time, and what is wanted of the others."""
    r, cards, amounts, stops = s.ROUNDS.c, b.ROUND_CARDS.c, b.ROUND_AMOUNTS.c, b.STOPS.c
    card_there = [cards.card == search.card]
    amount_there = [amounts.amount == search.amount]
    if search.seat is not None:
        card_there.append(cards.seat == search.seat)
        amount_there.append(amounts.seat == search.seat)
    wanted: list[ColumnElement[bool]] = []
    lead: Any = s.ROUNDS
    at_ms: Any = r.began_ms
    if search.reason:
        lead, at_ms = b.STOPS, stops.began_ms
        wanted.append(stops.reason == search.reason)
    if search.amount is not None:
        if lead is s.ROUNDS:
            lead, at_ms = b.ROUND_AMOUNTS, amounts.at_ms
            wanted += amount_there
        else:
            wanted.append(_is_there(amounts, amount_there))
    if search.card:
        if lead is s.ROUNDS:
            lead, at_ms = b.ROUND_CARDS, cards.at_ms
            wanted += card_there
        else:
            wanted.append(_is_there(cards, card_there))
    if search.seat is not None and not search.card and search.amount is None:
        h = s.HANDS.c
        wanted.append(
            exists().where(h.table_id == r.table_id, h.round == r.number, h.seat == search.seat)
        )
    return lead, at_ms, wanted


def _is_there(index: Any, wanted: list[ColumnElement[bool]]) -> ColumnElement[bool]:
    r = s.ROUNDS.c
    return exists().where(
        *wanted, index.at_ms == r.began_ms, index.table_id == r.table_id, index.seq == r.seq
    )
