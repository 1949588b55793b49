"""The audit: who signed in, was refused, and did what, in rows that are chained and never changed.

Each row's hash is SHA-256 over the hash before it and the row; a row that was changed or taken out
by whoever has the database shows. Its head is on `/audit`: written down elsewhere, it shows a cut
of the newest rows too.

No row can be changed, so none has the name of a user: it has the number, and whoever reads rows
gets the name that the number has now. A user who was erased is a number there (`erasing`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection, desc, func, insert, select, text

from controller.pit.accounts.schema import AUDIT
from controller.pit.accounts.users import names_by_number

#: PostgreSQL's advisory lock of whoever adds a row.
_ADDING: Final = 0x7461626C6503
_NONE: Final = bytes(32)
MOST_CHARS: Final = 200
#: How a user stands in a row. What a stranger typed cannot look like it (`_plain`).
_USER: Final = re.compile("⟦user ([0-9]+)⟧")
_MARKS: Final = "⟦⟧"


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One row: `who` did `act` to `about`, from an address, at a wall time."""

    seq: int
    at_ms: int
    who: str
    act: str
    about: str
    address: str
    hash: bytes


def add(connection: Connection, at_ms: int, who: str, act: str, about: str, address: str) -> None:
    """Add a row, in the transaction of what it tells of."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADDING})
    last = connection.execute(select(AUDIT).order_by(desc(AUDIT.c.seq)).limit(1)).first()
    seq, before = (last.seq + 1, last.hash) if last else (1, _NONE)
    names = names_by_number(connection)
    by_number = [_by_number(_plain(each), names) for each in (who, about)]
    row = (seq, at_ms, by_number[0], act, by_number[1], _plain(address))
    keys = ("seq", "at_ms", "who", "act", "about", "address")
    values = dict(zip(keys, row, strict=True))
    connection.execute(insert(AUDIT).values(**values, hash=_hash(before, row)))


def newest(connection: Connection, most: int, before: int | None = None) -> list[AuditRow]:
    """The newest rows, the last one first; below the number `before`. Users by name."""
    query = select(AUDIT).order_by(desc(AUDIT.c.seq)).limit(most)
    if before is not None:
        query = query.where(AUDIT.c.seq < before)
    names = names_by_number(connection)
    return [
        replace(row, who=_by_name(row.who, names), about=_by_name(row.about, names))
        for row in (AuditRow(*each) for each in connection.execute(query))
    ]


def often(connection: Connection, act: str, since_ms: int, most: int) -> dict[str, int]:
    """Who stands with that act since then in the newest `most` rows, and how often; by name."""
    newest_seq = connection.scalar(select(func.max(AUDIT.c.seq))) or 0
    query = (
        select(AUDIT.c.who, func.count())
        .where(AUDIT.c.seq > newest_seq - most, AUDIT.c.act == act, AUDIT.c.at_ms > since_ms)
        .group_by(AUDIT.c.who)
    )
    names = names_by_number(connection)
    return {_by_name(who, names): count for who, count in connection.execute(query)}


def first_wrong(connection: Connection) -> int | None:
    """The number of the first row that does not follow from those before it; None: all do."""
    before = _NONE
    expected = 1
    rows = connection.execution_options(yield_per=1_000).execute(
        select(AUDIT).order_by(AUDIT.c.seq)
    )
    for each in rows:
        if each.seq != expected or each.hash != _hash(before, tuple(each)[:-1]):
            return expected
        before, expected = each.hash, expected + 1
    return None


def _by_number(words: str, names: Mapping[int, str]) -> str:
    """A text with the number of each user whom it names."""
    numbers = {name: number for number, name in names.items() if name in words}
    longest_first = sorted(numbers, key=len, reverse=True)
    if not longest_first:
        return words
    any_name = "|".join(map(re.escape, longest_first))
    named = re.compile(rf"(?<!\w)(?:{any_name})(?!\w)")
    return named.sub(lambda it: f"⟦user {numbers[it[0]]}⟧", words)


def _by_name(words: str, names: Mapping[int, str]) -> str:
    return _USER.sub(lambda it: names.get(int(it[1]), f"user {it[1]}"), words)


def _hash(before: bytes, row: tuple[object, ...]) -> bytes:
    body = json.dumps(row, ensure_ascii=True, separators=(",", ":")).encode()
    return hashlib.sha256(before + body).digest()


def _plain(words: str) -> str:
    """A text that a stranger may have chosen: no line of it can look like another row."""
    return "".join(
        each if each.isprintable() and each not in _MARKS else "?" for each in words[:MOST_CHARS]
    )
