"""The page of the handover, and what is signed there; every signature is audited."""

from __future__ import annotations

import asyncio

from fastapi import Response
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.roles import Identity
from controller.pit.alerts.settings import AlertSettings
from controller.pit.reports.handover.handover import NOTE_CHARS, NotSigned, draft, give, take
from controller.pit.sign_in.access import SIGNS_HANDOVERS
from controller.pit.sign_in.forms import read_form
from controller.pit.sign_in.gate import PROVEN_MS, identity_of
from controller.pit.sign_in.pages import Pages
from controller.pit.sign_in.sign_in_routes import client_of


class HandoverRoutes:
    """Handovers between shifts of the pit."""

    def __init__(self, accounts: Accounts, pages: Pages, alerts: AlertSettings) -> None:
        self._accounts = accounts
        self._pages = pages
        self._alerts = alerts

    def routes(self) -> list[Route]:
        """Every route."""
        return [
            Route("/handover", self._show, methods=["GET"]),
            Route("/handover", self._give, methods=["POST"]),
            Route("/handover/{number:int}", self._take, methods=["POST"]),
        ]

    async def _show(self, request: Request) -> Response:
        return await self._page(request, "")

    async def _give(self, request: Request) -> Response:
        note = (await read_form(request)).text("note")
        who, address = identity_of(request), client_of(request).address
        engine, now_ms = self._accounts.engine, self._accounts.clock_ms()
        try:
            await asyncio.to_thread(give, engine, who, note, now_ms, address, self._alerts)
        except NotSigned as error:
            return await self._page(request, str(error), note)
        return RedirectResponse("/handover", 303)

    async def _take(self, request: Request) -> Response:
        number = request.path_params["number"]
        who, address = identity_of(request), client_of(request).address
        engine, now_ms = self._accounts.engine, self._accounts.clock_ms()
        try:
            await asyncio.to_thread(take, engine, who, number, now_ms, address, self._alerts)
        except NotSigned as error:
            return await self._page(request, str(error))
        return RedirectResponse("/handover", 303)

    async def _page(self, request: Request, said: str, note: str = "") -> Response:
        """`note` was written, and is not signed."""
        engine, now_ms = self._accounts.engine, self._accounts.clock_ms()
        found = await asyncio.to_thread(draft, engine, now_ms, self._alerts)
        who = identity_of(request)
        return self._pages.page(
            "handover", who, 422 if said else 200, draft=found, said=said, note=note,
            most=NOTE_CHARS,
            signs=SIGNS_HANDOVERS.allows(who.roles), proven=self._is_proven(who),
        )  # fmt: skip

    def _is_proven(self, who: Identity) -> bool:
        """Whether they can sign now: a note that was written first would be lost."""
        return 0 <= self._accounts.clock_ms() - who.proved_ms < PROVEN_MS
