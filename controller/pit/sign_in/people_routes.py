"""Sessions and users: what is shown of them, and what is done with them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from fastapi import Response
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.acts import act_words
from controller.pit.accounts.audit.search import rows_of_account
from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.factors.passkeys import Passkeys
from controller.pit.accounts.factors.second_factor import SecondFactors
from controller.pit.accounts.people import People
from controller.pit.accounts.roles import PitRole, read_roles
from controller.pit.accounts.users import UserRefused
from controller.pit.sign_in.cookies import drop
from controller.pit.sign_in.forms import Form, read_form
from controller.pit.sign_in.gate import identity_of
from controller.pit.sign_in.pages import Pages
from controller.pit.sign_in.sign_in_routes import client_of
from controller.web.json_views import JSON, encode
from controller.web.problems import RequestRejected

Act = Callable[[People, int], None]
"""Something that is done with the user of that number."""


#: What was done with one's account is told for ninety days, the newest of it.
_TOLD_MS: Final = 90 * 86_400_000
_MOST_TOLD: Final = 20
#: What was done with a user, behind their name.
_DONE: Final = {
    "roles": "has these roles from now on",
    "close": "is signed out everywhere and out of every table: the account is closed",
    "reopen": "may sign in again",
    "end-sessions": "is signed out everywhere",
    "factors": "has no app, passkey or recovery code any more, and is signed out",
    "erase": "is who that was, from now on: the name is gone",
}


class PeopleRoutes:
    """The routes of sessions and users."""

    def __init__(
        self, accounts: Accounts, second: SecondFactors, passkeys: Passkeys, pages: Pages,
        origin: str = "",
    ) -> None:  # fmt: skip
        self._accounts = accounts
        self._second = second
        self._passkeys = passkeys
        self._pages = pages
        #: Where browsers find the pit; empty: as they ask for it.
        self._origin = origin

    def routes(self) -> list[Route]:
        """Every route."""
        acts = {
            "add": self._add, "roles": self._roles, "link": self._link, "close": self._close,
            "reopen": self._reopen, "end-sessions": self._end_sessions,
            "factors": self._take_factors, "erase": self._erase, "export": self._export,
        }  # fmt: skip
        return [
            Route("/sessions", self._sessions, methods=["GET"]),
            Route("/sessions/end", self._end, methods=["POST"]),
            Route("/sessions/password", self._password, methods=["POST"]),
            Route("/sessions/export", self._export_mine, methods=["POST"]),
            Route("/users", self._users, methods=["GET"]),
            *(Route(f"/users/{name}", act, methods=["POST"]) for name, act in acts.items()),
        ]

    async def _sessions(self, request: Request) -> Response:
        me = identity_of(request)
        found = await asyncio.to_thread(self._accounts.listed_sessions, me.user)
        passkeys = await asyncio.to_thread(self._passkeys.listed, me.user)
        factors = await asyncio.to_thread(self._second.of, me.user)
        since_ms = self._accounts.clock_ms() - _TOLD_MS
        done = await asyncio.to_thread(
            rows_of_account, self._accounts.engine, me.user, since_ms, _MOST_TOLD
        )  # fmt: skip
        return self._pages.page(
            "sessions", me, sessions=found, passkeys=passkeys, factors=factors, done=done,
            act_words=act_words,
            lifetime=self._accounts.lifetime, asked=self._accounts.asks(me.roles, me.issuer),
        )  # fmt: skip

    async def _end(self, request: Request) -> Response:
        """End one of one's own sessions; those of others are an engineer's."""
        me = identity_of(request)
        number = (await read_form(request)).number("session")
        mine = await asyncio.to_thread(self._accounts.listed_sessions, me.user)
        if number not in {each.id for each in mine}:
            raise RequestRejected(404, "There is no such session of yours, or not any more")
        await asyncio.to_thread(self._accounts.end_session, number, me, client_of(request))
        if number == me.session:
            return drop(RedirectResponse("/sign-in", 303))
        return RedirectResponse("/sessions", 303)

    async def _password(self, request: Request) -> Response:
        """Set another password: by a link that works once, as the first was set; whoever asks has
        proven who they are.
        """
        me = identity_of(request)
        try:
            secret = await asyncio.to_thread(self._people(request).link, me.user, Purpose.SET_UP)
        except UserRefused as error:
            return self._pages.page("cannot", me, 422, said=str(error))
        return RedirectResponse(f"/{Purpose.SET_UP.value}/{secret}", 303)

    async def _export_mine(self, request: Request) -> Response:
        """What the pit has of whoever asks."""
        return await self._exported(request, identity_of(request).user)

    async def _export(self, request: Request) -> Response:
        """What the pit has of a user who asked the house for it."""
        return await self._exported(request, (await read_form(request)).number("user"))

    async def _exported(self, request: Request, number: int) -> Response:
        try:
            found = await asyncio.to_thread(self._people(request).export, number)
        except UserRefused as error:
            return self._pages.page("cannot", identity_of(request), 422, said=str(error))
        return Response(
            encode(found), media_type=JSON,
            headers={"Content-Disposition": f'attachment; filename="user-{number}.json"'},
        )  # fmt: skip

    async def _users(self, request: Request) -> Response:
        asked = request.query_params
        done, number = _DONE.get(asked.get("done", "")), asked.get("user", "")
        if done is None or request.headers.get("sec-fetch-site") not in (None, "same-origin"):
            # A link from elsewhere, or a mark kept of this page, would say what nobody has done.
            return await self._users_page(request)
        listed = await asyncio.to_thread(People(self._accounts, identity_of(request)).listed)
        names = [each.name for each in listed if str(each.id) == number]
        return await self._users_page(request, said=f"{names[0]} {done}." if names else "")

    async def _users_page(self, request: Request, status: int = 200, **said: str) -> Response:
        me = identity_of(request)
        users = await asyncio.to_thread(People(self._accounts, me).listed)
        sessions = await asyncio.to_thread(self._accounts.listed_sessions)
        factors = await asyncio.to_thread(People(self._accounts, me).factors)
        issuers = await asyncio.to_thread(People(self._accounts, me).issuers)
        tokens = await asyncio.to_thread(People(self._accounts, me).token_ends)
        shown = {"said": "", "secret": "", "link": "", **said}
        return self._pages.page(
            "users", me, status, users=users, sessions=sessions, factors=factors,
            issuers=issuers, tokens=tokens, now_ms=self._accounts.clock_ms(),
            asks=self._accounts.asks,
            may_change=PitRole.ENGINEER in me.roles, **shown,
        )  # fmt: skip

    async def _add(self, request: Request) -> Response:
        form = await read_form(request)
        people = self._people(request)
        try:
            roles = _roles(form)
            user, secret = await asyncio.to_thread(people.add, form.text("name"), roles)
        except (UserRefused, ValueError) as error:
            return await self._users_page(request, 422, said=str(error))
        return await self._secret_page(request, user.name, secret, PitRole.MACHINE in roles)

    async def _link(self, request: Request) -> Response:
        form = await read_form(request)
        number = form.number("user")
        people = self._people(request)
        try:
            secret = await asyncio.to_thread(people.link, number, Purpose.SET_UP)
        except UserRefused as error:
            return await self._users_page(request, 422, said=str(error))
        user = next(each for each in await asyncio.to_thread(people.listed) if each.id == number)
        return await self._secret_page(request, user.name, secret, PitRole.MACHINE in user.roles)

    async def _secret_page(
        self, request: Request, name: str, secret: str, is_machine: bool
    ) -> Response:
        if is_machine:
            house = self._pages.house
            until = house.minute(self._accounts.clock_ms() + self._accounts.lifetime.token_ms)
            text = (
                f"The token of {name}, which is shown this once and works until {until}"
                f" ({house.zone}):"
            )
            return await self._users_page(request, said=text, secret=secret)
        origin = self._origin or str(request.base_url).rstrip("/")
        link = f"{origin}/{Purpose.SET_UP.value}/{secret}"
        text = f"{name} sets a password with this link. It works once, within a day:"
        return await self._users_page(request, said=text, link=link)

    async def _roles(self, request: Request) -> Response:
        form = await read_form(request)
        return await self._act(
            request, form, "roles", lambda it, who: it.set_roles(who, _roles(form))
        )

    async def _close(self, request: Request) -> Response:
        return await self._act(request, await read_form(request), "close", People.close)

    async def _reopen(self, request: Request) -> Response:
        return await self._act(request, await read_form(request), "reopen", People.reopen)

    async def _erase(self, request: Request) -> Response:
        return await self._act(request, await read_form(request), "erase", People.erase)

    async def _end_sessions(self, request: Request) -> Response:
        form = await read_form(request)
        return await self._act(request, form, "end-sessions", People.end_sessions)

    async def _take_factors(self, request: Request) -> Response:
        return await self._act(request, await read_form(request), "factors", People.take_factors)

    async def _act(self, request: Request, form: Form, done: str, act: Act) -> Response:
        number, people = form.number("user"), self._people(request)
        try:
            await asyncio.to_thread(act, people, number)
        except (UserRefused, ValueError) as error:
            return await self._users_page(request, 422, said=str(error))
        return RedirectResponse(f"/users?done={done}&user={number}", 303)

    def _people(self, request: Request) -> People:
        return People(self._accounts, identity_of(request), client_of(request).address)


def _roles(form: Form) -> frozenset[PitRole]:
    return read_roles(",".join(form.all("role")))
