"""What the provider answers, bounded in size and time; nobody is followed anywhere."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import httpx

from controller.pit.sign_in.oidc.refusals import ProviderAway

#: From the first byte that is sent to the last one that comes.
TIMEOUT_S: Final = 5.0
MOST_BYTES: Final = 128 * 1024
_MOST_KIND: Final = 40


class Fetch:
    """Asks the provider. `context`: whose certificates are believed."""

    def __init__(self, context: ssl.SSLContext, timeout_s: float = TIMEOUT_S) -> None:
        self._context = context
        self._timeout_s = timeout_s

    async def get(
        self, address: str, headers: Mapping[str, str] = MappingProxyType({})
    ) -> dict[str, Any]:
        """The JSON object there. Raises `ProviderAway`."""
        status, found = await self._ask("GET", address, headers, None)
        if status != 200:
            raise ProviderAway(f"{address} answered {status}")
        return found

    async def post(
        self, address: str, headers: Mapping[str, str], body: str
    ) -> tuple[int, dict[str, Any]]:
        """The status and the JSON object of an answer to a form. Raises `ProviderAway`."""
        return await self._ask("POST", address, headers, body)

    async def _ask(
        self, method: str, address: str, headers: Mapping[str, str], body: str | None
    ) -> tuple[int, dict[str, Any]]:
        wanted = {**headers, "Accept": "application/json", "Accept-Encoding": "identity"}
        try:
            async with asyncio.timeout(self._timeout_s):
                status, kind, data = await self._read(method, address, wanted, body)
        except TimeoutError as error:
            raise ProviderAway(f"{address}: no answer in {self._timeout_s:g} s") from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise ProviderAway(f"{address}: {str(error) or type(error).__name__}") from error
        try:
            found = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise ProviderAway(f"{address} answered {status} with {kind}, and no JSON") from error
        if not isinstance(found, dict):
            raise ProviderAway(f"{address} answered {status}, and no JSON object")
        return status, found

    async def _read(
        self, method: str, address: str, headers: Mapping[str, str], body: str | None
    ) -> tuple[int, str, bytes]:
        """Status, kind and body of an answer."""
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
            return answer.status_code, ascii(kind[:_MOST_KIND]), bytes(read)
