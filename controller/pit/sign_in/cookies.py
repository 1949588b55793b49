"""The cookies of the pit, and the addresses that a page may be sent on to.

`__Host-` binds a cookie to this host alone and to TLS (RFC 6265bis 4.1.3); a browser takes this
machine's own plain pages as safe too.
"""

from __future__ import annotations

import re
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from controller.pit.accounts.accounts import FirstStep, SignedIn
from controller.pit.accounts.codes import LASTS_MS, Purpose

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
    return request.cookies.get(name, "")


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
