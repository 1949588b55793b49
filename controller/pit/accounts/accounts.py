"""Sign-in and sessions over the database: every method is one or two transactions, and blocks.

Raises `sqlalchemy.exc.DBAPIError` where the database does not answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection, Engine

from controller.pit.accounts import codes, factor_rows, identities, sessions, tries, users
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.identities import ProviderRules
from controller.pit.accounts.passwords import Passwords
from controller.pit.accounts.recognized import RecognizedSessions
from controller.pit.accounts.roles import OF_PEOPLE, Identity, PitRole
from controller.pit.accounts.secret import hash_of
from controller.pit.accounts.sessions import Client, Lifetime
from controller.pit.accounts.users import User, login_of

#: A session is written down as used this often.
USED_MS: Final = 60_000


class SignInRefused(Exception):
    """Nobody was signed in; the text is for the page. `wait_s`: how long the next try waits."""

    def __init__(self, text: str, wait_s: float = 0) -> None:
        super().__init__(text)
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Secrets for the browser: of its session, and of itself as one that is known from now on."""

    session: str
    browser: str


@dataclass(frozen=True, slots=True)
class FirstStep:
    """The password was right, and a second factor is asked for: the secret to come back with."""

    secret: str


_WRONG: Final = "The name or the password is wrong."
_NEWER: Final = (
    "Your role was given by newer software than this pit has, which does not know it: sign in at a"
    " pit that was updated, or ask an engineer for a role here."
)
_CODE: Final = "This link has been used, or is too old: ask for another."


class Accounts:
    """Who may sign in, and who has. `clock_ms` is the wall time.

    Of users with one of the roles `second_factor` a password alone is not enough. `provider`: the
    house's OpenID provider; None: nobody signs in by one.
    """

    def __init__(
        self,
        engine: Engine,
        clock_ms: Callable[[], int],
        lifetime: Lifetime | None = None,
        passwords: Passwords | None = None,
        second_factor: frozenset[PitRole] = frozenset(),
        provider: ProviderRules | None = None,
    ) -> None:
        self.engine = engine
        self.clock_ms = clock_ms
        self.lifetime = lifetime or Lifetime()
        self.passwords = passwords or Passwords()
        self._second_factor = second_factor
        self.provider = provider
        self._recognized = RecognizedSessions()

    def asks(self, roles: frozenset[PitRole], issuer: str = "") -> bool:
        """Whether a second factor is asked here of somebody with these roles.

        `issuer`: whose user it is; empty: the pit's own.
        """
        if issuer:
            return self.provider is not None and bool(self.provider.second_factor & roles)
        return bool(self._second_factor & roles)

    def has_password(self, number: int) -> bool:
        """Whether a user has set a password. Blocks."""
        with self.engine.connect().execution_options(reads_only=True) as connection:
            return users.by_id(connection, number).password is not None

    def how(self, connection: Connection, user: int) -> str:
        """How a user begins to sign in: by a password, or the provider's name."""
        issuer = identities.issuer_of(connection, user)
        return self.provider.name if issuer and self.provider else "password"

    def sign_in(
        self, name: str, password: str, client: Client, browser: str = "", session: str = ""
    ) -> SignedIn | FirstStep:
        """Begin a session by name and password, or say that a second factor is asked for.

        `browser` and `session` are secrets that came with the request: a session there ends.
        Raises `SignInRefused`.
        """
        user = self.checked(name, password, client, browser)
        with self.engine.begin() as connection:
            return self._step(connection, user, "password", client, (session, browser))

    def _step(
        self, connection: Connection, user: User, how: str, client: Client, before: tuple[str, str]
    ) -> SignedIn | FirstStep:
        if not self.asks(user.roles) and not factor_rows.factors(connection, user.id).app:
            return self.begin(connection, user, how, client, before)
        now_ms = self.clock_ms()
        return FirstStep(codes.make_code(connection, user.id, Purpose.SECOND, now_ms))

    def begin(
        self, connection: Connection, user: User, how: str, client: Client,
        before: tuple[str, str], proved_ms: int | None = None, sid: str = "",
    ) -> SignedIn:  # fmt: skip
        """A session; the secrets that the browser had before (session, known browser) are over.

        The browser is sent others: one that stayed would push those of the user's other browsers
        out. `proved_ms` and `sid`: see `sessions.begin`. Raises `SignInRefused` for whoever has no
        role that this software knows.
        """
        if not user.roles & OF_PEOPLE:
            # What worked once until now is not used up: it works where the role is known.
            raise SignInRefused(_NEWER)
        session_before, browser_before = before
        now_ms = self.clock_ms()
        if browser_before:
            codes.forget_browser(connection, browser_before)
        if session_before:
            found = sessions.recognize(connection, session_before, now_ms, self.lifetime)
            if found is not None:
                sessions.end(connection, found[0].session, now_ms)
                self.forget()
        session = sessions.begin(
            connection, user.id, how, client, now_ms, self.lifetime, proved_ms, sid
        )
        browser = codes.remember_browser(connection, user.id, now_ms)
        record_act(connection, now_ms, user.name, AuditAct.SIGNED_IN, how, client.address)
        return SignedIn(session, browser)

    def code_name(self, code: str, purpose: Purpose) -> str:
        """The name of a code's user. Raises `SignInRefused` where the code does not work."""
        with self._reading() as connection:
            user = codes.code_user(connection, code, purpose, self.clock_ms())
            if user is None:
                raise SignInRefused(_CODE)
            return users.by_id(connection, user).name

    def enter(self, code: str, client: Client, session: str = "", browser: str = "") -> SignedIn:
        """Begin a session by a link that works once. Raises `SignInRefused`."""
        with self.engine.begin() as connection:
            user = self._use(connection, code, Purpose.SIGN_IN)
            return self.begin(connection, user, "link", client, (session, browser))

    def set_up(
        self, code: str, password: str, client: Client, session: str = "", browser: str = ""
    ) -> SignedIn | FirstStep:
        """Set a password by a link that works once. Raises `PasswordRefused`, `SignInRefused`.

        Every session before ends, and every browser is a stranger again. A second factor is asked
        for as after a password.
        """
        name = self.code_name(code, Purpose.SET_UP)
        password_hash = self.passwords.hash(password, name)
        with self.engine.begin() as connection:
            user = self._use(connection, code, Purpose.SET_UP)
            now_ms = self.clock_ms()
            users.set_password(connection, user.id, password_hash)
            sessions.end_all(connection, user.id, now_ms)
            codes.forget_browsers(connection, user.id)
            # Whoever had the old password may stand before the second step.
            codes.forget_codes(connection, user.id, Purpose.SECOND)
            record_act(
                connection, now_ms, user.name, AuditAct.SET_PASSWORD, user.name, client.address
            )
            begun = self._step(connection, user, "link", client, (session, browser))
        self.forget()
        return begun

    def recognize(self, session: str, *, uses: bool = True) -> Identity | None:
        """Whose session it is, while it lasts. `uses`: this is a request, not a page left open."""
        if (known := self._recognized.find(session)) is not None:
            return known
        now_ms, looked = self.clock_ms(), self._recognized.look()
        with self._reading() as connection:
            found = sessions.recognize(connection, session, now_ms, self.lifetime)
        identity = self._known_here(found[0]) if found else None
        if found is None or identity is None:
            return None
        last_used_ms = found[1]
        # A wall that hangs there for all to see is nobody's desk that was left.
        watches = identity.roles == {PitRole.VIEWER}
        if (uses or watches) and not 0 <= now_ms - last_used_ms < USED_MS:
            with self.engine.begin() as connection:
                sessions.used(connection, identity.session, now_ms)
        self._recognized.remember(session, identity, looked)
        return identity

    def _known_here(self, who: Identity) -> Identity | None:
        """The same, as far as the configuration goes: a provider that it does not name, or a role
        that it gives nobody, opens nothing.
        """
        if not who.issuer:
            return who
        if self.provider is None or self.provider.issuer != who.issuer:
            return None
        return replace(who, roles=who.roles & self.provider.given)

    def machine(self, token: str) -> Identity | None:
        """The machine whose token it is, while it lasts."""
        found = self.token(token)
        return found[0] if found and found[1] else None

    def token(self, token: str) -> tuple[Identity, bool] | None:
        """The machine whose token it is, and whether the token still lasts."""
        with self._reading() as connection:
            return sessions.machine(connection, token, self.clock_ms(), self.lifetime)

    def knows_browser(self, browser: str) -> bool:
        """Whether somebody has signed in before in the browser with that secret."""
        with self._reading() as connection:
            return codes.is_known_browser(connection, browser)

    def end_session(self, session: int, who: Identity, client: Client) -> None:
        """End a session; whoever may end those of others is the routes' matter."""
        with self.engine.begin() as connection:
            now_ms = self.clock_ms()
            sessions.end(connection, session, now_ms)
            act = AuditAct.SIGNED_OUT if session == who.session else AuditAct.ENDED_SESSION
            record_act(connection, now_ms, who.name, act, str(session), client.address)
        self.forget()

    def listed_sessions(self, user: int | None = None) -> list[sessions.Session]:
        """The sessions that last, of one user or of all."""
        with self._reading() as connection:
            return sessions.listed(connection, self.clock_ms(), self.lifetime, user)

    def forget(self) -> None:
        """Look every session up again at its next request: something has changed."""
        self._recognized.forget()

    def _reading(self) -> Connection:
        return self.engine.connect().execution_options(reads_only=True)

    def checked(self, name: str, password: str, client: Client, browser: str) -> User:
        """The user whose password it is. Raises `SignInRefused`; as slowly for an unknown name."""
        login = login_of(name)
        with self.engine.begin() as connection:
            user = users.by_login(connection, login)
            counted, wait_ms = self.count(connection, login, user, client, browser)
        if wait_ms:
            raise SignInRefused(tries.waiting(wait_ms), wait_ms / 1_000)
        right = self.passwords.matches(password, user.password if user else None)
        if user is None or user.closed_ms is not None or not right:
            with self.engine.begin() as connection:
                # What was typed may be a password in the wrong field: only names that are known.
                about = user.name if user else "unknown name"
                now_ms = self.clock_ms()
                record_act(connection, now_ms, "", AuditAct.SIGN_IN_REFUSED, about, client.address)
            raise SignInRefused(_WRONG)
        assert user.password is not None, "nothing matches where there is none"
        renewed = self.passwords.renewed(password, user.password)
        with self.engine.begin() as connection:
            tries.right(connection, *counted)
            if renewed is not None:
                users.renew_password(connection, user.id, user.password, renewed)
        return user

    def count(
        self, connection: Connection, login: str, user: User | None, client: Client, browser: str,
        of: str = "",
    ) -> tuple[tuple[str, str | None], int]:  # fmt: skip
        """Count the try: what is forgotten if it is right; above 0: how long it has to wait.

        `of` goes before what it is counted under: tries of another kind are counted apart.
        """
        now_ms = self.clock_ms()
        if user is not None and browser and codes.is_known_browser(connection, browser, user.id):
            name = of + tries.of_browser(hash_of(browser))
            if tries.wrong_tries(connection, name) < tries.BROWSER_TRIES:
                tries.begin(connection, now_ms, {name: tries.BROWSER_TRIES})
                return (name, None), 0
            codes.forget_browser(connection, browser)
        account, address = of + tries.of_account(login), of + tries.of_address(client.address)
        free = {account: tries.FREE, address: tries.ADDRESS_FREE}
        wait_ms = tries.begin(connection, now_ms, free)
        if not wait_ms and tries.wrong_tries(connection, account) == tries.FREE:
            about = user.name if user else "unknown name"
            record_act(connection, now_ms, "", AuditAct.TRIES_SLOWED, about, client.address)
        return (account, address), wait_ms

    def _use(self, connection: Connection, code: str, purpose: Purpose) -> User:
        number = codes.use_code(connection, code, purpose, self.clock_ms())
        user = users.by_id(connection, number) if number is not None else None
        if user is None or user.closed_ms is not None:
            raise SignInRefused(_CODE)
        return user
