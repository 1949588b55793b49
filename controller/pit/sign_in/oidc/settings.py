"""The section `[oidc]` of a pit's configuration: the house's OpenID provider."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

from controller.config.bus_section import is_loopback
from controller.pit.accounts.identities import ProviderRules
from controller.pit.accounts.roles import OF_PEOPLE, PitRole
from drivers.settings.checks import Wrong, refuse

#: Signatures by a key that the provider alone has: neither `none` nor by a shared secret.
SIGNATURES: Final = (
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519",
    "EdDSA",
)  # fmt: skip
#: A word of RFC 6749, 3.3.
_SCOPE: Final = re.compile(r"[!#-\[\]-~]{1,100}")
_MOST_NAME: Final = 24


@dataclass(frozen=True, slots=True)
class OidcSection:
    """`[oidc]`: people of the provider `issuer` sign in at the pit by it; `name` is on the button.

    `roles`: the roles of each group that the claim `roles_claim` may name; who is in none has no
    access. Of users with a role in `second_factor` the pit asks for an app's code besides. `fresh`:
    the provider asks for the password each time, and says when it did. `userinfo`: what the ID
    token does not say of roles and name is asked at its UserInfo endpoint. Addresses that it names
    lie on its own host, or on one of `hosts`. Raises `SettingsError`.
    """

    name: str
    issuer: str
    client_id: str
    secret_file: Path | None = None
    roles: dict[str, tuple[str, ...]] = field(default_factory=dict)
    roles_claim: str = "groups"
    name_claim: str = "preferred_username"
    scopes: tuple[str, ...] = ("openid", "profile")
    second_factor: tuple[str, ...] = ("engineer",)
    fresh: bool = True
    userinfo: bool = False
    algorithms: tuple[str, ...] = ("RS256", "PS256", "ES256")
    hosts: tuple[str, ...] = ()
    ca_file: Path | None = None

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        if not (self.name.strip() and self.name.isprintable() and len(self.name) <= _MOST_NAME):
            yield Wrong("name", f"{self.name!r} is none: use 1 to {_MOST_NAME} characters")
        yield from _wrong_address("issuer", self.issuer)
        for host in self.hosts:
            yield from _wrong_address("hosts", host)
            if urlsplit(host).path:
                yield Wrong("hosts", f"{host} has a path: write the host alone, https://HOST")
        if not (self.client_id.isascii() and self.client_id.isprintable() and self.client_id):
            yield Wrong("client_id", "it is none: copy the one that the provider made")
        if "openid" not in self.scopes or not all(map(_SCOPE.fullmatch, self.scopes)):
            yield Wrong("scopes", "name scopes of the provider, openid among them")
        if not self.algorithms or not set(self.algorithms) <= set(SIGNATURES):
            yield Wrong("algorithms", f"choose of {', '.join(SIGNATURES)}")
        yield from self._wrong_roles()

    def _wrong_roles(self) -> Iterator[Wrong]:
        people = [each.value for each in PitRole if each in OF_PEOPLE]
        if not self.roles:
            yield Wrong("roles", 'nobody could sign in: write [oidc.roles] and "GROUP" = ["floor"]')
        for group, roles in self.roles.items():
            if not roles:
                yield Wrong("roles", f"{group}: name a role, or leave the group out")
            for role in roles:
                if role not in people:
                    yield Wrong("roles", f"{group}: {role!r} is none: of {', '.join(people)}")
        for role in self.second_factor:
            if role not in people:
                yield Wrong("second_factor", f"{role!r} is none: choose of {', '.join(people)}")

    @property
    def rules(self) -> ProviderRules:
        """What accounts know of the provider."""
        roles = {group: frozenset(map(PitRole, each)) for group, each in self.roles.items()}
        second = frozenset(map(PitRole, self.second_factor))
        return ProviderRules(self.name, self.issuer, roles, second)

    @property
    def servers(self) -> tuple[tuple[str, int], ...]:
        """Host and port of the provider, and of each other host of its."""
        places = (_place(urlsplit(each)) for each in (self.issuer, *self.hosts))
        return tuple((host, port) for _, host, port in places)

    def is_its_own(self, address: str) -> bool:
        """Whether an address that the provider names is on a host that this section names."""
        try:
            parts = urlsplit(address)
            mine = {_place(urlsplit(each)) for each in (self.issuer, *self.hosts)}
            return "@" not in parts.netloc and _place(parts) in mine
        except ValueError:
            return False


def _place(parts: SplitResult) -> tuple[str, str, int]:
    default = {"https": 443, "http": 80}.get(parts.scheme, 0)
    return parts.scheme, parts.hostname or "", parts.port or default


def _wrong_address(name: str, address: str) -> Iterator[Wrong]:
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        yield Wrong(name, f"{address!r} is no address: write https://HOST")
        return
    if parts.scheme not in {"https", "http"} or not host:
        yield Wrong(name, f"{address!r} is no address: write https://HOST")
    elif parts.scheme == "http" and not is_loopback(host):
        yield Wrong(name, f"{host} is not this machine: use https://")
    if "@" in parts.netloc or "?" in address or "#" in address:
        yield Wrong(name, f"{address!r}: leave out what stands before @ and after ? or #")
