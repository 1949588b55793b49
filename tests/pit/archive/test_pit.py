"""The whole path: a table's record on disk, its forwarder, a real broker, the archive of a pit."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.errors import NoStreamResponseError
from sqlalchemy import Engine, select

from controller.bus.messages import Topic, batch, encode, subject
from controller.bus.record_source import RecordSource
from controller.config.bus_section import BusSection
from controller.pit.accounts.roles import PitRole
from controller.pit.archive.overview import Overview
from controller.pit.archive.storage.database import open_database
from controller.pit.archive.storage.schema import RECORDS, TABLES
from controller.pit.server.running import RunningPit
from controller.pit.server.settings import ArchiveSection, PitConfig, PitWebSection
from controller.pit.wall.settings import WallSettings
from controller.record.files.chain_store import Row
from controller.record.files.day_files import openings_path
from controller.record.files.head_anchor import Position, genesis
from controller.record.newest_rows import NewestRows
from tests.bus.nats_server import PASSWORDS, NatsServer
from tests.bus.test_forwarder import COUNT, ForwardedTable, forwarding
from tests.pit.archive.databases import until_idle
from tests.pit.archive.pit_process import PitProcess, write_config
from tests.pit.sign_in.pages_of import records_for
from tests.support.dealt.journals import IDENTITY, newest, records, write_journal
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    """With a user who may do anything: whoever has taken the broker over."""
    server = NatsServer(tmp_path / "nats")
    anybody = '  users = [\n    { user: "forger", password: "forged" }'
    server.conf.write_text(server.conf.read_text().replace("  users = [", anybody))
    with server:
        yield server


@asynccontextmanager
async def forging(broker: NatsServer) -> AsyncIterator[JetStreamContext]:
    """Somebody who may publish anything, once the pit has made the broker's buffer."""
    client = Client()
    await client.connect(broker.url, user="forger", password="forged")
    stream = client.jetstream()
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not await _takes(stream):  # noqa: ASYNC110  (no event tells of it)
                await asyncio.sleep(0.02)
        yield stream
    finally:
        await client.close()


async def _takes(stream: JetStreamContext) -> bool:
    """Whether there is a buffer; what is put into it here is none of the pit's."""
    try:
        await stream.publish(subject("T0", Topic.RECORDS), b"{}")
    except (NoStreamResponseError, TimeoutError):
        return False
    return True


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = open_database(f"sqlite:///{tmp_path / 'archive.db'}")
    yield made
    made.dispose()


def pit_at(broker: NatsServer, engine: Engine, folder: Path) -> RunningPit:
    password = folder / "pit.password"
    password.write_text(PASSWORDS["pit"])
    bus = BusSection((broker.url,), user="pit", password_file=password)
    config = PitConfig(bus, ArchiveSection(), PitWebSection(), WallSettings(), folder)
    return RunningPit(config, engine, lambda: 1_000)


@asynccontextmanager
async def running(pit: RunningPit) -> AsyncIterator[RunningPit]:
    task = asyncio.ensure_future(pit.run())
    try:
        yield pit
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.to_thread(until_idle, pit.engine)


async def until(pit: RunningPit, holds: Callable[[Overview], bool]) -> Overview:
    """The archive once it is so."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            found = await asyncio.to_thread(pit.overview)
            if holds(found):
                return found
            await asyncio.sleep(0.05)


def verified(seq: int, table: str = "T1") -> Callable[[Overview], bool]:
    return lambda it: any(each.table == table and each.seq >= seq for each in it.tables)


def archived(engine: Engine, table: str = "T1") -> list[tuple[int, int, bytes, bytes]]:
    query = (
        select(RECORDS.c.seq, RECORDS.c.version, RECORDS.c.body, RECORDS.c.hash)
        .join(TABLES, TABLES.c.id == RECORDS.c.table_id)
        .where(TABLES.c.name == table)
        .order_by(RECORDS.c.seq)
    )
    with engine.connect() as connection:
        return [(each[0], each[1], each[2], each[3]) for each in connection.execute(query)]


async def test_a_record_is_archived_whole_whatever_was_there_before(
    tmp_path: Path, broker: NatsServer, engine: Engine
) -> None:
    """Records from before the bus, those that are sent, and those while the broker was wiped."""
    table = ForwardedTable(tmp_path, broker)
    async with running(pit_at(broker, engine, tmp_path)) as pit, forwarding(table):
        await until(pit, verified(3))
        table.commit(20)
        shown = await until(pit, verified(table.seq))
        assert archived(engine) == [tuple(each) for each in table.rows()]
        assert shown.findings == ()
        broker.kill()
        table.commit(10)
        broker.wipe()
        broker.start()
        await until(pit, verified(table.seq))
        table.commit(5)
        await until(pit, verified(table.seq))
    assert archived(engine) == [tuple(each) for each in table.rows()]


async def test_what_is_wrong_is_named_and_the_honest_table_goes_on(
    tmp_path: Path, broker: NatsServer, engine: Engine
) -> None:
    """Forged by whoever may publish anywhere: a changed record, another's name, noise."""
    table = ForwardedTable(tmp_path, broker)
    async with (
        running(pit_at(broker, engine, tmp_path)) as pit,
        forwarding(table),
        forging(broker) as stream,
    ):
        await until(pit, verified(3))
        rows = table.rows()
        nexts = [Row(4, 2, b'["Forged/1",1,1,"",{}]', bytes(32))]
        after = Position(3, rows[2].hash)
        for name, body in (
            ("T1", encode(batch("T1", IDENTITY, after, nexts))),
            ("T1", b"noise"),
            ("T2", encode(batch("T1", IDENTITY, after, nexts))),
            ("T1", encode(batch("T1", bytes(32), genesis(bytes(32)), rows[:2]))),
        ):
            await stream.publish(subject(name, Topic.RECORDS), body)
        shown = await until(pit, lambda it: len(it.findings) == 5)
        assert {(it.table, it.kind, it.seq) for it in shown.findings} == {
            ("T1", "broken", 4), ("T1", "no_message", 0), ("T2", "other_table", 0),
            ("T1", "two_tables", 0), ("T0", "no_message", 0),
        }  # fmt: skip
        table.commit(4)
        shown = await until(pit, verified(7))
        assert {it.kind for it in shown.findings if it.settled_ms is not None} == {"broken"}
        assert archived(engine) == [tuple(each) for each in table.rows()]
        page = records_for(PitRole.FLOOR, shown)
        assert "two tables" in page
        assert "To be looked into: 4" in page


def _never_opened(folder: Path) -> list[bytes]:
    """The nonces of cards that no record opens; with one its commitment tells the card."""
    with closing(sqlite3.connect(openings_path(newest(folder)))) as openings:
        nonces = [each[0] for each in openings.execute("SELECT nonce FROM openings")]
    with closing(sqlite3.connect(newest(folder))) as day:
        bodies = b"".join(each[0] for each in day.execute("SELECT body FROM records"))
    return [each for each in nonces if each.hex().encode() not in bodies]


def _written(*places: Path) -> bytes:
    """Every byte of files, and of those in folders."""
    files = [each for place in places for each in (place, *place.rglob("*")) if each.is_file()]
    return b"".join(each.read_bytes() for each in files)


async def test_no_hidden_card_is_in_the_broker_or_the_archive(
    tmp_path: Path, broker: NatsServer, engine: Engine
) -> None:
    """The nonce that opens a commitment, of every card that no record has opened, is nowhere."""
    folder = tmp_path / "dealt"
    write_journal(folder, records(5, 60, "blackjack"))
    hidden = _never_opened(folder)
    assert hidden
    table = ForwardedTable(tmp_path, broker)
    table.line._source = RecordSource(folder, NewestRows())
    async with running(pit_at(broker, engine, tmp_path)) as pit, forwarding(table):
        await until(pit, verified(60))
        write_journal(folder, records(5, 400, "blackjack")[60:])
        table.line.wake()
        await until(pit, verified(400))
    hidden = _never_opened(folder)
    searched = _written(tmp_path / "nats", tmp_path / "archive.db", tmp_path / "archive.db-wal")
    assert b"CardDealtDown" in searched, "it is searched where the records are"
    for nonce in hidden:
        assert nonce.hex().encode() not in searched


@asynccontextmanager
async def started(config: Path) -> AsyncIterator[PitProcess]:
    """A pit's process; the tables' lines go on while it starts."""
    pit = PitProcess(config)
    await asyncio.to_thread(pit.start)
    try:
        yield pit
    finally:
        await asyncio.to_thread(pit.end)


@pytest.mark.long
@pytest.mark.timeout(1_800)
async def test_a_pit_that_is_killed_200_times_loses_and_doubles_nothing(
    tmp_path: Path, broker: NatsServer
) -> None:
    """At any moment, while records come: the archive is the journal."""
    table = ForwardedTable(tmp_path, broker)
    config = write_config(tmp_path, broker)
    mixed = random.Random(1)
    async with forwarding(table):
        for kill in range(200):
            async with started(config) as pit:
                if kill % 2 and table.seq < COUNT:
                    table.commit(1)
                await asyncio.sleep(mixed.random())
                pit.kill()
        async with started(config) as pit:
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    shown = await asyncio.to_thread(pit.overview)
                    if [each["seq"] for each in shown["tables"]] == [table.seq]:
                        break
                    await asyncio.sleep(0.1)
            # The table of this test lives in 1970, and nothing else is wrong.
            assert {each["kind"] for each in shown["findings"]} == {"clock"}
            assert "To be looked into: 1" in await asyncio.to_thread(pit.page)
            assert await asyncio.to_thread(pit.stop) == 0
    made = open_database(f"sqlite:///{tmp_path / 'archive.db'}")
    assert archived(made) == [tuple(each) for each in table.rows()]
    made.dispose()
