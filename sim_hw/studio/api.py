"""The table as a game server has it: the feed of facts, batches of commands, outcomes."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import httpx

#: The table says something every two seconds; without a word for this long the line is lost.
SILENCE_S: Final = 6.0
RETRY_S: Final = 0.05
ANSWER_TIMEOUT_S: Final = 10.0
#: This many commands go in one batch.
BATCH: Final = 64
#: This many of the newest times that the table told are looked at.
TIMES: Final = 30
#: In a page of the table: its language, and what it says in it.
_LANGUAGE: Final = re.compile(r'<html lang="([a-z]{2})">')
_WORDS: Final = re.compile(r'<script type="application/json" id="words">[^<]*</script>')


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
        #: That of the table's players, and what its pages say in it, as a block of data in HTML.
        self.language = "en"
        self.words = ""
        self._ahead_ms: deque[int] = deque(maxlen=TIMES)
        timeout = httpx.Timeout(ANSWER_TIMEOUT_S, read=SILENCE_S)
        self._client = httpx.AsyncClient(
            base_url=url, timeout=timeout, trust_env=False,
            verify=url.startswith("https:"),  # reading all certificates takes 40 ms
            headers={"Authorization": f"Bearer {token}"},
        )  # fmt: skip

    async def facts(self) -> AsyncGenerator[Fact, None]:
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
            async for event, said in _events(stream):
                if event == "fact":
                    kind = said["record"][0].partition("/")[0]
                    yield Fact(said["seq"], kind, said["record"][4], said["round"])
                elif event == "reset":
                    raise FeedReset(said["why"])

    @property
    def now_ms(self) -> int:
        """What time it is at the table, as its stream of pictures tells it."""
        # It says so a moment late, never early.
        return time.time_ns() // 1_000_000 + max(self._ahead_ms, default=0)

    async def scenes(self) -> AsyncIterator[dict[str, Any] | None]:
        """What the dealer display shows, as it changes; None where the line is lost."""
        while True:
            try:
                async with self._client.stream(
                    "GET", "/events/dealer", params=self._spoken
                ) as stream:
                    stream.raise_for_status()
                    async for event, said in _events(stream):
                        if event == "beat" and said.get("now_ms") is not None:
                            self._ahead_ms.append(said["now_ms"] - time.time_ns() // 1_000_000)
                        elif event == "scene":
                            yield said
            except httpx.HTTPError:
                pass  # the table is being restarted: it is asked again
            yield None
            await asyncio.sleep(RETRY_S)

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
                answer = await self._client.post("/api/v1/batch", json=body, params=self._spoken)
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

    async def learn_language(self) -> None:
        """Speak as the table does to its players, from now on. Raises `NotATable`."""
        try:
            page = (await self._client.get("/overlay")).text
        except httpx.HTTPError as error:
            raise NotATable(f"no table answers at {self._client.base_url}: {error}") from error
        if found := _LANGUAGE.search(page):
            self.language = found[1]
        if block := _WORDS.search(page):
            self.words = block[0]

    @property
    def _spoken(self) -> dict[str, str]:
        return {"lang": self.language}

    async def choices(self, seat: int, hand: int) -> list[dict[str, Any]]:
        """What may be sent now for the player of a hand: decisions, or that the chips of the last
        one lie there. Nothing where that hand is not asked.
        """
        scene = await self._get("/api/v1/scene")
        commands = [each["command"] for each in scene["keys"]]
        return [
            each
            for each in commands
            if each["do"] in ("decide", "confirm_wager")
            and (each["seat"], each["hand"]) == (seat, hand)
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


async def _events(stream: httpx.Response) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """The events of a stream: their names and what they say."""
    event = ""
    async for line in stream.aiter_lines():
        if line.startswith("event: "):
            event = line[7:]
        elif line.startswith("data: "):
            yield event, json.loads(line[6:])
