"""The pit's pages and API: the wall and its stream, and who may see them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from starlette.routing import Route

from controller import __version__
from controller.bus.asyncapi import asyncapi
from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.factors.one_time import AppSecrets
from controller.pit.accounts.factors.passkeys import Passkeys
from controller.pit.accounts.factors.second_factor import SecondFactors
from controller.pit.accounts.roles import PitRole
from controller.pit.acts.commander import Commander, no_line
from controller.pit.acts.live_page import LivePage
from controller.pit.acts.table_routes import TableRoutes
from controller.pit.alerts.page_routes import AlertPageRoutes
from controller.pit.alerts.routes import AlertRoutes
from controller.pit.alerts.settings import AlertSettings
from controller.pit.api.answers import Me, PitHealth
from controller.pit.api.description import describe
from controller.pit.archive.of_a_table import is_there_already
from controller.pit.archive.overview import Overview
from controller.pit.archive.storage.database import NO_ANSWER, why_none
from controller.pit.directories.keeper import DirectoryKeeper
from controller.pit.directories.page_routes import DirectoryRoutes
from controller.pit.directories.settings import PeopleSettings
from controller.pit.house_time import UTC_HOUSE, HouseTime
from controller.pit.metrics import PitMetrics
from controller.pit.records.finding_routes import FindingRoutes
from controller.pit.records.page import records_page
from controller.pit.records.retired_routes import RetiredRoutes
from controller.pit.records.set_aside_routes import SetAsideRoutes
from controller.pit.reports.handover.routes import HandoverRoutes
from controller.pit.reports.routes import ReportRoutes
from controller.pit.reports.search.pictures import TablePictures, no_pictures
from controller.pit.reports.search.round_routes import RoundRoutes
from controller.pit.sign_in.access import (
    ASKS_TABLES,
    Declared,
    answers_alerts,
    pages_for,
)
from controller.pit.sign_in.audit_routes import AuditRoutes
from controller.pit.sign_in.gate import Gate, identity_of
from controller.pit.sign_in.oidc.logout_routes import LogoutRoutes
from controller.pit.sign_in.oidc.routes import ProviderRoutes
from controller.pit.sign_in.pages import Pages, wants_page
from controller.pit.sign_in.passkey_routes import PasskeyRoutes
from controller.pit.sign_in.people_routes import PeopleRoutes
from controller.pit.sign_in.second_routes import SecondRoutes
from controller.pit.sign_in.sign_in_routes import SignInRoutes
from controller.pit.wall.stream import WallStream
from controller.pit.wall.table_stream import TableStream
from controller.pit.wall.wall import Wall
from controller.web.admission import READS
from controller.web.json_views import JSON, encode
from controller.web.old_pydantic import without_old_pydantic
from controller.web.problems import documented, install_problems, problem
from controller.web.static_files import STATIC as TABLE_PAGES
from controller.web.static_files import StaticFiles

if TYPE_CHECKING:
    from controller.pit.sign_in.oidc.provider import Provider  # of an extra

log: Final = logging.getLogger(__name__)

STATIC: Final = Path(__file__).parents[1] / "static"
#: Of the edition of the pages so much is told to them.
_EDITION_CHARS: Final = 16
ABOUT: Final = """\
The tables of a pit, as they are.

`/events/wall` sends what changed since the picture that the page has, ten times a second at most:
places of tables, and the tiles of those that it names with `seen` (server-sent events).

`/asyncapi.json` describes what goes over the bus: records, facts, statuses.

People sign in by a browser; machines send their token: `Authorization: Bearer TOKEN`.
"""


ReadArchive: TypeAlias = Callable[[], Overview]
"""Reads what the archive has. Blocks. Raises `sqlalchemy.exc.DBAPIError`."""


@without_old_pydantic()
def create_pit_app(
    wall: Wall,
    archive: ReadArchive,
    accounts: Accounts,
    max_viewers: int,
    origin: str = "",
    commander: Commander | None = None,
    alerts: AlertSettings | None = None,
    secret_key: AppSecrets | None = None,
    provider: Provider | None = None,
    directories: DirectoryKeeper | None = None,
    house: HouseTime = UTC_HOUSE,
    pictures: TablePictures | None = None,
) -> FastAPI:
    """The web of a pit: `wall` and what the archive has, to `max_viewers` at a time.

    `commander` sends what people ask of tables; None: this pit has no key, and pages say so.
    `directories` are those of tables' people; None: no table takes its people from here.
    `house`: in whose time pages say times. `pictures` asks tables for those of cards; None: no
    table is reached from here.
    `secret_key`: under which secrets of apps are kept; None: no app can be used here.
    `provider`: by whom people sign in besides; `accounts` know its rules. `origin` is where
    browsers find it (https://…), empty: on this machine. Raises `UndeclaredRoute` for a route that
    does not say who may ask for it.
    """
    app = FastAPI(
        title="tablectl pit", version=__version__, description=ABOUT, docs_url=None,
        redoc_url=None, redirect_slashes=False, separate_input_output_schemas=False,
    )  # fmt: skip
    pages = Pages("" if provider is None else provider.section.name, house)

    def as_page(request: Request, status: int, text: str) -> Response | None:
        if not wants_page(request.headers):
            return None
        who = getattr(request.state, "identity", None)
        return pages.problem(who, status, text, reads=request.method in READS)

    async def no_database(request: Request, error: Exception) -> Response:
        assert isinstance(error, SQLAlchemyError)
        log.warning("the database does not answer: %s", why_none(error))
        text = "The archive's database does not answer: look at the pit's log and at the database"
        answer = as_page(request, 503, text) or problem(503, text)
        answer.headers["Retry-After"] = "2"
        return answer

    async def at_once(request: Request, error: Exception) -> Response:
        """Of two who write the same row of a server, one comes later, and finds it there."""
        if not (isinstance(error, IntegrityError) and is_there_already(error)):
            return await no_database(request, error)
        text = "Somebody else did the same in the same moment: look at it anew"
        return as_page(request, 409, text) or problem(409, text)

    install_problems(app, as_page, RequestValidationError)
    app.add_exception_handler(IntegrityError, at_once)
    for each in NO_ANSWER:
        app.add_exception_handler(each, no_database)
    files = StaticFiles(STATIC, TABLE_PAGES)
    edition = files.edition[:_EDITION_CHARS]
    stream = WallStream(wall, max_viewers, edition)
    app.router.routes.append(Route("/events/wall", stream, methods=["GET"]))
    felts = TableStream(wall, max_viewers, accounts.clock_ms, edition)
    app.router.routes.append(Route("/events/tables/{table}", felts, methods=["GET"]))
    app.router.routes.extend(LivePage(pages, wall).routes())

    async def page(request: Request) -> Response:
        return files.answer("pages/wall/wall.html", request)

    async def static(request: Request) -> Response:
        return files.answer(request.path_params["path"], request)

    app.router.routes.append(Route("/", page, methods=["GET"]))
    app.router.routes.append(Route("/static/{path:path}", static, methods=["GET"]))

    @app.get("/healthz", responses=documented(401, 403, 421))
    async def healthz() -> Response:
        """Whether the pit answers, and whether its archive goes on."""
        still = wall.standstill()
        health = PitHealth(True, wall.picture, None if still is None else still.since_ms)
        return Response(encode(health), media_type=JSON)

    @app.get("/api/v1/me", responses=documented(401, 403, 421, 503))
    async def who_asks(request: Request) -> Response:
        """Who asks, the roles that they have here, and the pages that these open."""
        asks = identity_of(request)
        roles = tuple(each.value for each in PitRole if each in asks.roles)
        may_ask = ASKS_TABLES.allows(asks.roles)
        answers = answers_alerts(asks.roles)
        me = Me(asks.name, roles, pages_for(asks.roles), may_ask, answers)
        return Response(encode(me), media_type=JSON)

    @app.get("/api/v1/records", responses=documented(401, 403, 421, 503))
    def records() -> Response:
        """What the archive has of every table, and what is wrong with it."""
        return Response(encode(archive()), media_type=JSON)

    @app.get("/records", include_in_schema=False)
    def records_in_words(request: Request) -> Response:
        return records_page(pages, identity_of(request), archive())

    alerting = AlertRoutes(accounts, alerts or AlertSettings())
    alerting.add_api(app)
    metrics = PitMetrics(wall, archive, alerting.figures)

    @app.get("/metrics", include_in_schema=False)
    def figures() -> Response:
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)

    @app.get("/asyncapi.json", include_in_schema=False)
    def bus_messages() -> Response:
        return Response(encode(asyncapi()), media_type=JSON)

    second = SecondFactors(accounts, secret_key)
    app.router.routes.extend(SignInRoutes(accounts, second, pages).routes())
    app.router.routes.extend(SecondRoutes(second, pages).routes())
    app.router.routes.extend(FindingRoutes(accounts, pages, accounts.clock_ms).routes())
    app.router.routes.extend(SetAsideRoutes(accounts).routes())
    app.router.routes.extend(RetiredRoutes(accounts, pages, wall).routes())
    settings = alerts or AlertSettings()
    app.router.routes.extend(AlertPageRoutes(accounts, settings, pages).routes())
    keeper = directories or DirectoryKeeper(
        accounts.engine, PeopleSettings(), None, secret_key, accounts.clock_ms
    )
    sends = commander or Commander(None, no_line, accounts.clock_ms)
    app.router.routes.extend(TableRoutes(accounts, pages, wall, sends, keeper.known_at).routes())
    reports = ReportRoutes(accounts.engine, pages, wall)
    app.router.routes.extend(reports.routes())
    reports.add_api(app)
    looks = pictures or TablePictures(no_pictures)
    rounds = RoundRoutes(accounts, pages, wall.settings.pages, looks)
    app.router.routes.extend(rounds.routes())
    rounds.add_api(app)
    app.router.routes.extend(HandoverRoutes(accounts, pages, settings).routes())
    passkeys = Passkeys(accounts)
    app.router.routes.extend(PasskeyRoutes(passkeys, pages, origin).routes())
    app.router.routes.extend(PeopleRoutes(accounts, second, passkeys, pages, origin).routes())
    app.router.routes.extend(AuditRoutes(accounts, pages).routes())
    app.router.routes.extend(ProviderRoutes(accounts, pages, provider, origin).routes())
    app.router.routes.extend(LogoutRoutes(accounts, provider).routes())
    at_tables = DirectoryRoutes(accounts, pages, wall, keeper, secret_key)
    app.router.routes.extend(at_tables.routes())
    describe(app)
    declared = Declared(app.routes)
    app.add_middleware(Gate, declared=declared, accounts=accounts, pages=pages, origin=origin)
    return app
