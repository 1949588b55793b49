"""A telephone that vanishes without a word: its line is cut, and the player is away."""

from __future__ import annotations

import asyncio
import ctypes
import socket
import struct

import pytest
import uvicorn

from sim_hw.studio import web as web_module
from sim_hw.studio.web import PlayersPages, listen
from tests.sim_hw.test_guests import GuestServer
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio

#: Linux: SO_ATTACH_FILTER, and a filter of one instruction, which takes no packet.
ATTACH_FILTER = 26
NOTHING = struct.pack("HBBI", 0x06, 0, 0, 0)


def vanish(phone: socket.socket) -> None:
    """From now on nothing that is sent to this socket arrives, and nothing is confirmed."""
    code = ctypes.create_string_buffer(NOTHING, len(NOTHING))
    phone.setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, struct.pack("HP", 1, ctypes.addressof(code)))


async def test_a_line_that_confirms_nothing_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_module, "UNHEARD_S", 1.0)
    place = GuestServer()
    ann = await place.guests.join("Ann")
    pages = PlayersPages(place.guests, "http://127.0.0.1:1", "http://127.0.0.1:1/none")
    server = uvicorn.Server(uvicorn.Config(pages.app, log_level="warning", lifespan="off"))
    with listen("127.0.0.1", 0) as listening, socket.socket() as phone:
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        phone.setblocking(False)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(PATIENCE_S):
                await loop.sock_connect(phone, listening.getsockname())
                asked = f"GET /events HTTP/1.1\r\nHost: x\r\nCookie: player={ann.secret}\r\n\r\n"
                await loop.sock_sendall(phone, asked.encode())
                while ann.lines == 0:
                    await loop.sock_recv(phone, 4096)
                vanish(phone)
            for _ in range(1_500):
                if ann.lines == 0:
                    break
                await asyncio.sleep(0.01)
            assert ann.lines == 0, "whoever has vanished is there still"
        finally:
            pages.end()
            server.should_exit = True
            await serving
            await pages.close()
            await place.api.close()
