"""Rows in their thousands into an archive's tables, as fast as each database takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Table

ColumnsOfRows = Sequence[Sequence[Any]]
"""Some rows, column by column."""


@dataclass(frozen=True, slots=True)
class RowWriter:
    """How rows of a table are written; its key, where it is made after them."""

    rows: Callable[[Table, Callable[[], Iterator[ColumnsOfRows]]], None]
    key: Callable[[Table], None]


def into_sqlite(connection: Connection) -> RowWriter:
    """For a connection that does nothing else, to a database that nobody uses."""
    # Before a transaction begins. What is added at the end costs no journal, and a part that was
    # broken off is taken back.
    driver: Any = connection.connection.driver_connection
    for each in (
        "journal_mode = TRUNCATE", "synchronous = OFF", "cache_size = -500000",
        "foreign_keys = OFF", "temp_store = FILE", "threads = 2",
    ):  # fmt: skip
        driver.execute(f"PRAGMA {each}")

    def rows(table: Table, some: Callable[[], Iterator[ColumnsOfRows]]) -> None:
        names = [each.name for each in table.columns]
        marks = ", ".join("?" * len(names))
        sql = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})"
        cursor: Any = connection.connection.cursor()
        cursor.executemany(sql, chain.from_iterable(zip(*each, strict=True) for each in some()))

    return RowWriter(rows, lambda _table: None)


def into_postgresql(connection: Connection) -> RowWriter:
    """For a connection that does nothing else."""
    driver: Any = connection.connection.driver_connection
    # No look at `tables` for each row of another one.
    connection.exec_driver_sql("SET session_replication_role = replica")
    connection.exec_driver_sql("SET maintenance_work_mem = '1GB'")
    connection.commit()

    def rows(table: Table, some: Callable[[], Iterator[ColumnsOfRows]]) -> None:
        names = [each.name for each in table.columns]
        connection.exec_driver_sql(
            f"ALTER TABLE {table.name} DROP CONSTRAINT IF EXISTS {table.name}_pkey"
        )
        line = "\t".join(["%s"] * len(names)) + "\n"
        with (
            driver.cursor() as cursor,
            cursor.copy(f"COPY {table.name} ({', '.join(names)}) FROM STDIN") as copy,
        ):
            for columns in some():
                escaped = [
                    [r"\N" if value is None else value for value in each] if None in each else each
                    for each in columns
                ]
                flat = tuple(chain.from_iterable(zip(*escaped, strict=True)))
                copy.write(line * len(columns[0]) % flat)

    def key(table: Table) -> None:
        keys = ", ".join(each.name for each in table.primary_key)
        connection.exec_driver_sql(
            f"ALTER TABLE {table.name} DROP CONSTRAINT IF EXISTS {table.name}_pkey"
        )
        connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD PRIMARY KEY ({keys})")

    return RowWriter(rows, key)
