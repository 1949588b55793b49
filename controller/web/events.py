"""The pages' live streams: the newest view of each page, to a limited number of viewers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from starlette.types import Receive, Scope, Send

from controller.service.ports import Desk
from controller.web.admission import is_trusted
from controller.web.json_views import Page, ViewCache
from controller.web.problems import problem
from controller.web.server.connections import WRITER_SLOTS
from controller.web.server.sent_events import stream_events
from controller.web.settings import WebSettings

#: Who follows the public facts, among those who look at pages.
PUBLIC: Final = "public"


class Viewers:
    """How many are looking at each page, and how many may look at all.

    Those who have the table's token, as the dealer's display has, have slots of their own: no
    number of others keeps them out.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.looking: Counter[str] = Counter()
        self._trusted = 0

    @contextmanager
    def slot(self, page: str, *, trusted: bool) -> Iterator[bool]:
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
        self, page: Page, desk: Desk, views: ViewCache, viewers: Viewers, settings: WebSettings,
        edition: str,
    ) -> None:  # fmt: skip
        """`edition`: of the pages that are given out."""
        self._page = page
        self._event = b"event: status\n" if page is Page.STATUS else b"event: scene\n"
        self._desk = desk
        self._views = views
        self._viewers = viewers
        self._beat_s = settings.beat_s
        self._edition = edition

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one viewer until it goes or the service closes."""
        with self._viewers.slot(self._page.value, trusted=is_trusted(scope)) as has_slot:
            if has_slot:
                changes = self._desk.changes()
                await stream_events(
                    scope, receive, send, changes, self._newest, self._beat_s, self._edition
                )
            else:
                text = f"{self._viewers.most} viewers are looking already: close one, try again"
                await problem(503, text, {"Retry-After": "5"})(scope, receive, send)

    def _newest(self) -> bytes:
        return b"%bdata: %b\n\n" % (self._event, self._views.newest(self._page))
