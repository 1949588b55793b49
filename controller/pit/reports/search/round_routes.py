"""Pages and API that find an archived round, and show it step by step."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from fastapi import FastAPI, Response
from starlette.requests import Request
from starlette.routing import Route

from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.archive.findings.finding_rows import add_finding
from controller.pit.house_time import UTC_HOUSE
from controller.pit.reports.asked import BadSpan
from controller.pit.reports.search.pictures import (
    RoundPictures,
    TablePictures,
    exchanged,
    words_of,
)
from controller.pit.reports.search.round_steps import ArchivedRound, archived_round
from controller.pit.reports.search.search import FoundRounds, find_rounds
from controller.pit.reports.search.typed_search import REASONS, read_search
from controller.pit.sign_in.access import PICTURES
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.pages import Pages
from controller.pit.sign_in.sign_in_routes import client_of
from controller.web.json_views import JSON, encode
from controller.web.problems import RequestRejected, documented

_NO_ROUND: Final = "The archive has no such round"


class RoundRoutes:
    """Rounds of the archive of `accounts`; `addresses` are the tables' own pages, by table, and
    `pictures` asks tables for those of cards.
    """

    def __init__(
        self, accounts: Accounts, pages: Pages, addresses: Mapping[str, str],
        pictures: TablePictures,
    ) -> None:  # fmt: skip
        self._accounts = accounts
        self._engine = accounts.engine
        self._pages = pages
        self._addresses = addresses
        self._pictures = pictures

    def routes(self) -> list[Route]:
        """Every page."""
        return [
            Route("/rounds", self._search, methods=["GET"]),
            Route("/rounds/{table}/{number:int}", self._show, methods=["GET"]),
        ]

    def add_api(self, app: FastAPI) -> None:
        """Add what machines ask for."""

        @app.get("/api/v1/rounds", responses=documented(401, 403, 421, 422, 503))
        def rounds(request: Request) -> Response:
            """Archived rounds, the newest first, 50 at most: by `table`, `round`, `from`, `to`
            (moments or days in UTC), `card` (`7h`), `seat`, `amount` (`12.50`), `dealer` (a name or
            an id) and `reason` of a hold. Amounts that come back are minor units. Where the header
            `Older-Rounds` is set, there may be older ones: ask again `before` what it says. Where
            `Searched-Back-To` is, no older ones than of that moment were looked at.
            """
            try:
                found = find_rounds(self._engine, read_search(request.query_params))
            except BadSpan as error:
                raise RequestRejected(422, str(error)) from error
            headers = {}
            if found.older is not None:
                headers["Older-Rounds"] = str(found.older)
            if found.back_to_ms is not None:
                headers["Searched-Back-To"] = UTC_HOUSE.typed(found.back_to_ms)
            return Response(encode(found.rounds), media_type=JSON, headers=headers)

        @app.get(
            "/api/v1/rounds/{table}/{number}", responses=documented(401, 403, 404, 421, 422, 503)
        )
        def one_round(table: str, number: int) -> Response:
            """A round as it was archived, record by record: in words, and how the felt lay after
            each. A card that stayed face down is named nowhere.
            """
            return Response(encode(self._round(table, number)), media_type=JSON)

        @app.get(
            "/api/v1/rounds/{table}/{number}/pictures",
            responses=documented(401, 403, 404, 421, 422, 503),
        )
        async def pictures(request: Request, table: str, number: int) -> Response:
            """What cameras saw of the cards of a round that lie face up: the table keeps these
            pictures, and is asked for them. Each is shown only where it is the very file that the
            archived record names. That somebody looked stands in the audit.
            """
            round_ = await asyncio.to_thread(self._round, table, number)
            found = await self._pictures.of(round_)
            await asyncio.to_thread(self._note, request, round_, found)
            return Response(encode(found), media_type=JSON)

    def _round(self, table: str, number: int) -> ArchivedRound:
        """Blocks. Raises `RequestRejected`."""
        found = archived_round(self._engine, table, number)
        if found is None:
            raise RequestRejected(404, _NO_ROUND)
        return found

    def _note(self, request: Request, round_: ArchivedRound, found: RoundPictures) -> None:
        """Write down who looked, and what was exchanged, before anything is shown. Blocks."""
        who, address = identity_of(request).name, client_of(request).address
        now_ms = self._accounts.clock_ms()
        with self._engine.begin() as connection:
            record_act(
                connection, now_ms, who, AuditAct.LOOKED_AT_PICTURES, words_of(found), address
            )  # fmt: skip
            if (finding := exchanged(round_, found)) is not None:
                add_finding(connection, round_.table, finding, now_ms)

    async def _search(self, request: Request) -> Response:
        fields = request.query_params
        found = FoundRounds(())
        said = ""
        try:
            search = read_search(fields, self._pages.house)
            found = await asyncio.to_thread(find_rounds, self._engine, search)
        except BadSpan as error:
            said = str(error)
        newest = {name: text for name, text in fields.items() if name != "before" and text}
        older = urlencode({**newest, "before": str(found.older)}) if found.older else ""
        return self._pages.page(
            "rounds", identity_of(request), 422 if said else 200, said=said, found=found.rounds,
            reasons=REASONS, asked=defaultdict(str, fields), older=older, newest=urlencode(newest),
            back_to_ms=found.back_to_ms,
        )  # fmt: skip

    async def _show(self, request: Request) -> Response:
        table, number = request.path_params["table"], request.path_params["number"]
        found = await asyncio.to_thread(self._round, table, number)
        who = identity_of(request)
        return self._pages.page(
            "round", who, round=found, address=self._addresses.get(table, ""),
            looks=PICTURES.allows(who.roles),
        )  # fmt: skip
