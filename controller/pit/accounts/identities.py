"""Who signs in by the house's OpenID provider, and which roles it may give. Rows of the database.

A user is the pit's own or a provider's, never both: one of the pit's own signs in here whatever
becomes of the provider, and whom the provider lets in no more has no other way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from sqlalchemy import Connection, delete, insert, select, text, update

from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.schema import IDENTITIES, PROVIDER_LOGOUTS

#: PostgreSQL's advisory lock of whoever enters by the provider, or is signed out there.
_ENTERING: Final = 0x7461626C6506


@dataclass(frozen=True, slots=True)
class ProviderRules:
    """The provider `issuer`, called `name`: the roles of each group, nothing for any other group.

    Of users with one of the roles `second_factor` an app's code is asked here besides.
    """

    name: str
    issuer: str
    roles: Mapping[str, frozenset[PitRole]]
    second_factor: frozenset[PitRole] = frozenset()

    @property
    def given(self) -> frozenset[PitRole]:
        """Every role that the provider may give."""
        return frozenset().union(*self.roles.values())

    def roles_of(self, groups: frozenset[str]) -> frozenset[PitRole]:
        """The roles of somebody in these groups."""
        return frozenset().union(*(self.roles[each] for each in groups if each in self.roles))


def one_at_a_time(connection: Connection) -> None:
    """Until the end of this transaction nobody else enters by the provider, or is signed out there:
    two browsers of one new person make one user.
    """
    # SQLite's writers go one at a time anyway.
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ENTERING})


def user_of(connection: Connection, issuer: str, subject: str) -> int | None:
    """The number of the user whom a provider calls that; None: nobody yet."""
    known_as = (subject, _forgotten(issuer, subject))
    query = select(IDENTITIES.c.user_id).where(
        IDENTITIES.c.issuer == issuer, IDENTITIES.c.subject.in_(known_as)
    )
    found: int | None = connection.scalar(query)
    return found


def add(connection: Connection, issuer: str, subject: str, user: int, now_ms: int) -> None:
    """Let a user be the one whom a provider calls that."""
    connection.execute(
        insert(IDENTITIES).values(issuer=issuer, subject=subject, user_id=user, made_ms=now_ms)
    )


def forget_subject(connection: Connection, user: int) -> None:
    """Keep of what a provider calls a user a digest alone: a closed account keeps that person out,
    and says no more who it was.
    """
    this = IDENTITIES.c.user_id == user
    row = connection.execute(select(IDENTITIES).where(this)).first()
    if row is not None:
        out = PROVIDER_LOGOUTS.c
        gone = (out.issuer == row.issuer) & (out.subject == row.subject)
        connection.execute(delete(PROVIDER_LOGOUTS).where(gone))  # a closed account has no session
        values = {"subject": _forgotten(row.issuer, row.subject)}
        connection.execute(update(IDENTITIES).where(this).values(**values))


def _forgotten(issuer: str, subject: str) -> str:
    return sha256(f"{issuer} {subject}".encode()).hexdigest()


def issuer_of(connection: Connection, user: int) -> str:
    """Whose user it is; empty: the pit's own."""
    query = select(IDENTITIES.c.issuer).where(IDENTITIES.c.user_id == user)
    return connection.scalar(query) or ""


def all_issuers(connection: Connection) -> dict[int, str]:
    """Whose users those are that are not the pit's own, by number."""
    rows = connection.execute(select(IDENTITIES.c.user_id, IDENTITIES.c.issuer))
    return {row.user_id: row.issuer for row in rows}
