"""A table's live page in the pit: the felt as the table shows it, for whoever may see the wall."""

from __future__ import annotations

from fastapi import Response
from starlette.requests import Request
from starlette.routing import Route

from controller.pit.sign_in.access import ASKS_TABLES, REPORTS
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.pages import Pages
from controller.pit.wall.wall import Wall
from controller.web.problems import RequestRejected


class LivePage:
    """The page of each table of the wall; what it shows comes by `/events/tables/{table}`."""

    def __init__(self, pages: Pages, wall: Wall) -> None:
        self._pages = pages
        self._wall = wall

    def routes(self) -> list[Route]:
        """The page."""
        return [Route("/tables/{table}/live", self._show, methods=["GET"])]

    async def _show(self, request: Request) -> Response:
        table: str = request.path_params["table"]
        if not self._wall.knows(table):
            raise RequestRejected(404, "The pit has never heard this table")
        who = identity_of(request)
        return self._pages.page(
            "live", who, table=table, asks=ASKS_TABLES.allows(who.roles),
            replays=REPORTS.allows(who.roles),
        )  # fmt: skip
