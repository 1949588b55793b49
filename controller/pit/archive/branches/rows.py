"""Which of two histories of a table stands: what people have said, and what came of it. Blocks.

A table that was put back to an older backup and went on has another history than the archive. Only
people can say which one is to stand. Where it is the table's, the archive's records after the last
one that both have are set aside; they stay in the database, by the number of the branch.
"""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection, RowMapping, desc, insert, select, update
from sqlalchemy.exc import IntegrityError

from controller.pit.archive.findings.finding_rows import FindingRow
from controller.pit.archive.storage.schema import BRANCHES
from controller.record.files.head_anchor import Position

_OPEN = BRANCHES.c.done_ms.is_(None)


class BranchRow(Struct, frozen=True):
    """`who` said that the table's own record stands, because of `reason`.

    `done_ms` is null while the table is still asked where the two part; `said` is why nothing was
    done, empty otherwise. Records `first_seq` to `last_seq` were set aside (none: both are 0);
    `last_hash` (hex) stands for all of them.
    """

    number: int
    table: str
    finding: int
    who: str
    reason: str
    asked_ms: int
    done_ms: int | None
    said: str
    first_seq: int
    last_seq: int
    last_hash: str


def decide(connection: Connection, finding: FindingRow, who: str, reason: str, now_ms: int) -> bool:
    """Note that the table's own record stands; false where that was said and is not done yet."""
    values = {
        "name": finding.table, "finding": finding.number, "who": who, "reason": reason,
        "asked_ms": now_ms, "said": "", "first_seq": 0, "last_seq": 0, "last_hash": b"",
    }  # fmt: skip
    try:
        with connection.begin_nested():
            connection.execute(insert(BRANCHES).values(values))
    except IntegrityError:
        return False
    return True


def waiting(connection: Connection) -> list[BranchRow]:
    """What is to be done, the oldest first."""
    query = select(BRANCHES).where(_OPEN).order_by(BRANCHES.c.id)
    return [_row(each) for each in connection.execute(query).mappings()]


def branches(connection: Connection, most: int) -> list[BranchRow]:
    """What was said, the newest first."""
    query = select(BRANCHES).order_by(desc(BRANCHES.c.id)).limit(most)
    return [_row(each) for each in connection.execute(query).mappings()]


def is_waiting(connection: Connection, table: str) -> bool:
    """Whether it was said of this table, and is not done yet."""
    query = select(BRANCHES.c.id).where(_OPEN, BRANCHES.c.name == table)
    return connection.execute(query).first() is not None


def end(
    connection: Connection, number: int, now_ms: int, said: str = "",
    aside: tuple[int, Position] | None = None,
) -> None:  # fmt: skip
    """Note what came of it: why nothing was done, or the first and last record set aside."""
    first, last = aside or (0, Position(0, b""))
    connection.execute(
        update(BRANCHES)
        .where(BRANCHES.c.id == number, _OPEN)
        .values(
            done_ms=now_ms, said=said[:500], first_seq=first, last_seq=last.seq, last_hash=last.hash
        )
    )


def _row(row: RowMapping) -> BranchRow:
    return BranchRow(
        row["id"], row["name"], row["finding"], row["who"], row["reason"], row["asked_ms"],
        row["done_ms"], row["said"], row["first_seq"], row["last_seq"], row["last_hash"].hex(),
    )  # fmt: skip
