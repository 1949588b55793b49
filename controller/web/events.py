"""The pages' live streams (server-sent events, HTML standard 9.2): newest view and heartbeat.

A viewer has a mailbox of one: while it is slow to read, views are not queued for it but replaced,
and nobody else waits. A viewer that leaves, or a service that stops, leaves no task behind.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from starlette.types import Receive, Scope, Send

from controller.service.ports import Desk
from controller.web.admission import is_trusted
from controller.web.json_views import Page, ViewCache
from controller.web.problems import problem
from controller.web.server.connections import WRITER_SLOTS
from controller.web.server.server import connection_of
from controller.web.settings import WebSettings

BEAT: Final = b"event: beat\ndata: {}\n\n"
#: How long a viewer may take to receive the end of the stream.
GOODBYE_S: Final = 0.5
_START: Final = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
    ],
}


class Viewers:
    """How many are looking at each page, and how many may look at all.

    Those who have the table's token, as the dealer's display has, have slots of their own: no
    number of others keeps them out.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.looking: Counter[Page] = Counter()
        self._trusted = 0

    @contextmanager
    def slot(self, page: Page, *, trusted: bool) -> Iterator[bool]:
        """Whether there is a slot for one more viewer, who has it until the block is left."""
        own = trusted and self._trusted < WRITER_SLOTS
        if not own and self.looking.total() - self._trusted >= self.most:
            yield False
            return
        self.looking[page] += 1
        self._trusted += own
        try:
            yield True
        finally:
            self.looking[page] -= 1
            self._trusted -= own


class EventStream:
    """The stream of one page: an ASGI endpoint that serves every viewer of it."""

    def __init__(
        self, page: Page, desk: Desk, views: ViewCache, viewers: Viewers, settings: WebSettings
    ) -> None:
        self._page = page
        self._event = b"event: status\n" if page is Page.STATUS else b"event: scene\n"
        self._desk = desk
        self._views = views
        self._viewers = viewers
        self._beat_s = settings.beat_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one viewer until it goes or the service closes."""
        with self._viewers.slot(self._page, trusted=is_trusted(scope)) as has_slot:
            if has_slot:
                await self._serve(scope, receive, send)
            else:
                text = f"{self._viewers.most} viewers are looking already: close one, try again"
                await problem(503, text, {"Retry-After": "5"})(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if connection := connection_of(scope):
            connection.look()
        await send(_START)
        if scope["method"] != "HEAD":
            news = asyncio.Event()
            await first_of(self._show(news, send), self._watch(news), _until_gone(receive))
        # A viewer that does not read misses this too; the server closes its connection.
        with suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_S):
                await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _watch(self, news: asyncio.Event) -> None:
        """Note each change in the mailbox; ends when the service closes."""
        async for _ in self._desk.changes():
            news.set()

    async def _show(self, news: asyncio.Event, send: Send) -> None:
        """Send the newest view whenever there is news, and a heartbeat whenever there is none."""
        while True:
            try:
                async with asyncio.timeout(self._beat_s):
                    await news.wait()
            except TimeoutError:
                event = BEAT
            else:
                news.clear()
                event = b"%bdata: %b\n\n" % (self._event, self._views.newest(self._page))
            await send({"type": "http.response.body", "body": event, "more_body": True})


async def _until_gone(receive: Receive) -> None:
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
