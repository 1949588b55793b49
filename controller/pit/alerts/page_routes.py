"""The page of alerts: what is open, what ended lately, and messages that no receiver took."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from fastapi import Response
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.alerts.deliveries import by_receiver, drop, send_again, undelivered
from controller.pit.alerts.routes import ENDED_MS, MOST_LISTED, NOT_OF_THE_CAGE
from controller.pit.alerts.settings import AlertSettings
from controller.pit.alerts.store import NotTheirs, alerts, answer, ended_since
from controller.pit.sign_in.access import ANSWERS_ALERTS, TAKES_ALERTS
from controller.pit.sign_in.forms import read_form
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.pages import Pages
from controller.pit.sign_in.sign_in_routes import client_of
from controller.web.problems import RequestRejected

Act = Callable[[Connection, int, int], str]
"""What is done with a message by its number, at a wall time; its receiver, empty: there is none."""
_PAGE: Final = "/alerts"
#: The page is read anew this often: left open, it would go on to say that nothing is wrong.
REFRESH_S: Final = 10


class AlertPageRoutes:
    """The page, and what is done on it."""

    def __init__(self, accounts: Accounts, settings: AlertSettings, pages: Pages) -> None:
        self._accounts = accounts
        self._settings = settings
        self._pages = pages

    def routes(self) -> list[Route]:
        """Every route."""
        return [
            Route(_PAGE, self._page, methods=["GET"]),
            Route(f"{_PAGE}/answer", self._answer, methods=["POST"]),
            Route(f"{_PAGE}/send", self._send, methods=["POST"]),
            Route(f"{_PAGE}/forget", self._forget, methods=["POST"]),
        ]

    async def _page(self, request: Request) -> Response:
        me = identity_of(request)
        shown = await asyncio.to_thread(self._shown)
        may_act = ANSWERS_ALERTS.allows(me.roles)
        of_fills = TAKES_ALERTS.allows(me.roles)
        return self._pages.page(
            "alerts", me, may_act=may_act, of_fills=of_fills, refresh_s=REFRESH_S, **shown
        )

    def _shown(self) -> dict[str, object]:
        """Blocks."""
        at_ms = self._accounts.clock_ms()
        since_ms = at_ms - ENDED_MS
        with self._accounts.engine.connect().execution_options(reads_only=True) as connection:
            return {
                "at_ms": at_ms,
                "alerts": alerts(connection, self._settings),
                "ended": ended_since(connection, self._settings, since_ms),
                "undelivered": undelivered(connection, MOST_LISTED),
                "receivers": by_receiver(connection),
                "configured": self._settings.receivers,
            }

    async def _answer(self, request: Request) -> Response:
        number = (await read_form(request)).number("alert")
        who, address = identity_of(request), client_of(request).address
        fills_only = not ANSWERS_ALERTS.allows(who.roles)

        def work() -> bool:
            now_ms = self._accounts.clock_ms()
            with self._accounts.engine.begin() as connection:
                found = answer(
                    connection, number, who.name, address, self._settings, now_ms,
                    fills_only=fills_only,
                )  # fmt: skip
                return found is not None

        try:
            was_there = await asyncio.to_thread(work)
        except NotTheirs as error:
            raise RequestRejected(403, NOT_OF_THE_CAGE) from error
        if not was_there:
            raise RequestRejected(404, "There is no such alert, or it is over")
        return RedirectResponse(_PAGE, 303)

    async def _send(self, request: Request) -> Response:
        return await self._act(request, AuditAct.SENT_ALERT_AGAIN, send_again)

    async def _forget(self, request: Request) -> Response:
        return await self._act(
            request, AuditAct.FORGOT_ALERT, lambda it, number, _: drop(it, number)
        )

    async def _act(self, request: Request, name: AuditAct, act: Act) -> Response:
        number = (await read_form(request)).number("message")
        who, address = identity_of(request).name, client_of(request).address

        def work() -> str:
            now_ms = self._accounts.clock_ms()
            with self._accounts.engine.begin() as connection:
                receiver = act(connection, number, now_ms)
                if receiver:
                    about = f"message {number} to {receiver}"
                    record_act(connection, now_ms, who, name, about, address)
                return receiver

        if not await asyncio.to_thread(work):
            raise RequestRejected(404, "There is no such message, or it was sent by now")
        return RedirectResponse(_PAGE, 303)
