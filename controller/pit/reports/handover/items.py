"""Items of a handover beside rounds and racks: alerts, what the pit asked tables for. Blocks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from sqlalchemy import Connection, Row, Select, select

from controller.pit.accounts.users import names_by_number
from controller.pit.alerts.causes import SEVERAL
from controller.pit.alerts.settings import AlertSettings
from controller.pit.alerts.store import alerts
from controller.pit.archive.books.asked import AskedKind, Became
from controller.pit.archive.books.schema import ASKED
from controller.pit.archive.retired import retired
from controller.pit.archive.storage.schema import TABLES
from controller.pit.wall.alert_view import AlertView
from controller.rules.games.registry import GAMES, game
from controller.rules.money import amount_text
from controller.rules.options import about, plain_text
from controller.table.roles import PersonId, pit_user

#: A list has this many lines at most.
MOST_LINES: Final = 200
_OF_MANY: Final = {"": "The pit", SEVERAL: "Several tables"}


class HandoverLine(Struct, frozen=True):
    """An item of the handover: at which table, since or at when, and what. `round` 0:
    it is of no round.
    """

    table: str
    at_ms: int
    what: str
    round: int = 0


def alerts_open(connection: Connection, settings: AlertSettings) -> tuple[HandoverLine, ...]:
    """Alerts that are open, those that nobody has in hand first."""
    return tuple(
        HandoverLine(_OF_MANY.get(each.table, each.table), each.since_ms, _alert(each))
        for each in alerts(connection, settings)
    )


def _alert(alert: AlertView) -> str:
    if alert.answered_by:
        return f"{alert.text} ({alert.answered_by} has it in hand)"
    return f"{alert.text} (nobody has it in hand: the {alert.who} must act)"


def by_the_pit(connection: Connection) -> tuple[HandoverLine, ...]:
    """Tables that the pit closed, and limits that it set, as long as they stand."""
    kinds = (AskedKind.CLOSED.value, AskedKind.LIMITS.value)
    query = _asked().where(ASKED.c.kind.in_(kinds), ASKED.c.ended_ms.is_(None))
    names = names_by_number(connection)
    return tuple(
        HandoverLine(each.name, each.at_ms, _stands(each, names))
        for each in connection.execute(query.order_by(ASKED.c.at_ms).limit(MOST_LINES))
    )


def out_of_service(connection: Connection, since_ms: int) -> Iterator[HandoverLine]:
    """Tables that were taken out of service since then, and still are: nothing calls for them."""
    for each in retired(connection).values():
        if each.at_ms >= since_ms:
            what = f"taken out of service by {each.who}: {each.reason}"
            yield HandoverLine(each.table, each.at_ms, what)


def fills_waited_for(connection: Connection) -> tuple[HandoverLine, ...]:
    """Fills that were asked for and have not come."""
    query = _asked().where(ASKED.c.kind == AskedKind.FILL.value, ASKED.c.ended_ms.is_(None))
    names = names_by_number(connection)
    return tuple(
        HandoverLine(each.name, each.at_ms, f"{_fill(each, names)} has not come")
        for each in connection.execute(query.order_by(ASKED.c.at_ms).limit(MOST_LINES))
    )


def fills_amiss(connection: Connection, since_ms: int) -> Iterator[HandoverLine]:
    """Fills that never came, or came with another amount than was asked for."""
    a, names = ASKED.c, names_by_number(connection)
    query = _asked().where(a.kind == AskedKind.FILL.value, a.at_ms >= since_ms)
    over = query.where(a.became.in_((Became.NEVER.value, Became.CAME.value)))
    for each in connection.execute(over.order_by(a.at_ms)):
        what = _fill(each, names)
        if each.became == Became.NEVER.value:
            yield HandoverLine(each.name, each.at_ms, f"{what} never came")
        elif each.brought != each.amount:
            brought = f"slip {each.slip} brought {amount_text(each.brought)}"
            yield HandoverLine(each.name, each.at_ms, f"{what} came otherwise: {brought}")


def _asked() -> Select[tuple[object, ...]]:
    return select(TABLES.c.name, TABLES.c.game, ASKED).join(TABLES, TABLES.c.id == ASKED.c.table_id)


def _stands(row: Row[tuple[object, ...]], names: dict[int, str]) -> str:
    by = _by(row, names)
    if row.kind == AskedKind.CLOSED.value:
        return f"closed{by}: it takes no bets"
    said = ", ".join(_option(row.game, *each) for each in json.loads(row.text))
    return f"set{by}: {said}"


def _fill(row: Row[tuple[object, ...]], names: dict[int, str]) -> str:
    return f"a fill of {amount_text(row.amount)} that was asked for{_by(row, names)}"


def _by(row: Row[tuple[object, ...]], names: dict[int, str]) -> str:
    """By whom, where the record says so of somebody whom this pit knows."""
    number = pit_user(PersonId(row.who))
    name = names.get(int(number), "") if number.isdecimal() else ""
    return f" by {name}" if name else ""


def _option(plays: str, name: str, value: int | str | bool) -> str:
    """An option and its value, in words.

    It was judged beside the table's others: beside a game's defaults it may make no sense.
    """
    words = name.replace("_", " ")
    known = about(game(plays).options).get(name) if plays in GAMES else None
    if known is not None and known.money and type(value) is int:
        return f"{words} {amount_text(value)}"
    return f"{words} {plain_text(value)}"
