"""Every request to the pit passes here: host, who asks, role, origin, size; and the headers of
every answer.

Whoever is not signed in and has never been in that browser is answered one at a time: a flood of
strangers leaves half of the loop's time to the others.
"""

from __future__ import annotations

import asyncio
from typing import Final
from urllib.parse import quote

from fastapi import Response
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.refusals import Refusals
from controller.pit.accounts.roles import Identity
from controller.pit.archive.storage.database import NO_ANSWER
from controller.pit.sign_in.access import SIGNED_IN, Access, Declared
from controller.pit.sign_in.cookies import BROWSER, SESSION, cookie, plain_cookies
from controller.pit.sign_in.pages import Pages, wants_page
from controller.web.admission import (
    LOOPBACK,
    READS,
    STREAMS,
    RequestLane,
    bounded,
    is_for,
    with_headers,
)
from controller.web.problems import RequestRejected, problem
from controller.web.server.server import connection_of

#: An act asks for a password or passkey that was given within this time.
PROVEN_MS: Final = 10 * 60_000
#: A stream looks this often whether its session still lasts.
LOOK_S: Final = 5.0
MAX_BODY_BYTES: Final = 16 * 1024
_TOO_LONG: Final = f"The body is too long: {MAX_BODY_BYTES} bytes at most"
_OTHER_PAGE: Final = "This page may not write: use the pit's own"
_BEARER: Final = {"WWW-Authenticate": 'Bearer realm="tablectl pit"'}
#: What is made for programs is no page: a browser that is led to it shows nothing.
_AS_FILE: Final = {"Content-Disposition": 'attachment; filename="api.json"'}
_HSTS_S: Final = 2 * 365 * 86_400
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # With `no-referrer` browsers send `Origin: null` with a form.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "no-store",
}


class Gate:
    """Middleware around the pit's app; browsers find it at `origin`, empty: on this machine."""

    def __init__(
        self, app: ASGIApp, declared: Declared, accounts: Accounts, pages: Pages,
        origin: str = "",
    ) -> None:  # fmt: skip
        self._app = app
        self._declared = declared
        self._accounts = accounts
        self._pages = pages
        self._origin = origin.lower()
        host = self._origin.partition("://")[2]
        self._hosts = frozenset((*LOOPBACK, host) if host else LOOPBACK)
        self._headers = dict(HEADERS)
        if self._origin.startswith("https://"):
            self._headers["Strict-Transport-Security"] = f"max-age={_HSTS_S}"
        self._lane = RequestLane()
        self._refusals = Refusals(accounts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it here."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        if _has_nul(scope):
            await problem(400, "An address of the pit has no NUL")(scope, receive, send)
            return
        if not self._origin:
            send = plain_cookies(scope, send)
        api = scope["path"].startswith("/api/")
        send_marked = with_headers(send, self._headers | _AS_FILE if api else self._headers)
        try:
            refusal, known = await self._let_in(scope)
        except NO_ANSWER:
            text = "The pit's database does not answer: look at its log and at the database"
            refusal, known = self._problem(scope, 503, text), False
            refusal.headers["Retry-After"] = "2"
        if refusal is not None:
            await refusal(scope, receive, send_marked)
            return
        scope["state"]["known"] = known
        if known and (connection := connection_of(scope)):
            connection.trust()
        if scope["path"].startswith(STREAMS):
            await self._app(scope, self._while_signed_in(scope, receive), send_marked)
            return
        try:
            # Before anybody else waits for it: one whose form never ends keeps nobody out.
            whole = receive if scope["method"] in READS else await _whole(receive)
        except RequestRejected as error:
            refusal = self._problem(scope, error.status_code, error.detail)
            await refusal(scope, receive, send_marked)
            return
        if whole is None:
            return  # it has gone
        if known:
            await self._app(scope, whole, send_marked)
        else:
            await self._lane.go(self._app, scope, whole, send_marked)

    async def _let_in(self, scope: Scope) -> tuple[Response | None, bool]:
        """The answer to a request that is refused, and whether whoever asks is known."""
        request = HTTPConnection(scope)
        if not is_for(request.headers, self._hosts):
            text = "This host name is not the pit's: use its own, or set web.address to it"
            return self._problem(scope, 421, text), False
        # Of what is not there only people who are signed in learn that it is not.
        access = self._declared.access(scope) or SIGNED_IN
        identity = await self._who(request)
        scope.setdefault("state", {})["identity"] = identity
        refusal = self._not_allowed(request, access, identity)
        if identity is None and (token := _token(request)) is not None and refusal is not None:
            text = await asyncio.to_thread(self._refusals.of_token, token, _address(request))
            return problem(401, text, _BEARER), False
        if identity is not None and not access.allows(identity.roles):
            await self._record(AuditAct.REFUSED_ROLE, identity, request)
        if refusal is None and wants_page(request.headers) and self._declared.is_act(scope):
            # Whoever comes to an act's own address, as a browser that was started again does.
            refusal = RedirectResponse(self._page_above(request.url.path), 303)
        if refusal is None and scope["method"] not in READS:
            is_program = access.signed or (identity is not None and not identity.session)
            refusal = self._forbidden_write(scope, request.headers, is_program=is_program)
            if identity is not None and refusal is not None and refusal.status_code == 403:
                await self._record(AuditAct.REFUSED_PAGE, identity, request)
        known = identity is not None
        if not known and (browser := cookie(request, BROWSER)):
            known = await asyncio.to_thread(self._accounts.knows_browser, browser)
        return refusal, known

    async def _record(self, why: AuditAct, who: Identity, request: HTTPConnection) -> None:
        """Write down that somebody was refused, before the answer says so."""
        what, address = self._declared.name(request.scope), _address(request)
        await asyncio.to_thread(self._refusals.of_known, why, who, what, address)

    async def _who(self, request: HTTPConnection, *, uses: bool = True) -> Identity | None:
        """Whoever asks; a page that asks by itself leaves its session as idle as it was."""
        if (token := _token(request)) is not None:
            return await asyncio.to_thread(self._accounts.machine, token)
        session = cookie(request, SESSION)
        if not session:
            return None
        by_itself = (
            request.headers.get("sec-fetch-mode") == "navigate"
            and "sec-fetch-user" not in request.headers
            and request.scope["method"] == "GET"
        )
        uses = uses and not by_itself and not request.url.path.startswith((STREAMS, "/api/v1/me"))
        return await asyncio.to_thread(self._accounts.recognize, session, uses=uses)

    def _not_allowed(
        self, request: HTTPConnection, access: Access, identity: Identity | None
    ) -> Response | None:
        if access.roles is None:
            return None
        here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        reads = request.scope["method"] in READS
        if identity is None:
            if not wants_page(request.headers):
                return problem(401, "Sign in, or send a machine's token", _BEARER)
            ended = "&ended=1" if cookie(request, SESSION) else ""
            back = here if reads else self._page_of(request.url.path)
            return RedirectResponse(f"/sign-in?next={_quoted(back)}{ended}", 303)
        if not access.allows(identity.roles):
            needed = " or ".join(sorted(each.words for each in access.roles))
            if wants_page(request.headers):
                return self._pages.refused(identity, needed)
            return problem(403, f"This is for {needed}")
        if access.proven and not self._is_proven(identity):
            if not wants_page(request.headers):
                return problem(403, "Prove first who is there: /prove")
            back = here if reads else self._page_of(request.url.path)
            return RedirectResponse(f"/prove?next={_quoted(back)}", 303)
        return None

    def _page_of(self, path: str) -> str:
        """The page from which a form was sent: what it changed is not sent again."""
        is_page = self._declared.access({"type": "http", "method": "GET", "path": path})
        return self._page_above(path) if is_page is None else path

    def _page_above(self, path: str) -> str:
        """The page that an act stands on: the nearest above it that can be looked at."""
        while path := path.rpartition("/")[0]:
            if self._declared.access({"type": "http", "method": "GET", "path": path}) is not None:
                return path
        return "/"

    def _is_proven(self, identity: Identity) -> bool:
        return 0 <= self._accounts.clock_ms() - identity.proved_ms < PROVEN_MS

    def _forbidden_write(
        self, scope: Scope, headers: Headers, *, is_program: bool
    ) -> Response | None:
        """The answer to a write that no page of the pit's own sends, and no program."""
        ours = {self._origin}
        # A plain page of the name that browsers find over TLS is somebody else's.
        if is_for(headers, frozenset(LOOPBACK)) or not self._origin:
            ours.add(f"{scope['scheme']}://{headers['host']}".lower())
        origin = headers.get("origin", "")
        if (origin or not is_program) and origin.lower() not in ours - {""}:
            return self._problem(scope, 403, _OTHER_PAGE)
        if headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return self._problem(scope, 403, _OTHER_PAGE)
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > MAX_BODY_BYTES:
            return self._problem(scope, 413, _TOO_LONG)
        return None

    def _problem(self, scope: Scope, status: int, text: str) -> Response:
        """Why a request gets no further: a page for a person, JSON for everything else."""
        if not wants_page(Headers(scope=scope)):
            return problem(status, text)
        who: Identity | None = scope.get("state", {}).get("identity")
        return self._pages.problem(who, status, text, reads=scope["method"] in READS)

    def _while_signed_in(self, scope: Scope, receive: Receive) -> Receive:
        """`receive` of a stream, which is over once its session is."""
        request = HTTPConnection(scope)

        async def receive_or_end() -> Message:
            waiting = asyncio.ensure_future(receive())
            try:
                while not (await asyncio.wait((waiting,), timeout=LOOK_S))[0]:
                    if not await self._still_may(request):
                        return {"type": "http.disconnect"}
                return waiting.result()
            finally:
                waiting.cancel()

        return receive_or_end

    async def _still_may(self, request: HTTPConnection) -> bool:
        try:
            identity = await self._who(request, uses=False)
        except NO_ANSWER:
            # Nobody can end a session either: the wall that is open stays.
            return True
        access = self._declared.access(request.scope) or SIGNED_IN
        return identity is not None and access.allows(identity.roles)


def _has_nul(scope: Scope) -> bool:
    """Whether a character is asked for that PostgreSQL has in no text: what came of it looked as
    if the database were away.
    """
    return "\0" in scope["path"] or b"%00" in scope["query_string"]


async def _whole(receive: Receive) -> Receive | None:
    """`receive` with a body that has come; None: whoever sent it has gone.

    Raises `RequestRejected` for one that is too long.
    """
    counted, body = bounded(receive, MAX_BODY_BYTES, _TOO_LONG), bytearray()
    while True:
        message = await counted()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    come: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

    async def receive_whole() -> Message:
        return come.pop() if come else await receive()

    return receive_whole


def _token(request: HTTPConnection) -> str | None:
    """The machine's token that came; None: none came."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


def _address(request: HTTPConnection) -> str:
    return request.client.host if request.client else ""


def _quoted(path: str) -> str:
    return quote(path, safe="/")


def leave_lane(request: Request) -> None:
    """Whoever asks waits for others from here on: the next stranger is answered meanwhile."""
    if (leave := getattr(request.state, "leave_lane", None)) is not None:
        leave()


def identity_of(request: Request) -> Identity:
    """Whoever asks; only on routes that are not for anybody."""
    found: Identity | None = request.state.identity
    assert found is not None, "the gate lets nobody in here unknown"
    return found
