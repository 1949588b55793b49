"""The pit's pages without a socket, and browsers that ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import httpx
from fastapi import FastAPI

from controller.pit.accounts.roles import Identity, PitRole
from controller.pit.api.client import PitClient
from controller.pit.archive.overview import Overview
from controller.pit.house_time import UTC_HOUSE, HouseTime
from controller.pit.records.page import records_page
from controller.pit.reports.search.pictures import TablePictures
from controller.pit.server.app import create_pit_app
from controller.pit.sign_in.cookies import SESSION
from controller.pit.sign_in.pages import Pages
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.wall import Wall
from tests.pit.accounts.known import KnownAccounts

ORIGIN = "https://pit.example"
#: What a browser says of a page of the pit's own.
OWN = MappingProxyType({"Origin": ORIGIN, "Sec-Fetch-Site": "same-origin"})
PAGE = MappingProxyType({"Accept": "text/html"})
NOTHING = Overview(0, "", True, (), ())


def app_of(
    known: KnownAccounts, house: HouseTime = UTC_HOUSE, pictures: TablePictures | None = None,
    origin: str = ORIGIN,
) -> FastAPI:  # fmt: skip
    """The pit's app; browsers find it at `origin`, empty: on its own machine."""
    wall = Wall(WallSettings(), known.clock)
    return create_pit_app(
        wall, lambda: NOTHING, known.accounts, 10, origin, house=house, pictures=pictures
    )


def records_for(role: PitRole, shown: Overview) -> str:
    """The page `/records`, for somebody with that role."""
    who = Identity(1, "Aino", frozenset({role}), 1)
    return bytes(records_page(Pages(), who, shown).body).decode()


def machine_of(app: FastAPI, token: str) -> PitClient:
    """The API, as a machine asks for it."""
    headers = {"Authorization": f"Bearer {token}"}
    transport = httpx.ASGITransport(app=app)
    return PitClient(httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers))


class Browser:
    """A browser of its own at the pit's pages, with its cookies; it follows nobody."""

    def __init__(self, app: FastAPI, session: str = "", address: str = "192.0.2.7") -> None:
        transport = httpx.ASGITransport(app=app, client=(address, 50_000))
        self.http = httpx.AsyncClient(transport=transport, base_url=ORIGIN)
        if session:
            self.http.cookies.set(SESSION, session, domain="pit.example", path="/")

    @property
    def api(self) -> PitClient:
        """The API, as a page of the pit's own asks for it in this browser."""
        http = self.http
        return PitClient(
            httpx.AsyncClient(
                transport=http._transport, base_url=ORIGIN, cookies=http.cookies, headers=OWN
            )
        )

    async def get(self, path: str, headers: Mapping[str, str] = PAGE) -> httpx.Response:
        """A page."""
        return await self.http.get(path, headers=headers)

    async def post(
        self, path: str, headers: Mapping[str, str] = MappingProxyType({}), **fields: str
    ) -> httpx.Response:
        """A form of a page of the pit's own."""
        own = {**OWN, **PAGE, **headers}
        return await self.http.post(path, headers=own, data=fields)
