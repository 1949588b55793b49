"""Which requests are let in: by Host, Origin, token and size of the body; and how many at a time.

Every request passes here, and no write gets past without the token, whatever route it is for.
Host names are checked against DNS rebinding: a page of another name that resolves to this machine
could otherwise read and write as if it were ours. Requests without the token are answered one at a
time and have half of the loop's time at most: however many ask, a card waits for one of them.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.web.problems import RequestRejected, problem
from controller.web.server.server import connection_of
from controller.web.settings import WebSettings

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
#: Streams are limited by their number, and cost nothing while nothing changes.
STREAMS: Final = "/events/"
_TRUSTED: Final = "tablectl.trusted"


def is_trusted(scope: Scope) -> bool:
    """Whether the request had the table's token."""
    return _TRUSTED in scope.get("extensions", {})


class Admission:
    """Middleware around the whole app; adds the security headers to every answer."""

    def __init__(self, app: ASGIApp, settings: WebSettings) -> None:
        self._app = app
        self._hosts = frozenset(each.lower() for each in (*LOOPBACK, *settings.hosts))
        self._origins = frozenset(each.lower() for each in settings.origins)
        self._token = settings.token.encode()
        self._max_body_bytes = settings.max_body_bytes
        self._headers = security_headers(settings)
        self._lane = RequestLane()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it here."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        send_marked = with_headers(send, self._headers)
        headers = Headers(scope=scope)
        trusted = self._has_token(headers)
        refusal = self._wrong_host(headers)
        if refusal is None and scope["method"] not in READS:
            refusal = self._forbidden_write(scope["scheme"], headers, has_token=trusted)
        if refusal is not None:
            await refusal(scope, receive, send_marked)
            return
        if trusted:
            scope["extensions"] = {**scope.get("extensions", {}), _TRUSTED: {}}
            if connection := connection_of(scope):
                connection.trust()
        counted = bounded(receive, self._max_body_bytes, self._too_long)
        if trusted or scope["path"].startswith(STREAMS):
            await self._app(scope, counted, send_marked)
        else:
            await self._lane.go(self._app, scope, counted, send_marked)

    def _wrong_host(self, headers: Headers) -> Response | None:
        """The answer to a request for a host name that is not the table's."""
        if is_for(headers, self._hosts):
            return None
        return problem(421, "This host name is not the table's: use 127.0.0.1, or allow the name")

    def _has_token(self, headers: Headers) -> bool:
        kind, _, token = headers.get("authorization", "").partition(" ")
        offered = token.strip().encode()
        return kind.lower() == "bearer" and hmac.compare_digest(offered, self._token)

    def _forbidden_write(
        self, scheme: str, headers: Headers, *, has_token: bool
    ) -> Response | None:
        """The answer to a write from another origin, without the token, or with too long a body."""
        origin = headers.get("origin")
        ours = f"{scheme}://{headers['host']}".lower()
        if origin is not None and origin.lower() not in {ours, *self._origins}:
            return problem(403, "This page may not write: use the table's own, or allow it")
        if not has_token:
            return problem(
                401, "Send the table's token: Authorization: Bearer TOKEN",
                {"WWW-Authenticate": 'Bearer realm="tablectl"'},
            )  # fmt: skip
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._max_body_bytes:
            return problem(413, self._too_long)
        return None

    @property
    def _too_long(self) -> str:
        return f"The body is too long: send one command, at most {self._max_body_bytes} bytes"


def is_for(headers: Headers, hosts: frozenset[str]) -> bool:
    """Whether a request names one of these hosts; one without a port allows every port."""
    named = [each.lower() for each in headers.getlist("host")]
    return len(named) == 1 and (named[0] in hosts or _name(named[0]) in hosts)


def with_headers(send: Send, headers: dict[str, str]) -> Send:
    """`send`, with these headers in each answer that does not set them itself."""

    async def send_marked(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer = MutableHeaders(scope=message)
            for name, value in headers.items():
                answer.setdefault(name, value)
        await send(message)

    return send_marked


def bounded(receive: Receive, most: int, text: str) -> Receive:
    """`receive` that counts: a body may come without its length, or with a wrong one."""
    received = 0

    async def receive_some() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > most:
            raise RequestRejected(413, text)
        return message

    return receive_some


class RequestLane:
    """Lets requests through one at a time, and rests after each for as long as it took."""

    def __init__(self) -> None:
        self._free = asyncio.Lock()
        self._rests_until_s = 0.0

    async def go(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. How long its reader takes to read the answer keeps nobody waiting."""
        await self._free.acquire()
        held = True
        began_s = time.monotonic()

        def release() -> None:
            nonlocal held
            if held:
                held = False
                now_s = time.monotonic()
                self._rests_until_s = now_s + (now_s - began_s)
                self._free.release()

        async def send_computed(message: Message) -> None:
            release()  # what follows is sending
            await send(message)

        # For whoever waits for somebody else before there is an answer.
        scope.setdefault("state", {})["leave_lane"] = release
        try:
            await asyncio.sleep(self._rests_until_s - began_s)
            began_s = time.monotonic()
            await app(scope, receive, send_computed)
        finally:
            release()


def security_headers(settings: WebSettings) -> dict[str, str]:
    """Headers of every answer: what a browser may load, frame and keep (nothing)."""
    framed_by = " ".join(settings.frame_ancestors) or "'none'"
    return {
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            f"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {framed_by}"
        ),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }


def _name(host: str) -> str:
    """The host without its port."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host
