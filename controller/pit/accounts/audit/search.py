"""Finds rows of the audit: by whom they are of, what was done, when, and words of them. Blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Engine, Select, desc, false, or_, select

from controller.pit.accounts.audit.acts import OF_ACCOUNTS, AuditAct
from controller.pit.accounts.audit.log import AuditRow, rows_of, user_mark
from controller.pit.accounts.schema import AUDIT
from controller.pit.accounts.users import names_by_number

#: Rows that are read at once.
_A_TURN: Final = 1_000
#: Users whose name has what was typed; more of them are not told apart by it.
MOST_USERS: Final = 50

#: What pages call a user whose name was erased.
_ERASED: Final = re.compile("user ([0-9]{1,15})", re.ASCII)


class TooManyUsers(Exception):
    """What was typed is in too many names; the text says what to do."""


@dataclass(frozen=True, slots=True)
class AuditSearch:
    """What is looked for; `user` is a part of a name, of whoever did it or whom it was done to.

    Times are wall ms, the last one included; `below`: only rows with smaller numbers.
    """

    user: str = ""
    act: AuditAct | None = None
    first_ms: int | None = None
    last_ms: int | None = None
    words: str = ""
    below: int | None = None


def find_rows(engine: Engine, search: AuditSearch, most: int) -> list[AuditRow]:
    """The newest rows that fit, the last one first.

    Raises `TooManyUsers`, `sqlalchemy.exc.DBAPIError`.
    """
    with engine.connect().execution_options(reads_only=True) as connection:
        query = _query(search, names_by_number(connection))
        return rows_of(connection, query.order_by(desc(AUDIT.c.seq)).limit(most))


def rows_of_account(engine: Engine, number: int, since_ms: int, most: int) -> list[AuditRow]:
    """What was done with a user's account since then, by whomever, the newest row first. Other
    users' acts have no address; whoever was refused is nobody yet.

    Raises `sqlalchemy.exc.DBAPIError`.
    """
    mark = user_mark(number)
    with engine.connect().execution_options(reads_only=True) as connection:
        query = (
            select(AUDIT)
            .where(AUDIT.c.act.in_(sorted(each.value for each in OF_ACCOUNTS)))
            .where(AUDIT.c.at_ms >= since_ms)
            .where(or_(AUDIT.c.who == mark, AUDIT.c.about.contains(mark, autoescape=True)))
        )
        rows = rows_of(connection, query.order_by(desc(AUDIT.c.seq)).limit(most))
        name = names_by_number(connection).get(number)
    return [each if each.who in ("", name) else replace(each, address="") for each in rows]


def all_rows(engine: Engine, search: AuditSearch) -> Iterator[AuditRow]:
    """Every row that fits, the newest first, some at a time: nobody waits for whoever reads."""
    while found := find_rows(engine, search, _A_TURN):
        yield from found
        search = replace(search, below=found[-1].seq)


def _query(search: AuditSearch, names: dict[int, str]) -> Select[Any]:
    query = select(AUDIT)
    if search.below is not None:
        query = query.where(AUDIT.c.seq < search.below)
    if search.act is not None:
        query = query.where(AUDIT.c.act == search.act.value)
    if search.first_ms is not None:
        query = query.where(AUDIT.c.at_ms >= search.first_ms)
    if search.last_ms is not None:
        query = query.where(AUDIT.c.at_ms <= search.last_ms)
    if search.words:
        texts = (AUDIT.c.about, AUDIT.c.address)
        query = query.where(or_(*(each.icontains(search.words, autoescape=True) for each in texts)))
    if search.user:
        query = query.where(_is_of(search.user, names))
    return query


def _is_of(typed: str, names: dict[int, str]) -> Any:
    """Rows have users by number; whoever is none, as a provider, by name."""
    folded = typed.casefold()
    marks = [user_mark(number) for number, name in names.items() if folded in name.casefold()]
    if erased := _ERASED.fullmatch(folded):
        marks.append(user_mark(int(erased[1])))
    if len(marks) > MOST_USERS:
        raise TooManyUsers(f"{typed!r} is in the names of {len(marks)} users: give more of one")
    is_named = AUDIT.c.who.icontains(typed, autoescape=True)
    of_users = (each.contains(mark) for mark in marks for each in (AUDIT.c.who, AUDIT.c.about))
    return or_(false(), is_named, *of_users)
