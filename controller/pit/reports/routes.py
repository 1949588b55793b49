"""Pages and API of what happened: every route says in `sign_in/access.py` who may ask."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from functools import partial
from typing import Final

from fastapi import FastAPI, Response
from sqlalchemy import Engine
from starlette.requests import Request
from starlette.routing import Route

from controller.pit.reports.asked import BadSpan, By, ReportSpan, read_by, read_span
from controller.pit.reports.chips import table_chips
from controller.pit.reports.report.charts import charts
from controller.pit.reports.report.files import NoParquet, as_csv, as_parquet
from controller.pit.reports.report.report import BookDays, days_of, report, section
from controller.pit.reports.report.sections import ReportSection, as_object, shown
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.pages import Pages
from controller.pit.wall.wall import Wall
from controller.web.json_views import JSON, encode
from controller.web.problems import RequestRejected, documented

_NO_TABLE: Final = "Nothing of this table is in the books"
#: So many days are offered where somebody types one.
_OFFERED: Final = 31
_CSV: Final = "text/csv; charset=utf-8"
_PARQUET: Final = "application/vnd.apache.parquet"


class ReportRoutes:
    """What happened, out of the books of `engine`'s archive; `wall` says which tables there are."""

    def __init__(self, engine: Engine, pages: Pages, wall: Wall) -> None:
        self._engine = engine
        self._pages = pages
        self._wall = wall
        self._target = wall.settings.target

    def routes(self) -> list[Route]:
        """Every page and file."""
        return [
            Route("/tables/{table}/chips", self._chips, methods=["GET"]),
            Route("/reports", self._report, methods=["GET"]),
            Route("/reports/{part}.csv", self._csv, methods=["GET"]),
            Route("/reports/{part}.parquet", self._parquet, methods=["GET"]),
        ]

    def add_api(self, app: FastAPI) -> None:
        """Add what machines ask for."""

        @app.get("/api/v1/tables/{table}/chips", responses=documented(401, 403, 404, 421, 503))
        def chips(table: str) -> Response:
            """The chips of a table: shifts of its rack, slips, and what they won."""
            found = table_chips(self._engine, table)
            if found is None:
                raise RequestRejected(404, _NO_TABLE)
            return Response(encode(found), media_type=JSON)

        @app.get("/api/v1/reports/{part}", responses=documented(401, 403, 404, 421, 422, 503))
        def part_of_report(part: str, request: Request) -> Response:
            """A part of a report: `money`, `pace`, `errors`, `dealers`, `racks`, `holds`,
            `answers`, `reads`, `shoes`, `test` or `handovers`, of gaming days `from` to `to` (ISO
            dates, or times in them; the newest where none is given), of all tables or of `table`;
            the first three `by` table, game, dealer, shift, hour (of the house's clock) or day.

            Amounts are minor units, times wall times in ms.
            """
            return Response(encode(as_object(self._section(request, part))), media_type=JSON)

    async def _chips(self, request: Request) -> Response:
        table = request.path_params["table"]
        found = await asyncio.to_thread(table_chips, self._engine, table)
        if found is None and not self._wall.knows(table):
            raise RequestRejected(404, "The pit has never heard this table")
        return self._pages.page("chips", identity_of(request), table=table, chips=found)

    async def _report(self, request: Request) -> Response:
        return await asyncio.to_thread(self._report_page, request)

    def _report_page(self, request: Request) -> Response:
        days = days_of(self._engine)
        said, status = "", 200
        span, by = ReportSpan(days.last, days.last), By.TABLE
        try:
            span, by = self._asked(request, days.last)
        except BadSpan as error:
            said, status = str(error), 422
        found = None
        house = self._pages.house
        if not said and span.first:
            found = report(self._engine, span, by, self._target, house)
        return self._pages.page(
            "report", identity_of(request), status, days=days, span=span, by=by, all_by=list(By),
            newest=_newest(days), asked=_typed(request, span), said=said, report=found,
            shown=partial(shown, house=house), charts=partial(charts, house=house),
        )  # fmt: skip

    def _asked(self, request: Request, newest: str) -> tuple[ReportSpan, By]:
        fields = request.query_params
        return read_span(fields, newest, self._pages.house), read_by(fields.get("by", ""))

    def _section(self, request: Request, part: str) -> ReportSection:
        """The part that is asked for. Raises `RequestRejected`."""
        try:
            span, by = self._asked(request, days_of(self._engine).last)
            return section(self._engine, part, span, by, self._target, self._pages.house)
        except BadSpan as error:
            raise RequestRejected(422, str(error)) from error

    async def _csv(self, request: Request) -> Response:
        part = request.path_params["part"]
        found = await asyncio.to_thread(self._section, request, part)
        return Response(as_csv(found), headers=_saved(f"{part}.csv"), media_type=_CSV)

    async def _parquet(self, request: Request) -> Response:
        part = request.path_params["part"]
        found = await asyncio.to_thread(self._section, request, part)
        try:
            made = await asyncio.to_thread(as_parquet, found)
        except NoParquet as error:
            raise RequestRejected(501, str(error)) from error
        return Response(made, headers=_saved(f"{part}.parquet"), media_type=_PARQUET)


def _typed(request: Request, span: ReportSpan) -> dict[str, str]:
    """What stands in the form: the span, or what somebody typed that is none."""
    read = {"from": span.first, "to": span.last, "table": span.table}
    return {name: request.query_params.get(name) or value for name, value in read.items()}


def _newest(days: BookDays) -> list[str]:
    """The newest days of the books, of which a form offers one."""
    if not days.first:
        return []
    last = date.fromisoformat(days.last)
    many = min((last - date.fromisoformat(days.first)).days + 1, _OFFERED)
    return [str(last - timedelta(days=each)) for each in range(many)]


def _saved(name: str) -> dict[str, str]:
    """The part is one that there is, so that its name is plain."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}
