"""Whether an ID token is the provider's, for this pit, for this sign-in, and of now. No I/O.

OpenID Connect Core 1.0, 3.1.3.7; the claims are judged by Authlib.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from authlib.oidc.core import CodeIDToken
from joserfc.errors import JoseError

from controller.pit.sign_in.oidc.keys import SigningKey
from controller.pit.sign_in.oidc.refusals import NotBelieved
from controller.pit.sign_in.oidc.settings import OidcSection
from controller.pit.sign_in.oidc.signed import (
    OLDEST_S,
    SKEW_S,
    is_name,
    signed_claims,
    wrong_claim,
)

_KINDS: Final = frozenset({"jwt"})


@dataclass(frozen=True, slots=True)
class Expected:
    """What a token has to say. `begun_s`: when its sign-in began; `fresh`: it is no older."""

    nonce: str
    access_token: str
    begun_s: int
    fresh: bool


@dataclass(frozen=True, slots=True)
class BelievedToken:
    """A token that is believed: whom it tells of, and in which session at the provider (`sid`,
    empty: it does not say). Wall times in ms; `signed_in_ms` is None where it does not say.
    """

    subject: str
    sid: str
    made_ms: int
    signed_in_ms: int | None
    claims: Mapping[str, Any]


def believed(
    token: str, keys: list[SigningKey], section: OidcSection, expected: Expected, now_s: int
) -> BelievedToken:
    """What the token says. Raises `NotBelieved`, `UnknownKey`."""
    header, claims = signed_claims(token, keys, section.algorithms, _KINDS)
    told = CodeIDToken(
        claims, header,
        {"iss": {"essential": True, "value": section.issuer},
         "aud": {"essential": True, "value": section.client_id},
         "sub": {"essential": True}},
        {"client_id": section.client_id, "access_token": expected.access_token},
    )  # fmt: skip
    try:
        told.validate(now=now_s, leeway=SKEW_S)
    except JoseError as error:
        raise NotBelieved(wrong_claim(error)) from error
    nonce = claims.get("nonce")
    if not isinstance(nonce, str) or not hmac.compare_digest(
        nonce.encode(), expected.nonce.encode()
    ):
        raise NotBelieved("it is of another sign-in: its nonce")
    if not claims["iat"] >= now_s - OLDEST_S:  # a NaN is nothing, and no later either
        raise NotBelieved("it was made too long ago: its iat")
    if not is_name(claims["sub"]):
        raise NotBelieved("it names nobody: its sub")
    sid = claims.get("sid", "")
    if sid and not is_name(sid):
        raise NotBelieved("it names no session: its sid")
    signed_in_ms = _signed_in_ms(claims, expected, now_s)
    return BelievedToken(claims["sub"], sid, int(claims["iat"] * 1_000), signed_in_ms, claims)


def _signed_in_ms(claims: Mapping[str, Any], expected: Expected, now_s: int) -> int | None:
    at_s = claims.get("auth_time")
    if isinstance(at_s, bool) or not isinstance(at_s, int):
        if expected.fresh:
            raise NotBelieved("it does not say when the person signed in: no auth_time")
        return None
    if at_s > now_s + SKEW_S or (expected.fresh and at_s < expected.begun_s - SKEW_S):
        raise NotBelieved("the person did not sign in anew: its auth_time")
    return at_s * 1_000
