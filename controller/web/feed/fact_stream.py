"""The feed as server-sent events, resumed by the number of a record: `/events/facts` for those who
have the token, `/events/public` with what players may see for everybody.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import suppress
from typing import Final, NamedTuple

from starlette.datastructures import Headers, QueryParams
from starlette.types import Receive, Scope, Send

from controller.record.files.database import JournalError
from controller.record.reading.record_tail import CannotGoOn
from controller.service.ports import Clock
from controller.service.timekeeping.clock_error import clock_error
from controller.web.admission import is_trusted
from controller.web.events import PUBLIC, Viewers
from controller.web.feed.fact_event import SentEvent, clock_event, reset_event
from controller.web.feed.fact_feed import FactFeed, NothingRecorded
from controller.web.problems import problem
from controller.web.server.sent_events import GOODBYE_S, START, beat, first_of, gone
from controller.web.server.server import connection_of
from controller.web.settings import WebSettings

#: How often the clock is sent again.
CLOCK_S: Final = 30.0
#: `?newest=` begins this many records before the end at most.
MOST_BACK: Final = 20_000
#: Digits of a number of a record: Python reads no number of thousands of them.
_MOST_DIGITS: Final = 15


class BadPlace(ValueError):
    """The place from which the feed is asked for is none; the text says what to send."""


class FeedPlace(NamedTuple):
    """After which record a consumer wants the feed; None: `back` records before its end."""

    after: int | None
    back: int = 0


class FactStream:
    """An ASGI endpoint: the facts of one table, to consumers that have its token; or, to as many
    as there are slots of `viewers`, what is public of them.
    """

    def __init__(
        self,
        feed: FactFeed,
        settings: WebSettings,
        clock: Clock | None = None,
        viewers: Viewers | None = None,
        edition: str = "",
    ) -> None:
        """`edition`: of the pages that are given out; empty: no page follows it."""
        self._feed = feed
        self._edition = edition
        self._viewers = viewers
        self._clock = clock or Clock()
        self._beat_s = settings.beat_s
        self._most = settings.max_viewers
        self.consumers = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one consumer until it goes or the service closes."""
        if self._viewers is not None:
            with self._viewers.slot(PUBLIC, trusted=is_trusted(scope)) as has_slot:
                full = 0 if has_slot else self._viewers.most
                await self._admit(scope, receive, send, full)
            return
        if not is_trusted(scope):
            text = "Send the table's token: Authorization: Bearer TOKEN"
            await problem(401, text)(scope, receive, send)
            return
        full = self._most if self.consumers >= self._most else 0
        self.consumers += 1
        try:
            await self._admit(scope, receive, send, full)
        finally:
            self.consumers -= 1

    async def _admit(self, scope: Scope, receive: Receive, send: Send, full: int) -> None:
        """Serve a consumer, unless `full` are there already (0: there is room)."""
        try:
            asked = place(scope)
        except BadPlace as error:
            await problem(422, str(error))(scope, receive, send)
            return
        if full:
            text = f"{full} consumers are there already: close one, try again"
            await problem(503, text, {"Retry-After": "5"})(scope, receive, send)
            return
        await self._serve(scope, receive, send, asked)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, asked: FeedPlace) -> None:
        if connection := connection_of(scope):
            connection.look()
        await send(START)
        if scope["method"] != "HEAD":
            await first_of(self._send(send, asked), gone(receive), self._closed())
        with suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_S):
                await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _closed(self) -> None:
        """Returns when the service closes, and whoever takes what is sent has had time for it."""
        await self._feed.over.wait()
        await asyncio.sleep(GOODBYE_S)

    def _sent(self, found: list[SentEvent]) -> bytes:
        if self._viewers is None:
            return b"".join([each.sent for each in found])
        return b"".join([each.public for each in found])

    async def _send(self, send: Send, asked: FeedPlace) -> None:
        clock_sent_at_s = -CLOCK_S
        loop = asyncio.get_running_loop()
        try:
            with self._feed.followed():
                seq = await self._feed.back(asked.back) if asked.after is None else asked.after
                while True:
                    body = b""
                    if loop.time() - clock_sent_at_s >= CLOCK_S:
                        clock_sent_at_s = loop.time()
                        body = clock_event(self._clock.wall_ms(), clock_error())
                        await send({"type": "http.response.body", "body": body, "more_body": True})
                    found = await self._feed.next(seq, self._beat_s)
                    if not found and self._feed.over.is_set():
                        return
                    body = self._sent(found) or beat(self._edition)
                    seq = found[-1].seq if found else seq
                    await send({"type": "http.response.body", "body": body, "more_body": True})
        except CannotGoOn as error:
            body = reset_event(str(error), fork=error.fork)
        except NothingRecorded:
            body = reset_event("Nothing is recorded yet: ask again", fork=False)
        except (JournalError, OSError, sqlite3.Error) as error:
            body = reset_event(f"The record cannot be read: {error}", fork=False)
        await send({"type": "http.response.body", "body": body, "more_body": True})


def place(scope: Scope) -> FeedPlace:
    """Where the consumer wants the feed to begin; without a word, now.

    `Last-Event-ID`, which a browser sends by itself, is the newer word. Raises `BadPlace`.
    """
    query = QueryParams(scope["query_string"])
    asked = Headers(scope=scope).get("last-event-id") or query.get("after")
    if asked:
        return FeedPlace(_number(asked))
    return FeedPlace(None, min(_number(query.get("newest") or "0"), MOST_BACK))


def _number(asked: str) -> int:
    if not (asked.isascii() and asked.isdecimal()) or len(asked) > _MOST_DIGITS:
        raise BadPlace(
            f"{asked[:20]!r} is no number of a record: send after=N, or Last-Event-ID: N, of the "
            "last fact that you have; 0 for all of them"
        )
    return int(asked)
