"""Statements as a database's driver takes them, made once: to have each made anew, and each of its
values looked at, costs more than all else that an archive does with a record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, CursorResult, Insert, Select, Update

_Values = Mapping[str, Any]


class _DriverStatement(NamedTuple):
    """A statement in a database's own words; `ordered` puts the values of a row in the order in
    which its driver wants them, None: it takes them by their names. `own` are the statement's.
    """

    text: str
    ordered: Callable[[_Values], Any] | None
    own: _Values


class Prepared:
    """A statement that is run with many rows: values by the names of its parameters, or of the
    `columns` that it inserts, two of them at least. They go to the driver as they are, and come
    from it as it gives them.
    """

    def __init__(
        self, statement: Insert | Update | Select[Any], columns: Sequence[str] | None = None
    ) -> None:
        self._statement: Final = statement
        self._columns: Final = columns
        #: By the database.
        self._made: dict[str, _DriverStatement] = {}

    def run(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> CursorResult[Any]:
        """Run it with these rows, at least one; its `rowcount` is that of all.

        Raises `sqlalchemy.exc.DBAPIError`.
        """
        text, ordered, _ = self._for(connection)
        values = rows if ordered is None else list(map(ordered, rows))
        return connection.exec_driver_sql(text, values)

    def read(self, connection: Connection, values: dict[str, Any]) -> Sequence[Any]:
        """All rows that it finds with these values. Raises `sqlalchemy.exc.DBAPIError`."""
        text, ordered, own = self._for(connection)
        whole = {**own, **values}
        found = connection.exec_driver_sql(text, whole if ordered is None else ordered(whole))
        return found.fetchall()

    def _for(self, connection: Connection) -> _DriverStatement:
        dialect = connection.dialect
        if (known := self._made.get(dialect.name)) is not None:
            return known
        made = self._statement.compile(dialect=dialect, column_keys=self._columns)
        names = made.positiontup
        ordered = None if names is None else itemgetter(*names)
        self._made[dialect.name] = ready = _DriverStatement(made.string, ordered, made.params)
        return ready
