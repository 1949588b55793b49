"""The table's page: the felt as a camera above it would show it, and what a visitor may do there.

Bound to loopback; requests must name this very address as their Host, and as their Origin where a
browser sends one, so that no other page can reach in.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from sim_hw.people.visitor_acts import ActError, Visitor
from sim_hw.settings import WorldError
from sim_hw.table.changes import Changes

STATIC: Final = Path(__file__).parent / "static"
#: Where the table's own pages keep what they draw with. It is served as it lies there, so that the
#: simulated table shows the same cards; nothing of `controller` is imported for it.
DRAWING: Final = ("web", "static", "drawing")
HOST: Final = "127.0.0.1"
#: At most this many pictures a second; the newest wins.
FRAME_S: Final = 0.05
BEAT_S: Final = 2.0
BODY_LIMIT_BYTES: Final = 4096
#: The boundary between the pictures of the camera above the table.
_BOUNDARY: Final = b"frame"
_Answer = Callable[[Request], Awaitable[Response]]
#: The report of a training stands by itself: its style is in it, and nothing else is loaded.
REPORT_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
NO_REPORT: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2">'
    "<title>Training</title><p>Nothing is on record yet: deal a round.</p></html>"
)


def drawing_folder() -> Path:
    """The folder of the drawing files of the table's pages. Raises `WorldError` without it."""
    found = importlib.util.find_spec("controller")
    for root in (found and found.submodule_search_locations) or ():
        folder = Path(root).joinpath(*DRAWING)
        if folder.is_dir():
            return folder
    raise WorldError(
        f"the page draws with controller/{'/'.join(DRAWING)}, which is not installed: install"
        " tablectl beside the simulated world"
    )


def bind(port: int) -> socket.socket:
    """A listening socket on loopback. Raises `WorldError` if the port cannot be had."""
    made = socket.socket()
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((HOST, port))
        made.listen()
    except OSError as error:
        made.close()
        raise WorldError(
            f"port {port} for the table's page cannot be had ({error.strerror}): stop what uses"
            " it, or choose another one with --port"
        ) from error
    return made


async def serve_page(
    listening: socket.socket, visitor: Visitor, changes: Changes, service_url: str
) -> None:
    """Serve the table's page on a bound socket until cancelled."""
    over = asyncio.Event()
    port = int(listening.getsockname()[1])
    app = page_app(visitor, changes, over, port, service_url)
    server = _Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    serving = asyncio.ensure_future(server.serve(sockets=[listening]))
    try:
        await asyncio.shield(serving)
    finally:
        over.set()
        changes.notify()
        server.should_exit = True
        await serving


class _Server(uvicorn.Server):
    """A server that leaves the signals to the world's process as a whole."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _guard(port: int, service_url: str) -> Callable[[_Answer], _Answer]:
    """Makes an answer that is for this page alone, and frames nothing but `service_url`."""
    names = {f"{HOST}:{port}", f"localhost:{port}"}
    policy = f"default-src 'self'; frame-src {service_url}; frame-ancestors 'none'"

    def guarded(answer: _Answer) -> _Answer:
        async def check(request: Request) -> Response:
            origin = request.headers.get("origin")
            if request.headers.get("host") not in names or (
                origin is not None and origin.removeprefix("http://") not in names
            ):
                return PlainTextResponse(f"open http://{HOST}:{port}/ instead", 403)
            response = await answer(request)
            response.headers.setdefault("Content-Security-Policy", policy)
            return response

        return check

    return guarded


def page_app(
    visitor: Visitor,
    changes: Changes,
    over: asyncio.Event,
    port: int,
    service_url: str,
) -> Starlette:
    """The page's routes. The dealer display at `service_url` is framed in the page."""
    guarded = _guard(port, service_url)

    async def table(_: Request) -> Response:
        return FileResponse(STATIC / "table.html")

    async def training(_: Request) -> Response:
        return _report(visitor.training_page)

    async def events(_: Request) -> Response:
        return StreamingResponse(
            _pictures(visitor, changes, over),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store"},
        )

    async def table_camera(_: Request) -> Response:
        return StreamingResponse(
            _frames(visitor, changes, over),
            media_type=f"multipart/x-mixed-replace; boundary={_BOUNDARY.decode()}",
            headers={"Cache-Control": "no-store"},
        )

    async def act(request: Request) -> Response:
        try:
            await visitor.act(await _body(request))
        except ActError as error:
            return JSONResponse({"done": False, "why": str(error)}, 400)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody waits for it
        return JSONResponse({"done": True})

    return Starlette(
        routes=[
            Route("/", guarded(table)),
            Route("/training", guarded(training)),
            Route("/events", guarded(events)),
            Route("/act", guarded(act), methods=["POST"]),
            Route("/table.mjpg", guarded(table_camera)),
            Mount("/static/drawing", StaticFiles(directory=drawing_folder())),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]
    )


def _report(path: Path | None) -> Response:
    """The report of a training as it stands; whoever started service and world writes it."""
    if path is None:
        return PlainTextResponse("There is no training: tablectl demo --train starts one.", 404)
    try:
        page = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        page = NO_REPORT
    headers = {"Content-Security-Policy": REPORT_POLICY, "Cache-Control": "no-store"}
    return HTMLResponse(page, headers=headers)


async def _body(request: Request) -> Any:
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > BODY_LIMIT_BYTES:
            raise ActError(f"more than {BODY_LIMIT_BYTES} bytes: send one act")
    try:
        return json.loads(data)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        raise ActError('not JSON: send an act such as {"do": "draw"}') from None


async def _pictures(visitor: Visitor, changes: Changes, over: asyncio.Event) -> AsyncIterator[str]:
    last = ""
    while not over.is_set():
        count = changes.count
        picture = json.dumps(visitor.view())
        if picture != last:
            yield f"event: world\ndata: {picture}\n\n"
            last = picture
        await asyncio.sleep(FRAME_S)
        if not await changes.wait(BEAT_S, count):
            yield "event: beat\ndata: {}\n\n"


async def _frames(visitor: Visitor, changes: Changes, over: asyncio.Event) -> AsyncIterator[bytes]:
    """Pictures of the camera above the table: a new one where something moved, and periodically."""
    # Drawing pictures takes libraries that a world without a camera need not load.
    from sim_hw.page.table_camera import TableCamera  # noqa: PLC0415

    camera = TableCamera(visitor.deck)
    while not over.is_set():
        count = changes.count
        jpeg = await asyncio.to_thread(camera.jpeg, visitor.view())
        head = b"--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"
        yield head % (_BOUNDARY, len(jpeg)) + jpeg + b"\r\n"
        await asyncio.sleep(FRAME_S)
        await changes.wait(BEAT_S, count)
