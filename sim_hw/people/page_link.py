"""The dealer display and the dealer's page, as a person has them: pictures come, keys are pressed.

Server-sent events from the service (`/events/dealer`), commands to `/api/v1/commands`. When the
service goes away the display is not live (None), and this end connects again by itself.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

import httpx

from sim_hw.table.changes import Changes
from sim_hw.table.display_reader import Command, Display, DisplayError, read_display
from sim_hw.table.oracle import AccountStep

#: The service sends a beat every 2 s; this long without one and the display is not live.
SILENCE_S: Final = 6.0
RETRY_S: Final = 0.1
ANSWER_TIMEOUT_S: Final = 10.0


class CommandReply(NamedTuple):
    """What became of a command; `refused` says why it was not accepted."""

    accepted: bool
    refused: str = ""


class NotReached(Exception):
    """The service did not answer: it is not there, or it is being restarted."""


async def events(lines: AsyncIterable[str]) -> AsyncIterator[tuple[str, str]]:
    """The (event, data) pairs in the lines of an event stream (HTML standard, 9.2.6)."""
    event, data = "message", ""
    async for line in lines:
        if not line:
            if data:
                yield event, data
            event, data = "message", ""
        elif line.startswith("event:"):
            event = line[6:].strip()
        elif line.startswith("data:"):
            data += line[5:].removeprefix(" ")


class Link:
    """One person's view of the service. `display` is the newest picture, None when not live.

    `problem` is set when the service sends what this world cannot read.
    """

    def __init__(self, service_url: str, token: str, changes: Changes) -> None:
        self.display: Display | None = None
        self.problem = ""
        self.pictures = 0
        self._changes = changes
        timeout = httpx.Timeout(ANSWER_TIMEOUT_S, read=SILENCE_S)
        self._client = httpx.AsyncClient(
            base_url=service_url, timeout=timeout, trust_env=False,
            verify=service_url.startswith("https:"),  # reading all certificates takes 40 ms
        )  # fmt: skip
        self._headers = {"Authorization": f"Bearer {token}"}

    async def watch(self) -> None:
        """Keep the display up to date until cancelled."""
        while True:
            # Not there, gone, or hung up politely: the display is not live; try again.
            with suppress(httpx.HTTPError):
                await self._follow()
            self._show(None)
            await asyncio.sleep(RETRY_S)

    async def _follow(self) -> None:
        async with self._client.stream("GET", "/events/dealer") as stream:
            stream.raise_for_status()
            async for event, data in events(stream.aiter_lines()):
                if event == "scene":
                    try:
                        self._show(read_display(json.loads(data)))
                    except (DisplayError, json.JSONDecodeError) as error:
                        self.problem = str(error)
                        return

    def _show(self, display: Display | None) -> None:
        if display is not None or self.display is not None:
            self.display = display
            self.pictures += display is not None
            self._changes.notify()

    async def send(self, command: Command, view_seq: int | None = None) -> CommandReply:
        """Send a command as the dealer's page does. Raises `NotReached`."""
        body = dict(command) if view_seq is None else {**command, "view_seq": view_seq}
        headers = {**self._headers, "Idempotency-Key": str(uuid.uuid4())}
        try:
            answer = await self._client.post("/api/v1/commands", json=body, headers=headers)
            said = answer.json()
        except (httpx.HTTPError, json.JSONDecodeError) as error:
            raise NotReached(f"the service did not answer: {error}") from error
        if answer.status_code in (200, 409):
            return CommandReply(bool(said.get("accepted")), str(said.get("refused") or ""))
        return CommandReply(False, f"HTTP {answer.status_code}: {said}")

    async def account(self, number: int) -> list[AccountStep]:
        """The service's account of a round, step by step; empty if there is none now."""
        try:
            answer = await self._client.get(f"/api/v1/rounds/{number}")
            answer.raise_for_status()
            return [
                AccountStep(int(step["seat"]), int(step["hand"]), str(step["said"]), step["amount"])
                for step in answer.json()["steps"]
            ]
        except (httpx.HTTPError, json.JSONDecodeError):
            return []
        except (KeyError, TypeError) as error:
            self.problem = f"the account of round {number} has no usable field {error}"
            return []

    async def chips(self) -> dict[str, Any] | None:
        """The table's page of chips: rack, box, slips; None if there is none now."""
        try:
            answer = await self._client.get("/api/v1/chips", headers=self._headers)
            if answer.is_client_error:
                self.problem = f"the page of chips is refused: HTTP {answer.status_code}"
            answer.raise_for_status()
            found: dict[str, Any] = answer.json()
        except (httpx.HTTPError, json.JSONDecodeError):
            return None
        missing = {"denominations", "open", "box", "shifts"} - found.keys()
        if missing:
            self.problem = f"the page of chips has no usable field {min(missing)!r}"
            return None
        return found

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()
