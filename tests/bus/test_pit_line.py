"""The pit reads the broker's buffer: each message once, however slowly it takes them."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from nats.js import JetStreamContext
from nats.js.errors import NoStreamResponseError

from controller.bus import connection
from controller.bus.messages import STREAM, Topic, subject
from controller.bus.parser import HeardMessage
from controller.bus.server_conf import PIT
from controller.config.bus_section import BusSection
from controller.pit.line import line as line_module
from controller.pit.line.buffer import BufferLimits, BufferPlace
from controller.pit.line.buffer_reader import MOST_AHEAD, BufferReader, HearRecords
from controller.pit.line.line import Hear, Hearers, PitLine
from tests.bus.nats_server import PASSWORDS, NatsServer
from tests.bus.test_command_subjects import BrokerClient
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio


#: More in all than a client of NATS lets wait by itself (64 MB).
BODY, MANY = bytes(200_000), 400


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    with NatsServer(tmp_path / "nats") as server:
        yield server


@pytest.fixture
def password(tmp_path: Path) -> Path:
    (tmp_path / "pit.password").write_text(PASSWORDS[PIT])
    return tmp_path / "pit.password"


def write(file: Path, text: str) -> None:
    """As whoever changes it does: for a moment there is none."""
    file.unlink()
    file.write_text(text)


def ignore(_table: str, _body: bytes) -> None:
    """Heads and statuses are no matter of most tests."""


@asynccontextmanager
async def reading(
    broker: NatsServer, password: Path, hear: HearRecords, status: Hear = ignore
) -> AsyncIterator[PitLine]:
    """A pit that reads the buffer from its beginning."""

    async def nothing_yet() -> int:
        return 0

    line = PitLine(BusSection((broker.url,), PIT, password), BufferLimits(gigabytes=0.5))
    run = asyncio.ensure_future(line.run(Hearers(hear, ignore, status), nothing_yet))
    try:
        yield line
    finally:
        run.cancel()
        with suppress(asyncio.CancelledError):
            await run


async def until(holds: Callable[[], bool]) -> None:
    """Returns once it holds: a line tells nobody of it."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def published(stream: JetStreamContext, body: bytes, number: str = "first") -> None:
    """A message is in the buffer, as soon as the line has made one."""
    while True:
        with suppress(NoStreamResponseError):
            headers = {"Nats-Msg-Id": number}
            await stream.publish(subject("T1", Topic.RECORDS), body, headers=headers)
            return
        await asyncio.sleep(0.01)


def into_a_queue() -> tuple[asyncio.Queue[bytes], HearRecords]:
    """A queue, and what puts into it the messages that are heard."""
    heard = asyncio.Queue[bytes]()

    async def hear(_table: str, body: bytes, _number: int) -> None:
        heard.put_nowait(body)

    return heard, hear


async def test_what_is_taken_slowly_comes_once_and_in_order(
    broker: NatsServer, password: Path
) -> None:
    heard: list[int] = []
    may_go_on, all_heard = asyncio.Event(), asyncio.Event()

    async def hear(_table: str, body: bytes, number: int) -> None:
        assert len(body) == len(BODY)
        heard.append(number)
        await may_go_on.wait()
        if number == MANY:
            all_heard.set()

    async with reading(broker, password, hear) as line:
        await until(lambda: not line.why)
        table, pit = [await BrokerClient().enter(broker, user) for user in ("T1", PIT)]
        async with asyncio.timeout(PATIENCE_S):
            await published(table.client.jetstream(), BODY, "0")
        for each in range(1, MANY):
            await table.client.jetstream().publish(
                subject("T1", Topic.RECORDS), BODY, headers={"Nats-Msg-Id": str(each)}
            )
        async with asyncio.timeout(PATIENCE_S):
            [reader] = await pit.client.jetstream().consumers_info(STREAM)
            while (reader.num_ack_pending or 0) < MOST_AHEAD:
                [reader] = await pit.client.jetstream().consumers_info(STREAM)
        assert (heard, reader.num_ack_pending) == ([1], MOST_AHEAD), "the broker waits"
        may_go_on.set()
        async with asyncio.timeout(PATIENCE_S):
            await all_heard.wait()
        [same] = await pit.client.jetstream().consumers_info(STREAM)
        assert same.delivered is not None
        assert (same.name, same.delivered.consumer_seq) == (reader.name, MANY)
        for client in (table, pit):
            await client.client.close()
    assert heard == list(range(1, MANY + 1))


async def test_a_line_that_the_broker_has_ended_is_begun_anew_with_the_password_of_now(
    broker: NatsServer, password: Path
) -> None:
    heard, hear = into_a_queue()
    async with reading(broker, password, hear) as line:
        await until(lambda: not line.why)
        broker.change(PASSWORDS | {PIT: "changed"})
        await until(lambda: "uthorization" in line.why)
        write(password, "changed")
        await until(lambda: not line.why)
        table = await BrokerClient().enter(broker, "T1")
        async with asyncio.timeout(PATIENCE_S):
            await published(table.client.jetstream(), b"{}")
            assert await heard.get() == b"{}"
        await table.client.close()


async def test_a_message_with_headers_that_are_none_is_heard_as_any_other(
    broker: NatsServer, password: Path
) -> None:
    """Else whoever may publish would keep all that comes after it from the archive."""
    heard, hear = into_a_queue()
    async with reading(broker, password, hear) as line:
        table = await BrokerClient().enter(broker, "T1")
        async with asyncio.timeout(PATIENCE_S):
            await published(table.client.jetstream(), b"before")
            assert await heard.get() == b"before"
        await table.client.close()
        _, writer = await asyncio.open_connection("127.0.0.1", broker.port)
        user = (
            b'{"user":"T1","pass":"%b","headers":true,"verbose":false}' % PASSWORDS["T1"].encode()
        )
        writer.write(b"CONNECT " + user + b"\r\n")
        topic = subject("T1", Topic.RECORDS).encode()
        for headers in (b"N", b"NATS/1.0 404 \xff\r\n\r\n", b"NATS/1.0"):
            whole = len(headers) + 2
            writer.write(b"HPUB %b %d %d\r\n%b{}\r\n" % (topic, len(headers), whole, headers))
        writer.write(b"HPUB %b %d %d\r\n%b[]\r\n" % (topic, 12, 14, b"NATS/1.0\r\n\r\n"))
        writer.write(b"PING\r\n")
        came = []
        async with asyncio.timeout(PATIENCE_S):
            while b"[]" not in came:
                came.append(await heard.get())
        assert came == [b"{}"] * (len(came) - 1) + [b"[]"], "what the server lets through"
        assert len(came) > 1
        assert not line.why
        writer.close()
        await writer.wait_closed()


async def test_a_broker_that_is_away_for_long_is_found_by_a_new_client(
    broker: NatsServer, password: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Certificates are read with each: renewed ones are in force before the broker is back."""
    monkeypatch.setattr(connection, "AWAY_S", 0.2)
    monkeypatch.setattr(line_module, "RETRY_S", 0.05)
    broker.kill()
    read = list[BusSection]()
    real = BusSection.context

    def context(section: BusSection) -> ssl.SSLContext | None:
        read.append(section)
        return real(section)

    monkeypatch.setattr(BusSection, "context", context)

    async def hear(_table: str, _body: bytes, _number: int) -> None:
        """Nothing is sent here."""

    async with reading(broker, password, hear) as line:
        await until(lambda: len(read) > 2)
        assert line.why
        monkeypatch.setattr(connection, "AWAY_S", PATIENCE_S)
        broker.start()
        await until(lambda: not line.why)


async def test_an_error_in_what_takes_a_status_does_not_begin_the_buffer_anew(
    broker: NatsServer, password: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Five statuses a second come of each table: nothing would be archived any more."""
    heard, hear = into_a_queue()
    took = list[bytes]()

    def status(_table: str, body: bytes) -> None:
        took.append(body)
        raise KeyError("Th")

    async with reading(broker, password, hear, status) as line:
        await until(lambda: not line.why)
        table = await BrokerClient().enter(broker, "T1")
        stream = table.client.jetstream()
        async with asyncio.timeout(PATIENCE_S):
            await published(stream, b"before")
            assert await heard.get() == b"before"
            for _ in range(3):
                await table.client.publish(subject("T1", Topic.STATUS), b"odd")
            await until(lambda: len(took) == 3)
            await published(stream, b"after", "second")
            assert await heard.get() == b"after", "what was read is not read again"
        await table.client.close()
    assert caplog.text.count("a status of a table was passed over: KeyError") == 1
    assert "'Th'" not in caplog.text


async def test_an_error_of_the_line_itself_begins_it_anew(
    broker: NatsServer, password: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_module, "RETRY_S", 0.01)
    heard, hear = into_a_queue()
    real, fails = BufferReader._made, [RuntimeError("Th"), RuntimeError("Th")]

    async def odd(reader: BufferReader, *of: JetStreamContext) -> int:
        if fails:
            raise fails.pop()
        return await real(reader, *of)

    monkeypatch.setattr(BufferReader, "_made", odd)
    async with reading(broker, password, hear) as line:
        await until(lambda: not fails and not line.why)
        table = await BrokerClient().enter(broker, "T1")
        async with asyncio.timeout(PATIENCE_S):
            await published(table.client.jetstream(), b"after")
            assert await heard.get() == b"after"
        await table.client.close()


@pytest.mark.parametrize(
    ("reply", "place"),
    [
        (b"$JS.ACK.TABLECTL_RECORDS.x9.1.70012.64.1700000000000000000.3", (70_012, 64)),
        (b"$JS.ACK._.acc.TABLECTL_RECORDS.x9.1.70012.64.1700000000000000000.3", (70_012, 64)),
        (b"$JS.ACK.hq.acc.TABLECTL_RECORDS.x9.1.70012.64.1700000000000000000.3.tok", (70_012, 64)),
    ],
)
def test_where_a_message_stands_is_read_as_older_and_newer_brokers_say_it(
    reply: bytes, place: tuple[int, int]
) -> None:
    assert BufferPlace.of(HeardMessage(b"tablectl.T1.records", reply, b"", b"")) == place
