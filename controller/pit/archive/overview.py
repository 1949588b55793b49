"""What the archive has of every table, for its page and API. Blocks."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Engine, select

from controller.pit.archive.branches.rows import BranchRow, branches
from controller.pit.archive.findings.finding_rows import FindingRow, findings
from controller.pit.archive.retired import RetiredTable, retired
from controller.pit.archive.storage.schema import TABLES

#: The page lists this many findings, the open ones first.
MOST_LISTED = 500


class ArchivedTable(Struct, frozen=True):
    """A table's record in the archive: verified up to `seq`, whose hash is `hash`.

    `at_ms` is when the newest record was written, by the table's clock; `archived_ms` when it was
    archived, by the pit's. `open`: findings that are not settled. `retired`: it is out of service;
    null while it is not.
    """

    table: str
    game: str
    day: str
    round: int
    seq: int
    hash: str
    at_ms: int
    archived_ms: int
    software: str
    open: int
    retired: RetiredTable | None = None


class Overview(Struct, frozen=True):
    """Every table and the newest findings.

    `line` says why nothing comes from the bus, empty if it does. `archives`: this pit archives;
    false where another one on the same database does. `branches`: where people have said which of
    two histories stands.
    """

    at_ms: int
    line: str
    archives: bool
    tables: tuple[ArchivedTable, ...]
    findings: tuple[FindingRow, ...]
    branches: tuple[BranchRow, ...] = ()


def overview(engine: Engine, at_ms: int, line: str, *, archives: bool) -> Overview:
    """The archive as it is. Raises `sqlalchemy.exc.DBAPIError`."""
    with engine.connect().execution_options(reads_only=True) as connection:
        rows = connection.execute(select(TABLES).order_by(TABLES.c.name)).mappings().all()
        found = findings(connection, only_open=False, most=MOST_LISTED)
        said = branches(connection, MOST_LISTED)
        out = retired(connection)
    still = [each.table for each in found if each.settled_ms is None]
    tables = tuple(
        ArchivedTable(
            row["name"], row["game"], row["day"], row["round"], row["seq"], row["hash"].hex(),
            row["at_ms"], row["archived_ms"], row["software"], still.count(row["name"]),
            out.get(row["name"]),
        )
        for row in rows
    )  # fmt: skip
    return Overview(at_ms, line, archives, tables, tuple(found), tuple(said))
