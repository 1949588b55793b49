"""Passkeys (WebAuthn): added by whoever is signed in, and signing in by one.

A passkey is found by the browser itself, and asks for its holder's finger, face or PIN: nobody
types a name, and there is nothing to guess. A challenge is signed by this process and kept by the
browser that asked for it, so that a flood of them takes no memory and pushes nobody's out; what was
answered rightly is remembered until the challenge ends: it works once.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from sqlalchemy import delete, insert, select, update
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import parse_authentication_credential_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from controller.pit.accounts import factor_rows, identities, users
from controller.pit.accounts.accounts import Accounts, SignedIn, SignInRefused
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.accounts.roles import Identity
from controller.pit.accounts.schema import PASSKEYS
from controller.pit.accounts.sessions import MOST_CHARS, Client

#: How long a person may take.
CHALLENGE_S: Final = 300.0
_CHALLENGE_BYTES: Final = 32
_LATE: Final = "That took too long: try again"
_PROVIDERS: Final = "You sign in at your house's provider: a passkey is added there"
_REFUSED: Final = "This passkey is not known here, or was not confirmed: use your password."


class PasskeyRefused(ValueError):
    """No passkey that can be added; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey as it is listed: made in a browser, at a wall time in ms."""

    id: int
    browser: str
    made_ms: int


class Passkeys:
    """Passkeys over the database. Every method blocks."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._key = secrets.token_bytes(32)
        #: Challenges that were answered, and until when each would last (monotonic seconds).
        self._answered: dict[bytes, float] = {}
        self._answering = threading.Lock()

    def begin_adding(self, who: Identity, origin: str) -> tuple[str, str]:
        """What the browser is asked to make (JSON), and the secret that it answers with.

        Raises `PasskeyRefused` for a user of a provider, which alone lets its people in.
        """
        if who.issuer:
            raise PasskeyRefused(_PROVIDERS)
        with self._accounts.engine.connect().execution_options(reads_only=True) as connection:
            query = select(PASSKEYS.c.credential).where(PASSKEYS.c.user_id == who.user)
            known = [PublicKeyCredentialDescriptor(id=each) for each in connection.scalars(query)]
        challenge, secret = self._challenge(who.user)
        options = generate_registration_options(
            rp_id=_host(origin), rp_name="tablectl pit", user_name=who.name,
            user_id=str(who.user).encode(), challenge=challenge, exclude_credentials=known,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
        )  # fmt: skip
        return options_to_json(options), secret

    def add(self, who: Identity, origin: str, secret: str, answer: str, client: Client) -> None:
        """Keep a passkey that the browser made. Raises `PasskeyRefused`."""
        challenge = self._take(secret, who.user)
        try:
            made = verify_registration_response(
                credential=answer, expected_challenge=challenge, expected_rp_id=_host(origin),
                expected_origin=origin, require_user_verification=True,
            )  # fmt: skip
        except (WebAuthnException, ValueError) as error:
            raise PasskeyRefused("The passkey could not be read: try again") from error
        self._use(challenge)
        now_ms = self._accounts.clock_ms()
        with self._accounts.engine.begin() as connection:
            known = select(PASSKEYS.c.id).where(PASSKEYS.c.credential == made.credential_id)
            if connection.scalar(known) is not None:
                raise PasskeyRefused("This passkey is known already")
            connection.execute(
                insert(PASSKEYS).values(
                    user_id=who.user, credential=made.credential_id,
                    public_key=made.credential_public_key, sign_count=made.sign_count,
                    browser=client.browser[:MOST_CHARS], made_ms=now_ms,
                )
            )  # fmt: skip
            record_act(
                connection, now_ms, who.name, AuditAct.ADDED_PASSKEY, who.name, client.address
            )

    def begin_sign_in(self, origin: str) -> tuple[str, str]:
        """What the browser is asked to confirm (JSON), and the secret that it answers with."""
        challenge, secret = self._challenge(0)
        options = generate_authentication_options(
            rp_id=_host(origin), challenge=challenge,
            user_verification=UserVerificationRequirement.REQUIRED,
        )  # fmt: skip
        return options_to_json(options), secret

    def sign_in(
        self, origin: str, secret: str, answer: str, client: Client,
        before: tuple[str, str] = ("", ""),
    ) -> SignedIn:  # fmt: skip
        """Begin a session by a passkey; `before`: see `Accounts.begin`. Raises `SignInRefused`."""
        try:
            challenge = self._take(secret, 0)
            credential = parse_authentication_credential_json(answer)
            with self._accounts.engine.connect().execution_options(reads_only=True) as reading:
                query = select(PASSKEYS).where(PASSKEYS.c.credential == credential.raw_id)
                passkey = reading.execute(query).first()
            if passkey is None:
                raise PasskeyRefused(_REFUSED)
            verified = verify_authentication_response(
                credential=credential, expected_challenge=challenge, expected_rp_id=_host(origin),
                expected_origin=origin, credential_public_key=passkey.public_key,
                credential_current_sign_count=passkey.sign_count, require_user_verification=True,
            )  # fmt: skip
            self._use(challenge)
        except (WebAuthnException, ValueError) as error:
            raise SignInRefused(_REFUSED) from error
        with self._accounts.engine.begin() as connection:
            user = users.by_id(connection, passkey.user_id)
            if user.closed_ms is not None or identities.issuer_of(connection, user.id):
                raise SignInRefused(_REFUSED)
            changed = update(PASSKEYS).where(PASSKEYS.c.id == passkey.id)
            connection.execute(changed.values(sign_count=verified.new_sign_count))
            return self._accounts.begin(connection, user, "passkey", client, before)

    def listed(self, user: int) -> list[Passkey]:
        """A user's passkeys."""
        columns = (PASSKEYS.c.id, PASSKEYS.c.browser, PASSKEYS.c.made_ms)
        query = select(*columns).where(PASSKEYS.c.user_id == user).order_by(PASSKEYS.c.made_ms)
        with self._accounts.engine.connect().execution_options(reads_only=True) as connection:
            return [Passkey(*each) for each in connection.execute(query)]

    def remove(self, who: Identity, number: int, client: Client) -> None:
        """Let one of one's own passkeys sign in no more.

        Raises `PasskeyRefused` for the last one of who has to have a second factor.
        """
        with self._accounts.engine.begin() as connection:
            has = factor_rows.factors(connection, who.user)
            if self._accounts.asks(who.roles) and not has.app and has.passkeys < 2:
                raise PasskeyRefused("Your role asks for a second factor: set up an app first")
            mine = (PASSKEYS.c.id == number, PASSKEYS.c.user_id == who.user)
            if connection.execute(delete(PASSKEYS).where(*mine)).rowcount:
                now_ms = self._accounts.clock_ms()
                record_act(
                    connection, now_ms, who.name, AuditAct.REMOVED_PASSKEY, who.name, client.address
                )

    def _challenge(self, user: int) -> tuple[bytes, str]:
        """A challenge for a user (0: whoever signs in), and what the browser keeps of it."""
        challenge = secrets.token_bytes(_CHALLENGE_BYTES)
        until_ms = int((time.monotonic() + CHALLENGE_S) * 1_000)
        told = f"{challenge.hex()}.{user}.{until_ms}"
        return challenge, f"{told}.{self._signature(told)}"

    def _take(self, secret: str, user: int) -> bytes:
        """The challenge that a browser has kept. Raises `PasskeyRefused`."""
        told, _, signature = secret.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(told).encode()):
            raise PasskeyRefused(_LATE)
        challenge, asked, until_ms = told.split(".")
        if int(asked) != user or time.monotonic() * 1_000 > int(until_ms):
            raise PasskeyRefused(_LATE)
        return bytes.fromhex(challenge)

    def _use(self, challenge: bytes) -> None:
        """It was answered rightly: the first time alone. Raises `PasskeyRefused`."""
        now_s = time.monotonic()
        with self._answering:
            self._answered = {
                each: until_s for each, until_s in self._answered.items() if until_s > now_s
            }
            if challenge in self._answered:
                raise PasskeyRefused(_LATE)
            self._answered[challenge] = now_s + CHALLENGE_S

    def _signature(self, told: str) -> str:
        return hmac.digest(self._key, told.encode(), hashlib.sha256).hex()


def _host(origin: str) -> str:
    """The relying party: the host alone."""
    return urlsplit(origin).hostname or ""
