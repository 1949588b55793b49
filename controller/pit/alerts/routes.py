"""The open alerts, and somebody's word that they have one in hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fastapi import FastAPI, Request, Response
from msgspec import Struct

from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.accounts.roles import Identity
from controller.pit.alerts.deliveries import (
    Undelivered,
    by_receiver,
    send_again,
    undelivered,
)
from controller.pit.alerts.settings import AlertSettings
from controller.pit.alerts.store import NotTheirs, alerts, answer, counted, ended_since
from controller.pit.sign_in.access import ANSWERS_ALERTS
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.sign_in_routes import client_of
from controller.pit.wall.alert_view import AlertFigures, AlertView, Waiting
from controller.web.json_views import JSON, encode
from controller.web.problems import RequestRejected, documented

#: Alerts that ended by themselves are listed for this long.
ENDED_MS: Final = 60 * 60_000
#: Messages that no receiver took, and that are listed.
MOST_LISTED: Final = 200
NOT_OF_THE_CAGE: Final = "The cage has fills in hand, no other alert"
_MOST_NUMBER: Final = 2**31 - 1


class AlertList(Struct, frozen=True):
    """The open alerts, the newest of those that ended within the last hour, and messages about
    alerts that a receiver never took.
    """

    open: tuple[AlertView, ...]
    ended: tuple[AlertView, ...]
    undelivered: tuple[Undelivered, ...]


class SentAgain(Struct, frozen=True):
    """A message that is tried once more, and to whom it goes."""

    number: int
    receiver: str


class AlertRoutes:
    """Alerts for pages and machines."""

    def __init__(self, accounts: Accounts, settings: AlertSettings) -> None:
        self._engine = accounts.engine
        self._clock_ms: Callable[[], int] = accounts.clock_ms
        self._settings = settings

    def figures(self) -> AlertFigures:
        """What is counted of them. Blocks. Raises `DBAPIError`."""
        with self._engine.connect().execution_options(reads_only=True) as connection:
            waiting = by_receiver(connection)
            receivers = {each: waiting.get(each, Waiting()) for each in self._settings.receivers}
            return AlertFigures(counted(connection), receivers)

    def _taken(self, who: Identity, number: int, address: str) -> AlertView | None:
        """Blocks. Raises `RequestRejected`."""
        fills_only = not ANSWERS_ALERTS.allows(who.roles)
        try:
            with self._engine.begin() as connection:
                return answer(
                    connection, number, who.name, address, self._settings, self._clock_ms(),
                    fills_only=fills_only,
                )  # fmt: skip
        except NotTheirs as error:
            raise RequestRejected(403, NOT_OF_THE_CAGE) from error

    def add_api(self, app: FastAPI) -> None:
        """Add both routes."""

        @app.get("/api/v1/alerts", responses=documented(401, 403, 421, 503))
        def alerts_now() -> Response:
            """The open alerts, those that nobody has in hand first; what ended lately; and messages
            that no receiver took.
            """
            with self._engine.connect().execution_options(reads_only=True) as connection:
                now = tuple(alerts(connection, self._settings))
                ended = ended_since(connection, self._settings, self._clock_ms() - ENDED_MS)
                left = tuple(undelivered(connection, MOST_LISTED))
            return Response(encode(AlertList(now, tuple(ended), left)), media_type=JSON)

        @app.post(
            "/api/v1/alerts/undelivered/{number}/send",
            responses=documented(401, 403, 404, 421, 422, 503),
        )
        def send_alert_again(number: int, request: Request) -> Response:
            """Send a message that a receiver never took once more: it is tried from the start."""
            who, address = identity_of(request).name, client_of(request).address
            with self._engine.begin() as connection:
                now_ms = self._clock_ms()
                receiver = send_again(connection, number, now_ms) if _is_number(number) else ""
                if receiver:
                    about = f"message {number} to {receiver}"
                    record_act(connection, now_ms, who, AuditAct.SENT_ALERT_AGAIN, about, address)
            if not receiver:
                raise RequestRejected(404, "There is no such message, or it was sent by now")
            return Response(encode(SentAgain(number, receiver)), media_type=JSON)

        @app.post(
            "/api/v1/alerts/{number}/answer", responses=documented(401, 403, 404, 421, 422, 503)
        )
        def answer_alert(number: int, request: Request) -> Response:
            """Say that you have an alert in hand: it goes no further. Who was quicker stays."""
            if not _is_number(number):
                raise RequestRejected(404, "There is no such alert, or it is over")
            found = self._taken(identity_of(request), number, client_of(request).address)
            if found is None:
                raise RequestRejected(404, "There is no such alert, or it is over")
            return Response(encode(found), media_type=JSON)


def _is_number(number: int) -> bool:
    return 0 < number <= _MOST_NUMBER
