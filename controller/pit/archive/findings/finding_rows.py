"""Findings in the archive's database: added once while they are open, counted, settled, listed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec import Struct
from sqlalchemy import Connection, RowMapping, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from controller.pit.archive.findings.findings import (
    PARTED,
    SETTLED_BY_PEOPLE,
    ArchiveFinding,
    FindingKind,
)
from controller.pit.archive.of_a_table import is_there_already
from controller.pit.archive.storage.schema import FINDINGS

_KINDS: Final = frozenset(each.value for each in FindingKind)
_BY_PEOPLE: Final = frozenset(each.value for each in SETTLED_BY_PEOPLE)
_PARTED: Final = frozenset(each.value for each in PARTED)
_OPEN = FINDINGS.c.settled_ms.is_(None)
#: This many findings of one kind stand open for a table at most: whoever sends forged records for
#: ever fills no disk. Further ones are counted with the newest.
MOST_OF_A_KIND: Final = 20
#: A text may be what a table answered.
_MOST_TEXT: Final = 500


class FindingRow(Struct, frozen=True):
    """A finding as it is listed. `settled_ms` is null while it is open; `count`: how often.

    `number` is its own.
    """

    number: int
    table: str
    kind: str
    seq: int
    text: str
    since_ms: int
    last_ms: int
    count: int
    settled_ms: int | None

    @property
    def is_known(self) -> bool:
        """Whether this software knows what ends it: else newer software has found it, and was put
        back since.
        """
        return self.kind in _KINDS

    @property
    def by_people(self) -> bool:
        """Whether it is open until somebody has looked into it."""
        return self.settled_ms is None and self.kind in _BY_PEOPLE

    @property
    def has_parted(self) -> bool:
        """Whether people may say which of two histories stands."""
        return self.settled_ms is None and self.kind in _PARTED


def add_finding(connection: Connection, name: str, finding: ArchiveFinding, now_ms: int) -> None:
    """Add what was found of the table `name`; an open one of its kind and number is counted.

    Two histories part once, however many later records show it: the earliest that did is named.
    """
    kind = (FINDINGS.c.name == name) & (FINDINGS.c.kind == finding.kind.value) & _OPEN
    text = finding.text.replace("\0", "")[:_MOST_TEXT]
    counted = {"last_ms": now_ms, "count": FINDINGS.c.count + 1}
    found = counted | {"seq": finding.seq, "text": text}
    same = kind & (FINDINGS.c.seq == finding.seq)
    if finding.kind in PARTED:
        earliest = select(FINDINGS.c.id, FINDINGS.c.seq).where(kind).order_by(FINDINGS.c.seq)
        if (known := connection.execute(earliest.limit(1)).first()) is not None:
            same = FINDINGS.c.id == known.id
            found = counted if known.seq < finding.seq else found
    if connection.execute(update(FINDINGS).where(same).values(found)).rowcount:
        return
    query = select(func.count(), func.max(FINDINGS.c.id)).where(kind)
    already, newest = connection.execute(query).one()
    if already >= MOST_OF_A_KIND:
        connection.execute(update(FINDINGS).where(FINDINGS.c.id == newest).values(counted))
        return
    new = {
        "name": name, "kind": finding.kind.value, "seq": finding.seq, "text": text,
        "since_ms": now_ms, "last_ms": now_ms, "count": 1,
    }  # fmt: skip
    try:
        with connection.begin_nested():
            connection.execute(insert(FINDINGS).values(new))
    except IntegrityError as error:
        if not is_there_already(error):
            raise
        # Another one, of two who found the same at once, was first.
        connection.execute(update(FINDINGS).where(same).values(found))


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
    return [_row(each) for each in connection.execute(query.limit(most)).mappings()]


def tables_found(
    connection: Connection, most: int, kind: FindingKind | None = None
) -> set[str]:  # fmt: skip
    """The tables of which anything is open, or something of that kind; so many findings are looked
    at.
    """
    of = _OPEN if kind is None else _OPEN & (FINDINGS.c.kind == kind.value)
    return set(connection.scalars(select(FINDINGS.c.name).where(of).limit(most)))


def finding(connection: Connection, number: int) -> FindingRow | None:
    """One finding by its number; None: there is none."""
    row = connection.execute(select(FINDINGS).where(FINDINGS.c.id == number)).mappings().first()
    return None if row is None else _row(row)


def settle_one(connection: Connection, number: int, now_ms: int) -> bool:
    """Note that a finding was looked into; whether it was open, and one that people end."""
    kinds = FINDINGS.c.kind.in_([each.value for each in SETTLED_BY_PEOPLE])
    this = (FINDINGS.c.id == number) & kinds & _OPEN
    return bool(connection.execute(update(FINDINGS).where(this).values(settled_ms=now_ms)).rowcount)


def _row(row: RowMapping) -> FindingRow:
    return FindingRow(
        row["id"], row["name"], row["kind"], row["seq"], row["text"], row["since_ms"],
        row["last_ms"], row["count"], row["settled_ms"],
    )  # fmt: skip
