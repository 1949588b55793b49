"""Statements as a database's driver takes them, made once: to have each made anew, and each of its
values looked at, costs more than all else that an archive does with a record.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, CursorResult, Insert, Update


class Prepared:
    """A statement that is run with many rows: values by the names of its parameters, or of the
    `columns` that it inserts, two of them at least. They go to the driver as they are.
    """

    def __init__(self, statement: Insert | Update, columns: Sequence[str] | None = None) -> None:
        self._statement = statement
        self._columns = columns
        #: By the database: the statement, and the names in their order, where the driver wants
        #: that.
        self._made: dict[str, tuple[str, Callable[[Any], Any] | None]] = {}

    def run(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> CursorResult[Any]:
        """Run it with these rows, at least one; its `rowcount` is that of all.

        Raises `sqlalchemy.exc.DBAPIError`.
        """
        dialect = connection.dialect
        if dialect.name not in self._made:
            made = self._statement.compile(dialect=dialect, column_keys=self._columns)
            names = made.positiontup
            self._made[dialect.name] = made.string, None if names is None else itemgetter(*names)
        statement, ordered = self._made[dialect.name]
        values = rows if ordered is None else list(map(ordered, rows))
        return connection.exec_driver_sql(statement, values)
