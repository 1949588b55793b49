"""A sign-in at the provider that has begun: what a browser keeps of it until it comes back.

The pit keeps nothing: a flood of sign-ins that nobody ends takes no memory and pushes nobody's out.
State, nonce and verifier are made of one secret, none of them tells another, and what was begun in
one browser ends in no other one.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from controller.pit.sign_in.cookies import cookie, local_path

#: How long a person may take at the provider.
LASTS_S: Final = 600
_COOKIE: Final = "__Host-pit-provider"
#: Of a longer address the page that was asked for is forgotten.
_MOST_ONWARD: Final = 1_000


@dataclass(frozen=True, slots=True)
class Begun:
    """A sign-in, begun at a wall time in s. `proves`: whoever is signed in proves to be there."""

    secret: str
    at_s: int
    proves: bool
    onward: str

    @property
    def state(self) -> str:
        """What comes back with the browser."""
        return self._made("state")

    @property
    def nonce(self) -> str:
        """What stands in the token."""
        return self._made("nonce")

    @property
    def verifier(self) -> str:
        """What the code is asked for with (RFC 7636)."""
        return self._made("verifier")

    def _made(self, what: str) -> str:
        made = hmac.digest(self.secret.encode(), what.encode(), hashlib.sha256)
        return _text(made)


def begin(onward: str, now_s: int, *, proves: bool) -> Begun:
    """A sign-in that begins now, and leads to a page of the pit's own."""
    onward = local_path(onward)
    kept = onward if len(onward) <= _MOST_ONWARD else "/"
    return Begun(secrets.token_urlsafe(32), now_s, proves, kept)


def keep_begun(answer: Response, begun: Begun) -> Response:
    """Let the browser come back with it."""
    kind = "prove" if begun.proves else "enter"
    onward = _text(begun.onward.encode())
    return _kept(answer, f"{begun.secret}.{begun.at_s}.{kind}.{onward}", LASTS_S)


def end_begun(answer: Response) -> Response:
    """Let the browser forget it."""
    return _kept(answer, "", 0)


def begun_of(request: HTTPConnection, now_s: int) -> Begun | None:
    """What a browser has begun, and not too long ago."""
    try:
        secret, at, kind, onward = cookie(request, _COOKIE).split(".")
        begun = Begun(secret, int(at), kind == "prove", local_path(_bytes(onward).decode()))
    except (ValueError, binascii.Error):
        return None
    if len(secret) < 32 or not 0 <= now_s - begun.at_s <= LASTS_S:
        return None
    return begun


def _kept(answer: Response, value: str, age_s: int) -> Response:
    # Lax: the provider sends the browser back from a page of its own.
    text = f"{_COOKIE}={value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age={age_s}"
    answer.headers.append("Set-Cookie", text)
    return answer


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
