"""The whole path: a table's record on disk, its forwarder, a real broker, the archive of a pit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from controller.config.bus_section import BusSection
from controller.pit.archive.database import open_database
from controller.pit.archive.overview import Overview
from controller.pit.archive.schema import RECORDS, TABLES
from controller.pit.serve import Pit
from controller.pit.settings import ArchiveSection, PitConfig, PitWebSection
from controller.pit.wall.settings import WallSettings
from tests.bus.nats_server import PASSWORDS, NatsServer
from tests.bus.test_forwarder import Table, forwarding
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    with NatsServer(tmp_path / "nats") as server:
        yield server


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = open_database(f"sqlite:///{tmp_path / 'archive.db'}")
    yield made
    made.dispose()


def pit_at(broker: NatsServer, engine: Engine, folder: Path) -> Pit:
    password = folder / "pit.password"
    password.write_text(PASSWORDS["pit"])
    bus = BusSection((broker.url,), user="pit", password_file=password)
    config = PitConfig(bus, ArchiveSection(), PitWebSection(), WallSettings(), folder)
    return Pit(config, engine, lambda: 1_000)


@asynccontextmanager
async def running(pit: Pit) -> AsyncIterator[Pit]:
    task = asyncio.ensure_future(pit.run())
    try:
        yield pit
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(pit: Pit, holds: Callable[[Overview], bool]) -> Overview:
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
    table = Table(tmp_path, broker)
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
