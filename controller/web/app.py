"""The web of one table, put together: pages, streams, API, health and metrics, behind admission."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Final, Literal

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller import __version__
from controller.devices.safe import SAFE_UNHEALTHY
from controller.rules.frozen import frozen
from controller.service.ports import Desk
from controller.service.status_view import shown_state
from controller.web.admission import Admission
from controller.web.api.commands import TableCommands
from controller.web.api.described_routes import DescribedRoutes
from controller.web.api.documents import Documents
from controller.web.api.expected import expected_routes
from controller.web.api.log_download import log_routes
from controller.web.api.odds import odds_routes
from controller.web.api.record_queries import RecordQueries
from controller.web.events import EventStream, Viewers
from controller.web.feed.fact_feed import FactFeed
from controller.web.feed.fact_stream import FactStream
from controller.web.feed.feed_api import feed_document
from controller.web.json_views import JSON, Page, ViewCache, encode
from controller.web.metrics import Metrics
from controller.web.problems import documented, install_problems
from controller.web.reader_language import ReaderLanguage
from controller.web.server.connections import Connections
from controller.web.settings import PAGES, WebSettings
from controller.web.static_files import StaticFiles

#: The description of the API, written by `make schema`.
DOCUMENT: Final = Path(__file__).parent / "api" / "openapi.json"


@frozen
class Healthy:
    """The table is on record up to `seq`."""

    ok: Literal[True]
    seq: int


@frozen
class Unhealthy:
    """The table is stopped."""

    ok: Literal[False]
    why: str


def create_app(desk: Desk, settings: WebSettings, slots: Connections | None = None) -> Starlette:
    """The web of the table behind `desk`; streams end when `desk.changes()` does.

    `slots` are those of the server that it is served by, for its figures.
    """
    if slots is None:
        slots = Connections(settings.max_connections)
    app = Starlette()
    app.router.redirect_slashes = False
    views, viewers = ViewCache(desk), Viewers(settings.max_viewers)
    files = StaticFiles()
    edition = pages_edition(files, settings)
    install_problems(app)
    # First, since routes are looked through in this order, and commands come by the hundred.
    api = [TableCommands(desk, settings).routes(), Documents(desk, views).routes()]
    if settings.log is not None:
        api.append(log_routes(settings.log, settings.people))
    if settings.record is not None:
        api.append(RecordQueries(settings.record, settings).routes())
    if settings.odds is not None:
        api.append(expected_routes(desk, settings.odds))
        api.append(odds_routes(desk, settings.odds.files))
    metrics = Metrics(desk, viewers, slots, settings.people, settings.odds)
    api.append(_health_routes(desk, metrics))
    for each in api:
        app.router.routes.extend(each.routes)
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


def _health_routes(desk: Desk, figures: Metrics) -> DescribedRoutes:
    routes = DescribedRoutes()
    stopped = {"model": Unhealthy, "description": "The record is not available."}
    text = {"content": {"text/plain": {"schema": {"type": "string"}}}}

    @routes.get("/healthz", response_model=Healthy, responses={**documented(421), 503: stopped})
    async def healthz() -> Response:
        """Whether the table can be recorded; says nothing of its devices."""
        state = shown_state(desk)
        if state is None:
            said = encode(Unhealthy(False, SAFE_UNHEALTHY))
            return Response(said, 503, media_type=JSON)
        return Response(encode(Healthy(True, state.seq)), media_type=JSON)

    @routes.get("/metrics", response_class=Response, responses={**documented(421), 200: text})
    async def metrics() -> Response:
        """Figures for Prometheus."""
        return Response(figures.text(), media_type=CONTENT_TYPE_LATEST)

    return routes


def _add_pages(app: Starlette, files: StaticFiles, theme: str, edition: str) -> None:
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
