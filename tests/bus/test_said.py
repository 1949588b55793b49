"""What a table says over its line: together, as large as the server takes, and for its time."""

from __future__ import annotations

import asyncio

import pytest
from nats.errors import Error as NatsError
from nats.errors import MaxPayloadError

from controller.bus import stream_sender
from controller.bus.connection import BusClient
from controller.bus.parser import HeardMessage
from controller.bus.stream_sender import StreamSender
from tests.bus.test_lying_server import LyingServer, connected

pytestmark = pytest.mark.anyio

TO = "tablectl.T1.records"
HAS_IT = b'{"stream":"TABLECTL_RECORDS","seq":7}'


async def test_what_is_said_in_one_turn_is_written_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with connected(LyingServer()) as client:
        written = list[bytes]()
        monkeypatch.setattr(client._transport, "write", written.append)
        client.say(TO, b"[1]", "_INBOX.T1.7", b"NATS/1.0\r\nNats-Msg-Id: 1\r\n\r\n")
        client.say("tablectl.T1.status", b"{}")
        assert written == [], "more may be said in this turn"
        await asyncio.sleep(0)
        headers = b"NATS/1.0\r\nNats-Msg-Id: 1\r\n\r\n"
        assert written == [
            b"HPUB tablectl.T1.records _INBOX.T1.7 %d %d\r\n%b[1]\r\n"
            b"PUB tablectl.T1.status  2\r\n{}\r\n" % (len(headers), len(headers) + 3, headers)
        ]
        client.say("tablectl.T1.status", b"{}")
        await asyncio.sleep(0)
        assert len(written) == 2
        monkeypatch.undo()


async def test_what_the_server_would_not_take_is_not_said() -> None:
    client = BusClient()
    with pytest.raises(NatsError):
        client.say(TO, b"[]")
    async with connected(LyingServer()) as client:
        with pytest.raises(MaxPayloadError):
            client.say(TO, bytes(1_048_577))
        with pytest.raises(MaxPayloadError):
            client.say(TO, bytes(1_048_576), headers=b"NATS/1.0\r\n\r\n")


async def test_each_message_has_its_own_time_to_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_sender, "ACK_S", 0.5)
    loop = asyncio.get_running_loop()
    async with connected(LyingServer(None)) as client:
        sender = StreamSender(client)
        await sender.begin()
        await taken(sender)
        await asyncio.sleep(0.25)
        began_s = loop.time()
        with pytest.raises(TimeoutError, match="it does not answer"):
            await sender.send(TO, b"[]", "T1-2")
        assert loop.time() - began_s >= 0.49, "it had the time of the first one"
        await taken(sender)


async def taken(sender: StreamSender) -> None:
    """A message that is answered in the turn in which it is sent, however busy this machine is."""
    sending = asyncio.ensure_future(sender.send(TO, b"[]", "T1-1"))
    await asyncio.sleep(0)
    sender._answered(HeardMessage(sender._reply.encode(), b"", HAS_IT, b""))
    await sending
