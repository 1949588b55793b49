"""What a server sends comes to the same, however it is cut, as by nats-py's own parser."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nats.errors import ProtocolError
from nats.protocol.parser import Parser

from controller.bus.parser import MOST_BYTES, MOST_LINE_BYTES, BoundedParser, HeardMessage

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

    async def _process_err(self, said: object) -> None:
        self.seen.append(("error", said))


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


#: What a server that lies, or one that is none, may send.
HOSTILE = (
    *SENT, b"MSG", b"HMSG", b"INFO", b"PING", b"-ERR", b" ", b"\t", b"\r\n", b"\n", b"a", b"2",
    b"5", b"-1", b"1.5", b"9" * 9, b"9" * 5_000, b"'x'", b"'\xff'", b"{}", b"null", b"\xff",
    b"\x00", b"INFO" + b" " * 300, b"-ERR 'No'\r\n",
    b"NATS/1.0\r\n", b"HMSG a 2 12 3\r\nabc\r\n", b"HMSG a 2 3 12\r\n", b"-ERR\r\n", b"-ERR  \r\n",
    b"INFO " + b"[" * 60_000 + b"\r\n", b"INFO [1]\r\n",
)  # fmt: skip


@given(
    sent=st.lists(st.sampled_from(HOSTILE), max_size=12).map(b"".join),
    cut=st.lists(st.floats(0, 1), max_size=4),
)
async def test_whatever_is_sent_is_refused_or_what_natspy_reads(
    sent: bytes, cut: list[float]
) -> None:
    """Another error would end what reads the connection: nobody would be told, and the line would
    hear nothing until its questions had had no answer for half a minute.
    """
    cuts = sorted({0, len(sent), *(round(each * len(sent)) for each in cut)})
    theirs, ours = SeenClient(), SeenClient()
    parser, natspys = bounded(ours), Parser(theirs)
    for one, next_ in pairwise(cuts):
        try:
            await parser.parse(sent[one:next_])
        except ProtocolError:
            return
        assert len(parser.buf) <= MOST_BYTES
        await natspys.parse(sent[one:next_])
        assert ours.seen == theirs.seen


@pytest.mark.parametrize(
    "sent",
    [
        b"INFO {\r\n", b"INFO \xff\r\n", b"INFO " + b"[" * 60_000 + b"\r\n", b"-ERR  \r\n",
        b"-ERR '\xff'\r\n", b"MSG a 2 %b\r\n" % (b"9" * 5_000), b"HMSG a 2 12 3\r\n" + b"x" * 20,
        b"PONGS\r\n" + b"x" * 5_000, b"INFO" + b" " * MOST_LINE_BYTES,
        b"INFO" + b" " * 60_000 + b"\rx\r\n", b"\r\n",
    ],
    ids=lambda sent: f"{sent[:12]!r}",
)  # fmt: skip
async def test_what_no_server_says_begins_a_new_connection(sent: bytes) -> None:
    with pytest.raises(ProtocolError):
        await bounded(SeenClient()).parse(sent)


async def test_headers_are_not_those_of_the_next_message() -> None:
    """They were where the next one had come already, which a moment decides."""
    client = SeenClient()
    with pytest.raises(ProtocolError):
        await bounded(client).parse(SENT[0] + b"HMSG a 2 12 3\r\nabc\r\n" + SENT[0])
    assert client.seen == [(2, b"tablectl.T1.status", b"", b"first", b"")]


@pytest.mark.parametrize(
    "line", [b"MSG a 1\r\n", b"MSG a x 5\r\nhello\r\n", b"\r\n", b"HMSG a 1 5\r\n"]
)
async def test_what_is_no_message_is_refused(line: bytes) -> None:
    parser = bounded(SeenClient())
    with pytest.raises(ProtocolError):
        await parser.parse(line)


async def test_a_message_without_end_is_refused_before_it_is_there() -> None:
    parser = bounded(SeenClient())
    await parser.parse(b"MSG tablectl.T1.status 2 9999999999\r\n")
    with pytest.raises(ProtocolError):
        await parser.parse(b"x" * (MOST_BYTES + 1))
