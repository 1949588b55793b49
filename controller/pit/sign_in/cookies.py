"""The cookies of the pit, and the addresses that a page may be sent on to.

`__Host-` binds a cookie to this host alone and to TLS (RFC 6265bis 4.1.3). Chromium and Firefox
take this machine's own plain pages as safe too, WebKit (Safari) does not: of a pit that browsers
find on this machine alone the same cookies go without the prefix and without `Secure`, and only a
loopback interface carries them.
"""

from __future__ import annotations

import re
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Message, Scope, Send

from controller.pit.accounts.accounts import FirstStep, SignedIn
from controller.pit.accounts.codes import LASTS_MS, Purpose
from controller.web.admission import LOOPBACK, is_for

_BOUND: Final = "__Host-"
SESSION: Final = "__Host-pit-session"
BROWSER: Final = "__Host-pit-browser"
#: Of whoever has given the right password, until the second step.
FIRST_STEP: Final = "__Host-pit-first-step"
_FIRST_STEP_S: Final = LASTS_MS[Purpose.SECOND] // 1_000
#: Browsers keep no cookie for longer than 400 days.
_BROWSER_S: Final = 400 * 86_400
_LOCAL: Final = re.compile(r"/(?![/\\])[!-\[\]-~]*")


def cookie(request: HTTPConnection, name: str) -> str:
    """A cookie that came, or nothing."""
    came = request.cookies
    if is_plain(request.scope) and (plain := came.get(name.removeprefix(_BOUND))):
        return plain
    return came.get(name, "")


def is_plain(scope: Scope) -> bool:
    """Whether the gate found a plain page of this machine's own (`plain_cookies`)."""
    return bool(scope.get("state", {}).get("plain"))


def plain_cookies(scope: Scope, send: Send) -> Send:
    """`send`, with cookies as every browser keeps them where a plain page of this machine's own is
    asked for.

    Not for a pit with an address: a proxy with TLS may pass on the pit's own port as the name that
    is asked for, and these cookies would go over the house's network.
    """
    if scope["scheme"] != "http" or not is_for(Headers(scope=scope), frozenset(LOOPBACK)):
        return send
    scope.setdefault("state", {})["plain"] = True

    async def send_plain(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer = MutableHeaders(scope=message)
            cookies = answer.getlist("set-cookie")
            del answer["set-cookie"]
            for text in cookies:
                plain = text.removeprefix(_BOUND).replace("; Secure", "", 1)
                answer.append("Set-Cookie", plain)
        await send(message)

    return send_plain


def keep(answer: Response, signed_in: SignedIn) -> Response:
    """Let the browser keep the secrets of whoever has signed in."""
    for name, secret, max_age in (
        # Lax: a link in a message leads to the page, not to the sign-in, and whoever comes back
        # from the house's provider is known still. What writes asks for the origin besides.
        (SESSION, signed_in.session, None),
        (BROWSER, signed_in.browser, _BROWSER_S),
    ):
        age = "" if max_age is None else f"; Max-Age={max_age}"
        text = f"{name}={secret}; Path=/; Secure; HttpOnly; SameSite=Lax{age}"
        answer.headers.append("Set-Cookie", text)
    return answer


def keep_first_step(answer: Response, first: FirstStep) -> Response:
    """Let the browser come back with its first step."""
    return _first_step(answer, first.secret, _FIRST_STEP_S)


def end_first_step(answer: Response) -> Response:
    """Let the browser forget its first step."""
    return _first_step(answer, "", 0)


def _first_step(answer: Response, secret: str, age_s: int) -> Response:
    text = f"{FIRST_STEP}={secret}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age={age_s}"
    answer.headers.append("Set-Cookie", text)
    return answer


def drop(answer: Response) -> Response:
    """Let the browser forget its session."""
    text = f"{SESSION}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0"
    answer.headers.append("Set-Cookie", text)
    answer.headers["Clear-Site-Data"] = '"cache", "storage"'
    return answer


def local_path(text: str) -> str:
    """An address of this pit's own, `/` in place of anything else: nobody is sent elsewhere."""
    return text if _LOCAL.fullmatch(text) else "/"
