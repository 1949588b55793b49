"""One table's live stream: what it waits for, how its felt lies; ten pictures a second at most
(server-sent events, HTML standard 9.2).

`GET /events/tables/T1`: each picture is whole, so that whoever missed some has missed nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import Receive, Scope, Send

from controller.pit.wall.live_view import live_picture
from controller.pit.wall.stream import WallViewers
from controller.pit.wall.tile import Tile
from controller.pit.wall.wall import Wall
from controller.web.json_views import encode
from controller.web.problems import problem


class TableStream:
    """The stream as an ASGI endpoint, for `most` viewers of all tables at a time."""

    def __init__(
        self, wall: Wall, most: int, clock_ms: Callable[[], int], edition: str = ""
    ) -> None:
        """`clock_ms` is the pit's wall clock; `edition`: of the pages that are given out."""
        self._wall = wall
        self._viewers = WallViewers(wall, "tables", most, edition)
        self._clock_ms = clock_ms

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one viewer until it goes or the wall ends."""
        table: str = scope["path_params"]["table"]
        if not self._wall.knows(table):
            await problem(404, "The pit has never heard this table")(scope, receive, send)
            return
        viewer = _LiveViewer(self._wall, table, self._clock_ms)
        await self._viewers.serve(scope, receive, send, viewer.newest)


class _LiveViewer:
    """One page that follows a table, and what it was sent last."""

    def __init__(self, wall: Wall, table: str, clock_ms: Callable[[], int]) -> None:
        self._wall = wall
        self._table = table
        self._clock_ms = clock_ms
        self._has: tuple[bytes, Tile] | None = None

    def newest(self) -> bytes | None:
        """The table as it is now, as an event; None: as it was."""
        heard = self._wall.heard.get(self._table)
        now = (b"" if heard is None else heard.body, self._wall.tile(self._table))
        if now == self._has:
            return None
        self._has = now
        picture = encode(live_picture(self._wall, self._table, self._clock_ms()))
        return b"event: table\ndata: %b\n\n" % picture
