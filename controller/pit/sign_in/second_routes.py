"""The second step of signing in, and the app and recovery codes of whoever is signed in."""

from __future__ import annotations

import asyncio

import segno
from fastapi import Response
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from controller.pit.accounts.accounts import SignInRefused
from controller.pit.accounts.factors.second_factor import FactorRefused, NewApp, SecondFactors
from controller.pit.sign_in.cookies import (
    BROWSER,
    FIRST_STEP,
    SESSION,
    cookie,
    end_first_step,
    keep,
    local_path,
)
from controller.pit.sign_in.forms import read_form
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.pages import Pages
from controller.pit.sign_in.sign_in_routes import (
    SECOND_STEP,
    client_of,
    refusal_status,
    retry_after,
)


class SecondRoutes:
    """The routes of second factors."""

    def __init__(self, second: SecondFactors, pages: Pages) -> None:
        self._second = second
        self._pages = pages

    def routes(self) -> list[Route]:
        """Every route."""
        return [
            Route(SECOND_STEP, self._form, methods=["GET"]),
            Route(SECOND_STEP, self._sign_in, methods=["POST"]),
            Route(f"{SECOND_STEP}/app", self._set_up, methods=["POST"]),
            Route("/sessions/app", self._new_app, methods=["GET"]),
            Route("/sessions/app", self._add_app, methods=["POST"]),
            Route("/sessions/app/remove", self._remove_app, methods=["POST"]),
            Route("/sessions/recovery", self._recovery, methods=["POST"]),
        ]

    async def _form(self, request: Request) -> Response:
        onward = local_path(request.query_params.get("next", "/"))
        try:
            return await self._second_page(request, onward)
        except SignInRefused:
            return RedirectResponse("/sign-in?ended=1", 303)

    async def _second_page(
        self, request: Request, onward: str, error: SignInRefused | None = None
    ) -> Response:
        """What is asked for next. Raises `SignInRefused` where the first step is over."""
        step = await asyncio.to_thread(self._second.second_step, cookie(request, FIRST_STEP))
        if not step.sets_up:
            answer = self._pages.page(
                "second", None, refusal_status(error), name=step.user.name, factors=step.factors,
                onward=onward, said="" if error is None else str(error),
            )  # fmt: skip
            return retry_after(answer, error)
        try:
            app = self._second.begin_app(step.user.id, step.user.name)
        except FactorRefused as refused:
            return self._pages.page(
                "sign_in", None, 403, onward=onward, said=str(refused), name=step.user.name,
                out=False,
            )  # fmt: skip
        answer = self._app_page(
            app, onward, f"{SECOND_STEP}/app", name=step.user.name, status=refusal_status(error),
            said="" if error is None else str(error),
        )  # fmt: skip
        return retry_after(answer, error)

    async def _sign_in(self, request: Request) -> Response:
        form = await read_form(request)
        onward, typed = local_path(form.text("next")), form.text("code")
        first, client = cookie(request, FIRST_STEP), client_of(request)
        before = cookie(request, BROWSER), cookie(request, SESSION)
        try:
            signed_in = await asyncio.to_thread(self._second.sign_in, first, typed, client, *before)
        except SignInRefused as error:
            try:
                return await self._second_page(request, onward, error)
            except SignInRefused:
                return RedirectResponse("/sign-in?ended=1", 303)
        return end_first_step(keep(RedirectResponse(onward, 303), signed_in))

    async def _set_up(self, request: Request) -> Response:
        form = await read_form(request)
        onward, handle = local_path(form.text("next")), form.text("handle")
        first, client = cookie(request, FIRST_STEP), client_of(request)
        before = cookie(request, SESSION), cookie(request, BROWSER)
        try:
            step = await asyncio.to_thread(self._second.second_step, first)
        except SignInRefused:
            return RedirectResponse("/sign-in?ended=1", 303)
        try:
            signed_in, made = await asyncio.to_thread(
                self._second.set_up_and_sign_in, first, handle, form.text("code"), client, before
            )
        except SignInRefused:
            return RedirectResponse("/sign-in?ended=1", 303)
        except FactorRefused as refused:
            return self._app_again(
                step.user.id, step.user.name, handle, onward, f"{SECOND_STEP}/app", refused
            )
        page = self._pages.page("recovery", None, codes=made, onward=onward)
        return end_first_step(keep(page, signed_in))

    async def _new_app(self, request: Request) -> Response:
        me = identity_of(request)
        try:
            app = self._second.begin_app(me.user, me.name)
        except FactorRefused as refused:
            return self._pages.page("cannot", me, 422, said=str(refused))
        return self._app_page(app, "/sessions", "/sessions/app", name=me.name, request=request)

    async def _add_app(self, request: Request) -> Response:
        form, me = await read_form(request), identity_of(request)
        handle, typed, client = form.text("handle"), form.text("code"), client_of(request)
        try:
            made = await asyncio.to_thread(self._second.add_app, me, handle, typed, client)
        except FactorRefused as refused:
            return self._app_again(
                me.user, me.name, handle, "/sessions", "/sessions/app", refused, request
            )
        return self._pages.page("recovery", me, codes=made, onward="/sessions")

    async def _remove_app(self, request: Request) -> Response:
        me = identity_of(request)
        try:
            await asyncio.to_thread(self._second.remove_app, me, client_of(request))
        except FactorRefused as refused:
            return self._pages.page("cannot", me, 422, said=str(refused))
        return RedirectResponse("/sessions", 303)

    async def _recovery(self, request: Request) -> Response:
        me = identity_of(request)
        try:
            made = await asyncio.to_thread(self._second.new_recovery_codes, me, client_of(request))
        except FactorRefused as refused:
            return self._pages.page("cannot", me, 422, said=str(refused))
        return self._pages.page("recovery", me, codes=made, onward="/sessions")

    def _app_again(
        self, user: int, name: str, handle: str, onward: str, action: str, why: FactorRefused,
        request: Request | None = None,
    ) -> Response:  # fmt: skip
        """The same app once more, with why it was not kept; another one where that is too old, as
        far as there is one.
        """
        try:
            app = self._another_app(user, name, handle)
        except FactorRefused as refused:
            me = None if request is None else identity_of(request)
            return self._pages.page("cannot", me, 422, said=str(refused))
        return self._app_page(
            app, onward, action, name=name, said=str(why), status=422, request=request
        )

    def _another_app(self, user: int, name: str, handle: str) -> NewApp:
        """Raises `FactorRefused`."""
        try:
            return self._second.same_app(user, name, handle)
        except FactorRefused:
            return self._second.begin_app(user, name)

    def _app_page(
        self, app: NewApp, onward: str, action: str, *, name: str, said: str = "",
        status: int = 200, request: Request | None = None,
    ) -> Response:  # fmt: skip
        picture = segno.make(app.address, error="m").svg_data_uri(scale=5, border=3, light="#fff")
        me = None if request is None else identity_of(request)
        return self._pages.page(
            "app", me, status, picture=picture, app=app, onward=onward, action=action, name=name,
            said=said,
        )  # fmt: skip
