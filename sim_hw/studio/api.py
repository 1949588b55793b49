"""The table as a game server has it: the feed of facts, batches of commands, outcomes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import httpx

#: The table says something every two seconds; without a word for so long the line is lost.
SILENCE_S: Final = 6.0
RETRY_S: Final = 0.05
ANSWER_TIMEOUT_S: Final = 10.0
#: So many commands go in one batch.
BATCH: Final = 64


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of the feed: its number, its kind without the version, its fields, and its round."""

    seq: int
    kind: str
    fields: dict[str, Any]
    round: str | None


class FeedReset(Exception):
    """The feed cannot go on from where it was asked to."""


class NotATable(Exception):
    """No table answers there, or it does not know the token; the text is for people."""


class TableApi:
    """One table's public API, and its feed from the newest fact that was taken on."""

    def __init__(self, url: str, token: str, *, after: int = 0) -> None:
        self.seq = after
        timeout = httpx.Timeout(ANSWER_TIMEOUT_S, read=SILENCE_S)
        self._client = httpx.AsyncClient(
            base_url=url, timeout=timeout, trust_env=False,
            headers={"Authorization": f"Bearer {token}"},
        )  # fmt: skip

    async def facts(self) -> AsyncIterator[Fact]:
        """Every fact once and in order; a line that is lost is taken up again where it ended.

        Raises `FeedReset`.
        """
        while True:
            try:
                async for fact in self._facts():
                    self.seq = fact.seq
                    yield fact
            except httpx.HTTPError:
                pass  # the table is being restarted: it is asked again
            await asyncio.sleep(RETRY_S)

    async def _facts(self) -> AsyncIterator[Fact]:
        headers = {"Last-Event-ID": str(self.seq)}
        async with self._client.stream("GET", "/events/facts", headers=headers) as stream:
            stream.raise_for_status()
            event = ""
            async for line in stream.aiter_lines():
                if line.startswith("event: "):
                    event = line[7:]
                elif line.startswith("data: ") and event == "fact":
                    said = json.loads(line[6:])
                    kind = said["record"][0].partition("/")[0]
                    yield Fact(said["seq"], kind, said["record"][4], said["round"])
                elif line.startswith("data: ") and event == "reset":
                    raise FeedReset(json.loads(line[6:])["why"])

    async def ask(self, commands: Sequence[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
        """Send commands, each with its key, and return their answers in the same order.

        Without an answer they are sent again with their keys, so that each acts once.
        """
        answers: list[dict[str, Any]] = []
        for at in range(0, len(commands), BATCH):
            part = commands[at : at + BATCH]
            body = {"commands": [{"key": key, "command": command} for key, command in part]}
            answers += await self._post(body)
        return answers

    async def _post(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        while True:
            try:
                answer = await self._client.post("/api/v1/batch", json=body)
            except httpx.HTTPError:
                await asyncio.sleep(RETRY_S)
                continue
            if answer.status_code == httpx.codes.OK:
                found: list[dict[str, Any]] = answer.json()["answers"]
                if all(each["accepted"] or each["code"] for each in found):
                    return found
            elif answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                answer.raise_for_status()
            await asyncio.sleep(RETRY_S)

    async def newest(self) -> int:
        """The number of the newest record. Raises `NotATable`."""
        try:
            answer = await self._client.get("/api/v1/scene")
            # Asked for nothing: whoever knows the token is told that this is too little.
            known = await self._client.post("/api/v1/batch", json={"commands": []})
        except httpx.HTTPError as error:
            raise NotATable(f"no table answers at {self._client.base_url}: {error}") from error
        if known.status_code == httpx.codes.UNAUTHORIZED:
            raise NotATable("the table does not know this token: name the file of its own")
        if answer.status_code != httpx.codes.OK:
            raise NotATable(f"{self._client.base_url} is no table: {answer.status_code}")
        return max(0, int(answer.json()["seq"]))

    async def choices(self, seat: int, hand: int) -> list[str]:
        """What the player of a hand may choose now; nothing where that hand is not asked."""
        scene = await self._get("/api/v1/scene")
        return [
            each["command"]["action"]
            for each in scene["keys"]
            if each["command"].get("do") == "decide"
            and (each["command"]["seat"], each["command"]["hand"]) == (seat, hand)
        ]

    async def outcomes(self, number: int) -> dict[str, Any]:
        """What a round came to."""
        return await self._get(f"/api/v1/rounds/{number}/outcomes")

    async def _get(self, path: str) -> dict[str, Any]:
        while True:
            try:
                answer = await self._client.get(path)
                if answer.status_code == httpx.codes.OK:
                    found: dict[str, Any] = answer.json()
                    return found
            except httpx.HTTPError:
                pass
            await asyncio.sleep(RETRY_S)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()
