"""The house's OpenID provider: where it says that it is, and what a sign-in there comes to.

What it says of itself and its keys are kept for an hour; a token that no known key has signed asks
for the keys anew, at most every few seconds. A provider that did not answer is not asked again for
some seconds, so that a slow one holds up one request and not all of them.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from authlib.common.urls import add_params_to_uri
from authlib.oauth2.auth import ClientAuth, TokenAuth
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri, prepare_token_request
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.discovery import get_well_known_url

from controller.pit.accounts.provider.provider_logouts import ProviderLogout
from controller.pit.accounts.provider.provider_people import ProviderPerson
from controller.pit.sign_in.oidc.begun import Begun
from controller.pit.sign_in.oidc.fetch import Fetch
from controller.pit.sign_in.oidc.id_token import Expected, believed
from controller.pit.sign_in.oidc.keys import SigningKey, signing_keys
from controller.pit.sign_in.oidc.logout_token import logout_of
from controller.pit.sign_in.oidc.person import person_of, signed_userinfo
from controller.pit.sign_in.oidc.refusals import (
    CodeRefused,
    NotBelieved,
    ProviderAway,
    UnknownKey,
)
from controller.pit.sign_in.oidc.settings import OidcSection

log: Final = logging.getLogger(__name__)

Read = TypeVar("Read")
KEPT_S: Final = 3_600.0
#: After it did not answer, and after its keys were asked for.
REST_S: Final = 5.0
_MOST_ADDRESS: Final = 2_000
_NEEDED: Final = ("authorization_endpoint", "token_endpoint", "jwks_uri")
#: What a bearer token looks like (RFC 6750, 2.1).
_BEARER: Final = re.compile(r"[-A-Za-z0-9._~+/]{1,8192}=*")
_FORM: Final = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Described:
    """What the provider says of itself. `ends`: where a person signs out there; empty: nowhere.

    `tells`: its UserInfo endpoint; empty: nobody asks for it. `says_logouts`: it tells
    others who signs out there.
    """

    authorizes: str
    tokens: str
    keys: str
    ends: str
    tells: str
    names_itself: bool
    takes_basic: bool
    says_logouts: bool


class Provider:
    """The provider of `section`. `now_s`: the wall clock in s, `clock_s`: one that only goes on."""

    def __init__(
        self, section: OidcSection, secret: str, fetch: Fetch, now_s: Callable[[], int],
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self.section = section
        self._secret = secret
        self._fetch = fetch
        self._now_s = now_s
        self._clock_s = clock_s
        self._asking = asyncio.Lock()
        self._described: tuple[Described, float] | None = None
        self._keys: tuple[list[SigningKey], float] | None = None
        #: Why it did not answer, and until when it is not asked again.
        self._away: tuple[str, float] = ("", 0.0)

    async def sign_in_address(self, begun: Begun, back: str) -> str:
        """Where the browser is sent; `back` is where it comes back to. Raises `ProviderAway`."""
        described = await self.described()
        more: dict[str, str] = {}
        if begun.proves or self.section.fresh:
            more = {"prompt": "login", "max_age": "0"}
        address: str = prepare_grant_uri(
            described.authorizes, self.section.client_id, "code", back,
            " ".join(self.section.scopes), begun.state, nonce=begun.nonce,
            code_challenge=create_s256_code_challenge(begun.verifier),
            code_challenge_method="S256", **more,
        )  # fmt: skip
        return address

    async def sign_out_address(self, back: str) -> str:
        """Where a person signs out at the provider; empty: it has no such place.

        Raises `ProviderAway`.
        """
        ends = (await self.described()).ends
        named = [("client_id", self.section.client_id), ("post_logout_redirect_uri", back)]
        address: str = add_params_to_uri(ends, named) if ends else ""
        return address

    async def check_issuer(self, named: str | None) -> None:
        """Whether the answer that the browser brings is this provider's own (RFC 9207).

        Raises `NotBelieved`, `ProviderAway`.
        """
        if named is None and not (await self.described()).names_itself:
            return
        if named != self.section.issuer:
            raise NotBelieved("the answer is another provider's: its iss")

    async def person(self, begun: Begun, code: str, back: str) -> ProviderPerson:
        """Who has signed in there. Raises `CodeRefused`, `NotBelieved`, `ProviderAway`."""
        described = await self.described()
        status, found = await self._fetch.post(
            described.tokens, *self._asked(described, begun, code, back)
        )
        if status in {400, 401, 403}:
            error = str(found.get("error"))[:40]
            if status == 400 and error == "invalid_grant":
                raise CodeRefused("invalid_grant")
            raise ProviderAway(f"{described.tokens} answered {status}: {error!r}")
        token, access = found.get("id_token"), found.get("access_token")
        if status != 200 or not isinstance(token, str) or not isinstance(access, str):
            raise ProviderAway(f"{described.tokens} answered {status}, and no token")
        if not _BEARER.fullmatch(access):
            raise ProviderAway(f"{described.tokens} answered an access token that is none")
        fresh = begun.proves or self.section.fresh
        expected = Expected(begun.nonce, access, begun.at_s, fresh)
        section, now_s = self.section, self._now_s()
        read = await self._by_its_keys(lambda keys: believed(token, keys, section, expected, now_s))
        userinfo = await self._userinfo(described.tells, access) if described.tells else None
        return person_of(read, userinfo, section)

    async def _userinfo(self, address: str, access: str) -> dict[str, Any]:
        """What the provider says of whoever the access token is. Raises as `person` does."""
        bearer = TokenAuth({"access_token": access, "token_type": "bearer"})
        _, headers, _ = bearer.prepare(address, {}, "")
        told = await self._fetch.userinfo(address, headers)
        if isinstance(told, dict):
            return told
        section, now_s = self.section, self._now_s()
        return await self._by_its_keys(lambda keys: signed_userinfo(told, keys, section, now_s))

    async def _by_its_keys(self, read: Callable[[list[SigningKey]], Read]) -> Read:
        """What `read` makes of the provider's keys, of new ones where it knows none of them."""
        try:
            return read(await self._signing_keys())
        except UnknownKey:
            return read(await self._signing_keys(anew=True))

    def logout(self, token: str) -> ProviderLogout:
        """Whom a logout token signs out, by the keys that are at hand.

        Raises `NotBelieved`; `UnknownKey`, where they may be too old to say.
        """
        keys, asked_s = self._keys or ([], 0.0)
        if self._clock_s() - asked_s >= KEPT_S:
            keys = []
        return logout_of(token, keys, self.section, self._now_s())

    async def logout_by_new_keys(self, token: str) -> ProviderLogout:
        """The same, by the keys that the provider has now, as far as it was not asked just before.

        Raises `NotBelieved`, `ProviderAway`.
        """
        return logout_of(token, await self._signing_keys(anew=True), self.section, self._now_s())

    async def described(self) -> Described:
        """What the provider says of itself. Raises `ProviderAway`."""
        async with self._asking:
            if self._described is not None and self._described[1] > self._clock_s():
                return self._described[0]
            place = get_well_known_url(self.section.issuer, external=True)
            found = await self._get(place, lambda text: _described(text, self.section))
            self._described = (found, self._clock_s() + KEPT_S)
            return found

    async def _signing_keys(self, *, anew: bool = False) -> list[SigningKey]:
        described = await self.described()
        async with self._asking:
            now_s = self._clock_s()
            if self._keys is not None:
                keys, asked_s = self._keys
                if now_s - asked_s < (REST_S if anew else KEPT_S):
                    return keys
            keys = await self._get(described.keys, signing_keys)
            self._keys = (keys, now_s)
            return keys

    async def _get(self, address: str, read: Callable[[dict[str, Any]], Read]) -> Read:
        """What is there, as `read` reads it. Raises `ProviderAway`."""
        why, until_s = self._away
        if self._clock_s() < until_s:
            raise ProviderAway(why)
        try:
            return read(await self._fetch.get(address))
        except ProviderAway as error:
            self._away = (str(error), self._clock_s() + REST_S)
            raise

    def _asked(
        self, described: Described, begun: Begun, code: str, back: str
    ) -> tuple[Mapping[str, str], str]:
        """The form that asks for a token, and its headers."""
        body = prepare_token_request(
            "authorization_code", redirect_uri=back, code=code, code_verifier=begun.verifier
        )
        way = "none"
        if self._secret:
            way = "client_secret_basic" if described.takes_basic else "client_secret_post"
        auth = ClientAuth(self.section.client_id, self._secret or None, way)
        _, headers, body = auth.prepare("POST", described.tokens, {"Content-Type": _FORM}, body)
        return headers, body


def _described(found: Mapping[str, Any], section: OidcSection) -> Described:
    if found.get("issuer") != section.issuer:
        raise ProviderAway("what is at the issuer's address says that it is another issuer")
    places = {}
    for name in (*_NEEDED, "end_session_endpoint", "userinfo_endpoint"):
        place = found.get(name, "")
        needed = name in _NEEDED
        if name == "userinfo_endpoint":
            needed = section.userinfo
            place = place if needed else ""  # another's host is right where nobody is asked there
        if not isinstance(place, str) or len(place) > _MOST_ADDRESS or (needed and not place):
            raise ProviderAway(f"the provider's {name} is no address")
        if place and not section.is_its_own(place):
            raise ProviderAway(
                f"the provider's {name} is on another host: where that is right, name it in"
                " oidc.hosts"
            )
        places[name] = place
    ways = found.get("token_endpoint_auth_methods_supported")
    takes_basic = not isinstance(ways, list) or "client_secret_basic" in ways
    return Described(
        places["authorization_endpoint"], places["token_endpoint"], places["jwks_uri"],
        places["end_session_endpoint"], places["userinfo_endpoint"],
        found.get("authorization_response_iss_parameter_supported") is True, takes_basic,
        found.get("backchannel_logout_supported") is True,
    )  # fmt: skip
