"""People who mean harm, on real sockets: they connect and do what a browser never does."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from typing import Final

#: What a reader's kernel takes for it, at the least.
SMALL_BYTES: Final = 4_096
STREAM: Final = b"GET /events/players HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
WHOLE: Final = b"GET /api/v1/rules HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Attacker:
    """Makes connections to a port and lets them stand; `held` are those that were made."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._making: list[asyncio.Task[None]] = []
        self.held: list[socket.socket] = []

    def connect(self, count: int, first: bytes = b"") -> None:
        """Begin to make so many connections, all at once, and send `first` on each."""
        self._making += [asyncio.create_task(self._connect(first)) for _ in range(count)]

    async def connected(self) -> None:
        """Returns when every connection was made, and what is sent first was sent."""
        await asyncio.gather(*self._making)

    async def _connect(self, first: bytes) -> None:
        loop = asyncio.get_running_loop()
        made = socket.socket()
        self.held.append(made)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BYTES)
        made.setblocking(False)
        with contextlib.suppress(OSError):  # a connection that is refused is no use, no error
            await loop.sock_connect(made, ("127.0.0.1", self._port))
            await loop.sock_sendall(made, first)

    async def close(self) -> None:
        """Let go of every connection."""
        for task in self._making:
            task.cancel()
        await asyncio.gather(*self._making, return_exceptions=True)
        for each in self.held:
            each.close()


@contextlib.asynccontextmanager
async def attacked(port: int) -> AsyncIterator[Attacker]:
    """An attacker of that port, who is gone when the block is left."""
    attacker = Attacker(port)
    try:
        yield attacker
    finally:
        await attacker.close()
