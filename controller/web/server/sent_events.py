"""A stream of server-sent events to one viewer (HTML standard 9.2): begun, fed, and ended well.

A viewer has a mailbox of one: while it is slow to read, news are not queued for it but noted, and
nobody else waits. A viewer that leaves, or a service that stops, leaves no task behind.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import suppress
from typing import Any, Final

from starlette.types import Receive, Scope, Send

from controller.web.server.server import connection_of

#: How long a viewer may take to receive the end of the stream.
GOODBYE_S: Final = 0.5
START: Final = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
    ],
}


def beat(edition: str = "") -> bytes:
    """A heartbeat: what time it is here, by the wall clock, in ms since the epoch.

    `edition`: that of the pages here (hexadecimal), for pages; empty: no page follows the stream.
    """
    now_ms = time.time_ns() // 1_000_000
    if not edition:
        return b'event: beat\ndata: {"now_ms":%d}\n\n' % now_ms
    return b'event: beat\ndata: {"now_ms":%d,"edition":"%b"}\n\n' % (now_ms, edition.encode())


Newest = Callable[[], bytes | None]
"""What to send now, as one event or several; None: there is nothing new."""


async def stream_events(
    scope: Scope,
    receive: Receive,
    send: Send,
    changes: AsyncIterator[object],
    newest: Newest,
    beat_s: float,
    edition: str,
) -> None:
    """Send `newest` at once and at every change, and a heartbeat every `beat_s` and with the first.

    `edition` is that of the pages here. Returns when the viewer has gone or `changes` ends.
    """
    if connection := connection_of(scope):
        connection.look()
    await send(START)
    if scope["method"] != "HEAD":
        news = asyncio.Event()
        await first_of(
            _show(news, newest, send, beat_s, edition), _watch(changes, news), gone(receive)
        )
    # A viewer that does not read misses this too; the server closes its connection.
    with suppress(TimeoutError):
        async with asyncio.timeout(GOODBYE_S):
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _watch(changes: AsyncIterator[object], news: asyncio.Event) -> None:
    """Note each change in the mailbox; ends when the service closes."""
    async for _ in changes:
        news.set()


async def _show(
    news: asyncio.Event, newest: Newest, send: Send, beat_s: float, edition: str
) -> None:
    """Send what is newest whenever there is news, and a heartbeat whenever there is none.

    One follows the first view, too: whoever counts down to a moment of ours has to know our time.
    While much happens they go on: by them a viewer on a slow line knows how late its views are.
    """
    beat_at = 0.0
    while True:
        event: bytes | None = None
        try:
            async with asyncio.timeout(beat_s):
                await news.wait()
        except TimeoutError:
            event = b""
        else:
            news.clear()
            event = newest()
        if event is not None and (not event or time.monotonic() >= beat_at):
            event, beat_at = event + beat(edition), time.monotonic() + beat_s
        if event is not None:
            await send({"type": "http.response.body", "body": event, "more_body": True})


async def gone(receive: Receive) -> None:
    """Returns when the viewer has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def first_of(*works: Coroutine[Any, Any, None]) -> None:
    """Run all of these until one of them ends; returns when the others have ended too."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
