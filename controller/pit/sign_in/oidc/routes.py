"""Signing in by the house's provider: to it, back from it, and out of it."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from fastapi import Response
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from controller.pit.accounts.accounts import Accounts, SignInRefused
from controller.pit.accounts.factor_rows import Factors
from controller.pit.accounts.provider.provider_people import ProviderPeople, ProviderPerson
from controller.pit.accounts.tries import of_address
from controller.pit.sign_in.cookies import BROWSER, SESSION, cookie, local_path
from controller.pit.sign_in.gate import identity_of, leave_lane
from controller.pit.sign_in.oidc.begun import Begun, begin, begun_of, end_begun, keep_begun
from controller.pit.sign_in.oidc.refusals import (
    CodeRefused,
    ManyWait,
    NotBelieved,
    ProviderAway,
)
from controller.pit.sign_in.oidc.slots import Slots
from controller.pit.sign_in.pages import Pages
from controller.pit.sign_in.sign_in_routes import after_password, client_of

if TYPE_CHECKING:
    from controller.pit.sign_in.oidc.provider import Provider

log: Final = logging.getLogger(__name__)

BACK: Final = "/sign-in/provider/back"
_MOST_CODE: Final = 4_096
_LATE: Final = (
    "That took too long, or began in another browser: nobody was signed in. Sign in again."
)
_NOT_BELIEVED: Final = (
    "What {name} answered cannot be relied on: nobody was signed in. Sign in again; where that does"
    " not help, an engineer finds the reason in the audit."
)
_AWAY: Final = (
    "{name} does not answer as it should. Try again, or sign in by name and password, or by a"
    " passkey, if you have one here."
)
_USED: Final = "{name} says that this sign-in was used, or is too old. Sign in again."
#: What a provider says in place of letting somebody in, as people read it (RFC 6749, 4.1.2.1).
_ERRORS: Final = {
    "access_denied": "{name} did not let you in, or you have cancelled it.",
    "login_required": "{name} wants you to sign in there first. Sign in again.",
    "temporarily_unavailable": "{name} is busy: try again in a minute.",
}
_ERROR: Final = "{name} did not let you in. An engineer of your house finds out there why."


class ProviderRoutes:
    """The routes of the provider; None: there is none, and they lead to the sign-in."""

    def __init__(
        self, accounts: Accounts, pages: Pages, provider: Provider | None, origin: str
    ) -> None:
        self._accounts = accounts
        self._pages = pages
        self._provider = provider
        self._origin = origin
        self._slots = Slots()

    def routes(self) -> list[Route]:
        """Every route."""
        return [
            Route("/sign-in/provider", self._begin, methods=["GET"]),
            Route(BACK, self._back, methods=["GET"]),
            Route("/sign-in/provider/out", self._out, methods=["GET"]),
            Route("/prove/provider", self._begin_proof, methods=["GET"]),
        ]

    async def _begin(self, request: Request) -> Response:
        onward = local_path(request.query_params.get("next", "/"))
        if _sent_by_another_site(request):
            return RedirectResponse("/sign-in", 303)
        return await self._send(request, begin(onward, self._now_s(), proves=False))

    async def _begin_proof(self, request: Request) -> Response:
        onward = local_path(request.query_params.get("next", "/"))
        if not identity_of(request).issuer or _sent_by_another_site(request):
            return RedirectResponse("/prove", 303)
        return await self._send(request, begin(onward, self._now_s(), proves=True))

    async def _send(self, request: Request, begun: Begun) -> Response:
        """On to the provider."""
        if self._provider is None:
            return RedirectResponse("/sign-in", 303)
        try:
            with self._waits(request):
                address = await self._provider.sign_in_address(begun, self._back_to(request))
        except (ProviderAway, ManyWait) as error:
            return self._away(request, begun, error)
        return keep_begun(RedirectResponse(address, 303), begun)

    async def _out(self, request: Request) -> Response:
        """On to where one signs out at the provider too."""
        if self._provider is None or _sent_by_another_site(request):
            return RedirectResponse("/sign-in", 303)
        back = f"{self._at(request)}/sign-in"
        try:
            with self._waits(request):
                address = await self._provider.sign_out_address(back)
        except (ProviderAway, ManyWait) as error:
            return self._away(request, begin("/", self._now_s(), proves=False), error)
        return RedirectResponse(address or "/sign-in", 303)

    async def _back(self, request: Request) -> Response:
        """The browser comes back; whatever it brings is used once."""
        begun = begun_of(request, self._now_s())
        if self._provider is None or begun is None:
            return end_begun(self._page(request, begun, _LATE, 403))
        try:
            return end_begun(await self._judge(request, begun, self._provider))
        except CodeRefused:
            answer = self._page(request, begun, self._named(_USED), 403)
        except (ProviderAway, ManyWait) as error:
            answer = self._away(request, begun, error)
        except NotBelieved as error:
            log.warning("sign-in by %s is not believed: %s", self._provider.section.name, error)
            answer = self._page(request, begun, self._named(_NOT_BELIEVED), 403)
        except SignInRefused as error:
            answer = self._page(request, begun, str(error), 403)
        return end_begun(answer)

    async def _judge(self, request: Request, begun: Begun, provider: Provider) -> Response:
        asked = request.query_params
        state = asked.get("state", "")
        if len(asked.multi_items()) != len(asked) or not hmac.compare_digest(
            state.encode(), begun.state.encode()
        ):
            raise SignInRefused(_LATE)
        with self._waits(request):
            await provider.check_issuer(asked.get("iss"))
            if (error := asked.get("error")) is not None:
                raise SignInRefused(self._named(_ERRORS.get(error, _ERROR)))
            code = asked.get("code", "")
            if not 0 < len(code) <= _MOST_CODE:
                raise SignInRefused(_LATE)
            try:
                person = await provider.person(begun, code, self._back_to(request))
            except NotBelieved as error:
                people, client = self._people(provider), client_of(request)
                await asyncio.to_thread(people.refused, str(error), client)
                raise
        return await self._let_in(request, begun, provider, person)

    async def _let_in(
        self, request: Request, begun: Begun, provider: Provider, person: ProviderPerson
    ) -> Response:
        people, client = self._people(provider), client_of(request)
        if begun.proves:
            me = request.state.identity
            if me is None:
                raise SignInRefused(_LATE)
            await asyncio.to_thread(people.prove, me, person, client)
            return RedirectResponse(begun.onward, 303)
        before = cookie(request, SESSION), cookie(request, BROWSER)
        return after_password(
            await asyncio.to_thread(people.enter, person, client, before), begun.onward
        )

    def _people(self, provider: Provider) -> ProviderPeople:
        return ProviderPeople(self._accounts, provider.section.rules)

    @contextmanager
    def _waits(self, request: Request) -> Iterator[None]:
        """Wait for the provider, and keep no other stranger waiting meanwhile.

        Raises `ManyWait`.
        """
        address = of_address(client_of(request).address)
        with self._slots.one(address, known=request.state.known):
            leave_lane(request)
            yield

    def _away(self, request: Request, begun: Begun, error: ProviderAway | ManyWait) -> Response:
        many = isinstance(error, ManyWait)
        if not many:
            log.warning("the provider of sign-ins: %s", error)
        said = str(error) if many else self._named(_AWAY)
        answer = self._page(request, begun, said, 503)
        answer.headers["Retry-After"] = "5"
        return answer

    def _page(self, request: Request, begun: Begun | None, said: str, status: int) -> Response:
        """The sign-in, or the page that asks for a proof, with what went wrong."""
        onward = begun.onward if begun else "/"
        me = request.state.identity
        if me is not None and begun is not None and begun.proves:
            return self._pages.page(
                "prove", me, status, onward=onward, said=said, factors=Factors(),
                has_password=False,
            )  # fmt: skip
        return self._pages.page(
            "sign_in", None, status, onward=onward, said=said, name="", out=False
        )

    def _now_s(self) -> int:
        return self._accounts.clock_ms() // 1_000

    def _named(self, text: str) -> str:
        name = "" if self._provider is None else self._provider.section.name
        return text.format(name=name)

    def _at(self, request: Request) -> str:
        """Where browsers find the pit: as configured, or as this machine's was asked for."""
        return self._origin or f"{request.url.scheme}://{request.headers['host']}".lower()

    def _back_to(self, request: Request) -> str:
        return self._at(request) + BACK


def _sent_by_another_site(request: Request) -> bool:
    """Whether another site sends somebody on: a person presses the button here."""
    return request.headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}
