"""Taking a table out of service for good, and putting it back: by a pit boss or an engineer."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import Response
from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.archive.retired import RetiredTable, put_back, retire, retired
from controller.pit.archive.storage.schema import TABLES
from controller.pit.sign_in.forms import read_form
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.pages import Pages
from controller.pit.sign_in.sign_in_routes import client_of
from controller.pit.wall.wall import Wall
from controller.web.problems import RequestRejected

#: Why it is taken out, in this many characters.
MOST_CHARS: Final = 120
_UNKNOWN: Final = "The pit knows no such table"
_HEARD: Final = "It is heard still: switch it off first, or take its section [bus] away"


class RetiredRoutes:
    """The page on which a table is taken out of service, and put back."""

    def __init__(self, accounts: Accounts, pages: Pages, wall: Wall) -> None:
        self._accounts = accounts
        self._pages = pages
        self._wall = wall

    def routes(self) -> list[Route]:
        """Every route."""
        return [
            Route("/tables/{table}/service", self._show, methods=["GET"]),
            Route("/tables/{table}/service", self._retire, methods=["POST"]),
            Route("/tables/{table}/service/back", self._put_back, methods=["POST"]),
        ]

    async def _show(self, request: Request) -> Response:
        out = await asyncio.to_thread(self._known, request.path_params["table"])
        return self._page(request, out)

    async def _retire(self, request: Request) -> Response:
        table: str = request.path_params["table"]
        out = await asyncio.to_thread(self._known, table)
        reason = (await read_form(request)).text("reason").strip()
        if out is not None:
            return self._page(request, out, f"{out.who} took it out of service before you")
        if self._wall.is_heard(table):
            return self._page(request, None, _HEARD, reason)
        if not 1 <= len(reason) <= MOST_CHARS:
            return self._page(request, None, f"Say why, in 1 to {MOST_CHARS} characters", reason)
        who, address = identity_of(request).name, client_of(request).address
        await asyncio.to_thread(self._take_out, table, who, reason, address)
        return RedirectResponse("/records", 303)

    async def _put_back(self, request: Request) -> Response:
        table: str = request.path_params["table"]
        who, address = identity_of(request).name, client_of(request).address
        if not await asyncio.to_thread(self._bring_back, table, who, address):
            raise RequestRejected(404, "No such table is out of service")
        return RedirectResponse("/records", 303)

    def _page(
        self, request: Request, out: RetiredTable | None, said: str = "", reason: str = ""
    ) -> Response:
        table: str = request.path_params["table"]
        return self._pages.page(
            "service", identity_of(request), 422 if said else 200, table=table, out=out, said=said,
            reason=reason, most=MOST_CHARS, is_heard=self._wall.is_heard(table), heard=_HEARD,
            named=table in self._wall.named,
        )  # fmt: skip

    def _known(self, table: str) -> RetiredTable | None:
        """Whether it is out of service. Blocks. Raises `RequestRejected` for one nobody knows."""
        with self._accounts.engine.connect().execution_options(reads_only=True) as connection:
            out = retired(connection).get(table)
            query = select(TABLES.c.id).where(TABLES.c.name == table)
            if out is None and not self._wall.knows(table) and connection.scalar(query) is None:
                raise RequestRejected(404, _UNKNOWN)
        return out

    def _take_out(self, table: str, who: str, reason: str, address: str) -> None:
        """Blocks."""
        now_ms = self._accounts.clock_ms()
        with self._accounts.engine.begin() as connection:
            if retire(connection, table, who, reason, now_ms):
                record_act(
                    connection, now_ms, who, AuditAct.RETIRED_TABLE, f"{table}: {reason}", address
                )

    def _bring_back(self, table: str, who: str, address: str) -> bool:
        """Blocks."""
        now_ms = self._accounts.clock_ms()
        with self._accounts.engine.begin() as connection:
            was_out = put_back(connection, table)
            if was_out:
                record_act(connection, now_ms, who, AuditAct.PUT_BACK_TABLE, table, address)
        return was_out
