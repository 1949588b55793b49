"""Second factors as the database has them: apps, recovery codes, and who has which."""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update

from controller.pit.accounts.schema import APPS, PASSKEYS, RECOVERY_CODES
from controller.pit.accounts.secret import hash_of

#: Recovery codes that are made at a time.
RECOVERY_CODES_MADE: Final = 10
#: 80 random bits: nobody guesses one, so that a plain hash of it is enough.
_RECOVERY_BYTES: Final = 10
RECOVERY_CHARS: Final = 16


@dataclass(frozen=True, slots=True)
class Factors:
    """What a user has beside the password. `recovery` is how many recovery codes are left."""

    app: bool = False
    passkeys: int = 0
    recovery: int = 0

    @property
    def any(self) -> bool:
        """Whether there is one that is no reserve."""
        return self.app or self.passkeys > 0


@dataclass(frozen=True, slots=True)
class App:
    """A user's app: its secret, sealed, and the newest step whose code was used."""

    sealed: bytes
    last_step: int


def factors(connection: Connection, user: int) -> Factors:
    """What a user has."""
    return all_factors(connection, user).get(user, Factors())


def all_factors(connection: Connection, user: int | None = None) -> dict[int, Factors]:
    """What users have, by number; those with nothing are not there."""
    counted: list[dict[int, int]] = []
    for table in (APPS, PASSKEYS, RECOVERY_CODES):
        query = select(table.c.user_id, func.count()).group_by(table.c.user_id)
        if user is not None:
            query = query.where(table.c.user_id == user)
        counted.append({each[0]: each[1] for each in connection.execute(query)})
    apps, passkeys, recovery = counted
    return {
        each: Factors(each in apps, passkeys.get(each, 0), recovery.get(each, 0))
        for each in {*apps, *passkeys, *recovery}
    }


def app(connection: Connection, user: int) -> App | None:
    """A user's app."""
    row = connection.execute(select(APPS).where(APPS.c.user_id == user)).first()
    return None if row is None else App(row.secret, row.last_step)


def keep_app(connection: Connection, user: int, sealed: bytes, step: int, now_ms: int) -> None:
    """Keep a user's app in place of the one before; the code of `step` was used to confirm it."""
    connection.execute(delete(APPS).where(APPS.c.user_id == user))
    connection.execute(
        insert(APPS).values(user_id=user, secret=sealed, last_step=step, made_ms=now_ms)
    )


def use_step(connection: Connection, user: int, step: int) -> bool:
    """Use the code of a step; false: it was used, or one after it, also where two ask at once."""
    used = connection.execute(
        update(APPS).where(APPS.c.user_id == user, APPS.c.last_step < step).values(last_step=step)
    )
    return used.rowcount == 1


def make_recovery_codes(connection: Connection, user: int) -> tuple[str, ...]:
    """New recovery codes in place of those before."""
    connection.execute(delete(RECOVERY_CODES).where(RECOVERY_CODES.c.user_id == user))
    made = tuple(_recovery_code() for _ in range(RECOVERY_CODES_MADE))
    connection.execute(
        insert(RECOVERY_CODES),
        [{"secret": hash_of(_plain(each)), "user_id": user} for each in made],
    )
    return made


def use_recovery_code(connection: Connection, user: int, typed: str) -> bool:
    """Use a recovery code of a user, which is gone then, also where two ask at once."""
    mine = (RECOVERY_CODES.c.secret == hash_of(_plain(typed)), RECOVERY_CODES.c.user_id == user)
    return connection.execute(delete(RECOVERY_CODES).where(*mine)).rowcount == 1


def is_recovery_code(typed: str) -> bool:
    """Whether it looks like one, and not like an app's code."""
    return len(_plain(typed)) == RECOVERY_CHARS


def remove_app(connection: Connection, user: int) -> bool:
    """Take a user's app away; whether there was one."""
    return connection.execute(delete(APPS).where(APPS.c.user_id == user)).rowcount == 1


def remove_all(connection: Connection, user: int) -> None:
    """Take everything away that a user has beside the password."""
    for table in (APPS, PASSKEYS, RECOVERY_CODES):
        connection.execute(delete(table).where(table.c.user_id == user))


def _recovery_code() -> str:
    text = base64.b32encode(os.urandom(_RECOVERY_BYTES)).decode().lower()
    return "-".join(text[at : at + 4] for at in range(0, RECOVERY_CHARS, 4))


def _plain(typed: str) -> str:
    return "".join(each for each in typed.lower() if each.isalnum())
