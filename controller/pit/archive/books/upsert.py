"""Rows that are written whatever stands under their key: put in its place, added to it, or left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

from controller.pit.archive.books.fold_state import Values


def put(connection: Connection, table: Table, rows: Sequence[Values]) -> None:
    """Rows take the place of those under their keys."""
    if rows:
        made = _insert(connection, table)
        new = {name: made.excluded[name] for name in _others(table)}
        _write(connection, made.on_conflict_do_update(index_elements=_keys(table), set_=new), rows)


def add_up(connection: Connection, table: Table, rows: Sequence[Values]) -> None:
    """Every figure is added to the one under the row's key; one that is left out is 0."""
    if rows:
        made = _insert(connection, table)
        sums = {name: table.c[name] + made.excluded[name] for name in _others(table)}
        whole = [{**dict.fromkeys(_others(table), 0), **each} for each in rows]
        added = made.on_conflict_do_update(index_elements=_keys(table), set_=sums)
        _write(connection, added, whole)


def put_new(connection: Connection, table: Table, rows: Sequence[Values]) -> None:
    """Rows whose keys are there already are left."""
    if rows:
        made = _insert(connection, table)
        _write(connection, made.on_conflict_do_nothing(index_elements=_keys(table)), rows)


def _insert(connection: Connection, table: Table) -> Any:
    """The insert of either database, which says the same of conflicts."""
    module = sqlite if connection.dialect.name == "sqlite" else postgresql
    return module.insert(table)


def _write(connection: Connection, statement: Any, rows: Sequence[Values]) -> None:
    connection.execute(statement, list(rows))


def _keys(table: Table) -> list[str]:
    return [each.name for each in table.primary_key]


def _others(table: Table) -> list[str]:
    return [each.name for each in table.columns if not each.primary_key]
