"""A table's line to a real server: what is committed arrives, in order, whatever the broker does,
and the table never waits for it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Protocol

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError

from controller.bus.forwarder import Forwarder
from controller.bus.messages import (
    STREAM,
    ChainMark,
    HeadNews,
    RecordBatch,
    RefillRefused,
    RefillRequest,
    Topic,
    decode,
    decode_refill,
    encode,
    mark_of,
    row_of,
    subject,
)
from controller.bus.record_source import RecordSource
from controller.bus.server_conf import PIT, ServerFiles, inbox
from controller.config.bus_section import BusSection
from controller.record.files.chain_store import Row, chain
from controller.record.files.head_anchor import Position, genesis
from controller.record.newest_rows import NewestRows
from controller.record.reading.record_tail import RecordTail
from controller.table.facts import Record
from tests.bus.certificates import Authority
from tests.bus.described import fits
from tests.bus.nats_server import PASSWORDS, NatsServer, flushed
from tests.support.dealt.journals import IDENTITY, identity_of, records, write_journal
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
COUNT = 120


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    with NatsServer(tmp_path / "nats") as server:
        yield server


class HasLine(Protocol):
    """A table with a line to the bus."""

    line: Forwarder


class ForwardedTable:
    """A record that grows, and its line; `user` is who it says it is to the broker."""

    def __init__(
        self,
        folder: Path,
        broker: NatsServer,
        user: str = "T1",
        name: str = "T1",
        ca_file: Path | None = None,
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder / f"record of {name}"
        password = folder / f"{user}.password"
        password.write_text(PASSWORDS.get(user, "wrong") + "\n")
        self.to_come = records(5, COUNT)
        self._name = name
        self._identity = identity_of(name)
        self.write(3)
        self._section = BusSection((broker.url,), user, password, ca_file)
        self.line = self.new_line()

    def new_line(self) -> Forwarder:
        """The line of a service that starts."""
        return Forwarder(
            self._name, self.folder, self._section, status=self.status, clock_ms=lambda: 1_000,
            software="0.1.0+test",
        )  # fmt: skip

    def status(self) -> tuple[int, bytes]:
        return self.seq, json.dumps({"seq": self.seq}).encode()

    @property
    def seq(self) -> int:
        return COUNT - len(self.to_come)

    def records_from(self, seq: int) -> list[Record]:
        """The records after number `seq`, as they are written if nothing comes between."""
        return records(5, COUNT)[seq:]

    def write(self, count: int) -> None:
        """Commit so many further records."""
        written, self.to_come = self.to_come[:count], self.to_come[count:]
        write_journal(self.folder, written, self._identity)

    def commit(self, count: int) -> None:
        self.write(count)
        self.line.wake()

    def rows(self) -> list[Row]:
        """What lies on the disk."""
        with closing(RecordTail(self.folder)) as tail:
            found: list[Row] = []
            after = genesis(self._identity)
            while more := tail.after(after):
                found += more
                after = type(after)(more[-1].seq, more[-1].hash)
            return found


class RecordListener:
    """Who listens: every record that came, checked link by link."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.rows: list[Row] = []
        self.heads: list[HeadNews] = []
        self.statuses: list[dict[str, object]] = []
        self.came = asyncio.Condition()

    async def hear(self, msg: Msg) -> None:
        async with self.came:
            topic = Topic(msg.subject.rpartition(".")[2])
            if topic is not Topic.STATUS:
                fits(topic.value, msg.data)
            if topic is Topic.RECORDS:
                self.rows += [row_of(each) for each in decode(msg.data, RecordBatch).records]
            elif topic is Topic.HEAD:
                self.heads.append(decode(msg.data, HeadNews))
            else:
                self.statuses.append(json.loads(msg.data))
            self.came.notify_all()

    async def until(self, seq: int) -> None:
        """Returns when record `seq` has come."""
        async with asyncio.timeout(PATIENCE_S), self.came:
            await self.came.wait_for(lambda: bool(self.rows) and self.rows[-1].seq >= seq)

    async def announced(self, tables: int = 1) -> None:
        """Returns when so many tables have said how far their records go: their lines are up."""
        async with asyncio.timeout(PATIENCE_S), self.came:
            await self.came.wait_for(
                lambda: len({each.table for each in self.heads}) >= tables and bool(self.statuses)
            )

    async def make_stream(self) -> None:
        await self.client.jetstream().add_stream(
            name=STREAM, subjects=[subject("*", Topic.RECORDS)]
        )

    async def refill(self, mark: ChainMark, most: int = 100) -> RecordBatch | RefillRefused:
        asked = encode(RefillRequest(mark, most))
        fits("refill", asked)
        answer = await self.client.request(subject("T1", Topic.REFILL), asked, timeout=PATIENCE_S)
        fits("refillAnswer", answer.data)
        return decode_refill(answer.data)


@asynccontextmanager
async def listening(broker: NatsServer, user: str = PIT) -> AsyncIterator[RecordListener]:
    client = Client()
    await client.connect(
        broker.url, user=user, password=PASSWORDS[user], inbox_prefix=inbox(user),
        max_reconnect_attempts=-1, reconnect_time_wait=1,
    )  # fmt: skip
    pit = RecordListener(client)
    try:
        await pit.make_stream()
        for topic in (Topic.RECORDS, Topic.HEAD, Topic.STATUS):
            await client.subscribe(subject("*", topic), cb=pit.hear)
        await flushed(client)
        yield pit
    finally:
        await client.close()


@asynccontextmanager
async def forwarding(*tables: HasLine) -> AsyncIterator[None]:
    running = [asyncio.ensure_future(each.line.run()) for each in tables]
    try:
        yield
    finally:
        for each in running:
            each.cancel()
        ended = await asyncio.gather(*running, return_exceptions=True)
        assert all(isinstance(each, asyncio.CancelledError) for each in ended), ended


async def until(holds: Callable[[], bool]) -> None:
    """Returns once it holds; nothing tells of it."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110  (there is no event: the line is looked at)
            await asyncio.sleep(0.02)


async def well(table: HasLine) -> None:
    await until(lambda: table.line.link.since_ms is None)


async def lost(table: HasLine) -> str:
    await until(lambda: table.line.link.since_ms is not None)
    return table.line.link.why


async def test_what_is_committed_arrives_as_it_is_chained(
    tmp_path: Path, broker: NatsServer
) -> None:
    table = ForwardedTable(tmp_path, broker)
    async with listening(broker) as pit, forwarding(table):
        await pit.announced()
        assert pit.heads[0].head.seq == 3
        assert pit.heads[0].identity == IDENTITY.hex()
        for count in (1, 5, 30):
            table.commit(count)
            await pit.until(table.seq)
        assert pit.rows == table.rows()[3:], "from the start of the service on, in order"
        previous = table.rows()[2].hash
        for row in pit.rows:
            assert chain(previous, row.seq, row.version, row.body) == row.hash
            previous = row.hash
        # What was there before is asked for.
        first = await pit.refill(mark_of(genesis(IDENTITY)), most=2)
        assert isinstance(first, RecordBatch)
        assert [row_of(each) for each in first.records] == table.rows()[:2]
        # A record that the table does not have, and one that is another.
        beyond = await pit.refill(ChainMark(4_000, "00" * 32))
        assert isinstance(beyond, RefillRefused)
        assert beyond.fork
        assert "the table was put back to an older record" in beyond.why
        other = await pit.refill(ChainMark(5, "00" * 32))
        assert isinstance(other, RefillRefused)
        assert "record 5 of the table is another one" in other.why
        assert table.line.link.problem() is None


async def test_a_record_is_looked_at_once_for_each_commit(
    tmp_path: Path, broker: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_after = list[int]()
    after = RecordTail.after

    def counted(tail: RecordTail, mark: Position, *bounds: int) -> list[Row]:
        looked_after.append(mark.seq)
        return after(tail, mark, *bounds)

    table = ForwardedTable(tmp_path, broker)
    async with listening(broker) as pit, forwarding(table):
        await pit.announced()
        monkeypatch.setattr(RecordTail, "after", counted)
        for _ in range(10):
            table.commit(1)
            await pit.until(table.seq)
    # Nothing is looked for after the last one: nobody has said that there is more.
    assert looked_after == list(range(3, 13))


async def test_a_broker_that_dies_and_one_whose_disk_is_new(
    tmp_path: Path, broker: NatsServer
) -> None:
    table = ForwardedTable(tmp_path, broker)
    async with listening(broker) as pit, forwarding(table):
        await pit.announced()
        table.commit(2)
        await pit.until(5)
        broker.kill()
        table.commit(10)
        assert await lost(table)
        problem = table.line.link.problem()
        assert problem is not None
        assert problem.code == "bus-is-away"
        broker.wipe()
        broker.start()
        # The stream went with the disk: the broker takes nothing until the pit makes it again.
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    await pit.make_stream()
                    break
                except (NatsError, NotFoundError):
                    await asyncio.sleep(0.05)
        table.commit(1)
        await pit.until(table.seq)
        await well(table)
        rows = table.rows()[3:]
        # The first two may come again: the broker died, and perhaps its answer had not come yet.
        assert pit.rows in (rows, rows[:2] + rows), "nothing is lost, nothing else came twice"


async def test_a_table_may_not_speak_for_another(tmp_path: Path, broker: NatsServer) -> None:
    """The user of table T2 says that it is T1: the broker takes nothing from it."""
    forged = ForwardedTable(tmp_path, broker, user="T2", name="T1")
    honest = ForwardedTable(tmp_path / "other", broker)
    async with listening(broker) as pit, forwarding(forged, honest):
        await pit.announced()
        forged.commit(4)
        assert "ermissions" in await lost(forged)
        honest.commit(2)
        await pit.until(5)
        assert pit.rows == honest.rows()[3:]
        # Nor may it hear what others say.
        spy = Client()
        heard: list[Exception] = []

        async def note(error: Exception) -> None:
            heard.append(error)

        await spy.connect(broker.url, user="T2", password="two", error_cb=note)
        await spy.subscribe(subject("T1", Topic.RECORDS))
        await spy.subscribe("tablectl.>")
        await flushed(spy)
        await until(lambda: len(heard) >= 2)
        assert all("permissions violation" in str(each).lower() for each in heard)
        await spy.close()


async def test_a_defect_in_the_line_ends_neither_the_line_nor_the_table(
    tmp_path: Path, broker: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = ForwardedTable(tmp_path, broker)
    monkeypatch.setattr("controller.bus.forwarder.AGAIN_S", 0.05)
    broken = [KeyError("Ks"), OSError("no such certificate")]

    def status() -> tuple[int, bytes]:
        if broken:
            raise broken.pop()
        return table.status()

    table.line._status = status
    async with listening(broker) as pit, forwarding(table):
        await pit.announced()
        assert "Ks" not in table.line.link.why, "no text of a defect is shown: it may name a card"
        table.commit(1)
        await pit.until(4)


async def test_a_record_that_does_not_go_on_from_what_was_sent_is_mirrored_from_its_end(
    tmp_path: Path, broker: NatsServer
) -> None:
    """It was put back to an older copy, or its days are gone: nobody has to start anything."""
    table = ForwardedTable(tmp_path, broker)
    async with listening(broker) as pit, forwarding(table):
        await pit.announced()
        table.line._sent = Position(99, bytes(32))
        table.commit(2)
        await until(lambda: table.line._sent is not None and table.line._sent.seq == 5)
        table.commit(1)
        await pit.until(6)
        assert table.line.link.problem() is None


async def test_by_tls_a_table_speaks_only_to_whom_its_authority_signed(tmp_path: Path) -> None:
    ours, other = (Authority(tmp_path, name) for name in ("ours", "other"))
    cert, key = ours.server("broker")
    files = ServerFiles(str(tmp_path / "nats" / "jetstream"), str(cert), str(key))
    with NatsServer(tmp_path / "nats", tls=files) as broker:
        right = ForwardedTable(tmp_path / "right", broker, ca_file=ours.path)
        wrong = ForwardedTable(tmp_path / "wrong", broker, user="T2", name="T2", ca_file=other.path)
        async with forwarding(right, wrong):
            await until(lambda: right.line.is_connected)
            assert "CERTIFICATE_VERIFY_FAILED" in await lost(wrong)
            assert not wrong.line.is_connected


async def test_a_wrong_password_is_said(tmp_path: Path, broker: NatsServer) -> None:
    table = ForwardedTable(tmp_path, broker, user="T9", name="T9")
    async with forwarding(table):
        assert "uthorization" in await lost(table)


async def test_a_password_that_was_changed_is_used_at_the_next_connection(
    tmp_path: Path, broker: NatsServer
) -> None:
    table = ForwardedTable(tmp_path, broker)
    file = tmp_path / "T1.password"
    async with listening(broker) as pit, forwarding(table):
        await pit.announced()
        broker.change(PASSWORDS | {"T1": "changed"})
        assert "uthorization" in await lost(table)
        file.unlink()  # while it is written anew there is none for a moment
        table.commit(1)
        file.write_text("changed\n")
        await well(table)
        await pit.until(4)


@pytest.mark.long
async def test_a_broker_that_stands_still_is_noticed_and_caught_up_with(
    tmp_path: Path, broker: NatsServer
) -> None:
    table = ForwardedTable(tmp_path, broker)
    async with listening(broker) as pit, forwarding(table):
        await pit.announced()
        table.commit(1)
        await pit.until(4)
        broker.freeze()
        table.commit(60)
        # Whichever is noticed first: that it takes nothing, or that it says nothing.
        assert ("takes no records" in (why := await lost(table))) or "connection is lost" in why
        broker.thaw()
        await pit.until(table.seq)
        await well(table)
        # What the broker was slow to answer for was sent again: an archive passes over it.
        assert list(dict.fromkeys(pit.rows)) == table.rows()[3:]


async def test_a_record_that_is_not_there_yet_is_waited_for(
    tmp_path: Path, broker: NatsServer
) -> None:
    table = ForwardedTable(tmp_path, broker)
    rows = table.rows()
    new = tmp_path / "new"
    table.line._source = RecordSource(new, NewestRows())  # a table that has not begun
    async with listening(broker) as pit, forwarding(table):
        await asyncio.sleep(0)
        write_journal(new, records(5, 2))
        table.line.wake()
        await pit.announced()
        write_journal(new, records(5, 3)[2:])
        table.line.wake()
        await pit.until(3)
    assert [each.body for each in pit.rows] == [rows[2].body]
