"""The pit's pages and API: the wall and its stream."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal, TypeAlias

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse
from msgspec import Struct
from sqlalchemy.exc import DBAPIError
from starlette.routing import Route

from controller import __version__
from controller.pit.archive.overview import Overview
from controller.pit.records_page import records_page
from controller.pit.wall.stream import WallStream
from controller.pit.wall.wall import Wall
from controller.web.admission import Admission
from controller.web.json_views import JSON, encode
from controller.web.problems import RequestRejected, documented, install_problems
from controller.web.settings import WebSettings
from controller.web.static_files import STATIC as TABLE_PAGES
from controller.web.static_files import StaticFiles

STATIC: Final = Path(__file__).parent / "static"
ABOUT: Final = """\
The tables of a pit, as they are.

`/events/wall` sends what changed since the picture that the page has, ten times a second at most:
places of tables, and the tiles of those that it names with `seen` (server-sent events).
"""


ReadArchive: TypeAlias = Callable[[], Overview]
"""Reads what the archive has. Blocks. Raises `sqlalchemy.exc.DBAPIError`."""


class PitHealth(Struct, frozen=True):
    """The pit answers; `picture` is the number of the wall's newest one."""

    ok: Literal[True]
    picture: int


def create_pit_app(wall: Wall, settings: WebSettings, archive: ReadArchive) -> FastAPI:
    """The web of a pit: `wall` and what the archive has, to `settings.max_viewers` at a time."""
    app = FastAPI(
        title="tablectl pit", version=__version__, description=ABOUT, docs_url=None,
        redoc_url=None, redirect_slashes=False, separate_input_output_schemas=False,
    )  # fmt: skip
    install_problems(app)
    stream = WallStream(wall, settings.max_viewers)
    app.router.routes.append(Route("/events/wall", stream, methods=["GET"]))
    files = StaticFiles(STATIC, TABLE_PAGES)

    async def page(request: Request) -> Response:
        return files.answer("pages/wall/wall.html", request)

    async def static(request: Request) -> Response:
        return files.answer(request.path_params["path"], request)

    app.router.routes.append(Route("/", page, methods=["GET"]))
    app.router.routes.append(Route("/static/{path:path}", static, methods=["GET"]))

    @app.get("/healthz", responses=documented(421))
    async def healthz() -> Response:
        """Whether the pit answers."""
        return Response(encode(PitHealth(True, wall.picture)), media_type=JSON)

    def archived() -> Overview:
        try:
            return archive()
        except DBAPIError as error:
            text = (
                "The archive's database does not answer: look at the pit's log and at the database"
            )
            raise RequestRejected(503, text) from error

    @app.get("/api/v1/records", responses=documented(421, 503))
    def records() -> Response:
        """What the archive has of every table, and what is wrong with it."""
        return Response(encode(archived()), media_type=JSON)

    @app.get("/records", include_in_schema=False)
    def records_in_words() -> Response:
        return HTMLResponse(records_page(archived()))

    app.add_middleware(Admission, settings=settings)
    return app
