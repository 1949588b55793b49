"""What a server sends comes to the same, however it is cut, as by nats-py's own parser."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from nats.errors import ProtocolError
from nats.protocol.parser import Parser

from controller.bus.parser import MOST_BYTES, BoundedParser, HeardMessage

pytestmark = pytest.mark.anyio

#: Subscription 2 is heard at once.
SENT = (
    b"MSG tablectl.T1.status 2 5\r\nfirst\r\n",
    b"MSG tablectl.T1.refill 1 _INBOX.T1.4 7\r\n{a\r\n1}x\r\n",
    b"HMSG tablectl.T1.records 2 $JS.ACK.S.C.1.5.6.7.8 18 20\r\nNATS/1.0\r\nA: 1\r\n\r\n[]\r\n",
    b"HMSG _INBOX.T1.4 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n",
    b'MSG _INBOX.T1.9.1 2  37\r\n{"stream":"TABLECTL_RECORDS","seq":1}\r\n',
    b"PING\r\n",
    b"MSG tablectl.T2.status 2 7 0\r\n\r\n",
    b"PONG\r\n",
    b"+OK\r\n",
    b"MSG\ttablectl.T3.status  2 3\r\nodd\r\n",
    b'INFO {"version":"2.10.0"}\r\n',
    b"MSG tablectl.T4.head 1 4\r\nMSG \r\n",
)


class SeenClient:
    """What nats-py's parser says to its client."""

    def __init__(self) -> None:
        self.seen: list[object] = []

    async def _process_msg(self, *message: object) -> None:
        number, subject, reply, body, headers = message
        self.seen.append((number, subject, reply, body, headers or b""))

    async def _process_ping(self) -> None:
        self.seen.append("ping")

    async def _process_pong(self) -> None:
        self.seen.append("pong")

    async def _process_info(self, info: object) -> None:
        self.seen.append(info)


def bounded(client: SeenClient) -> BoundedParser:
    """Our parser; what is heard at once is seen with the rest."""

    def heard(message: HeardMessage) -> None:
        client.seen.append((2, *message))

    return BoundedParser(client, client._process_msg, {2: heard})


def pieces(sent: bytes, mixed: random.Random) -> list[bytes]:
    cuts = sorted({0, len(sent), *mixed.choices(range(len(sent)), k=mixed.randint(0, 40))})
    return [sent[one:next_] for one, next_ in pairwise(cuts)]


@pytest.mark.parametrize("seed", range(60))
async def test_whatever_is_cut_is_what_natspy_reads(seed: int) -> None:
    mixed = random.Random(seed)
    sent = b"".join(mixed.choices(SENT, k=30))
    theirs, ours = SeenClient(), SeenClient()
    parser, natspys = bounded(ours), Parser(theirs)
    for piece in pieces(sent, mixed):
        await parser.parse(piece)
        await natspys.parse(piece)
    assert ours.seen == theirs.seen
    assert len(ours.seen) == 30 - sent.count(b"+OK")


async def test_most_messages_do_not_go_by_natspy() -> None:
    client, left = SeenClient(), list[object]()

    async def natspys(*message: object) -> None:
        left.append(message)

    parser = BoundedParser(client, natspys, {2: client.seen.append})
    sent = SENT[0] + SENT[2] + SENT[4]
    for at in range(0, len(sent), 10):
        await parser.parse(sent[at : at + 10])
    assert client.seen == [
        HeardMessage(b"tablectl.T1.status", b"", b"first", b""),
        HeardMessage(
            b"tablectl.T1.records", b"$JS.ACK.S.C.1.5.6.7.8", b"[]", b"NATS/1.0\r\nA: 1\r\n\r\n"
        ),
        HeardMessage(b"_INBOX.T1.9.1", b"", b'{"stream":"TABLECTL_RECORDS","seq":1}', b""),
    ]
    assert left == []


@pytest.mark.parametrize(
    "line", [b"MSG a 1\r\n", b"MSG a x 5\r\nhello\r\n", b"\r\n", b"HMSG a 1 5\r\n"]
)
async def test_what_is_no_message_is_refused(line: bytes) -> None:
    parser = bounded(SeenClient())
    with pytest.raises(ProtocolError):
        await parser.parse(line)


async def test_a_message_without_end_is_refused_before_it_is_there() -> None:
    parser = bounded(SeenClient())
    await parser.parse(b"MSG tablectl.T1.status 2 99999999999\r\n")
    with pytest.raises(ProtocolError):
        await parser.parse(b"x" * (MOST_BYTES + 1))
