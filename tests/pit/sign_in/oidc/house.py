"""A pit's pages with a provider, and short ways to sign in by it."""

from __future__ import annotations

import ssl
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from fastapi import FastAPI

from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.log import first_wrong_row, newest_rows
from controller.pit.accounts.factors.one_time import AppSecrets
from controller.pit.accounts.passwords import Passwords
from controller.pit.accounts.people import People
from controller.pit.accounts.sessions import Lifetime
from controller.pit.server.app import create_pit_app
from controller.pit.sign_in.oidc.fetch import Fetch
from controller.pit.sign_in.oidc.provider import Provider
from controller.pit.sign_in.oidc.settings import OidcSection
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.wall import Wall
from tests.pit.accounts.known import CHEAP, KnownAccounts, known_in
from tests.pit.sign_in.oidc.provider_server import CLIENT, SECRET, ProviderServer
from tests.pit.sign_in.pages_of import NOTHING, ORIGIN, Browser

LOGOUT_PATH = "/sign-in/provider/logout"
ROLES = {
    "floor": ("floor",), "bosses": ("pit_boss",), "engineers": ("engineer",),
    "everybody": ("viewer",),
}  # fmt: skip


class GoingClock:
    """The real wall clock, and `ahead_s` on top."""

    def __init__(self) -> None:
        self.ahead_s = 0.0

    def __call__(self) -> int:
        return int((time.time() + self.ahead_s) * 1_000)


@dataclass
class House:
    """The provider, and the pit that knows it."""

    provider: ProviderServer
    known: KnownAccounts
    clock: GoingClock
    tls: ssl.SSLContext
    app: FastAPI
    #: What the pit's caches go by, in s.
    passed_s: list[float]
    #: The provider as the pit that was opened last knows it.
    provider_of_pit: Provider | None = None

    def section(self, **other: Any) -> OidcSection:
        wanted = {"name": "House", "issuer": self.provider.issuer, "client_id": CLIENT}
        return OidcSection(**{**wanted, "roles": ROLES, **other})

    def open(self, fetch_s: float = 5.0, **other: Any) -> None:
        """Start the pit with such a section."""
        section = self.section(**other)
        self.known.accounts = Accounts(
            self.known.engine, self.clock, Lifetime(), Passwords(CHEAP), provider=section.rules
        )
        self.known.people = People(self.known.accounts, self.known.people.who)
        provider = Provider(
            section, SECRET, Fetch(self.tls, fetch_s), lambda: self.clock() // 1_000,
            lambda: time.monotonic() + self.passed_s[0],
        )  # fmt: skip
        self.provider_of_pit = provider
        self.app = create_pit_app(
            Wall(WallSettings(), self.clock), lambda: NOTHING, self.known.accounts, 10, ORIGIN,
            secret_key=AppSecrets(bytes(32)), provider=provider,
        )  # fmt: skip

    def acts(self) -> list[tuple[str, str, str]]:
        with self.known.engine.connect() as connection:
            rows = newest_rows(connection, 1_000)
            assert first_wrong_row(connection) is None
        return [(each.who, each.act, each.about) for each in reversed(rows)]


def house_in(folder: Path, provider: ProviderServer, tls: ssl.SSLContext) -> House:
    clock = GoingClock()
    provider.now_s = lambda: clock() // 1_000
    made = House(provider, known_in(folder, clock), clock, tls, FastAPI(), [0.0])
    made.open()
    return made


async def to_provider(browser: Browser, path: str = "/sign-in/provider?next=/alerts") -> str:
    """Press the button; where the browser is sent to."""
    answer = await browser.get(path)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


async def back(browser: Browser, address: str) -> httpx.Response:
    """Come back from the provider, as from a page of its own."""
    parts = urlsplit(address)
    headers = {"Accept": "text/html", "Sec-Fetch-Site": "cross-site"}
    return await browser.get(f"{parts.path}?{parts.query}", headers)


async def sign_in(house: House, browser: Browser, **claims: Any) -> httpx.Response:
    """Sign in by the provider; what the pit says at the end."""
    address = house.provider.sign_in(await to_provider(browser), **claims)
    return await back(browser, address)


async def say_logout(house: House, token: str, address: str = "198.51.100.30") -> httpx.Response:
    """What a provider sends behind the browser's back, from a machine that nobody here knows."""
    transport = httpx.ASGITransport(app=house.app, client=(address, 50_000))
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as program:
        return await program.post(LOGOUT_PATH, data={"logout_token": token})
