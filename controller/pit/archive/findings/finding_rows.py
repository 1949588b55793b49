"""Findings in the archive's database: added once while they are open, counted, settled, listed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import Connection, RowMapping, bindparam, func, insert, select, update
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


#: Statements that are made once: where the pit's own clock is wrong they are of every table.
_KIND: Final = (FINDINGS.c.name == bindparam("of")) & (FINDINGS.c.kind == bindparam("what")) & _OPEN
_EARLIEST: Final = select(FINDINGS.c.id, FINDINGS.c.seq).where(_KIND).order_by(FINDINGS.c.seq)
_FIRST: Final = _EARLIEST.limit(1)
_SAME: Final = _EARLIEST.where(FINDINGS.c.seq == bindparam("at"))
_HOW_MANY: Final = select(func.count(), func.max(FINDINGS.c.id)).where(_KIND)
_COUNTED: Final = (
    update(FINDINGS)
    .where(FINDINGS.c.id == bindparam("which"), _OPEN)
    .values(last_ms=bindparam("now_ms"), count=FINDINGS.c.count + 1)
)
_SAID_ANEW: Final = _COUNTED.values(seq=bindparam("at"), text=bindparam("said"))
_OVER: Final = (
    update(FINDINGS)
    .where(
        FINDINGS.c.name == bindparam("of"), FINDINGS.c.kind.in_(bindparam("whats", expanding=True)),
        FINDINGS.c.seq <= bindparam("until"), _OPEN,
    )
    .values(settled_ms=bindparam("now_ms"))
)  # fmt: skip
#: Every number of a record is below it.
_ALL: Final = 2**63 - 1


def add_finding(connection: Connection, name: str, finding: ArchiveFinding, now_ms: int) -> None:
    """Add what was found of the table `name`; an open one of its kind and number is counted.

    Two histories part once, however many later records show it: the earliest that did is named.
    """
    kind = {"of": name, "what": finding.kind.value}
    text = finding.text.replace("\0", "")[:_MOST_TEXT]
    said = {"at": finding.seq, "said": text, "now_ms": now_ms}
    if finding.kind in PARTED:
        known = connection.execute(_FIRST, kind).first()
    else:
        known = connection.execute(_SAME, {**kind, "at": finding.seq}).first()
    if known is not None and _is_counted(connection, known.id, known.seq, said):
        return
    already, newest = connection.execute(_HOW_MANY, kind).one()
    if already >= MOST_OF_A_KIND:
        connection.execute(_COUNTED, {"which": newest, "now_ms": now_ms})
        return
    new = {
        "name": name, "kind": finding.kind.value, "seq": finding.seq, "text": text,
        "since_ms": now_ms, "last_ms": now_ms, "count": 1,
    }  # fmt: skip
    try:
        with connection.begin_nested():
            connection.execute(insert(FINDINGS), new)
    except IntegrityError as error:
        if not is_there_already(error):
            raise
        # Another one, of two who found the same at once, was first.
        other = connection.execute(_SAME, {**kind, "at": finding.seq}).first()
        if other is not None:
            _is_counted(connection, other.id, other.seq, said)


def _is_counted(connection: Connection, number: int, seq: int, said: dict[str, Any]) -> bool:
    """Count the finding of that number and record again, and say of it what is said now, unless
    that is of a later record; whether it is open still.
    """
    if seq < said["at"]:
        done = connection.execute(_COUNTED, {"which": number, "now_ms": said["now_ms"]})
    else:
        done = connection.execute(_SAID_ANEW, {"which": number, **said})
    return bool(done.rowcount)


def settle(
    connection: Connection, name: str, kinds: Collection[FindingKind], now_ms: int,
    before: int = _ALL,
) -> int:  # fmt: skip
    """Note that findings are over, those up to record `before`; how many there were."""
    whats = [each.value for each in kinds]
    over = {"of": name, "whats": whats, "until": before, "now_ms": now_ms}
    return connection.execute(_OVER, over).rowcount


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
