"""The open alerts, and somebody's word that they have one in hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fastapi import FastAPI, Request, Response
from msgspec import Struct

from controller.pit.accounts.accounts import Accounts
from controller.pit.alerts.settings import AlertSettings
from controller.pit.alerts.store import alerts, answer, counted, ended_since
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.sign_in_routes import client_of
from controller.pit.wall.alert_view import AlertView
from controller.web.json_views import JSON, encode
from controller.web.problems import RequestRejected, documented

#: Alerts that ended by themselves are listed for this long.
_ENDED_MS: Final = 60 * 60_000
_MOST_NUMBER: Final = 2**31 - 1


class AlertList(Struct, frozen=True):
    """The open alerts, and the newest of those that ended within the last hour."""

    open: tuple[AlertView, ...]
    ended: tuple[AlertView, ...]


class AlertRoutes:
    """Alerts for pages and machines."""

    def __init__(self, accounts: Accounts, settings: AlertSettings) -> None:
        self._engine = accounts.engine
        self._clock_ms: Callable[[], int] = accounts.clock_ms
        self._settings = settings

    def counted(self) -> dict[str, int]:
        """How many are open, by kind. Blocks. Raises `DBAPIError`."""
        with self._engine.connect().execution_options(reads_only=True) as connection:
            return counted(connection)

    def add_api(self, app: FastAPI) -> None:
        """Add both routes."""

        @app.get("/api/v1/alerts", responses=documented(401, 403, 421, 503))
        def alerts_now() -> Response:
            """The open alerts, those that nobody has in hand first; and what ended lately."""
            with self._engine.connect().execution_options(reads_only=True) as connection:
                now = tuple(alerts(connection, self._settings))
                ended = ended_since(connection, self._settings, self._clock_ms() - _ENDED_MS)
            return Response(encode(AlertList(now, tuple(ended))), media_type=JSON)

        @app.post(
            "/api/v1/alerts/{number}/answer", responses=documented(401, 403, 404, 421, 422, 503)
        )
        def answer_alert(number: int, request: Request) -> Response:
            """Say that you have an alert in hand: it goes no further. Who was quicker stays."""
            if not 0 < number <= _MOST_NUMBER:
                raise RequestRejected(404, "There is no such alert, or it is over")
            who, address = identity_of(request).name, client_of(request).address
            with self._engine.begin() as connection:
                found = answer(connection, number, who, address, self._settings, self._clock_ms())
            if found is None:
                raise RequestRejected(404, "There is no such alert, or it is over")
            return Response(encode(found), media_type=JSON)
