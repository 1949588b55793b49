"""The house's provider says that somebody was signed out there (back-channel logout).

No page of the pit's sends that, and nobody has a session for it: what is believed is the signature
alone. Whatever strangers send here is judged in the lane of strangers, asks the provider for a key
every few seconds at most, and writes one row a minute.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from fastapi import Response
from starlette.requests import Request
from starlette.routing import Route

from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.provider.provider_logouts import (
    LogoutRepeated,
    ProviderLogout,
    ProviderLogouts,
)
from controller.pit.sign_in.forms import read_form
from controller.pit.sign_in.gate import leave_lane
from controller.pit.sign_in.oidc.refusals import (
    ManyWait,
    NotBelieved,
    ProviderAway,
    UnknownKey,
)
from controller.pit.sign_in.sign_in_routes import client_of
from controller.web.problems import RequestRejected, problem

if TYPE_CHECKING:
    from controller.pit.sign_in.oidc.provider import Provider

log: Final = logging.getLogger(__name__)

#: Tokens that wait for the provider's keys: after a start each of a house's may.
MOST_WAIT: Final = 64
#: Of what is refused one in this time is written down, with how many there were since.
NOTED_S: Final = 60.0
_MANY: Final = "many tokens wait for the provider's keys: send it again"
_AWAY: Final = "the provider's keys cannot be had at this moment: send it again"


class _WrittenSeldom:
    """Something that strangers may bring about as often as they like, and is written seldom."""

    def __init__(self, clock_s: Callable[[], float]) -> None:
        self._clock_s = clock_s
        self._count = 0
        self._next_s = -math.inf

    def text(self, why: str) -> str | None:
        """What to write, with how many there were since the last time; None: nothing yet."""
        self._count += 1
        if self._clock_s() < self._next_s:
            return None
        more = f", and {self._count - 1} before it" if self._count > 1 else ""
        self._count, self._next_s = 0, self._clock_s() + NOTED_S
        return why + more


class LogoutRoutes:
    """The route of sign-outs at the provider; None: there is none, and nobody to believe."""

    def __init__(
        self, accounts: Accounts, provider: Provider | None,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._provider = provider
        self._logouts = (
            None if provider is None else ProviderLogouts(accounts, provider.section.rules)
        )
        self._waiting = 0
        self._refused, self._not_judged = _WrittenSeldom(clock_s), _WrittenSeldom(clock_s)

    def routes(self) -> list[Route]:
        """Every route."""
        return [Route("/sign-in/provider/logout", self._logout, methods=["POST"])]

    async def _logout(self, request: Request) -> Response:
        if self._provider is None or self._logouts is None:
            return problem(404, "Nobody signs in at this pit by a provider")
        try:
            token = (await read_form(request)).text("logout_token")
            told = await self._judged(request, self._provider, token)
            await asyncio.to_thread(self._logouts.end, told, client_of(request))
        except RequestRejected as error:
            return _failed("invalid_request", error.detail)
        except LogoutRepeated:
            return await self._not_believed(request, "it has come before: its jti")
        except NotBelieved as error:
            return await self._not_believed(request, str(error))
        except (ProviderAway, ManyWait) as error:
            if (text := self._not_judged.text(str(error))) is not None:
                log.warning("a sign-out at the provider cannot be judged: %s", text)
            said = _MANY if isinstance(error, ManyWait) else _AWAY
            return _failed("temporarily_unavailable", said)
        return Response(status_code=200)

    async def _judged(self, request: Request, provider: Provider, token: str) -> ProviderLogout:
        try:
            return provider.logout(token)
        except UnknownKey:
            with self._waits(request):
                return await provider.logout_by_new_keys(token)

    @contextmanager
    def _waits(self, request: Request) -> Iterator[None]:
        """Wait for the provider, and keep no stranger waiting meanwhile. Raises `ManyWait`."""
        if self._waiting >= MOST_WAIT:
            raise ManyWait(_MANY)
        self._waiting += 1
        leave_lane(request)
        try:
            yield
        finally:
            self._waiting -= 1

    async def _not_believed(self, request: Request, why: str) -> Response:
        text = self._refused.text(why)
        if self._logouts is not None and text is not None:
            log.warning("a logout token is not believed: %s", text)
            await asyncio.to_thread(self._logouts.refused, text, client_of(request))
        return _failed("invalid_request", why)


def _failed(error: str, why: str) -> Response:
    """The answer of section 2.8: nothing has ended by this."""
    body = json.dumps({"error": error, "error_description": why})
    return Response(body, 400, media_type="application/json")
