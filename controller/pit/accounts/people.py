"""What is done with users, by an engineer on the page or on the command line: each act audited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, insert

from controller.pit.accounts import codes, factor_rows, identities, sessions, users
from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.factor_rows import Factors
from controller.pit.accounts.personal.erasing import erase
from controller.pit.accounts.personal.export import PersonExport, export
from controller.pit.accounts.roles import Identity, PitRole
from controller.pit.accounts.schema import TOKENS
from controller.pit.accounts.secret import new_secret
from controller.pit.accounts.users import User, UserRefused

#: Whoever has the database's files and the command line.
COMMAND_LINE = Identity(0, "command line", frozenset({PitRole.ENGINEER}))


_LINKS: Final = {
    Purpose.SET_UP: AuditAct.MADE_SET_UP_LINK, Purpose.SIGN_IN: AuditAct.MADE_SIGN_IN_LINK,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class People:
    """Users made, changed and closed by `who`, from an address. Every method blocks."""

    accounts: Accounts
    who: Identity
    address: str = ""

    def add(self, name: str, roles: frozenset[PitRole]) -> tuple[User, str]:
        """A new user, and the secret for it: of a link to set a password, or a machine's token.

        Raises `UserRefused`.
        """
        now_ms = self.accounts.clock_ms()
        with self.accounts.engine.begin() as connection:
            user = users.make(connection, name, roles, now_ms)
            self._note(connection, AuditAct.ADDED_USER, f"{user.name}: {role_words(roles)}")
            return user, self._secret(connection, user)

    def link(self, number: int, purpose: Purpose) -> str:
        """Another secret for a user: of a link, or a machine's token in place of the old ones.

        Raises `UserRefused`.
        """
        with self.accounts.engine.begin() as connection:
            user = users.by_id(connection, number)
            if user.closed_ms is not None:
                raise UserRefused(f"{user.name} is closed: open the account first")
            if purpose is Purpose.SET_UP and identities.issuer_of(connection, number):
                raise UserRefused(f"{user.name} signs in at {self._provider}, without a password")
            self._note(connection, _LINKS[purpose], user.name)
            return self._secret(connection, user, purpose)

    def set_roles(self, number: int, roles: frozenset[PitRole]) -> None:
        """Give a user other roles. Raises `UserRefused`, for one's own too."""
        self._not_oneself(number)
        with self.accounts.engine.begin() as connection:
            user = users.by_id(connection, number)
            if (PitRole.MACHINE in user.roles) is not (PitRole.MACHINE in roles):
                raise UserRefused("A machine stays one, and a person too: add another user")
            if identities.issuer_of(connection, number):
                raise UserRefused(f"{user.name} has the roles that {self._provider} gives")
            users.set_roles(connection, number, roles)
            if self.accounts.asks(roles) and not self.accounts.asks(user.roles):
                # A session that began without a second factor is none of these roles.
                sessions.end_all(connection, number, self.accounts.clock_ms())
            self._note(connection, AuditAct.SET_ROLES, f"{user.name}: {role_words(roles)}")
        self.accounts.forget()

    def close(self, number: int) -> None:
        """Let a user in no more: its sessions end. Raises `UserRefused`, for oneself too."""
        self._not_oneself(number)
        now_ms = self.accounts.clock_ms()
        with self.accounts.engine.begin() as connection:
            user = users.by_id(connection, number)
            users.set_closed(connection, number, now_ms)
            sessions.end_all(connection, number, now_ms)
            codes.forget_browsers(connection, number)
            for purpose in Purpose:
                codes.forget_codes(connection, number, purpose)
            self._note(connection, AuditAct.CLOSED_USER, user.name)
        self.accounts.forget()

    def reopen(self, number: int) -> None:
        """Let a user in again. Raises `UserRefused`."""
        with self.accounts.engine.begin() as connection:
            user = users.by_id(connection, number)
            if user.erased:
                raise UserRefused(f"Nothing here tells who {user.name} was: add a new user")
            users.set_closed(connection, number, None)
            self._note(connection, AuditAct.REOPENED_USER, user.name)

    def erase(self, number: int) -> None:
        """Erase the name of a user whose account is closed, for good (`erasing`).

        Raises `UserRefused`.
        """
        with self.accounts.engine.begin() as connection:
            user = users.by_id(connection, number)
            if user.closed_ms is None:
                raise UserRefused(f"{user.name} may sign in: close the account first")
            if user.erased:
                raise UserRefused(f"The name of {user.name} is erased already")
            self._note(connection, AuditAct.ERASED_USER, user.name)
            erase(connection, user)
        self.accounts.forget()

    def export(self, number: int) -> PersonExport:
        """What the pit has of a user; that somebody took it stands in the audit before it is given.

        Raises `UserRefused`.
        """
        with self.accounts.engine.connect().execution_options(reads_only=True) as connection:
            user = users.by_id(connection, number)
            found = export(connection, user, self.accounts.clock_ms())
        with self.accounts.engine.begin() as connection:
            self._note(connection, AuditAct.EXPORTED_USER, user.name)
        return found

    def take_factors(self, number: int) -> None:
        """Take away what a user has beside the password, and end the sessions: a telephone is lost.

        Raises `UserRefused`, for oneself too: a session that was stolen does not outlive its owner.
        """
        self._not_oneself(number)
        with self.accounts.engine.begin() as connection:
            user = users.by_id(connection, number)
            factor_rows.remove_all(connection, number)
            sessions.end_all(connection, number, self.accounts.clock_ms())
            codes.forget_browsers(connection, number)
            codes.forget_codes(connection, number, Purpose.SECOND)
            self._note(connection, AuditAct.TOOK_FACTORS, user.name)
        self.accounts.forget()

    def factors(self) -> dict[int, Factors]:
        """What users have beside the password, by number; those with nothing are not there."""
        with self.accounts.engine.connect().execution_options(reads_only=True) as connection:
            return factor_rows.all_factors(connection)

    def end_sessions(self, number: int) -> None:
        """End every session of a user. Raises `UserRefused`."""
        with self.accounts.engine.begin() as connection:
            user = users.by_id(connection, number)
            sessions.end_all(connection, number, self.accounts.clock_ms())
            codes.forget_codes(connection, number, Purpose.SECOND)
            self._note(connection, AuditAct.ENDED_SESSIONS, user.name)
        self.accounts.forget()

    def issuers(self) -> dict[int, str]:
        """Whose users those are that are not the pit's own, by number."""
        with self.accounts.engine.connect().execution_options(reads_only=True) as connection:
            return identities.all_issuers(connection)

    def token_ends(self) -> dict[int, int]:
        """When the tokens of machines end, by user, in wall ms."""
        with self.accounts.engine.connect().execution_options(reads_only=True) as connection:
            ends = sessions.token_ends(connection, self.accounts.lifetime)
        return {each.user: each.ends_ms for each in ends}

    def listed(self) -> list[User]:
        """Every user."""
        with self.accounts.engine.connect().execution_options(reads_only=True) as connection:
            return users.listed(connection)

    def _secret(self, connection: Connection, user: User, purpose: Purpose = Purpose.SET_UP) -> str:
        now_ms = self.accounts.clock_ms()
        if PitRole.MACHINE not in user.roles:
            return codes.make_code(connection, user.id, purpose, now_ms)
        connection.execute(delete(TOKENS).where(TOKENS.c.user_id == user.id))
        secret, secret_hash = new_secret()
        connection.execute(
            insert(TOKENS).values(secret=secret_hash, user_id=user.id, made_ms=now_ms)
        )
        return secret

    @property
    def _provider(self) -> str:
        provider = self.accounts.provider
        return provider.name if provider else "a provider that this pit no longer knows"

    def _not_oneself(self, number: int) -> None:
        if number == self.who.user:
            raise UserRefused("Nobody changes what they may do themselves: ask another engineer")

    def _note(self, connection: Connection, act: AuditAct, about: str) -> None:
        now_ms = self.accounts.clock_ms()
        record_act(connection, now_ms, self.who.name, act, about, self.address)


def role_words(roles: frozenset[PitRole]) -> str:
    """Roles as the audit has them."""
    return ", ".join(each.words for each in PitRole if each in roles)
