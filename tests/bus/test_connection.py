"""What a client of the bus sends to a server that is none of ours, before it knows that."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from controller.bus import connection
from controller.bus.connection import BusClient, LineNews, connect
from controller.bus.parser import MOST_BYTES
from controller.config.bus_section import BusSection
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("answered", [True, False])
async def test_who_is_cancelled_as_the_answer_comes_is_cancelled(
    monkeypatch: pytest.MonkeyPatch, answered: bool
) -> None:
    answer: asyncio.Future[Msg] = asyncio.get_running_loop().create_future()

    async def waits(_client: Client, *_asked: object, **_options: object) -> Msg:
        return await asyncio.wait_for(answer, PATIENCE_S)

    async def asks_again() -> None:
        for _ in range(3):
            with suppress(NatsError):
                await BusClient().request("tablectl.T1.refill", b"", timeout=1)

    monkeypatch.setattr(Client, "request", waits)
    asking = asyncio.ensure_future(asks_again())
    await asyncio.sleep(0)
    if answered:
        answer.set_result(Msg(Client()))
    else:
        answer.set_exception(NatsError())
    asking.cancel()
    await asyncio.wait((asking,))
    assert asking.cancelled()


#: What a server says that is in between, and wants the line to stay readable; and one that lies.
GREETINGS = (
    b'INFO {"server_id":"X","version":"2.10.0","max_payload":1048576}\r\n',
    b'INFO {"server_id":"X","version":"2.10.0","max_payload":1048576,"tls_required":false}\r\n',
    b'INFO {"server_id":"X","version":"2.10.0","max_payload":1048576,"tls_available":true}\r\n',
)


@pytest.mark.parametrize("greeting", GREETINGS)
async def test_a_server_without_tls_hears_no_password(tmp_path: Path, greeting: bytes) -> None:
    heard: asyncio.Queue[bytes] = asyncio.Queue()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(greeting)
        heard.put_nowait(await reader.read(4_096))
        writer.close()

    failures: asyncio.Queue[Exception] = asyncio.Queue()

    async def failed(error: Exception) -> None:
        failures.put_nowait(error)

    async def ignored() -> None:
        return

    password = tmp_path / "password"
    password.write_text("the-secret\n")
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    settings = BusSection((f"tls://127.0.0.1:{port}",), "T1", password)
    client = BusClient()
    connecting = asyncio.ensure_future(
        connect(client, settings, "T1", LineNews(failed, ignored, ignored, ignored))
    )
    try:
        async with asyncio.timeout(PATIENCE_S):
            assert await heard.get() == b""
            assert "offers no TLS" in str(await failures.get())
    finally:
        connecting.cancel()
        await asyncio.wait((connecting,))
        await client.close()
        server.close()


async def test_a_message_without_end_ends_the_connection() -> None:
    ended = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(GREETINGS[0])
        await reader.readuntil(b"PING\r\n")
        writer.write(b"PONG\r\nMSG tablectl.T1.refill 1 9999999999\r\n")
        writer.write(b"x" * (MOST_BYTES + 100_000))
        try:
            said = await reader.read()
        except ConnectionResetError:  # it went with some of that unread
            said = b""
        assert b"PING" not in said
        ended.set()
        writer.close()

    async def failed(_: Exception) -> None:
        return

    async def ignored() -> None:
        return

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    settings = BusSection((f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}",))
    client = BusClient()
    try:
        await connect(client, settings, "T1", LineNews(failed, ignored, ignored, ignored))
        async with asyncio.timeout(PATIENCE_S):
            await ended.wait()
    finally:
        await client.close()
        server.close()


async def test_a_server_that_says_no_sense_when_it_is_back_is_left_for_a_new_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """nats-py ends its tries then without a word, and is neither connected nor closed."""
    monkeypatch.setattr(connection, "AWAY_S", 0.5)
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        writer.write(GREETINGS[0] if connections == 1 else b"INFO\r\n")
        while (line := await reader.readline()) and connections == 1:
            if line.startswith(b"PING"):
                writer.write(b"PONG\r\n")
                await writer.drain()
                break
        writer.close()

    async def ignored(*_: object) -> None:
        return

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    client = BusClient()
    news = LineNews(ignored, ignored, ignored, ignored)
    await connect(client, BusSection((f"nats://127.0.0.1:{port}",)), "T1", news)
    watch = connection.LineWatch(client)
    async with asyncio.timeout(PATIENCE_S):
        while connections < 2 or not watch.is_over():  # noqa: ASYNC110  (asked, as a line does)
            await asyncio.sleep(0.05)
    assert not client.is_closed
    await client.close()
    server.close()
