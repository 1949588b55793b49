"""Sign-in of people whom the house's OpenID provider has let in: who they are here, and as what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from controller.pit.accounts import codes, factor_rows, identities, sessions, users
from controller.pit.accounts.accounts import Accounts, FirstStep, SignedIn, SignInRefused
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.identities import ProviderRules
from controller.pit.accounts.people import COMMAND_LINE, role_words
from controller.pit.accounts.provider import provider_logouts
from controller.pit.accounts.roles import Identity, PitRole
from controller.pit.accounts.sessions import Client
from controller.pit.accounts.users import MAX_NAME, User, login_of

#: People of one name at one provider, and then it has to give them other names.
_MOST_NAMESAKES: Final = 99


@dataclass(frozen=True, slots=True)
class ProviderPerson:
    """Somebody as a provider describes them, verified: `subject` is what it calls them for good.

    `signed_in_ms` is the wall time at which they signed in there; None: it does not say. `sid` is
    what it calls their session there (empty: nothing), `made_ms` when it said all that.
    """

    subject: str
    name: str
    groups: frozenset[str]
    signed_in_ms: int | None = None
    sid: str = ""
    made_ms: int = 0


class ProviderPeople:
    """People of one provider over the database. Every method blocks."""

    def __init__(self, accounts: Accounts, rules: ProviderRules) -> None:
        self._accounts = accounts
        self._rules = rules

    def enter(
        self, person: ProviderPerson, client: Client, before: tuple[str, str] = ("", "")
    ) -> SignedIn | FirstStep:
        """Begin a session, or say that a second factor is asked for here; the first time makes the
        user. `before`: see `Accounts.begin`. Raises `SignInRefused`.
        """
        try:
            return self._enter(person, client, before)
        except IntegrityError:
            # An engineer has made a user of that name at the same moment.
            return self._enter(person, client, before)

    def _enter(
        self, person: ProviderPerson, client: Client, before: tuple[str, str]
    ) -> SignedIn | FirstStep:
        roles = self._rules.roles_of(person.groups)
        with self._accounts.engine.begin() as connection:
            identities.one_at_a_time(connection)
            number = identities.user_of(connection, self._rules.issuer, person.subject)
            user = None if number is None else users.by_id(connection, number)
            is_over = self._is_signed_out(connection, person)
            why = self._over if is_over else self._refusal(user, roles)
            if not why:
                user = self._kept(connection, user, person, roles, client)
                return self._begin(connection, user, person, client, before)
            if user is not None and not is_over:
                sessions.end_all(connection, user.id, self._accounts.clock_ms())
                # One that stands before the second step has the roles of before.
                codes.forget_codes(connection, user.id, Purpose.SECOND)
            # Whoever is no user here has no number by which a row could name them.
            about = f"{user.name if user else 'unknown name'}: {why}"
            self._note(connection, "", AuditAct.SIGN_IN_REFUSED, about, client)
        self._accounts.forget()
        raise SignInRefused(f"{why}.")

    def prove(self, who: Identity, person: ProviderPerson, client: Client) -> None:
        """The person of a session has signed in at the provider again.

        Not for whoever has an app here: its code is asked for. Raises `SignInRefused`.
        """
        with self._accounts.engine.begin() as connection:
            identities.one_at_a_time(connection)
            if self._is_signed_out(connection, person):
                raise SignInRefused(f"{self._over}.")
            number = identities.user_of(connection, self._rules.issuer, person.subject)
            is_same = number == who.user and person.signed_in_ms is not None
            if is_same and person.sid:
                sessions.began_by(connection, who.session, person.sid)
            if not is_same:
                about = f"{who.name}: {self._rules.name} let somebody else in"
                self._note(connection, "", AuditAct.SIGN_IN_REFUSED, about, client)
            elif not factor_rows.factors(connection, who.user).app:
                sessions.proved(connection, who.session, self._accounts.clock_ms())
        if not is_same:
            raise SignInRefused(f"Somebody else signed in at {self._rules.name}: sign out first.")
        self._accounts.forget()

    def refused(self, why: str, client: Client) -> None:
        """Write down that what came from the provider was not believed."""
        with self._accounts.engine.begin() as connection:
            about = f"{self._rules.name}: {why}"
            self._note(connection, "", AuditAct.SIGN_IN_REFUSED, about, client)

    def _is_signed_out(self, connection: Connection, person: ProviderPerson) -> bool:
        return provider_logouts.is_signed_out(
            connection, self._rules.issuer, person.subject, person.sid, person.made_ms
        )

    @property
    def _over(self) -> str:
        return f"{self._rules.name} has signed you out meanwhile: sign in again"

    def _refusal(self, user: User | None, roles: frozenset[PitRole]) -> str:
        if user is not None and user.closed_ms is not None:
            return "Your account here is closed: an engineer of your house opens it again"
        if not roles:
            return (
                f"{self._rules.name} knows you, and has you in no group that has a role here: ask"
                " whoever looks after its groups"
            )
        return ""

    def _kept(
        self, connection: Connection, user: User | None, person: ProviderPerson,
        roles: frozenset[PitRole], client: Client,
    ) -> User:  # fmt: skip
        """The user as the provider has it now: made, or with other roles."""
        now_ms, by = self._accounts.clock_ms(), self._rules.name
        if user is None:
            name = self._free_name(connection, person)
            made = users.make(connection, name, roles, now_ms)
            identities.add(connection, self._rules.issuer, person.subject, made.id, now_ms)
            self._note(connection, by, AuditAct.ADDED_USER, f"{name}: {role_words(roles)}", client)
            return made
        if roles != user.roles:
            users.set_roles(connection, user.id, roles)
            issuer = self._rules.issuer
            if self._accounts.asks(roles, issuer) and not self._accounts.asks(user.roles, issuer):
                # A session that began without a second factor is none of these roles.
                sessions.end_all(connection, user.id, now_ms)
            about = f"{user.name}: {role_words(roles)}"
            self._note(connection, by, AuditAct.SET_ROLES, about, client)
            self._accounts.forget()
        return users.by_id(connection, user.id)

    def _begin(
        self, connection: Connection, user: User, person: ProviderPerson, client: Client,
        before: tuple[str, str],
    ) -> SignedIn | FirstStep:  # fmt: skip
        now_ms = self._accounts.clock_ms()
        has = factor_rows.factors(connection, user.id)
        if has.app or self._accounts.asks(user.roles, self._rules.issuer):
            code = codes.make_code(connection, user.id, Purpose.SECOND, now_ms, person.sid)
            return FirstStep(code)
        # Somebody whom the provider remembered has proved nothing just now.
        proved_ms = min(person.signed_in_ms or 0, now_ms)
        return self._accounts.begin(
            connection, user, self._rules.name, client, before, proved_ms, person.sid
        )

    def _free_name(self, connection: Connection, person: ProviderPerson) -> str:
        """A name that nobody has here: whoever has one keeps it, and the other is told apart."""
        name = "".join(each if each.isprintable() else " " for each in person.name)
        name = " ".join(name.split()) or person.subject
        for number in range(_MOST_NAMESAKES):
            at = self._rules.name if number < 2 else f"{self._rules.name} {number}"
            after = f" ({at})" if number else ""
            free = name[: MAX_NAME - len(after)].rstrip() + after
            login = login_of(free)
            kept = login == COMMAND_LINE.name or users.is_of_erased(login)
            if not kept and users.by_login(connection, login) is None:
                return free
        raise SignInRefused(f"Too many are called {name}: {self._rules.name} has to change it.")

    def _note(
        self, connection: Connection, who: str, act: AuditAct, about: str, client: Client
    ) -> None:
        record_act(connection, self._accounts.clock_ms(), who, act, about, client.address)
