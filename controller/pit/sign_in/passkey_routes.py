"""Passkeys: added and removed by whoever is signed in, and signing in by one."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import Response
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from controller.pit.accounts.accounts import SignInRefused
from controller.pit.accounts.factors.passkeys import PasskeyRefused, Passkeys
from controller.pit.sign_in.cookies import BROWSER, SESSION, cookie, keep
from controller.pit.sign_in.forms import read_form
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.pages import Pages
from controller.pit.sign_in.sign_in_routes import client_of
from controller.web.json_views import JSON
from controller.web.problems import RequestRejected

_COOKIE: Final = "__Host-pit-passkey"
_COOKIE_S: Final = 300


class PasskeyRoutes:
    """The routes of passkeys. `origin` is where browsers find the pit, empty: on this machine."""

    def __init__(self, passkeys: Passkeys, pages: Pages, origin: str) -> None:
        self._passkeys = passkeys
        self._pages = pages
        self._origin = origin

    def routes(self) -> list[Route]:
        """Every route."""
        return [
            Route("/passkeys/begin", self._begin_adding, methods=["POST"]),
            Route("/passkeys/add", self._add, methods=["POST"]),
            Route("/passkeys/remove", self._remove, methods=["POST"]),
            Route("/sign-in/passkey/begin", self._begin, methods=["POST"]),
            Route("/sign-in/passkey", self._sign_in, methods=["POST"]),
        ]

    async def _begin_adding(self, request: Request) -> Response:
        me, origin = identity_of(request), self._of(request)
        try:
            return _asked(*await asyncio.to_thread(self._passkeys.begin_adding, me, origin))
        except PasskeyRefused as error:
            raise RequestRejected(422, str(error)) from error

    async def _add(self, request: Request) -> Response:
        answer, me = await _answer(request), identity_of(request)
        client, secret = client_of(request), cookie(request, _COOKIE)
        origin = self._of(request)
        try:
            await asyncio.to_thread(self._passkeys.add, me, origin, secret, answer, client)
        except PasskeyRefused as error:
            raise RequestRejected(422, str(error)) from error
        return Response(b"{}", media_type=JSON)

    async def _remove(self, request: Request) -> Response:
        number, me = (await read_form(request)).number("passkey"), identity_of(request)
        try:
            await asyncio.to_thread(self._passkeys.remove, me, number, client_of(request))
        except PasskeyRefused as error:
            return self._pages.page("cannot", me, 422, said=str(error))
        return RedirectResponse("/sessions", 303)

    async def _begin(self, request: Request) -> Response:
        return _asked(*self._passkeys.begin_sign_in(self._of(request)))

    async def _sign_in(self, request: Request) -> Response:
        answer, client = await _answer(request), client_of(request)
        secret = cookie(request, _COOKIE)
        before = cookie(request, SESSION), cookie(request, BROWSER)
        origin = self._of(request)
        try:
            signed_in = await asyncio.to_thread(
                self._passkeys.sign_in, origin, secret, answer, client, before
            )
        except SignInRefused as error:
            raise RequestRejected(403, str(error)) from error
        return keep(Response(b"{}", media_type=JSON), signed_in)

    def _of(self, request: Request) -> str:
        """The origin that the browser signs: the configured one, or this machine's."""
        return self._origin or f"{request.url.scheme}://{request.headers['host']}".lower()


async def _answer(request: Request) -> str:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise RequestRejected(415, f"Send {JSON}")
    try:
        return (await request.body()).decode()
    except UnicodeDecodeError as error:
        raise RequestRejected(400, "It is no text") from error


def _asked(options: str, secret: str) -> Response:
    answer = Response(options, media_type=JSON)
    text = f"{_COOKIE}={secret}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age={_COOKIE_S}"
    answer.headers.append("Set-Cookie", text)
    return answer
