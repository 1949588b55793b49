"""Whose an error is: of what a table sends, of another pit that wrote the same, or of nobody here.

What a table sends stops that table alone, and is named. What another pit wrote is read anew. A
database or a machine that fails does so for every table, and is tried again.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

#: A row of that key is there already: PostgreSQL's state, SQLite's codes.
_THERE: Final = "23505"
_THERE_CODES: Final = frozenset({
    sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
    sqlite3.SQLITE_CONSTRAINT_ROWID,
})  # fmt: skip
#: PostgreSQL's class of what is larger than an index takes.
_TOO_LARGE: Final = "54"


def is_there_already(error: IntegrityError) -> bool:
    """Whether a row of that key stands there; else it may not be written by anybody."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code in _THERE_CODES or getattr(error.orig, "sqlstate", None) == _THERE


def is_of_a_table(error: Exception) -> bool:
    """Whether records made it fail; else the database or the machine did, and the same goes on
    later.
    """
    if isinstance(error, IntegrityError):
        return not is_there_already(error)
    if isinstance(error, DataError):
        return True
    if isinstance(error, SQLAlchemyError):
        state = getattr(getattr(error, "orig", None), "sqlstate", None) or ""
        return str(state).startswith(_TOO_LARGE)
    return not isinstance(error, OSError | MemoryError)
