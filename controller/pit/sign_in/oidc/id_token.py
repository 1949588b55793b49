"""Whether an ID token is the provider's, for this pit, for this sign-in, and of now. No I/O.

OpenID Connect Core 1.0, 3.1.3.7; the claims are judged by Authlib, the signature by joserfc, which
Authlib stands on.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from authlib.oidc.core import CodeIDToken
from joserfc import jws, jwt
from joserfc.errors import JoseError

from controller.pit.accounts.provider_people import ProviderPerson
from controller.pit.sign_in.oidc.keys import SigningKey, key_for
from controller.pit.sign_in.oidc.refusals import NotBelieved
from controller.pit.sign_in.oidc.settings import OidcSection

#: By so much the two clocks may differ.
SKEW_S: Final = 60
#: A token is made for one sign-in, which ends in seconds.
_OLDEST_S: Final = 600
_MOST_GROUPS: Final = 1_000
_MOST_CHARS: Final = 255


class UnknownKey(NotBelieved):
    """No key that is known has signed it: the provider may have a new one."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a token has to say. `begun_s`: when its sign-in began; `fresh`: it is no older."""

    nonce: str
    access_token: str
    begun_s: int
    fresh: bool


def believed(
    token: str, keys: list[SigningKey], section: OidcSection, expected: Expected, now_s: int
) -> ProviderPerson:
    """Whom the token tells of. Raises `NotBelieved`."""
    header, claims = _signed(token, keys, section.algorithms)
    if header.get("typ", "JWT").lower() != "jwt":
        raise NotBelieved("it is a token for something else")
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
        raise NotBelieved(f"its claims: {error.error}, {_claim(error)}") from error
    nonce = claims.get("nonce")
    if not isinstance(nonce, str) or not hmac.compare_digest(nonce.encode(), _b(expected.nonce)):
        raise NotBelieved("it is of another sign-in: its nonce")
    if claims["iat"] < now_s - _OLDEST_S:
        raise NotBelieved("it was made too long ago: its iat")
    return _person(claims, section, _signed_in_ms(claims, expected, now_s))


def _signed(
    token: str, keys: list[SigningKey], algorithms: tuple[str, ...]
) -> tuple[Mapping[str, Any], dict[str, Any]]:
    try:
        header = jws.extract_compact(token.encode("ascii")).headers()
        if header.get("alg") not in algorithms:
            raise NotBelieved("it is not signed in a way that is allowed: its alg")
        key = key_for(keys, header)
        if key is None:
            raise UnknownKey("it is signed by no key that the provider lists")
        read = jwt.decode(token, key, algorithms=algorithms)
    except (JoseError, ValueError, TypeError, RecursionError) as error:
        raise NotBelieved(f"its signature or form: {type(error).__name__}") from error
    return read.header, read.claims


def _signed_in_ms(claims: Mapping[str, Any], expected: Expected, now_s: int) -> int | None:
    at_s = claims.get("auth_time")
    if isinstance(at_s, bool) or not isinstance(at_s, int):
        if expected.fresh:
            raise NotBelieved("it does not say when the person signed in: no auth_time")
        return None
    if at_s > now_s + SKEW_S or (expected.fresh and at_s < expected.begun_s - SKEW_S):
        raise NotBelieved("the person did not sign in anew: its auth_time")
    return at_s * 1_000


def _person(
    claims: Mapping[str, Any], section: OidcSection, signed_in_ms: int | None
) -> ProviderPerson:
    subject = claims["sub"]
    if not (isinstance(subject, str) and 0 < len(subject) <= _MOST_CHARS):
        raise NotBelieved("it names nobody: its sub")
    groups = _claim_at(claims, section.roles_claim)
    listed = [groups] if isinstance(groups, str) else groups if isinstance(groups, list) else []
    name = _claim_at(claims, section.name_claim)
    return ProviderPerson(
        subject,
        name[:_MOST_CHARS] if isinstance(name, str) else "",
        frozenset(each for each in listed[:_MOST_GROUPS] if isinstance(each, str)),
        signed_in_ms,
    )


def _claim_at(claims: Mapping[str, Any], name: str) -> Any:
    """A claim by its name, or by the names of those that it stands in, with dots between."""
    if name in claims:
        return claims[name]
    found: Any = claims
    for each in name.split("."):
        if not isinstance(found, dict) or each not in found:
            return None
        found = found[each]
    return found


def _claim(error: JoseError) -> str:
    """Which claim it is of: names, nothing of what stood there."""
    return (error.description or "").replace("\n", " ")[:80]


def _b(text: str) -> bytes:
    return text.encode()
