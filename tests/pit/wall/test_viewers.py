"""WallViewers of a stream of the pit: so many at a time, and a place is free once one has gone."""

from __future__ import annotations

import asyncio
from typing import Any

from controller.pit.wall.settings import WallSettings
from controller.pit.wall.stream import WallViewers
from controller.pit.wall.wall import Wall
from tests.pit.wall.statuses import NOW_MS
from tests.support.patience import PATIENCE_S

SCOPE = {"type": "http", "method": "GET", "path": "/events/wall", "headers": []}


class Viewer:
    """One that looks until it goes; `status` is how it was answered, 0 before."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[bytes, bytes] = {}
        self.body = b""
        self.answered = asyncio.Event()
        self.going = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self.going.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
        else:
            self.body += message["body"]
            self.answered.set()

    async def look(self, viewers: WallViewers) -> asyncio.Task[None]:
        """The stream that this viewer is given, once it has begun."""
        task = asyncio.create_task(viewers.serve(SCOPE, self.receive, self.send, lambda: b"news"))
        async with asyncio.timeout(PATIENCE_S):
            await self.answered.wait()
        return task


def test_one_more_viewer_than_there_are_places_for_is_told_so_until_one_goes() -> None:
    async def scenario() -> None:
        viewers = WallViewers(Wall(WallSettings(), lambda: NOW_MS), "tables", 1, "")
        first, second, third = Viewer(), Viewer(), Viewer()
        looks = await first.look(viewers)
        assert (first.status, first.body[:4]) == (200, b"news")
        refused = await second.look(viewers)
        async with asyncio.timeout(PATIENCE_S):
            await refused
        assert second.status == 503
        assert second.headers[b"retry-after"] == b"5"
        assert b"1 viewers look at tables already" in second.body
        first.going.set()
        await looks
        looks = await third.look(viewers)
        assert third.status == 200
        third.going.set()
        await looks

    asyncio.run(scenario())
