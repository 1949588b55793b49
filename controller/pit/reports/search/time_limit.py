"""A question to the database that is broken off where it takes too long. Blocks.

How long the next part of a search takes is guessed from the last one, which may have lain in memory
where the next has to be read from the disk.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

#: SQLite asks after so many steps of its machine whether it is to go on: some tenths of a ms.
_STEPS: Final = 10_000
#: PostgreSQL's state of a statement that was broken off.
_CANCELED: Final = "57014"


class BrokenOff(Exception):
    """It took too long. What was read before stands."""


@contextmanager
def broken_off_after(connection: Connection, seconds: float) -> Iterator[None]:
    """Raises `BrokenOff` where what is asked inside takes longer."""
    limit = _of_sqlite if connection.dialect.name == "sqlite" else _of_postgresql
    try:
        with limit(connection, seconds):
            yield
    except OperationalError as error:
        if not _was_broken_off(error):
            raise
        connection.rollback()  # it only read; PostgreSQL answers nothing more before that
        raise BrokenOff from error


@contextmanager
def _of_sqlite(connection: Connection, seconds: float) -> Iterator[None]:
    driver: Any = connection.connection.driver_connection
    until = time.monotonic() + seconds
    driver.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
    try:
        yield
    finally:
        driver.set_progress_handler(None, _STEPS)


@contextmanager
def _of_postgresql(connection: Connection, seconds: float) -> Iterator[None]:
    # For this transaction alone; a statement without it goes on as long as it takes.
    connection.execute(text(f"SET LOCAL statement_timeout = {max(1, round(seconds * 1_000))}"))
    yield
    connection.execute(text("SET LOCAL statement_timeout = DEFAULT"))


def _was_broken_off(error: OperationalError) -> bool:
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code == sqlite3.SQLITE_INTERRUPT or getattr(error.orig, "sqlstate", "") == _CANCELED
