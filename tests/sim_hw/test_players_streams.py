"""The players' pages are many, and their streams are counted: nobody takes those of all others."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
import uvicorn

from sim_hw.studio import web as web_module
from sim_hw.studio.guest import Guest
from sim_hw.studio.web import PlayersPages, listen
from tests.sim_hw.test_guests import GuestServer
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio

#: So many places, instead of what a house would have.
FEW = 4


class Crowd:
    """Browsers at a game server's door, each with a stream of its own."""

    def __init__(self, place: GuestServer, address: tuple[str, int]) -> None:
        self.place = place
        self._address = address
        self._open: list[asyncio.StreamWriter] = []

    async def ask(self, path: str = "/events", guest: Guest | None = None) -> int:
        """Ask for a stream, and keep it; the status of the answer."""
        reader, writer = await asyncio.open_connection(*self._address)
        self._open.append(writer)
        cookie = f"Cookie: player={guest.secret}\r\n" if guest else ""
        writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n{cookie}\r\n".encode())
        async with asyncio.timeout(PATIENCE_S):
            line = await reader.readline()
        return int(line.split()[1])

    async def leave(self, first: int) -> None:
        """So many of them go, those first who came first."""
        for each in self._open[:first]:
            each.close()
            await each.wait_closed()
        del self._open[:first]


@pytest.fixture
async def crowd(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Crowd]:
    monkeypatch.setattr(web_module, "STREAMS_MAX", FEW)
    place = GuestServer()
    pages = PlayersPages(place.guests, "http://127.0.0.1:1", "http://127.0.0.1:1/none")
    server = uvicorn.Server(uvicorn.Config(pages.app, log_level="warning", lifespan="off"))
    with listen("127.0.0.1", 0) as listening:
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        found = Crowd(place, listening.getsockname())
        try:
            yield found
        finally:
            await found.leave(1_000)
            pages.end()
            server.should_exit = True
            await serving
            await pages.close()
            await place.api.close()


async def test_streams_of_those_who_look_on_are_bounded_and_come_free(crowd: Crowd) -> None:
    asked = [await crowd.ask() for _ in range(FEW + 2)]
    assert asked == [200] * FEW + [503, 503]
    await crowd.leave(1)
    async with asyncio.timeout(PATIENCE_S):
        while await crowd.ask() != 200:
            pass  # who has gone is noticed in a moment
    assert await crowd.ask() == 503


async def test_who_has_joined_is_kept_out_by_nobody_and_keeps_nobody_out(crowd: Crowd) -> None:
    ann, ben = await crowd.place.guests.join("Ann"), await crowd.place.guests.join("Ben")
    assert [await crowd.ask() for _ in range(FEW + 1)][-1] == 503
    own = [await crowd.ask(guest=ann) for _ in range(web_module.OWN_STREAMS_MAX + 1)]
    assert own == [200] * web_module.OWN_STREAMS_MAX + [503]
    assert ann.lines == web_module.OWN_STREAMS_MAX
    assert await crowd.ask(guest=ben) == 200


async def test_streams_asked_for_at_once_are_counted_before_the_table_has_answered(
    crowd: Crowd,
) -> None:
    """They were counted as their first word came: as many came in as asked together."""
    held = socket.create_server(("127.0.0.1", 0))
    with held:
        pages = PlayersPages(
            crowd.place.guests, "http://127.0.0.1:{1}".format(*held.getsockname()), ""
        )
        server = uvicorn.Server(uvicorn.Config(pages.app, log_level="warning", lifespan="off"))
        with listen("127.0.0.1", 0) as listening:
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            many = Crowd(crowd.place, listening.getsockname())
            asking = [asyncio.create_task(many.ask("/events/players")) for _ in range(FEW + 3)]
            try:
                first = asyncio.as_completed(asking, timeout=PATIENCE_S)
                assert [await next(first) for _ in range(3)] == [503] * 3
            finally:
                for each in asking:
                    each.cancel()
                await asyncio.gather(*asking, return_exceptions=True)
                await many.leave(1_000)
                held.close()
                pages.end()
                server.should_exit = True
                server.force_exit = True
                await serving
                await pages.close()
