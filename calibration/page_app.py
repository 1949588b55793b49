"""The calibration page as it is served: its files, the events, the answers, the live picture.

The page is for whoever started the calibration: it binds to loopback, and every request carries
the key that stands in the address the command prints.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Final

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.responses import StreamingResponse
from starlette.middleware.trustedhost import TrustedHostMiddleware

from calibration.page import Answer, PageGuide

STATIC: Final = Path(__file__).parent / "static"
LIVE_S: Final = 0.1
_TYPES: Final = {".html": "text/html", ".css": "text/css", ".js": "text/javascript",
                 ".svg": "image/svg+xml"}  # fmt: skip
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def create_page(guide: PageGuide, key: str, drawing: Path) -> FastAPI:
    """The page's app. `drawing` is the folder of what the table's pages draw with."""

    def may(request: Request) -> None:
        sent = request.headers.get("x-key") or request.query_params.get("key", "")
        if not secrets.compare_digest(sent.encode(), key.encode()):
            raise HTTPException(403, "Open the address that `tablectl calibrate` printed")

    app = FastAPI(openapi_url=None)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost", "[::1]"])
    files = _files(STATIC, "") | _files(drawing, "drawing/")

    @app.get("/")
    def page() -> Response:
        return files["calibrate.html"]

    @app.get("/static/{name:path}")
    def static(name: str) -> Response:
        if name not in files:
            raise HTTPException(404, "There is no such file")
        return files[name]

    @app.get("/events", dependencies=[Depends(may)])
    async def events() -> StreamingResponse:
        return StreamingResponse(_events(guide), media_type="text/event-stream", headers=_HEADERS)

    @app.post("/answer", dependencies=[Depends(may)])
    async def answer(reply: Answer) -> dict[str, str]:
        if why := guide.answer(reply):
            raise HTTPException(409, why)
        return {}

    @app.get("/live", dependencies=[Depends(may)])
    async def live() -> StreamingResponse:
        if guide.live is None:
            raise HTTPException(404, "This calibration has no picture")
        kind = "multipart/x-mixed-replace; boundary=picture"
        return StreamingResponse(_pictures(guide, guide.live), media_type=kind, headers=_HEADERS)

    return app


def _files(folder: Path, prefix: str) -> dict[str, Response]:
    """Every file of the folder whose type is known, by its address under `/static/`."""
    return {
        prefix + path.name: Response(
            path.read_bytes(), media_type=_TYPES[path.suffix], headers=_HEADERS
        )
        for path in sorted(folder.iterdir())
        if path.suffix in _TYPES
    }


async def _events(guide: PageGuide) -> AsyncIterator[str]:
    async for shown in guide.changes():
        if shown is None:
            yield "event: beat\ndata: {}\n\n"
        else:
            yield f"event: calibration\ndata: {json.dumps(shown)}\n\n"
        if guide.ended and shown is not None and shown["ended"]:
            return


async def _pictures(guide: PageGuide, newest: Callable[[], bytes | None]) -> AsyncIterator[bytes]:
    # A stream that did not end with the calibration would have to be torn down.
    while not guide.ended:
        if picture := newest():
            head = b"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"
            yield head % len(picture) + picture + b"\r\n"
        await asyncio.sleep(LIVE_S)
