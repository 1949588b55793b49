"""Sessions of browsers, and machines' tokens: begun, recognized, ended by people or by time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, desc, insert, select, update

from controller.pit.accounts.roles import (
    OF_PEOPLE,
    Identity,
    PitRole,
    kept_roles,
    newer_roles,
)
from controller.pit.accounts.schema import IDENTITIES, SESSIONS, TOKENS, USERS
from controller.pit.accounts.secret import hash_of, new_secret

_MINUTE_MS: Final = 60_000
_DAY_MS: Final = 86_400_000
MOST_CHARS: Final = 160
#: Where somebody was signed in is kept this long after it is over; the audit has each sign-in.
KEPT_MS: Final = 90 * _DAY_MS


@dataclass(frozen=True, slots=True)
class Lifetime:
    """How long a session lasts without a request, and whatever is done in it; a machine's token."""

    idle_minutes: float = 30
    hours: float = 12
    token_days: float = 365

    @property
    def idle_ms(self) -> int:
        """Without a request, in ms."""
        return round(self.idle_minutes * _MINUTE_MS)

    @property
    def whole_ms(self) -> int:
        """From the sign-in, in ms."""
        return round(self.hours * 60 * _MINUTE_MS)

    @property
    def token_ms(self) -> int:
        """A machine's token, from when it was made, in ms."""
        return round(self.token_days * _DAY_MS)


#: As long as sessions last where the configuration says nothing else.
LIFETIME: Final = Lifetime()


@dataclass(frozen=True, slots=True)
class Client:
    """Whoever asks, as far as a request tells: the address, and what the browser calls itself."""

    address: str
    browser: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """A session that goes on, as it is listed. Times are wall ms."""

    id: int
    user: int
    name: str
    how: str
    browser: str
    address: str
    made_ms: int
    seen_ms: int


def begin(
    connection: Connection, user: int, how: str, client: Client, now_ms: int, lifetime: Lifetime,
    proved_ms: int | None = None, sid: str = "",
) -> str:  # fmt: skip
    """A new session's secret. `proved_ms`: when its user proved who it is; None: now.

    `sid`: what the provider calls the session there that it began by. What the user had long ago
    is forgotten.
    """
    secret, secret_hash = new_secret()
    connection.execute(
        insert(SESSIONS).values(
            secret=secret_hash, user_id=user, how=how, browser=client.browser[:MOST_CHARS],
            address=client.address[:MOST_CHARS], made_ms=now_ms, seen_ms=now_ms,
            proved_ms=now_ms if proved_ms is None else proved_ms,
            ends_ms=now_ms + lifetime.whole_ms, sid=sid or None,
        )
    )  # fmt: skip
    # After the new one: a number in the audit is never another session's.
    old = (SESSIONS.c.user_id == user, SESSIONS.c.ends_ms < now_ms - KEPT_MS)
    connection.execute(delete(SESSIONS).where(*old))
    return secret


def recognize(
    connection: Connection, secret: str, now_ms: int, lifetime: Lifetime
) -> tuple[Identity, int] | None:
    """Whose session it is, while it lasts, and when it was used last; roles as they are now."""
    query = (
        select(SESSIONS, USERS.c.name, USERS.c.roles, IDENTITIES.c.issuer)
        .join(USERS, USERS.c.id == SESSIONS.c.user_id)
        .outerjoin(IDENTITIES, IDENTITIES.c.user_id == USERS.c.id)
        .where(SESSIONS.c.secret == hash_of(secret), USERS.c.closed_ms.is_(None))
        .where(*_lasting(now_ms, lifetime))
    )
    row = connection.execute(query).first()
    if row is None:
        return None
    found = Identity(
        row.user_id, row.name, kept_roles(row.roles) & OF_PEOPLE, row.id, row.proved_ms,
        row.issuer or "", newer_roles(row.roles),
    )  # fmt: skip
    return found, row.seen_ms


def machine(
    connection: Connection, token: str, now_ms: int, lifetime: Lifetime
) -> tuple[Identity, bool] | None:
    """The machine whose token it is, and whether the token still lasts."""
    query = (
        select(USERS, TOKENS.c.made_ms.label("token_ms"))
        .join(TOKENS, USERS.c.id == TOKENS.c.user_id)
        .where(TOKENS.c.secret == hash_of(token), USERS.c.closed_ms.is_(None))
    )
    row = connection.execute(query).first()
    if row is None or PitRole.MACHINE not in kept_roles(row.roles):
        return None
    # A clock that was put back ends a token, as it does a session.
    lasts = row.token_ms - _MINUTE_MS <= now_ms < row.token_ms + lifetime.token_ms
    return Identity(row.id, row.name, frozenset({PitRole.MACHINE})), lasts


@dataclass(frozen=True, slots=True)
class TokenEnd:
    """When the token of a machine ends, or has ended (wall ms)."""

    user: int
    name: str
    ends_ms: int


def token_ends(connection: Connection, lifetime: Lifetime) -> tuple[TokenEnd, ...]:
    """The ends of all tokens of machines whose account is open, the first one first."""
    query = (
        select(USERS.c.id, USERS.c.name, TOKENS.c.made_ms)
        .join(TOKENS, USERS.c.id == TOKENS.c.user_id)
        .where(USERS.c.closed_ms.is_(None))
        .order_by(TOKENS.c.made_ms, USERS.c.id)
    )
    return tuple(
        TokenEnd(user, name, made_ms + lifetime.token_ms)
        for user, name, made_ms in connection.execute(query)
    )


def used(connection: Connection, session: int, now_ms: int) -> None:
    """The session was used."""
    _change(connection, session, seen_ms=now_ms)


def proved(connection: Connection, session: int, now_ms: int) -> None:
    """The session's user has proved again who it is."""
    _change(connection, session, proved_ms=now_ms, seen_ms=now_ms)


def began_by(connection: Connection, session: int, sid: str) -> None:
    """The session goes on by another one at the provider."""
    _change(connection, session, sid=sid)


def listed(
    connection: Connection, now_ms: int, lifetime: Lifetime, user: int | None = None
) -> list[Session]:
    """The sessions that last, of one user or of all, the newest first."""
    query = (
        select(SESSIONS, USERS.c.name)
        .join(USERS, USERS.c.id == SESSIONS.c.user_id)
        .where(*_lasting(now_ms, lifetime))
        .order_by(desc(SESSIONS.c.made_ms), desc(SESSIONS.c.id))
    )
    if user is not None:
        query = query.where(SESSIONS.c.user_id == user)
    return [
        Session(
            each.id, each.user_id, each.name, each.how, each.browser, each.address, each.made_ms,
            each.seen_ms,
        )
        for each in connection.execute(query)
    ]  # fmt: skip


def present(
    connection: Connection, names: Collection[str], now_ms: int, lifetime: Lifetime
) -> frozenset[str]:
    """Those of these users who are signed in somewhere."""
    query = (
        select(USERS.c.name)
        .join(SESSIONS, SESSIONS.c.user_id == USERS.c.id)
        .where(USERS.c.name.in_(names), USERS.c.closed_ms.is_(None), *_lasting(now_ms, lifetime))
    )
    return frozenset(connection.execute(query).scalars()) if names else frozenset()


def end(connection: Connection, session: int, now_ms: int) -> None:
    """End a session, if it has not ended."""
    _change(connection, session, ended_ms=now_ms)


def end_all(connection: Connection, user: int, now_ms: int) -> None:
    """End every session of a user."""
    connection.execute(
        update(SESSIONS)
        .where(SESSIONS.c.user_id == user, SESSIONS.c.ended_ms.is_(None))
        .values(ended_ms=now_ms)
    )


def _lasting(now_ms: int, lifetime: Lifetime) -> tuple[ColumnElement[bool], ...]:
    return (
        SESSIONS.c.ended_ms.is_(None), SESSIONS.c.ends_ms > now_ms,
        SESSIONS.c.seen_ms > now_ms - lifetime.idle_ms,
        # A clock that was put back ends a session: it would last longer than it was to.
        SESSIONS.c.made_ms <= now_ms + _MINUTE_MS,
    )  # fmt: skip


def _change(connection: Connection, session: int, **values: int | str) -> None:
    connection.execute(
        update(SESSIONS)
        .where(SESSIONS.c.id == session, SESSIONS.c.ended_ms.is_(None))
        .values(**values)
    )
