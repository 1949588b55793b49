"""Codes of an app on a person's telephone (TOTP, RFC 6238), and the key in which secrets are kept.

The secret of an app has to be known here as it is: it is kept encrypted (AES-256-GCM) under a key
that lies in a file outside the database, so that a copy of the database makes no codes.
"""

from __future__ import annotations

import base64
import hmac
import os
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from controller.people.key_file import KEY_BYTES, made_file

DIGITS: Final = 6
#: How long an app shows a code.
STEP_S: Final = 30
#: A telephone's clock may be off by a step, or its code typed late.
_STEPS_OFF: Final = 1
#: RFC 4226 asks for 160 bits with SHA-1, the one hash that every app knows.
_SECRET_BYTES: Final = 20
_NONCE_BYTES: Final = 12
ISSUER: Final = "tablectl pit"


class OtherKey(Exception):
    """The secret was kept under another key than this pit has."""


class AppSecrets:
    """Keeps secrets of apps: encrypted for their user alone."""

    def __init__(self, key: bytes) -> None:
        """Raises `ValueError` for what is no key of ours."""
        if len(key) != KEY_BYTES:
            raise ValueError(f"a key has {KEY_BYTES} bytes, this file {len(key)}")
        self._cipher = AESGCM(key)

    def sealed(self, secret: bytes, user: int) -> bytes:
        """A secret as the database has it."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, secret, str(user).encode())

    def opened(self, sealed: bytes, user: int) -> bytes:
        """The secret of a user. Raises `OtherKey`, also for one that is another user's."""
        nonce, rest = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        try:
            return self._cipher.decrypt(nonce, rest, str(user).encode())
        except (InvalidTag, ValueError) as error:
            raise OtherKey from error


def made_secret_key(path: Path) -> AppSecrets:
    """The key in a file, which is made where there is none. Raises `OSError`, `ValueError`."""
    return AppSecrets(made_file(path))


def new_app_secret() -> bytes:
    """What an app and the pit both know from now on."""
    return os.urandom(_SECRET_BYTES)


def app_address(secret: bytes, name: str) -> str:
    """The secret as an app reads it from a picture (otpauth://)."""
    return _codes(secret).get_provisioning_uri(name, ISSUER)


def typed_secret(secret: bytes) -> str:
    """The secret as a person types it into an app: Base32, in groups of four."""
    text = base64.b32encode(secret).decode()
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


def code_at(secret: bytes, at_ms: int) -> str:
    """The code that an app shows at a wall time."""
    return _codes(secret).generate(at_ms // 1_000).decode()


def step_of(secret: bytes, typed: str, now_ms: int) -> int | None:
    """The step whose code was typed, if that is the present one or one beside it; None: it is no
    code. A step is used once: the caller keeps the newest one that was.
    """
    now, found = now_ms // 1_000 // STEP_S, None
    for step in range(now - _STEPS_OFF, now + _STEPS_OFF + 1):
        # Each is compared: how long it takes tells nothing.
        if hmac.compare_digest(code_at(secret, step * STEP_S * 1_000), typed):
            found = step
    return found


def _codes(secret: bytes) -> TOTP:
    return TOTP(secret, DIGITS, SHA1(), STEP_S)  # noqa: S303  (what apps know; RFC 6238)
