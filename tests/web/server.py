"""The web on a real socket of the loopback, and people who look at it over real connections."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from starlette.applications import Starlette

from controller.web.server.connections import Connections
from controller.web.server.listening import bound_socket
from controller.web.server.server import WebServer
from tests.support.patience import PATIENCE_S

#: What a socket holds back is kept small, so that few pictures are on their way to a slow reader.
SMALL_BYTES = 4_096


class Served(WebServer):
    """The web's server, which says where it listens."""

    def __init__(self, app: Starlette, slots: Connections | None = None) -> None:
        super().__init__(app, Connections(300) if slots is None else slots, 2)
        self.listening = bound_socket("127.0.0.1", 0)
        self.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL_BYTES)
        self.url = "http://127.0.0.1:{1}".format(*self.listening.getsockname())


class EventViewer:
    """Somebody who looks at one stream. `events` is what has come, `over` that it has ended."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.aiter_lines()

    async def next(self, event: str | None = None) -> tuple[str, Any]:
        """The next event, or the next of that name. Raises `StopAsyncIteration` at the end."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                name, data = await self._one()
                if event in (None, name):
                    return name, data

    async def until(self, seq: int) -> list[int]:
        """Look on until the picture of record `seq`; the records of the pictures until then."""
        numbers: list[int] = []
        while seq not in numbers:
            name, data = await self.next()
            if name != "beat":
                numbers.append(data["seq"])
        return numbers

    async def end(self) -> None:
        """Returns when the stream has been ended as HTTP ends it."""
        async with asyncio.timeout(PATIENCE_S):
            async for _ in self._lines:
                pass

    async def _one(self) -> tuple[str, Any]:
        name = data = ""
        while line := await anext(self._lines):
            field, _, value = line.partition(": ")
            name, data = (value, data) if field == "event" else (name, value)
        return name, json.loads(data)


@asynccontextmanager
async def looking(web: httpx.AsyncClient, page: str) -> AsyncIterator[EventViewer]:
    """A viewer of that page until the block is left, then gone."""
    async with web.stream("GET", f"/events/{page}") as answer:
        yield EventViewer(answer)


class SlowViewer:
    """Somebody whose connection takes hardly anything until it reads."""

    def __init__(self, url: str, page: str) -> None:
        self._address = ("127.0.0.1", int(url.rpartition(":")[2]))
        self._page = page
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BYTES)
        self._socket.setblocking(False)

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        await loop.sock_connect(self._socket, self._address)
        asked = f"GET /events/{self._page} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        await loop.sock_sendall(self._socket, asked.encode())

    async def read_until(self, word: str) -> str:
        """All that comes until `word` has come."""
        loop, got = asyncio.get_running_loop(), b""
        async with asyncio.timeout(PATIENCE_S):
            while word.encode() not in got:
                part = await loop.sock_recv(self._socket, 65_536)
                assert part, "the connection was closed"
                got += part
        return got.decode()

    def close(self) -> None:
        self._socket.close()
