"""Rows that are written whatever stands under their key: put in its place, added to it, or left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

from controller.pit.archive.books.fold_state import Values

#: Statements as the driver takes them, by database, what becomes of a row that is there, and table:
#: to have each made anew costs more than all else.
_MADE: Final[dict[tuple[str, str, str], str]] = {}


def put(connection: Connection, table: Table, rows: Sequence[Values]) -> None:
    """Rows take the place of those under their keys."""

    def statement(made: Any) -> Any:
        new = {name: made.excluded[name] for name in _others(table)}
        return made.on_conflict_do_update(index_elements=_keys(table), set_=new)

    _write(connection, "put", table, statement, _ordered(table, rows))


def add_up(connection: Connection, table: Table, rows: Sequence[Values]) -> None:
    """Every figure is added to the one under the row's key; one that is left out is 0."""

    def statement(made: Any) -> Any:
        sums = {name: table.c[name] + made.excluded[name] for name in _others(table)}
        return made.on_conflict_do_update(index_elements=_keys(table), set_=sums)

    nothing = dict.fromkeys(_others(table), 0)
    whole = [{**nothing, **each} for each in rows]
    _write(connection, "add_up", table, statement, _ordered(table, whole))


def put_new(connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """Rows, in the order of the table's columns, whose keys are there already are left."""

    def statement(made: Any) -> Any:
        return made.on_conflict_do_nothing(index_elements=_keys(table))

    _write(connection, "put_new", table, statement, rows)


def _write(
    connection: Connection, how: str, table: Table, statement: Callable[[Any], Any],
    rows: Sequence[tuple[Any, ...]],
) -> None:  # fmt: skip
    if not rows:
        return
    dialect = connection.dialect
    key = (dialect.name, how, table.name)
    if key not in _MADE:
        is_sqlite = dialect.name == "sqlite"
        # Both say the same of conflicts; parameters are in their order.
        made = (sqlite if is_sqlite else postgresql).insert(table)
        positional = dialect if is_sqlite else postgresql.dialect(paramstyle="format")  # type: ignore[no-untyped-call]
        compiled = statement(made).compile(dialect=positional, column_keys=table.columns.keys())
        _MADE[key] = compiled.string
    connection.exec_driver_sql(_MADE[key], list(rows))


def _ordered(table: Table, rows: Sequence[Values]) -> list[tuple[Any, ...]]:
    of = itemgetter(*table.columns.keys())
    return [of(each) for each in rows]


def _keys(table: Table) -> list[str]:
    return [each.name for each in table.primary_key]


def _others(table: Table) -> list[str]:
    return [each.name for each in table.columns if not each.primary_key]
