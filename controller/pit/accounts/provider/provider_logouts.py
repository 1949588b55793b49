"""People who were signed out at the house's OpenID provider: their sessions here end too.

A provider says so behind the browser's back, and may be faster than the browser: what it said is
kept for some minutes, so that a sign-in of before that comes late begins nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    delete,
    insert,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import IntegrityError

from controller.pit.accounts import identities
from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.identities import ProviderRules
from controller.pit.accounts.schema import CODES, IDENTITIES, PROVIDER_LOGOUTS, SESSIONS, USERS
from controller.pit.accounts.sessions import Client


class LogoutRepeated(Exception):
    """The provider has said that before, or somebody repeats it."""


@dataclass(frozen=True, slots=True)
class ProviderLogout:
    """That somebody was signed out, verified: `jti` is its own name, used once.

    `subject`: of that person, `sid`: in that session of the provider's; one of them may be empty,
    and counts for any. Wall times in ms: when it was made, and until when it is remembered.
    """

    jti: str
    subject: str
    sid: str
    made_ms: int
    ends_ms: int


class ProviderLogouts:
    """Sign-outs at one provider over the database. Every method blocks."""

    def __init__(self, accounts: Accounts, rules: ProviderRules) -> None:
        self._accounts = accounts
        self._rules = rules

    def end(self, logout: ProviderLogout, client: Client) -> int:
        """End every session that it is about; how many. Raises `LogoutRepeated`.

        With both names it is that session of that person: one that began without a name of the
        provider's ends as well, since it may be that one.
        """
        now_ms = self._accounts.clock_ms()
        try:
            with self._accounts.engine.begin() as connection:
                # Whoever signs in at this moment has begun a session by now, or finds this row.
                identities.one_at_a_time(connection)
                self._remember(connection, logout, now_ms)
                # Who stands before the second step; first, for whoever takes it at this moment.
                connection.execute(
                    delete(CODES).where(
                        CODES.c.purpose == Purpose.SECOND.value,
                        CODES.c.user_id.in_(self._users(logout)), _is_of(CODES.c.sid, logout),
                    )
                )  # fmt: skip
                ended = self._end(connection, logout, now_ms)
                for name, count in sorted(ended.items()):
                    about = f"{name}: {count}, signed out there"
                    record_act(
                        connection, now_ms, self._rules.name, AuditAct.ENDED_SESSIONS, about,
                        client.address,
                    )  # fmt: skip
        except IntegrityError as error:
            raise LogoutRepeated from error
        self._accounts.forget()
        return ended.total()

    def refused(self, why: str, client: Client) -> None:
        """Write down that what came as the provider's was not believed."""
        with self._accounts.engine.begin() as connection:
            about = f"{self._rules.name}: {why}"
            now_ms = self._accounts.clock_ms()
            record_act(connection, now_ms, "", AuditAct.SIGN_OUT_REFUSED, about, client.address)

    def _remember(self, connection: Connection, logout: ProviderLogout, now_ms: int) -> None:
        connection.execute(delete(PROVIDER_LOGOUTS).where(PROVIDER_LOGOUTS.c.ends_ms <= now_ms))
        connection.execute(
            insert(PROVIDER_LOGOUTS).values(
                issuer=self._rules.issuer, jti=logout.jti, subject=logout.subject or None,
                sid=logout.sid or None, made_ms=logout.made_ms, ends_ms=logout.ends_ms,
            )
        )  # fmt: skip

    def _end(self, connection: Connection, logout: ProviderLogout, now_ms: int) -> Counter[str]:
        """End its sessions; how many of each name."""
        lasting = and_(
            SESSIONS.c.user_id.in_(self._users(logout)), _is_of(SESSIONS.c.sid, logout),
            SESSIONS.c.ended_ms.is_(None), SESSIONS.c.ends_ms > now_ms,
        )  # fmt: skip
        query = select(SESSIONS.c.id, USERS.c.name).join(USERS, USERS.c.id == SESSIONS.c.user_id)
        rows = connection.execute(query.where(lasting)).all()
        ids = [each.id for each in rows]
        connection.execute(update(SESSIONS).where(SESSIONS.c.id.in_(ids)).values(ended_ms=now_ms))
        return Counter(each.name for each in rows)

    def _users(self, logout: ProviderLogout) -> Select[tuple[int]]:
        query = select(IDENTITIES.c.user_id).where(IDENTITIES.c.issuer == self._rules.issuer)
        if logout.subject:
            query = query.where(IDENTITIES.c.subject == logout.subject)
        return query


def _is_of(sid: ColumnElement[str | None], logout: ProviderLogout) -> ColumnElement[bool]:
    if not logout.sid:
        return true()
    return or_(sid == logout.sid, sid.is_(None)) if logout.subject else sid == logout.sid


def is_signed_out(
    connection: Connection, issuer: str, subject: str, sid: str, made_ms: int
) -> bool:
    """Whether a sign-in whose token was made at `made_ms` is over already, as far as it was said.

    `sid` is its session at the provider, empty: it has no name. A session that was ended is over
    for good; a person is signed out of what they began before.
    """
    row = PROVIDER_LOGOUTS.c
    is_before = row.made_ms > made_ms
    of_person = and_(row.subject == subject, is_before)
    if sid:
        of_session = and_(row.sid == sid, or_(row.subject == subject, row.subject.is_(None)))
        is_over = or_(of_session, and_(of_person, row.sid.is_(None)))
    else:
        is_over = of_person
    query = select(row.jti).where(row.issuer == issuer, is_over).limit(1)
    return connection.scalar(query) is not None
