"""Whether a logout token is the provider's, for this pit, and of now. No I/O.

OpenID Connect Back-Channel Logout 1.0, 2.6; the claims are judged by Authlib. Whether it has come
before is the database's to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from authlib.oauth2.claims import JWTClaims
from joserfc.errors import JoseError

from controller.pit.accounts.provider.provider_logouts import ProviderLogout
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

_EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
#: Providers of before the specification was final name the kind as of any token.
_KINDS: Final = frozenset({"jwt", "logout+jwt", "application/logout+jwt"})
#: A token is remembered for as long as it could be believed a second time, and longer: a clock may
#: be put back by some minutes.
_REMEMBERED_S: Final = 2 * (OLDEST_S + SKEW_S)


def logout_of(
    token: str, keys: list[SigningKey], section: OidcSection, now_s: int
) -> ProviderLogout:
    """Whom the token signs out. Raises `NotBelieved`, `UnknownKey`."""
    header, claims = signed_claims(token, keys, section.algorithms, _KINDS)
    essential = {"essential": True}
    told = JWTClaims(
        claims, header,
        {"iss": {**essential, "value": section.issuer},
         "aud": {**essential, "value": section.client_id},
         "exp": essential, "iat": essential, "jti": essential},
    )  # fmt: skip
    try:
        told.validate(now=now_s, leeway=SKEW_S)
    except JoseError as error:
        raise NotBelieved(wrong_claim(error)) from error
    if "nonce" in claims:
        raise NotBelieved("it has a nonce: it is a token for something else")
    events = claims.get("events")
    if not isinstance(events, dict) or not isinstance(events.get(_EVENT), dict):
        raise NotBelieved("it does not say that somebody signed out: its events")
    if not claims["iat"] >= now_s - OLDEST_S or not claims["exp"] >= now_s - SKEW_S:
        raise NotBelieved("it was made too long ago: its iat or exp")
    if not is_name(claims["jti"]):
        raise NotBelieved("it has no name of its own: its jti")
    subject, sid = _name(claims, "sub"), _name(claims, "sid")
    if not subject and not sid:
        raise NotBelieved("it names neither a person nor a session: no sub and no sid")
    made_ms, ends_ms = int(claims["iat"] * 1_000), (now_s + _REMEMBERED_S) * 1_000
    return ProviderLogout(claims["jti"], subject, sid, made_ms, ends_ms)


def _name(claims: Mapping[str, Any], which: str) -> str:
    """A name that the token may leave out, empty where it does."""
    if which not in claims:
        return ""
    name: str = claims[which]
    if not is_name(name):
        raise NotBelieved(f"it names nothing: its {which}")
    return name
