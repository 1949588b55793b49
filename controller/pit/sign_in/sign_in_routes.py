"""Signing in and out, links that work once, and proving again who is there."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Final, TypeVar
from urllib.parse import quote

from fastapi import Response
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse
from starlette.routing import Route

from controller.pit.accounts.accounts import Accounts, FirstStep, SignedIn, SignInRefused
from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.factors.second_factor import SecondFactors
from controller.pit.accounts.passwords import MIN_CHARS, MOST_SCORE, PasswordRefused, strength
from controller.pit.accounts.sessions import Client
from controller.pit.sign_in.cookies import (
    BROWSER,
    SESSION,
    cookie,
    drop,
    keep,
    keep_first_step,
    local_path,
)
from controller.pit.sign_in.forms import read_form
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.pages import Pages
from controller.web.problems import RequestRejected

Result = TypeVar("Result")
#: Passwords that are checked at a time: each takes 64 MiB.
AT_ONCE: Final = 2
#: Those that wait for it; more are sent away.
_MOST_WAIT: Final = 16
#: What is asked of whoever's password was right, where that is not enough.
SECOND_STEP: Final = "/sign-in/second"
_ENDED: Final = "Your session has ended: sign in again."


class SignInRoutes:
    """The routes of signing in."""

    def __init__(self, accounts: Accounts, second: SecondFactors, pages: Pages) -> None:
        self._accounts = accounts
        self._second = second
        self._pages = pages
        self._checking = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0

    def routes(self) -> list[Route]:
        """Every route."""
        return [
            Route("/sign-in", self._form, methods=["GET"]),
            Route("/sign-in", self._sign_in, methods=["POST"]),
            Route("/sign-out", self._sign_out, methods=["POST"]),
            Route("/enter/{code}", self._enter_form, methods=["GET"]),
            Route("/enter/{code}", self._enter, methods=["POST"]),
            Route("/set-up/{code}", self._set_up_form, methods=["GET"]),
            Route("/set-up/{code}", self._set_up, methods=["POST"]),
            Route("/set-up/{code}/strength", self._strength, methods=["POST"]),
            Route("/prove", self._prove_form, methods=["GET"]),
            Route("/prove", self._prove, methods=["POST"]),
        ]

    async def _form(self, request: Request) -> Response:
        asked = request.query_params
        said = _ENDED if asked.get("ended") else ""
        onward, out = local_path(asked.get("next", "/")), "out" in asked
        return self._page(request, onward, said, out=out)

    async def _sign_in(self, request: Request) -> Response:
        form = await read_form(request)
        onward = local_path(form.text("next"))
        name, password = form.text("name"), form.text("password")
        client = client_of(request)
        before = cookie(request, BROWSER), cookie(request, SESSION)
        try:
            begun = await self._check(
                lambda: self._accounts.sign_in(name, password, client, *before)
            )
        except SignInRefused as error:
            return self._page(request, onward, str(error), name=name, error=error)
        return after_password(begun, onward)

    async def _sign_out(self, request: Request) -> Response:
        me = identity_of(request)
        await asyncio.to_thread(self._accounts.end_session, me.session, me, client_of(request))
        # Out of the pit: at the provider this person may be signed in still.
        return drop(RedirectResponse("/sign-in?out=1" if me.issuer else "/sign-in", 303))

    async def _enter_form(self, request: Request) -> Response:
        """Whoever looks at a link before its user does (a scanner of mail) uses it up with no
        look.
        """
        code = request.path_params["code"]
        try:
            name = await asyncio.to_thread(self._accounts.code_name, code, Purpose.SIGN_IN)
        except SignInRefused as error:
            return self._page(request, "/", str(error), status=403)
        return self._pages.page("enter", None, name=name)

    async def _enter(self, request: Request) -> Response:
        code, client = request.path_params["code"], client_of(request)
        before = cookie(request, SESSION), cookie(request, BROWSER)
        try:
            signed_in = await asyncio.to_thread(self._accounts.enter, code, client, *before)
        except SignInRefused as error:
            return self._page(request, "/", str(error), status=403)
        return _go("/", signed_in)

    async def _set_up_form(self, request: Request) -> Response:
        code = request.path_params["code"]
        try:
            name = await asyncio.to_thread(self._accounts.code_name, code, Purpose.SET_UP)
        except SignInRefused as error:
            return self._page(request, "/", str(error), status=403)
        return self._set_up_page(name, "")

    async def _set_up(self, request: Request) -> Response:
        code, client = request.path_params["code"], client_of(request)
        before = cookie(request, SESSION), cookie(request, BROWSER)
        form = await read_form(request)
        password = form.text("password")
        try:
            name = await asyncio.to_thread(self._accounts.code_name, code, Purpose.SET_UP)
        except SignInRefused as error:
            return self._page(request, "/", str(error), status=403)
        if password != form.text("again"):
            return self._set_up_page(name, "The two are not the same: type both again")
        try:
            begun = await self._check(
                lambda: self._accounts.set_up(code, password, client, *before)
            )
        except PasswordRefused as error:
            return self._set_up_page(name, str(error))
        except SignInRefused as error:
            return self._page(request, "/", str(error), status=403)
        return after_password(begun, "/")

    async def _strength(self, request: Request) -> Response:
        """How good a password is that is typed at this moment; the link is used up by no look."""
        code, password = request.path_params["code"], (await read_form(request)).text("password")
        try:
            name = await asyncio.to_thread(self._accounts.code_name, code, Purpose.SET_UP)
        except SignInRefused as error:
            raise RequestRejected(404, str(error)) from error
        found = await self._check(lambda: strength(password, name))
        return JSONResponse({"score": found.score, "said": found.said})

    async def _prove_form(self, request: Request) -> Response:
        onward = local_path(request.query_params.get("next", "/"))
        return await self._prove_page(request, onward)

    async def _prove_page(
        self, request: Request, onward: str, error: SignInRefused | None = None
    ) -> Response:
        me = identity_of(request)
        factors = await asyncio.to_thread(self._second.of, me.user)
        has_password = await asyncio.to_thread(self._accounts.has_password, me.user)
        said = "" if error is None else str(error)
        page = self._pages.page(
            "prove", me, refusal_status(error), onward=onward, said=said, factors=factors,
            has_password=has_password,
        )  # fmt: skip
        return retry_after(page, error)

    async def _prove(self, request: Request) -> Response:
        form = await read_form(request)
        me, client = identity_of(request), client_of(request)
        onward, password = local_path(form.text("next")), form.text("password")
        code, browser = form.text("code"), cookie(request, BROWSER)
        try:
            await self._check(lambda: self._second.prove(me, password, code, client, browser))
        except SignInRefused as error:
            return await self._prove_page(request, onward, error)
        return RedirectResponse(onward, 303)

    async def _check(self, work: Callable[[], Result]) -> Result:
        """Check or make a password's hash: a few at a time. Raises `RequestRejected` (503)."""
        if self._waiting >= _MOST_WAIT:
            text = "Too many sign in at this moment: try again in some seconds"
            raise RequestRejected(503, text, {"Retry-After": "5"})
        self._waiting += 1
        try:
            async with self._checking:
                return await asyncio.to_thread(work)
        finally:
            self._waiting -= 1

    def _page(
        self, request: Request, onward: str, said: str, *, name: str = "", status: int = 200,
        error: SignInRefused | None = None, out: bool = False,
    ) -> Response:  # fmt: skip
        if error is not None:
            status = refusal_status(error)
        answer = self._pages.page(
            "sign_in", request.state.identity, status, onward=onward, said=said, name=name, out=out
        )
        return retry_after(answer, error)

    def _set_up_page(self, name: str, said: str) -> Response:
        return self._pages.page(
            "set_up",
            None,
            422 if said else 200,
            name=name,
            said=said,
            least=MIN_CHARS,
            most_score=MOST_SCORE,
        )


def client_of(request: Request) -> Client:
    """Where a request comes from, and what its browser calls itself."""
    address = request.client.host if request.client else ""
    return Client(address, request.headers.get("user-agent", ""))


def after_password(begun: SignedIn | FirstStep, onward: str) -> Response:
    """On to the page that was asked for, or to the second step of signing in."""
    if isinstance(begun, SignedIn):
        return _go(onward, begun)
    answer = RedirectResponse(f"{SECOND_STEP}?next={quote(onward, safe='/')}", 303)
    return keep_first_step(answer, begun)


def refusal_status(error: SignInRefused | None) -> int:
    """The status of a page that says why nobody was signed in; None: nobody was refused."""
    if error is None:
        return 200
    return 429 if error.wait_s else 403


def retry_after(answer: Response, error: SignInRefused | None) -> Response:
    """The answer, with how long the next try waits."""
    if error is not None and error.wait_s:
        answer.headers["Retry-After"] = str(math.ceil(error.wait_s))
    return answer


def _go(onward: str, signed_in: SignedIn) -> Response:
    return keep(RedirectResponse(onward, 303), signed_in)
