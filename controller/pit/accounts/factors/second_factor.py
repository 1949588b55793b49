"""The second step of signing in: a code of an app, or a recovery code, after the password.

It is asked of whoever has an app, and of the roles that the house names; a passkey needs none, it
is two factors in one. Wrong codes are counted as wrong passwords are, by themselves. Every method
blocks.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from controller.pit.accounts import codes, factor_rows, sessions, tries, users
from controller.pit.accounts.accounts import Accounts, SignedIn, SignInRefused
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.factor_rows import Factors
from controller.pit.accounts.factors import one_time
from controller.pit.accounts.factors.one_time import AppSecrets, OtherKey
from controller.pit.accounts.roles import Identity
from controller.pit.accounts.sessions import Client
from controller.pit.accounts.users import User

#: How long a person may take to set up an app.
SET_UP_S: Final = 600.0
#: Apps that are being set up: more, and the oldest is forgotten.
_MOST: Final = 10_000
_LATE: Final = "That took too long: sign in again."
_WRONG: Final = "The code is wrong."
_WRONG_AGAIN: Final = "The password is wrong."
_USED: Final = "This code has been used: wait for the next one."
_NO_KEY: Final = (
    "This pit has no key for codes of apps: `tablectl pit CONFIG --key` makes one, then start it"
    " again. Until then use a passkey, a recovery code, or a link (`user link NAME --enter`)."
)
_OTHER_KEY: Final = (
    "Your app was set up under another key of the pit: use a passkey or a recovery code, or ask an"
    " engineer."
)
_HAVE_ONE: Final = "You have a second factor already: use it, a recovery code, or ask an engineer."


class FactorRefused(ValueError):
    """Nothing that may be done with a second factor; the text says why, and what may."""


@dataclass(frozen=True, slots=True)
class SecondStep:
    """Who has given the right password, and what may follow. `sets_up`: an app, first."""

    user: User
    factors: Factors

    @property
    def sets_up(self) -> bool:
        """Whether an app has to be set up before this user is signed in."""
        return not self.factors.any


@dataclass(frozen=True, slots=True)
class NewApp:
    """An app that is being set up: what its picture says, what a person types in its place, and the
    secret with which it is confirmed.
    """

    address: str
    typed: str
    handle: str


class SecondFactors:
    """Second factors over the database. `key`: None, and no app can be used at this pit."""

    def __init__(self, accounts: Accounts, key: AppSecrets | None) -> None:
        self._accounts = accounts
        self._key = key
        #: Apps that are being set up, by handle: for whom, the secret, until when (monotonic s).
        self._new: OrderedDict[str, tuple[int, bytes, float]] = OrderedDict()

    def of(self, user: int) -> Factors:
        """What a user has beside the password."""
        with self._accounts.engine.connect().execution_options(reads_only=True) as connection:
            return factor_rows.factors(connection, user)

    def second_step(self, first: str) -> SecondStep:
        """Whose password was right, by the secret of that first step. Raises `SignInRefused`."""
        with self._accounts.engine.connect().execution_options(reads_only=True) as connection:
            user = self._first(connection, first)
            return SecondStep(user, factor_rows.factors(connection, user.id))

    def sign_in(
        self, first: str, typed: str, client: Client, browser: str = "", session: str = ""
    ) -> SignedIn:
        """Begin a session by a code of an app, or a recovery code. Raises `SignInRefused`."""
        step = self.second_step(first)
        how = self._check(step.user, typed, client, browser)
        with self._accounts.engine.begin() as connection:
            user, sid = self._take_first(connection, first)
            first_how = self._accounts.how(connection, user.id)
            return self._accounts.begin(
                connection, user, f"{first_how} and {how}", client, (session, browser), sid=sid
            )

    def begin_app(self, user: int, name: str) -> NewApp:
        """An app for a user to set up. Raises `FactorRefused`."""
        if self._key is None:
            raise FactorRefused(_NO_KEY)
        while len(self._new) >= _MOST:
            self._new.popitem(last=False)
        secret, handle = one_time.new_app_secret(), secrets.token_urlsafe(32)
        self._new[handle] = (user, secret, time.monotonic() + SET_UP_S)
        return NewApp(one_time.app_address(secret, name), one_time.typed_secret(secret), handle)

    def same_app(self, user: int, name: str, handle: str) -> NewApp:
        """The app that is being set up, once more. Raises `FactorRefused`."""
        asked, secret, until_s = self._new.get(handle, (0, b"", 0.0))
        if asked != user or time.monotonic() > until_s:
            raise FactorRefused("That took too long: begin again")
        return NewApp(one_time.app_address(secret, name), one_time.typed_secret(secret), handle)

    def add_app(self, who: Identity, handle: str, typed: str, client: Client) -> tuple[str, ...]:
        """Keep the app of somebody who is signed in; new recovery codes. Raises `FactorRefused`."""
        with self._accounts.engine.begin() as connection:
            user = users.by_id(connection, who.user)
            return self._keep(connection, user, handle, typed, client)

    def set_up_and_sign_in(
        self, first: str, handle: str, typed: str, client: Client,
        before: tuple[str, str] = ("", ""),
    ) -> tuple[SignedIn, tuple[str, ...]]:  # fmt: skip
        """Keep the app of somebody who has to have one, and begin a session; recovery codes.

        `before`: see `Accounts.begin`. Raises `FactorRefused`, `SignInRefused`.
        """
        with self._accounts.engine.begin() as connection:
            # What is refused is rolled back: the first step holds until it is over.
            user, sid = self._take_first(connection, first)
            if factor_rows.factors(connection, user.id).any:
                raise SignInRefused(_HAVE_ONE)
            made = self._keep(connection, user, handle, typed, client)
            how = f"{self._accounts.how(connection, user.id)} and app"
            return self._accounts.begin(connection, user, how, client, before, sid=sid), made

    def prove(
        self, who: Identity, password: str, typed: str, client: Client, browser: str = ""
    ) -> None:
        """Prove again who is there: by password, and by a code for whoever has an app.

        A provider's user has no password here: the code alone. Raises `SignInRefused`.
        """
        if who.issuer:
            with self._accounts.engine.connect().execution_options(reads_only=True) as connection:
                user = users.by_id(connection, who.user)
        else:
            try:
                user = self._accounts.checked(who.name, password, client, browser)
            except SignInRefused as error:
                raise error if error.wait_s else SignInRefused(_WRONG_AGAIN) from error
        if who.issuer or self.of(user.id).app:
            self._check(user, typed, client, browser)
        with self._accounts.engine.begin() as connection:
            sessions.proved(connection, who.session, self._accounts.clock_ms())
        self._accounts.forget()

    def new_recovery_codes(self, who: Identity, client: Client) -> tuple[str, ...]:
        """Other recovery codes, in place of those before. Raises `FactorRefused`."""
        with self._accounts.engine.begin() as connection:
            if not factor_rows.factors(connection, who.user).any:
                raise FactorRefused("Recovery codes are for who has an app or a passkey: add one")
            made = factor_rows.make_recovery_codes(connection, who.user)
            self._note(connection, who.name, AuditAct.MADE_RECOVERY_CODES, client)
            return made

    def remove_app(self, who: Identity, client: Client) -> None:
        """Take one's own app away. Raises `FactorRefused` where one's role asks for a factor."""
        with self._accounts.engine.begin() as connection:
            has = factor_rows.factors(connection, who.user)
            if self._accounts.asks(who.roles, who.issuer) and not has.passkeys:
                raise FactorRefused("Your role asks for a second factor: add a passkey first")
            if factor_rows.remove_app(connection, who.user):
                if not has.passkeys:
                    factor_rows.remove_all(connection, who.user)
                self._note(connection, who.name, AuditAct.REMOVED_APP, client)

    def _keep(
        self, connection: Connection, user: User, handle: str, typed: str, client: Client
    ) -> tuple[str, ...]:
        if self._key is None:
            raise FactorRefused(_NO_KEY)
        asked, secret, until_s = self._new.get(handle, (0, b"", 0.0))
        if asked != user.id or time.monotonic() > until_s:
            raise FactorRefused("That took too long: begin again")
        now_ms = self._accounts.clock_ms()
        step = one_time.step_of(secret, _digits(typed), now_ms)
        if step is None:
            raise FactorRefused(
                f"{_WRONG} Type the one that the app shows now; the time of the telephone has to be"
                " right."
            )
        factor_rows.keep_app(connection, user.id, self._key.sealed(secret, user.id), step, now_ms)
        self._note(connection, user.name, AuditAct.ADDED_APP, client)
        self._new.pop(handle, None)
        return factor_rows.make_recovery_codes(connection, user.id)

    def _check(self, user: User, typed: str, client: Client, browser: str) -> str:
        """Judge what was typed: an app's code or a recovery code; which of them it is.

        Counted before it is judged. Raises `SignInRefused`.
        """
        with self._accounts.engine.begin() as connection:
            counted, wait_ms = self._accounts.count(
                connection, user.login, user, client, browser, tries.SECOND
            )
        if wait_ms:
            raise SignInRefused(tries.waiting(wait_ms), wait_ms / 1_000)
        with self._accounts.engine.begin() as connection:
            how, why = self._judge(connection, user, typed)
            if why:
                self._note(connection, "", AuditAct.CODE_REFUSED, client, user.name)
            else:
                tries.right(connection, *counted)
                if how == "recovery code":
                    left = factor_rows.factors(connection, user.id).recovery
                    about = f"{user.name}: {left} left"
                    self._note(connection, user.name, AuditAct.USED_RECOVERY_CODE, client, about)
        if why:
            raise SignInRefused(why)
        return how

    def _judge(self, connection: Connection, user: User, typed: str) -> tuple[str, str]:
        """Which kind of code it is, and why it is refused (empty: it is right)."""
        if factor_rows.is_recovery_code(typed):
            right = factor_rows.use_recovery_code(connection, user.id, typed)
            return "recovery code", "" if right else _WRONG
        app = factor_rows.app(connection, user.id)
        if app is None:
            return "app", _WRONG
        if self._key is None:
            return "app", _NO_KEY
        try:
            secret = self._key.opened(app.sealed, user.id)
        except OtherKey:
            return "app", _OTHER_KEY
        step = one_time.step_of(secret, _digits(typed), self._accounts.clock_ms())
        if step is None:
            return "app", _WRONG
        return "app", "" if factor_rows.use_step(connection, user.id, step) else _USED

    def _first(self, connection: Connection, first: str) -> User:
        number = codes.code_user(connection, first, Purpose.SECOND, self._accounts.clock_ms())
        return self._open(connection, number)

    def _take_first(self, connection: Connection, first: str) -> tuple[User, str]:
        """Whose first step it was, and the session at the provider that it rests on."""
        sid = codes.sid_of(connection, first)
        number = codes.use_code(connection, first, Purpose.SECOND, self._accounts.clock_ms())
        return self._open(connection, number), sid

    def _open(self, connection: Connection, number: int | None) -> User:
        user = users.by_id(connection, number) if number is not None else None
        if user is None or user.closed_ms is not None:
            raise SignInRefused(_LATE)
        return user

    def _note(
        self, connection: Connection, who: str, act: AuditAct, client: Client, about: str = ""
    ) -> None:
        now_ms = self._accounts.clock_ms()
        record_act(connection, now_ms, who, act, about or who, client.address)


def _digits(typed: str) -> str:
    """A code as an app shows it, without the space that some put into its middle."""
    text = "".join(typed.split())
    return text if text.isascii() and text.isdecimal() else ""
