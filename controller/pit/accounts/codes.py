"""What works once and for a while: a link to set a password, a link that signs in, a password that
was right and waits for its second factor.

And the browsers in which a user has signed in before.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from sqlalchemy import Connection, delete, insert, select

from controller.pit.accounts.schema import BROWSERS, CODES
from controller.pit.accounts.secret import hash_of, new_secret

#: Browsers of one user that are known: the oldest is forgotten for a new one.
MOST_BROWSERS: Final = 20


#: A clock that is put right by so much is not put back.
_MINUTE_MS: Final = 60_000


class Purpose(Enum):
    """What a code is for; the value is its name in the database and in links."""

    SET_UP = "set-up"
    SIGN_IN = "enter"
    SECOND = "second"


#: How long a link works, in ms: one to set a password is sent to a person, one to sign in opened.
#: A first step waits while somebody sets up an app.
LASTS_MS: Final = {
    Purpose.SET_UP: 24 * 3_600_000, Purpose.SIGN_IN: 10 * 60_000, Purpose.SECOND: 10 * 60_000,
}  # fmt: skip


def make_code(
    connection: Connection, user: int, purpose: Purpose, now_ms: int, sid: str = ""
) -> str:
    """A new code. One to set a password replaces those before it.

    `sid`: the session at the provider that one begun by this code rests on.
    """
    connection.execute(delete(CODES).where(CODES.c.ends_ms <= now_ms))
    if purpose is Purpose.SET_UP:
        forget_codes(connection, user, purpose)
    secret, secret_hash = new_secret()
    values = {"secret": secret_hash, "purpose": purpose.value, "user_id": user, "sid": sid or None}
    connection.execute(insert(CODES).values(**values, ends_ms=now_ms + LASTS_MS[purpose]))
    return secret


def code_user(connection: Connection, code: str, purpose: Purpose, now_ms: int) -> int | None:
    """The user of a code that works still; None: it never did, was used, or is too old."""
    found: int | None = connection.scalar(
        select(CODES.c.user_id).where(
            CODES.c.secret == hash_of(code), CODES.c.purpose == purpose.value,
            CODES.c.ends_ms > now_ms,
            # A clock that was put back ends it: it would work for longer than it was to.
            CODES.c.ends_ms <= now_ms + LASTS_MS[purpose] + _MINUTE_MS,
        )
    )  # fmt: skip
    return found


def use_code(connection: Connection, code: str, purpose: Purpose, now_ms: int) -> int | None:
    """Like `code_user`; the code works no more, also where two use it at once."""
    user = code_user(connection, code, purpose, now_ms)
    if user is None:
        return None
    gone = connection.execute(delete(CODES).where(CODES.c.secret == hash_of(code)))
    return user if gone.rowcount == 1 else None


def sid_of(connection: Connection, code: str) -> str:
    """The session at the provider that a code rests on; empty: on none."""
    return connection.scalar(select(CODES.c.sid).where(CODES.c.secret == hash_of(code))) or ""


def forget_codes(connection: Connection, user: int, purpose: Purpose) -> None:
    """Let a user's codes of a purpose work no more."""
    connection.execute(
        delete(CODES).where(CODES.c.user_id == user, CODES.c.purpose == purpose.value)
    )


def remember_browser(connection: Connection, user: int, now_ms: int) -> str:
    """The secret by which a browser is known from now on to be the user's."""
    mine = select(BROWSERS.c.secret).where(BROWSERS.c.user_id == user)
    old = connection.scalars(mine.order_by(BROWSERS.c.made_ms.desc()).offset(MOST_BROWSERS - 1))
    connection.execute(delete(BROWSERS).where(BROWSERS.c.secret.in_(list(old))))
    secret, secret_hash = new_secret()
    connection.execute(insert(BROWSERS).values(secret=secret_hash, user_id=user, made_ms=now_ms))
    return secret


def is_known_browser(connection: Connection, secret: str, user: int | None = None) -> bool:
    """Whether a user, or anybody, has signed in before in the browser with that secret."""
    query = select(BROWSERS.c.user_id).where(BROWSERS.c.secret == hash_of(secret))
    if user is not None:
        query = query.where(BROWSERS.c.user_id == user)
    return connection.scalar(query) is not None


def forget_browser(connection: Connection, secret: str) -> None:
    """Know a browser no longer."""
    connection.execute(delete(BROWSERS).where(BROWSERS.c.secret == hash_of(secret)))


def forget_browsers(connection: Connection, user: int) -> None:
    """Know none of a user's browsers any longer."""
    connection.execute(delete(BROWSERS).where(BROWSERS.c.user_id == user))
