"""The web of one table, put together: pages, streams, API, health and metrics, behind admission."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from typing import Final, Literal

from fastapi import FastAPI, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.routing import Route

from controller import __version__
from controller.devices.safe import SAFE_UNHEALTHY
from controller.service.ports import Desk
from controller.service.status_view import shown_state
from controller.web.admission import Admission
from controller.web.api.commands import TableCommands
from controller.web.api.described_router import DOCUMENT, DescribedRouter, description
from controller.web.api.documents import Documents
from controller.web.api.expected import expected_router
from controller.web.api.log_download import log_router
from controller.web.api.odds import odds_router
from controller.web.api.record_queries import RecordQueries
from controller.web.events import EventStream, Viewers
from controller.web.feed.fact_feed import FactFeed
from controller.web.feed.fact_stream import FactStream
from controller.web.feed.feed_api import feed_document
from controller.web.json_views import JSON, Page, ViewCache, encode
from controller.web.metrics import Metrics
from controller.web.old_pydantic import without_old_pydantic
from controller.web.problems import documented, install_problems
from controller.web.reader_language import ReaderLanguage
from controller.web.server.connections import Connections
from controller.web.settings import PAGES, WebSettings
from controller.web.static_files import StaticFiles

ABOUT: Final = """\
What the table shows, and its commands.

Views are also sent as they change, as server-sent events: `/events/dealer` and `/events/players`
(`event: scene`), `/events/status` (`event: status`). The newest view comes at once, a slow viewer
misses those between, and `event: beat` comes every two seconds, with the table's time and
the `edition` of its pages: one that changes makes a page load itself anew.

`/events/facts` is another kind: every fact once and in order, for game servers, with the token;
`Last-Event-ID` goes on where it ended. `/events/public` is what of it players may see, for
everybody. `/asyncapi.json` describes both.

What is said comes in English, or as `?lang=` says (fi, sv, de, es, lv); codes and records do not
change with it.

Reads are open to whoever reaches the port, but for those of the whole record. These and writes need
the table's token.
"""


@dataclass(frozen=True, slots=True)
class Healthy:
    """The table is on record up to `seq`."""

    ok: Literal[True]
    seq: int


@dataclass(frozen=True, slots=True)
class Unhealthy:
    """The table is stopped."""

    ok: Literal[False]
    why: str


@without_old_pydantic()
def create_app(desk: Desk, settings: WebSettings, slots: Connections | None = None) -> FastAPI:
    """The web of the table behind `desk`; streams end when `desk.changes()` does.

    `slots` are those of the server that it is served by, for its figures.
    """
    if slots is None:
        slots = Connections(settings.max_connections)
    app = FastAPI(
        title="tablectl", version=__version__, description=ABOUT, docs_url=None, redoc_url=None,
        openapi_url=None, redirect_slashes=False, separate_input_output_schemas=False,
    )  # fmt: skip
    views, viewers = ViewCache(desk), Viewers(settings.max_viewers)
    files = StaticFiles()
    edition = pages_edition(files, settings)
    install_problems(app)
    # First, since routes are looked through in this order, and commands come by the hundred.
    routers = [TableCommands(desk, settings).router(), Documents(desk, views).router()]
    if settings.log is not None:
        routers.append(log_router(settings.log, settings.people))
    if settings.record is not None:
        routers.append(RecordQueries(settings.record, settings).router())
    if settings.odds is not None:
        routers.append(expected_router(desk, settings.odds))
        routers.append(odds_router(desk, settings.odds.files))
    metrics = Metrics(desk, viewers, slots, settings.people, settings.odds)
    routers.append(_health_router(desk, metrics))
    for router in routers:
        # Not included: FastAPI would make each route once more, at the first request, in the loop.
        app.router.routes.extend(router.routes)
    app.openapi = description(app, routers)  # type: ignore[method-assign]
    app.router.routes.append(Route("/openapi.json", _document, methods=["GET"]))
    if settings.record is not None:
        feed = FactFeed(settings.record, desk)
        facts = FactStream(feed, settings)
        public = FactStream(feed, settings, viewers=viewers, edition=edition)
        app.router.routes.append(Route("/events/facts", facts, methods=["GET"]))
        app.router.routes.append(Route("/events/public", public, methods=["GET"]))
        app.router.routes.append(Route("/asyncapi.json", feed_document, methods=["GET"]))
    for page in Page:
        stream = EventStream(page, desk, views, viewers, settings, edition)
        app.router.routes.append(Route(f"/events/{page.value}", stream, methods=["GET"]))
    _add_pages(app, files, settings.overlay_css, edition)
    app.add_middleware(ReaderLanguage, pages=settings.languages)
    app.add_middleware(Admission, settings=settings)
    return app


def pages_edition(files: StaticFiles, settings: WebSettings) -> str:
    """What tells the pages of this run from those of another release, language or style (hex)."""
    told = repr(
        (__version__, files.edition, sorted(settings.languages.items()), settings.overlay_css)
    )
    return hashlib.sha256(told.encode()).hexdigest()[:16]


async def _document(_: Request) -> Response:
    return Response(await asyncio.to_thread(DOCUMENT.read_bytes), media_type=JSON)


def _health_router(desk: Desk, figures: Metrics) -> DescribedRouter:
    router = DescribedRouter()
    stopped = {"model": Unhealthy, "description": "The record is not available."}
    text = {"content": {"text/plain": {"schema": {"type": "string"}}}}

    @router.get("/healthz", response_model=Healthy, responses={**documented(421), 503: stopped})
    async def healthz() -> Response:
        """Whether the table can be recorded; says nothing of its devices."""
        state = shown_state(desk)
        if state is None:
            said = encode(Unhealthy(False, SAFE_UNHEALTHY))
            return Response(said, 503, media_type=JSON)
        return Response(encode(Healthy(True, state.seq)), media_type=JSON)

    @router.get("/metrics", response_class=Response, responses={**documented(421), 200: text})
    async def metrics() -> Response:
        """Figures for Prometheus."""
        return Response(figures.text(), media_type=CONTENT_TYPE_LATEST)

    return router


def _add_pages(app: FastAPI, files: StaticFiles, theme: str, edition: str) -> None:
    async def page(request: Request) -> Response:
        answer = files.answer(PAGES[request.url.path], request)
        # By this a page that follows no stream finds out that it is an old one.
        answer.headers["Pages-Edition"] = edition
        return answer

    async def static(request: Request) -> Response:
        return files.answer(request.path_params["path"], request)

    async def overlay_theme(request: Request) -> Response:
        if not theme:
            return files.answer("pages/overlay/theme.css", request)
        return Response(theme, media_type="text/css; charset=utf-8")

    app.router.routes.append(Route("/overlay/theme.css", overlay_theme, methods=["GET"]))
    for path in PAGES:
        app.router.routes.append(Route(path, page, methods=["GET"]))
    app.router.routes.append(Route("/static/{path:path}", static, methods=["GET"]))
