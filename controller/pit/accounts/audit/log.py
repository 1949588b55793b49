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
from typing import Any, Final

from sqlalchemy import Connection, Select, desc, func, insert, or_, select, text

from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.schema import AUDIT
from controller.pit.accounts.users import User, names_by_number

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


def record_act(
    connection: Connection, at_ms: int, who: str, act: AuditAct, about: str, address: str
) -> None:
    """Add a row, in the transaction of what it tells of."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADDING})
    last = connection.execute(select(AUDIT).order_by(desc(AUDIT.c.seq)).limit(1)).first()
    seq, before = (last.seq + 1, last.hash) if last else (1, _NONE)
    names = names_by_number(connection)
    by_number = [_by_number(_plain(each), names) for each in (who, about)]
    row = (seq, at_ms, by_number[0], act.value, by_number[1], _plain(address))
    keys = ("seq", "at_ms", "who", "act", "about", "address")
    values = dict(zip(keys, row, strict=True))
    connection.execute(insert(AUDIT).values(**values, hash=_hash(before, row)))


def newest_rows(connection: Connection, most: int) -> list[AuditRow]:
    """The newest rows, the last one first. Users by name."""
    return rows_of(connection, select(AUDIT).order_by(desc(AUDIT.c.seq)).limit(most))


def rows_of(connection: Connection, query: Select[Any]) -> list[AuditRow]:
    """The rows that a query of the whole table finds, with users by name."""
    names = names_by_number(connection)
    return [
        replace(row, who=_by_name(row.who, names), about=_by_name(row.about, names))
        for row in (AuditRow(*each) for each in connection.execute(query))
    ]


def rows_of_user(connection: Connection, user: User) -> list[AuditRow]:
    """What a user did and what was done with them, the first row first. Others are numbers in it,
    and what they did has no address.
    """
    mark, names = user_mark(user.id), names_by_number(connection)
    said = [
        column.contains(each, autoescape=True)
        for column in (AUDIT.c.who, AUDIT.c.about)
        for each in (mark, user.name)
    ]
    found = []
    for row in connection.execute(select(AUDIT).where(or_(*said)).order_by(AUDIT.c.seq)):
        # Rows of older software have names.
        who, about = (_by_number(each, names) for each in (row.who, row.about))
        if mark not in who + about:
            continue
        found.append(
            AuditRow(
                row.seq, row.at_ms, _by_name(who, {user.id: user.name}), row.act,
                _by_name(about, {user.id: user.name}), row.address if who == mark else "",
                row.hash,
            )
        )  # fmt: skip
    return found


def count_by_user(
    connection: Connection, act: AuditAct, since_ms: int, most: int
) -> dict[str, int]:
    """Who stands with that act since then in the newest `most` rows, and how often; by name."""
    newest_seq = connection.scalar(select(func.max(AUDIT.c.seq))) or 0
    query = (
        select(AUDIT.c.who, func.count())
        .where(AUDIT.c.seq > newest_seq - most, AUDIT.c.act == act.value, AUDIT.c.at_ms > since_ms)
        .group_by(AUDIT.c.who)
    )
    names = names_by_number(connection)
    return {_by_name(who, names): count for who, count in connection.execute(query)}


@dataclass(frozen=True, slots=True)
class CheckedChain:
    """How far rows were seen to follow from each other, from the first one on.

    `wrong`: the number of the first one that does not.
    """

    seq: int = 0
    hash: bytes = bytes(32)
    wrong: int | None = None


def check_chain(connection: Connection, checked: CheckedChain) -> CheckedChain:
    """Look at the rows behind those that were looked at. Blocks, the longer the more there are."""
    if checked.wrong is not None:
        return checked
    seq, before = checked.seq, checked.hash
    query = select(AUDIT).where(AUDIT.c.seq > seq).order_by(AUDIT.c.seq)
    for each in connection.execution_options(yield_per=1_000).execute(query):
        if each.seq != seq + 1 or each.hash != _hash(before, tuple(each)[:-1]):
            return CheckedChain(seq, before, seq + 1)
        seq, before = each.seq, each.hash
    return CheckedChain(seq, before)


def first_wrong_row(connection: Connection) -> int | None:
    """The number of the first row that does not follow from those before it; None: all do."""
    return check_chain(connection, CheckedChain()).wrong


def _by_number(words: str, names: Mapping[int, str]) -> str:
    """A text with the number of each user whom it names."""
    numbers = {name: number for number, name in names.items() if name in words}
    longest_first = sorted(numbers, key=len, reverse=True)
    if not longest_first:
        return words
    any_name = "|".join(map(re.escape, longest_first))
    named = re.compile(rf"(?<!\w)(?:{any_name})(?!\w)")
    return named.sub(lambda it: user_mark(numbers[it[0]]), words)


def user_mark(number: int) -> str:
    """How the user of that number stands in a row."""
    return f"⟦user {number}⟧"


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
