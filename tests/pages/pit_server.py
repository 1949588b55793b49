"""The pit's own server, with a wall that a test talks to; its loop has a thread of its own."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Self

from controller.pit.app import create_pit_app
from controller.pit.archive.overview import Overview
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.wall import Wall
from controller.web.settings import WebSettings
from tests.support.patience import PATIENCE_S
from tests.web.server import Served


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def _nothing() -> Overview:
    return Overview(now_ms(), "", True, (), ())


class PitServer:
    """The pit's pages over a real socket. `do` runs something on its wall."""

    def __init__(self, settings: WallSettings) -> None:
        self._up = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run(settings)))
        self.url = ""

    def do(self, what: Callable[[Wall], None]) -> None:
        """Run `what` in the loop of the wall; returns when it is done and drawn."""
        done = threading.Event()

        def work() -> None:
            what(self._wall)
            self._wall.draw()
            done.set()

        self._loop.call_soon_threadsafe(work)
        assert done.wait(PATIENCE_S)

    async def _run(self, settings: WallSettings) -> None:
        self._loop = asyncio.get_running_loop()
        self._wall = Wall(settings, now_ms)
        server = Served(create_pit_app(self._wall, WebSettings(token="pit"), _nothing))
        self.url = server.url
        self._over = asyncio.Event()
        drawing = asyncio.ensure_future(self._wall.run())
        serving = asyncio.ensure_future(server.serve([server.listening]))
        await server.up.wait()
        self._up.set()
        await self._over.wait()
        drawing.cancel()
        await asyncio.gather(drawing, return_exceptions=True)
        server.should_exit = True
        await serving

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._up.wait(PATIENCE_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()
