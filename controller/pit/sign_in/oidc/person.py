"""Who a person is and as what, of what the provider says of them. No I/O."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from authlib.oauth2.claims import JWTClaims
from joserfc.errors import JoseError

from controller.pit.accounts.provider.provider_people import ProviderPerson
from controller.pit.sign_in.oidc.id_token import BelievedToken
from controller.pit.sign_in.oidc.keys import SigningKey
from controller.pit.sign_in.oidc.refusals import NotBelieved
from controller.pit.sign_in.oidc.settings import OidcSection
from controller.pit.sign_in.oidc.signed import MOST_CHARS, SKEW_S, signed_claims, wrong_claim

_KINDS: Final = frozenset({"jwt", "userinfo+jwt"})
_MOST_GROUPS: Final = 1_000


def person_of(
    token: BelievedToken, userinfo: Mapping[str, Any] | None, section: OidcSection
) -> ProviderPerson:
    """The person of an ID token. What it does not say of them is `userinfo`'s to say.

    Raises `NotBelieved` for a `userinfo` that is of somebody else (OpenID Connect Core, 5.3.2).
    """
    if userinfo is not None and userinfo.get("sub") != token.subject:
        raise NotBelieved("what UserInfo says is of somebody else: its sub")
    told = (token.claims, userinfo or {})
    groups, name = _first(told, section.roles_claim), _first(told, section.name_claim)
    listed = [groups] if isinstance(groups, str) else groups if isinstance(groups, list) else []
    return ProviderPerson(
        token.subject,
        name[:MOST_CHARS] if isinstance(name, str) else "",
        frozenset(each for each in listed[:_MOST_GROUPS] if isinstance(each, str)),
        token.signed_in_ms,
        token.sid,
        token.made_ms,
    )


def signed_userinfo(
    token: str, keys: list[SigningKey], section: OidcSection, now_s: int
) -> dict[str, Any]:
    """What a UserInfo answer says that is signed. Raises `NotBelieved`, `UnknownKey`."""
    header, claims = signed_claims(token, keys, section.algorithms, _KINDS)
    told = JWTClaims(
        claims, header,
        {"iss": {"essential": True, "value": section.issuer},
         "aud": {"essential": True, "value": section.client_id}},
    )  # fmt: skip
    try:
        told.validate(now=now_s, leeway=SKEW_S)
    except JoseError as error:
        raise NotBelieved(f"what UserInfo says, {wrong_claim(error)}") from error
    return claims


def _first(told: tuple[Mapping[str, Any], ...], name: str) -> Any:
    found = (_claim_at(each, name) for each in told)
    return next((each for each in found if each is not None), None)


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
