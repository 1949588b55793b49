"""What the provider answers, bounded in size and time; nobody is followed anywhere."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx

from controller.pit.sign_in.oidc.refusals import ProviderAway

#: From the first byte that is sent to the last one that comes.
TIMEOUT_S: Final = 5.0
MOST_BYTES: Final = 128 * 1024
_MOST_KIND: Final = 40


@dataclass(frozen=True, slots=True)
class _ProviderAnswer:
    """What came from an address; `kind` is its media type."""

    address: str
    status: int
    kind: str
    data: bytes

    @property
    def is_token(self) -> bool:
        return self.kind.strip().lower() == "application/jwt"

    def json_object(self) -> dict[str, Any]:
        """Raises `ProviderAway`."""
        said = f"{self.address} answered {self.status} with {self.kind!a}"
        try:
            found = json.loads(self.data)
        except (ValueError, RecursionError) as error:
            raise ProviderAway(f"{said}, and no JSON") from error
        if not isinstance(found, dict):
            raise ProviderAway(f"{said}, and no JSON object")
        return found


class Fetch:
    """Asks the provider. `context`: whose certificates are believed."""

    def __init__(self, context: ssl.SSLContext, timeout_s: float = TIMEOUT_S) -> None:
        self._context = context
        self._timeout_s = timeout_s

    async def get(self, address: str) -> dict[str, Any]:
        """The JSON object there. Raises `ProviderAway`."""
        answer = await self._ask("GET", address, {}, None)
        if answer.status != 200:
            raise ProviderAway(f"{address} answered {answer.status}")
        return answer.json_object()

    async def userinfo(self, address: str, headers: Mapping[str, str]) -> dict[str, Any] | str:
        """The JSON object there, or the token that has it (OpenID Connect Core, 5.3.2).

        Raises `ProviderAway`.
        """
        wanted = {**headers, "Accept": "application/json, application/jwt"}
        answer = await self._ask("GET", address, wanted, None)
        if answer.status != 200:
            raise ProviderAway(f"{address} answered {answer.status}")
        return answer.data.decode("ascii", "replace") if answer.is_token else answer.json_object()

    async def post(
        self, address: str, headers: Mapping[str, str], body: str
    ) -> tuple[int, dict[str, Any]]:
        """The status and the JSON object of an answer to a form. Raises `ProviderAway`."""
        answer = await self._ask("POST", address, headers, body)
        return answer.status, answer.json_object()

    async def _ask(
        self, method: str, address: str, headers: Mapping[str, str], body: str | None
    ) -> _ProviderAnswer:
        wanted = {"Accept": "application/json", **headers, "Accept-Encoding": "identity"}
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._read(method, address, wanted, body)
        except TimeoutError as error:
            raise ProviderAway(f"{address}: no answer in {self._timeout_s:g} s") from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise ProviderAway(f"{address}: {str(error) or type(error).__name__}") from error

    async def _read(
        self, method: str, address: str, headers: Mapping[str, str], body: str | None
    ) -> _ProviderAnswer:
        # What the environment says of proxies and passwords is not for this.
        async with (
            httpx.AsyncClient(
                verify=self._context, timeout=self._timeout_s, trust_env=False,
                follow_redirects=False,
            ) as client,
            client.stream(method, address, headers=dict(headers), content=body) as answer,
        ):  # fmt: skip
            read = bytearray()
            async for part in answer.aiter_raw():
                read += part
                if len(read) > MOST_BYTES:
                    raise ProviderAway(f"{address}: more than {MOST_BYTES} bytes")
            kind = answer.headers.get("content-type", "").partition(";")[0]
            return _ProviderAnswer(address, answer.status_code, kind[:_MOST_KIND], bytes(read))
