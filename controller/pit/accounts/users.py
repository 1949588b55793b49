"""Users as the database has them: made, found by name, listed, changed."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.engine import Row

from controller.pit.accounts.roles import PitRole, kept_roles, newer_roles, write_roles
from controller.pit.accounts.schema import USERS

MAX_NAME: Final = 64
#: What whoever was erased is called, with the number; nobody else is.
_ERASED: Final = re.compile("user [0-9]+")


class UserRefused(ValueError):
    """Nothing that may be done with a user; the text says why, and what may."""


@dataclass(frozen=True, slots=True)
class User:
    """Somebody, or a machine, that the pit knows. `password` is a hash. Times are wall ms.

    `newer`: see `newer_roles`.
    """

    id: int
    login: str
    name: str
    roles: frozenset[PitRole]
    password: str | None
    made_ms: int
    closed_ms: int | None
    newer: tuple[str, ...] = ()

    @property
    def erased(self) -> bool:
        """Whether the name was erased: nothing here tells who that was."""
        return self.name == erased_name(self.id)


def erased_name(number: int) -> str:
    """What the user of that number is called once the name was erased."""
    return f"user {number}"


def is_of_erased(login: str) -> bool:
    """Whether a name is one of those that users have who were erased."""
    return _ERASED.fullmatch(login) is not None


def login_of(name: str) -> str:
    """The name as it is compared: in small letters, without spaces at its ends."""
    return unicodedata.normalize("NFKC", name).casefold().strip()[:MAX_NAME]


def names_by_number(connection: Connection) -> dict[int, str]:
    """What users are called now, also those who have left."""
    return {row.id: row.name for row in connection.execute(select(USERS.c.id, USERS.c.name))}


def make(connection: Connection, name: str, roles: frozenset[PitRole], now_ms: int) -> User:
    """A new user without a password. Raises `UserRefused` for a name that is none, or taken."""
    shown = " ".join(name.split())
    if not shown or len(shown) > MAX_NAME or not shown.isprintable():
        raise UserRefused(f"A name has 1 to {MAX_NAME} characters")
    if is_of_erased(login_of(shown)):
        raise UserRefused(f"{shown} is how the pit calls people who were erased: use another")
    if by_login(connection, login_of(shown)) is not None:
        raise UserRefused(f"{shown} is there already: choose another name")
    values = {"login": login_of(shown), "name": shown, "roles": write_roles(roles)}
    connection.execute(insert(USERS).values(**values, made_ms=now_ms))
    made = by_login(connection, login_of(shown))
    assert made is not None
    return made


def by_login(connection: Connection, login: str) -> User | None:
    """The user of that name, closed or not."""
    return _user(connection.execute(select(USERS).where(USERS.c.login == login)).first())


def by_id(connection: Connection, number: int) -> User:
    """The user of that number. Raises `UserRefused`."""
    found = _user(connection.execute(select(USERS).where(USERS.c.id == number)).first())
    if found is None:
        raise UserRefused("There is no such user")
    return found


def listed(connection: Connection) -> list[User]:
    """Every user by name, the closed ones last."""
    query = select(USERS).order_by(USERS.c.closed_ms.is_not(None), USERS.c.login)
    return [user for each in connection.execute(query) if (user := _user(each))]


def names(connection: Connection) -> list[str]:
    """Every user's name, and what each signs in by."""
    rows = connection.execute(select(USERS.c.name, USERS.c.login))
    return [each for row in rows for each in row]


def set_roles(connection: Connection, number: int, roles: frozenset[PitRole]) -> None:
    """Give a user these roles, which hold from the next request on."""
    _change(connection, number, roles=write_roles(roles))


def set_password(connection: Connection, number: int, password: str | None) -> None:
    """Keep the hash of a new password; None: none signs in."""
    _change(connection, number, password=password)


def renew_password(connection: Connection, number: int, before: str, password: str) -> None:
    """Keep another hash of the same password, unless another one was set meanwhile."""
    mine = (USERS.c.id == number, USERS.c.password == before)
    connection.execute(update(USERS).where(*mine).values(password=password))


def set_closed(connection: Connection, number: int, closed_ms: int | None) -> None:
    """Let a user no longer in, or again (None)."""
    _change(connection, number, closed_ms=closed_ms)


def set_erased(connection: Connection, number: int) -> None:
    """Call a user by number, and keep no password."""
    name = erased_name(number)
    _change(connection, number, name=name, login=name, password=None)


def _change(connection: Connection, number: int, **values: object) -> None:
    connection.execute(update(USERS).where(USERS.c.id == number).values(**values))


def _user(row: Row[tuple[object, ...]] | None) -> User | None:
    if row is None:
        return None
    return User(
        row.id, row.login, row.name, kept_roles(row.roles), row.password, row.made_ms,
        row.closed_ms, newer_roles(row.roles),
    )  # fmt: skip
