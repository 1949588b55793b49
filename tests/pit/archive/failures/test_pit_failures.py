"""A pit whose database dies, and two pits on one database: nothing is lost, nothing is double."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.pit.archive.storage.database import open_database
from tests.bus.nats_server import NatsServer
from tests.bus.test_forwarder import ForwardedTable, forwarding
from tests.pit.archive.databases import Postgres, postgres
from tests.pit.archive.test_pit import archived, pit_at, running, until, verified

pytestmark = [pytest.mark.anyio, pytest.mark.long]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    with NatsServer(tmp_path / "nats") as server:
        yield server


@pytest.fixture
def cluster() -> Iterator[Postgres]:
    with postgres() as made:
        yield made


async def test_a_database_that_is_killed_twice(
    tmp_path: Path, broker: NatsServer, cluster: Postgres
) -> None:
    table = ForwardedTable(tmp_path, broker)
    engine = open_database(cluster.url)
    async with running(pit_at(broker, engine, tmp_path)) as pit, forwarding(table):
        await until(pit, verified(3))
        for _ in range(2):
            table.commit(10)
            cluster.kill()
            table.commit(10)
            cluster.start()
            table.commit(1)
            await until(pit, verified(table.seq))
        assert (await until(pit, lambda it: it.archives)).findings == ()
    assert archived(engine) == [tuple(each) for each in table.rows()]
    engine.dispose()


async def test_the_second_pit_takes_over(tmp_path: Path, broker: NatsServer) -> None:
    table = ForwardedTable(tmp_path, broker)
    engines = [open_database(f"sqlite:///{tmp_path / 'archive.db'}") for _ in range(2)]
    first, second = (pit_at(broker, each, tmp_path) for each in engines)
    async with forwarding(table):
        async with running(first):
            await until(first, lambda it: it.archives)
            async with running(second):
                table.commit(10)
                shown = await until(second, verified(13))
                assert not shown.archives, "it shows what the other one archives"
        async with running(second):
            await until(second, lambda it: it.archives)
            table.commit(10)
            await until(second, verified(23))
    assert archived(engines[0]) == [tuple(each) for each in table.rows()]
    for each in engines:
        each.dispose()
