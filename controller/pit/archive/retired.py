"""Tables that are out of service for good: who said so, and why. Blocks.

What is archived of such a table stays and is found, and its findings stand on `/records`; it has no
place on the wall and calls nobody. One that is heard again is in service again.
"""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import IntegrityError

from controller.pit.archive.of_a_table import is_there_already
from controller.pit.archive.storage.schema import RETIRED


class RetiredTable(Struct, frozen=True):
    """A table that `who` took out of service, at a wall time of the pit's, for a reason."""

    table: str
    at_ms: int
    who: str
    reason: str


def retired(connection: Connection) -> dict[str, RetiredTable]:
    """Every one, by name."""
    rows = connection.execute(select(RETIRED).order_by(RETIRED.c.name))
    return {each.name: RetiredTable(each.name, each.at_ms, each.who, each.reason) for each in rows}


def retire(connection: Connection, table: str, who: str, reason: str, now_ms: int) -> bool:
    """Take a table out of service; whether it was in service. Of two who do so at once one does."""
    row = {"name": table, "at_ms": now_ms, "who": who, "reason": reason}
    try:
        with connection.begin_nested():
            connection.execute(insert(RETIRED).values(row))
    except IntegrityError as error:
        if not is_there_already(error):
            raise
        return False
    return True


def put_back(connection: Connection, table: str) -> bool:
    """A table is in service again; whether it was out of it."""
    return bool(connection.execute(delete(RETIRED).where(RETIRED.c.name == table)).rowcount)
