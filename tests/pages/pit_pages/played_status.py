"""The status of a table that was played, as it goes over the bus, for a pit to hear."""

from __future__ import annotations

import msgspec

from controller.pit.wall.status import read_news
from controller.pit.wall.wall import Wall
from controller.table.views.public import public
from tests.pages.pit_pages.pit_server import now_ms
from tests.support.dealt.days import CalendarPit


def status_body(pit: CalendarPit, table: str = "T1") -> bytes:
    """What the table says of itself over the bus, now."""
    shown = msgspec.to_builtins(public(pit.state)) | {"simulated": False}
    later_ms = now_ms() - pit.now_ms
    shown["since_ms"] += later_ms
    body = {"table": table, "seq": shown["seq"], "at_ms": now_ms(), "status": shown}
    return msgspec.json.encode(body)


def hear(body: bytes, wall: Wall) -> None:
    """A pit hears it."""
    wall.hear(read_news(body))
