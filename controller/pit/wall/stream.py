"""The wall's live stream: what changed since the picture that the page has, ten times a second at
most (server-sent events, HTML standard 9.2).

`GET /events/wall?after=RUN.N&seen=T1&seen=T2`: what changed after picture N of this run of the
pit, with tiles of the tables that the page has in view (all, if it names none). A page that is
scrolled opens a new stream from where the old one was; nothing is kept of it here.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final
from urllib.parse import parse_qs

from starlette.types import Receive, Scope, Send

from controller.pit.wall.wall import Wall
from controller.web.problems import problem
from controller.web.server.sent_events import stream_events

#: Without news: often enough that a page knows within three seconds that it is not live.
BEAT_S: Final = 1.0
#: More tiles than any screen shows at once.
MOST_IN_VIEW: Final = 400


class WallViewers:
    """Those who look at `what`, `most` at a time."""

    def __init__(self, wall: Wall, what: str, most: int, edition: str) -> None:
        """`edition`: of the pages that are given out."""
        self._wall = wall
        self._what = what
        self._most = most
        self._edition = edition
        self._now = 0

    async def serve(
        self, scope: Scope, receive: Receive, send: Send, newest: Callable[[], bytes | None]
    ) -> None:
        """Serve one viewer until it goes or the wall ends; `newest` is its next event, if any."""
        if self._now >= self._most:
            text = f"{self._most} viewers look at {self._what} already: close one, try again"
            await problem(503, text, {"Retry-After": "5"})(scope, receive, send)
            return
        self._now += 1
        try:
            changes = self._wall.changed()
            await stream_events(scope, receive, send, changes, newest, BEAT_S, self._edition)
        finally:
            self._now -= 1


class WallStream:
    """The stream as an ASGI endpoint, for `most` viewers at a time."""

    def __init__(self, wall: Wall, most: int, edition: str = "") -> None:
        """`edition`: of the pages that are given out."""
        self._wall = wall
        self._viewers = WallViewers(wall, "the wall", most, edition)
        #: Numbers of pictures begin again with each run of the pit.
        self._run = secrets.token_hex(4)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one viewer until it goes or the wall ends."""
        asked = parse_qs(scope["query_string"].decode("latin-1"))
        in_view = frozenset(asked.get("seen", ()))
        if len(in_view) > MOST_IN_VIEW:
            text = f"{len(in_view)} tables in view: name {MOST_IN_VIEW} at most, or none for all"
            await problem(400, text)(scope, receive, send)
            return
        viewer = _Viewer(self._wall, self._run, in_view or None, asked.get("after", [""])[-1])
        await self._viewers.serve(scope, receive, send, viewer.newest)


class _Viewer:
    """One page that follows the wall: the picture that it has, and the tables that it shows."""

    def __init__(self, wall: Wall, run: str, in_view: frozenset[str] | None, after: str) -> None:
        self._wall = wall
        self._begins = run
        self._run = self._run_now
        self._in_view = in_view
        self._begun = False
        name, _, number = after.partition(".")
        known = name == self._run and number.isascii() and number.isdecimal() and len(number) < 16
        #: None: it has none, or one of another run of the pit.
        self._has = min(int(number), wall.picture) if known else None

    @property
    def _run_now(self) -> str:
        """Tables that the wall has forgotten are gone from a page that begins anew."""
        return f"{self._begins}-{self._wall.edition}"

    def newest(self) -> bytes | None:
        """What changed since, as an event; None: nothing.

        The first is sent whatever it says: only by it the page knows that what it shows is live.
        """
        number = self._wall.picture
        if self._run != self._run_now:
            self._run, self._has = self._run_now, None
        if self._has == number and self._begun:
            return None
        self._begun = True
        change = self._wall.changes(self._has or 0, self._in_view)
        self._has = number
        return b"event: wall\nid: %b.%d\ndata: %b\n\n" % (self._run.encode(), number, change)
