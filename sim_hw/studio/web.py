"""The game server's pages: one that a player has on a telephone, and what it shows of the table.

Pictures come through this server: the newest of the camera above the table, the table's overlay,
and the stream that the overlay is drawn from. Nothing else of the table can be reached through it,
and nothing can be asked of the table but what players may ask. A browser opens six connections to
a server and no more: a page holds two.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from sim_hw.page.server import drawing_folder
from sim_hw.studio.guest import Guest, NotDone
from sim_hw.studio.guests import Guests
from sim_hw.studio.player_view import player_view

STATIC: Final = Path(__file__).parent / "static"
COOKIE: Final = "player"
BODY_LIMIT_BYTES: Final = 4096
#: How often a page is looked at, and a heartbeat sent although nothing changed.
LOOK_S: Final = 0.1
BEAT_S: Final = 2.0
#: A telephone may vanish without a word: a line that confirms nothing for this long is cut.
UNHEARD_S: Final = 6.0
#: The line to the table: how long for an answer, and for the next word of a stream.
TIMEOUT: Final = httpx.Timeout(10.0, read=None)
RETRY_S: Final = 0.5
#: This many pages may follow the overlay: the table has places for others too. As many may look on
#: without having joined.
STREAMS_MAX: Final = 120
#: Whoever has joined has places of their own, for a page in a few tabs. All streams together leave
#: some of a service's 1,024 descriptors.
OWN_STREAMS_MAX: Final = 3
#: The files of the table's pages that the overlay is made of.
_FILE: Final = re.compile(r"/static/(?:drawing|pages/overlay)/[a-z_]+\.(?:js|css|svg)")
_PART: Final = re.compile(rb"Content-Length: (\d{1,8})\r\n\r\n")
_POLICY: Final = "default-src 'self'; img-src 'self' data:; frame-ancestors 'self'"
_HEADERS: Final = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-store"}


def listen(address: str, port: int) -> socket.socket:
    """A socket for the pages, whose lines are cut once the other end confirms nothing any more.

    Raises `OSError`.
    """
    listening = socket.create_server((address, port))
    # A stream has a word every two seconds, so that there is always something to confirm.
    unheard_ms = int(UNHEARD_S * 1000)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, unheard_ms)
    return listening


class _Places:
    """Places for streams: a few for each who has joined, and so many for all others together."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    @contextmanager
    def one(self, who: str = "") -> Iterator[int]:
        """Take a place until the block is left; how many there are if none is free, else 0."""
        most = OWN_STREAMS_MAX if who else STREAMS_MAX
        if self._taken[who] >= most:
            yield most
            return
        self._taken[who] += 1
        try:
            yield 0
        finally:
            self._taken[who] -= 1
            if not self._taken[who]:
                del self._taken[who]


class _PlacedStream:
    """A stream that has its place from the request to the end, also where it never begins."""

    def __init__(
        self, places: _Places, who: str, answer: Callable[[], Awaitable[Response]]
    ) -> None:
        self._places, self._who, self._answer = places, who, answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request: with the stream, or that there is no place."""
        with self._places.one(self._who) as full:
            why = f"{full} pages are open already: try again later"
            answer = _not_done(why, 503) if full else await self._answer()
            await answer(scope, receive, send)


class PlayersPages:
    """The pages of one game server. `table_url` is the table, `camera_url` the camera above it."""

    def __init__(self, guests: Guests, table_url: str, camera_url: str) -> None:
        self._guests = guests
        self._camera_url = camera_url
        self._over = asyncio.Event()
        self._picture = b""
        self._pages, self._overlays = _Places(), _Places()
        self._client = httpx.AsyncClient(
            base_url=table_url, timeout=TIMEOUT, trust_env=False,
            verify=table_url.startswith("https:"),  # reading all certificates takes 40 ms
            limits=httpx.Limits(max_connections=None),
        )  # fmt: skip
        self.app = Starlette(
            routes=[
                Route("/", self._page),
                Route("/events", self._events),
                Route("/act", self._act, methods=["POST"]),
                Route("/table.jpg", self._camera),
                Route("/overlay", self._of_table),
                Route("/overlay/theme.css", self._of_table),
                Route("/events/players", self._stream_of_table),
                Mount("/play/drawing", StaticFiles(directory=drawing_folder())),
                Mount("/play", StaticFiles(directory=STATIC)),
                Route("/static/{path:path}", self._file_of_table),
            ]
        )

    def end(self) -> None:
        """Every stream ends with its next word, in two seconds at the latest."""
        self._over.set()

    async def close(self) -> None:
        """Hang up on the table; every stream has ended."""
        await self._client.aclose()

    # The player's page

    async def _page(self, _: Request) -> Response:
        """In the language of the table's players, whose words the table serves with its pages."""
        text = (STATIC / "play.html").read_text(encoding="utf-8")
        api = self._guests.server.api
        text = text.replace('<html lang="en">', f'<html lang="{api.language}">', 1)
        return HTMLResponse(text.replace("</head>", f"{api.words}</head>", 1), headers=_HEADERS)

    async def _events(self, request: Request) -> _PlacedStream:
        secret = request.cookies.get(COOKIE)
        guest = self._guests.known(secret)

        async def stream() -> Response:
            return StreamingResponse(
                self._views(secret), media_type="text/event-stream", headers=_HEADERS
            )

        return _PlacedStream(self._pages, guest.player if guest else "", stream)

    async def _views(self, secret: str | None) -> AsyncIterator[str]:
        guest = self._guests.known(secret)
        if guest is not None:
            self._guests.opened(guest)
        try:
            last, beat_s = "", 0.0
            while not self._over.is_set():
                # Whoever has left looks on.
                view = dict(player_view(self._guests, self._guests.known(secret)))
                now_ms = view.pop("now_ms")
                said = json.dumps(view)
                beat_s -= LOOK_S
                if said != last or beat_s <= 0:
                    yield f'event: beat\ndata: {{"now_ms": {now_ms}}}\n\n'
                    beat_s = BEAT_S
                if said != last:
                    yield f"event: player\ndata: {said}\n\n"
                    last = said
                await asyncio.sleep(LOOK_S)
        finally:
            if guest is not None:
                self._guests.closed(guest)

    async def _act(self, request: Request) -> Response:
        origin = request.headers.get("origin")
        if origin is None or origin.partition("://")[2] != request.headers.get("host"):
            return _not_done("open this server's own page", 403)
        try:
            asked = await _body(request)
            if asked.get("do") == "join":
                return await self._join(request, asked)
            guest = self._guests.known(request.cookies.get(COOKIE))
            if guest is None:
                return _not_done("join the table first", 401)
            await self._done(guest, asked)
        except NotDone as error:
            return _not_done(error.template, 409, error.values)
        return JSONResponse({"done": True})

    async def _join(self, request: Request, asked: dict[str, Any]) -> Response:
        if self._guests.known(request.cookies.get(COOKIE)) is not None:
            raise NotDone("you have joined already")
        guest = await self._guests.join(asked.get("name"))
        answer = JSONResponse({"done": True})
        answer.set_cookie(COOKIE, guest.secret, httponly=True, samesite="strict")
        return answer

    async def _done(self, guest: Guest, asked: dict[str, Any]) -> None:
        """Do what was asked. Raises `NotDone`."""
        acts: dict[Any, Callable[[], Awaitable[None]]] = {
            "bet": lambda: self._guests.bet(guest, asked.get("amount"), asked.get("behind")),
            "decide": lambda: self._guests.decide(
                guest, asked.get("seat"), asked.get("hand"), asked.get("action")
            ),
            "leave": lambda: self._guests.leave(guest),
        }
        do = asked.get("do")
        if do == "buy":
            self._guests.buy(guest)
        elif isinstance(do, str) and do in acts:
            await acts[do]()
        else:
            raise NotDone(f"unknown act: ask join, buy, {', '.join(acts)}")

    # What is shown of the table

    async def watch_camera(self) -> None:
        """Keep the newest picture of the camera above the table, until cancelled."""
        while True:
            try:
                async with self._client.stream("GET", self._camera_url) as stream:
                    stream.raise_for_status()
                    async for picture in pictures(stream.aiter_bytes()):
                        self._picture = picture
            except httpx.HTTPError:
                self._picture = b""  # the table is being restarted: it is asked again
            await asyncio.sleep(RETRY_S)

    async def _camera(self, _: Request) -> Response:
        if not self._picture:
            return _not_done("the camera gives no picture: wait a moment", 503)
        return Response(self._picture, 200, _HEADERS, media_type="image/jpeg")

    async def _file_of_table(self, request: Request) -> Response:
        if not _FILE.fullmatch(request.url.path):
            return _not_done("there is nothing at this address", 404)
        return await self._of_table(request)

    async def _stream_of_table(self, request: Request) -> _PlacedStream:
        return _PlacedStream(self._overlays, "", lambda: self._of_table(request))

    async def _of_table(self, request: Request) -> Response:
        query = f"?{request.url.query}" if request.url.query else ""
        return await self._passed_on(request.url.path + query)

    async def _passed_on(self, url: str) -> Response:
        try:
            asked = self._client.build_request("GET", url)
            answer = await self._client.send(asked, stream=True)
        except httpx.HTTPError:
            return _not_done("the table does not answer: wait a moment", 502)
        headers = {"Content-Security-Policy": _POLICY}
        for name in ("content-type", "cache-control", "etag"):
            if name in answer.headers:
                headers[name] = answer.headers[name]
        return StreamingResponse(
            self._parts(answer),
            answer.status_code,
            headers,
        )

    async def _parts(self, answer: httpx.Response) -> AsyncIterator[bytes]:
        """What comes, as long as it comes; a line that is lost ends the answer."""
        try:
            async for part in answer.aiter_bytes():
                if self._over.is_set():
                    return
                yield part
        except httpx.HTTPError:
            return  # the page asks again
        finally:
            await answer.aclose()


async def pictures(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The JPEG pictures of a stream of them (RFC 2046: each part has its length)."""
    rest = b""
    async for part in parts:
        rest += part
        while (found := _PART.search(rest)) and len(rest) >= found.end() + int(found[1]):
            end = found.end() + int(found[1])
            yield rest[found.end() : end]
            rest = rest[end:]


async def _body(request: Request) -> dict[str, Any]:
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > BODY_LIMIT_BYTES:
            raise NotDone(f"more than {BODY_LIMIT_BYTES} bytes: send one act")
    try:
        asked = json.loads(data)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        asked = None
    if not isinstance(asked, dict):
        raise NotDone('not an act: send JSON such as {"do": "bet", "amount": 1000}')
    return asked


def _not_done(why: str, status: int, values: Mapping[str, str | int] | None = None) -> Response:
    """`why` in English with its `values`: the page says it in the language of the table."""
    return JSONResponse({"done": False, "why": why, "values": values or {}}, status)
