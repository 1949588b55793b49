"""Findings in the archive's database: added once while they are open, counted, settled, listed."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct
from sqlalchemy import Connection, insert, select, update

from controller.pit.archive.findings import ArchiveFinding, FindingKind
from controller.pit.archive.schema import FINDINGS

_OPEN = FINDINGS.c.settled_ms.is_(None)


class FindingRow(Struct, frozen=True):
    """A finding as it is listed. `settled_ms` is null while it is open; `count`: how often."""

    table: str
    kind: str
    seq: int
    text: str
    since_ms: int
    last_ms: int
    count: int
    settled_ms: int | None


def add_finding(connection: Connection, name: str, finding: ArchiveFinding, now_ms: int) -> None:
    """Add what was found of the table `name`; an open one of its kind and number is counted."""
    same = (
        (FINDINGS.c.name == name) & (FINDINGS.c.kind == finding.kind.value)
        & (FINDINGS.c.seq == finding.seq) & _OPEN
    )  # fmt: skip
    again = connection.execute(
        update(FINDINGS).where(same).values(
            last_ms=now_ms, count=FINDINGS.c.count + 1, text=finding.text
        )
    )  # fmt: skip
    if not again.rowcount:
        connection.execute(
            insert(FINDINGS).values(
                name=name, kind=finding.kind.value, seq=finding.seq, text=finding.text,
                since_ms=now_ms, last_ms=now_ms, count=1,
            )
        )  # fmt: skip


def settle(
    connection: Connection, name: str, kinds: Collection[FindingKind], now_ms: int,
    before: int | None = None,
) -> int:  # fmt: skip
    """Note that findings are over, those up to record `before`; how many there were."""
    over = (FINDINGS.c.name == name) & FINDINGS.c.kind.in_([each.value for each in kinds]) & _OPEN
    if before is not None:
        over &= FINDINGS.c.seq <= before
    return connection.execute(update(FINDINGS).where(over).values(settled_ms=now_ms)).rowcount


def findings(connection: Connection, *, only_open: bool, most: int) -> list[FindingRow]:
    """The newest findings, open ones first."""
    query = select(FINDINGS).order_by(
        FINDINGS.c.settled_ms.is_not(None), FINDINGS.c.last_ms.desc(), FINDINGS.c.id.desc()
    )
    if only_open:
        query = query.where(_OPEN)
    return [
        FindingRow(
            row["name"], row["kind"], row["seq"], row["text"], row["since_ms"], row["last_ms"],
            row["count"], row["settled_ms"],
        )
        for row in connection.execute(query.limit(most)).mappings()
    ]  # fmt: skip
