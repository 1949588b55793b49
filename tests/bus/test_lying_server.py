"""A server that is none of a broker's: what it answers is no acknowledgement, what it garbles ends
the connection, and the next one begins.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from nats.errors import Error as NatsError

from controller.bus.connection import BusClient
from controller.bus.stream_sender import StreamSender
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio

INFO = b'INFO {"server_id":"L","version":"2.10.0","headers":true,"max_payload":1048576}\r\n'
_TO_ALL = re.compile(rb"SUB (\S+)\.\* +(\d+)\r\n")
_RECORDS = re.compile(rb"HPUB tablectl\.T1\.records (\S+) \d+ \d+\r\n")


class LyingServer:
    """Speaks as much of the protocol as a client needs, and answers records with `answer`; None: it
    says nothing of them.
    """

    def __init__(self, answer: bytes | None = b"") -> None:
        self.answer = answer
        self.connections = asyncio.Queue[asyncio.StreamWriter]()
        #: The client has a new connection.
        self.back = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, until it ends."""
        writer.write(INFO)
        number = b""
        self.connections.put_nowait(writer)
        while line := await reader.readline():
            if line == b"PING\r\n":
                writer.write(b"PONG\r\n")
            elif heard := _TO_ALL.fullmatch(line):
                number = heard[2]
            elif (sent := _RECORDS.fullmatch(line)) and self.answer is not None:
                size = len(self.answer)
                writer.write(b"MSG %b %b %d\r\n%b\r\n" % (sent[1], number, size, self.answer))
        writer.close()


@asynccontextmanager
async def connected(server: LyingServer) -> AsyncIterator[BusClient]:
    """A client of such a server, as a table has it."""
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    client = BusClient()

    async def back() -> None:
        server.back.set()

    try:
        await client.connect(
            f"nats://127.0.0.1:{port}", reconnect_time_wait=0, reconnected_cb=back
        )  # fmt: skip
        yield client
    finally:
        await client.close()
        listening.close()
        await listening.wait_closed()


async def sent_to(answer: bytes) -> None:
    async with connected(LyingServer(answer)) as client:
        sender = StreamSender(client)
        await sender.begin()
        await sender.send("tablectl.T1.records", b"[]", "T1-1")


@pytest.mark.parametrize(
    "answer",
    [
        b"{}", b'{"error":null}', b'{"stream":"TABLECTL_RECORDS"}', b'{"seq":3}',
        b'{"stream":"TABLECTL_RECORDS","seq":0}', b'{"stream":"ANOTHER","seq":3}', b"null", b"[]",
        b'"yes"', b"\xff", b'{"stream":["TABLECTL_RECORDS"],"seq":3}', b"[" * 100_000,
    ],
    ids=lambda answer: answer[:40].decode("ascii", "replace"),
)  # fmt: skip
async def test_only_the_stream_of_records_says_that_it_has_a_record(answer: bytes) -> None:
    """Whoever else hears the subject may answer: the table took `{}` for that, and went on."""
    with pytest.raises(NatsError):
        await sent_to(answer)


async def test_the_stream_has_a_record_also_where_it_had_it_before() -> None:
    await sent_to(b'{"stream":"TABLECTL_RECORDS","seq":7}')
    await sent_to(b'{"stream":"TABLECTL_RECORDS","seq":7,"duplicate":true,"domain":"hub"}')


async def test_what_a_server_says_of_an_error_is_a_line_of_a_log() -> None:
    said = b"maximum messages\\n\\u001b[31m exceeded" + b"!" * 100_000
    with pytest.raises(NatsError) as refused:
        await sent_to(b'{"error":{"code":503,"description":"%b"}}' % said)
    assert str(refused.value).startswith("maximum messages[31m exceeded!!!")
    assert str(refused.value).endswith("! (503)")
    assert len(str(refused.value)) < 220


@pytest.mark.parametrize("garbled", [b"INFO {\r\n", b"INFO 7\r\n", b"-ERR \r\n", b"PLEASE\r\n"])
async def test_what_no_server_says_costs_a_connection_and_no_more(garbled: bytes) -> None:
    """The client read no more, and noticed that by its own questions half a minute later."""
    server = LyingServer()
    async with asyncio.timeout(PATIENCE_S), connected(server) as client:
        (await server.connections.get()).write(garbled)
        await server.back.wait()
        await server.connections.get()
        await client.flush()
