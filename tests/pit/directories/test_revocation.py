"""A person is taken out at the pit: out at a running table, over a real broker, with the delay."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from nats.errors import Error as NatsError
from sqlalchemy import Engine

from controller.bus.messages import last_people
from controller.people.pin_hash import hashed_pin
from controller.people.sealing import head_of, table_public
from controller.pit.accounts.factors.one_time import AppSecrets
from controller.pit.accounts.roles import PitRole
from controller.pit.archive.storage.database import open_database
from controller.pit.directories import rows
from controller.pit.server.running import RunningPit
from controller.pit.server.settings import load_pit
from tests.bus.nats_server import NatsServer
from tests.bus.test_command_subjects import BrokerClient
from tests.bus.test_people_line import table_of
from tests.people.documents import KEY, OWN
from tests.pit.accounts.known import KnownAccounts
from tests.pit.archive.pit_process import write_config
from tests.pit.archive.test_pit import running
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
PIN = "471108"
PINS = AppSecrets(bytes(32))


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    with NatsServer(tmp_path / "nats") as server:
        yield server


@pytest.fixture
def known(database: str) -> Iterator[KnownAccounts]:
    """By the real clock."""
    engine = open_database(database)
    yield KnownAccounts(engine, lambda: time.time_ns() // 1_000_000)
    engine.dispose()


@asynccontextmanager
async def pit_of(folder: Path, broker: NatsServer, engine: Engine) -> AsyncIterator[RunningPit]:
    config = write_config(folder, broker)
    with config.open("a") as file:
        file.write(f'[people.tables]\nT1 = "{table_public(OWN)}"\n')
    async with running(RunningPit(load_pit(config), engine, key=KEY, secret_key=PINS)) as pit:
        yield pit


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not await asyncio.to_thread(holds):  # noqa: ASYNC110  (pit and table are looked at)
            await asyncio.sleep(0.01)


def people(known: KnownAccounts) -> tuple[int, int]:
    numbers = []
    for name, role in (("Aino", PitRole.DEALER), ("Eino", PitRole.FLOOR)):
        user, _ = known.people.add(name, frozenset({role}))
        with known.engine.begin() as connection:
            rows.set_tables(connection, user.id, frozenset({rows.EVERYWHERE}))
            sealed = PINS.sealed(hashed_pin(PIN).encode(), user.id)
            rows.set_pin(connection, user.id, sealed, 1)
        numbers.append(user.id)
    return numbers[0], numbers[1]


async def test_who_is_taken_out_at_the_pit_is_out_at_a_running_table(
    tmp_path: Path, broker: NatsServer, known: KnownAccounts
) -> None:
    folder = tmp_path / "T1"
    folder.mkdir()
    aino, _ = people(known)
    async with pit_of(tmp_path, broker, known.engine) as pit, table_of(folder, broker) as table:
        await until(lambda: table.serial == 1)
        assert await table.knows("Aino", PIN)
        await until(lambda: _standing(pit) == "IN_FORCE")
        known.people.close(aino)
        await until(lambda: table.serial == 2)
        assert not await table.knows("Aino", PIN)
        assert await table.knows("Eino", PIN)
        # By the table's own record, through the archive, the pit knows that it is so, and when.
        await until(lambda: _standing(pit) == "IN_FORCE")
        [found] = pit.directories.standings()
        assert found.in_force is not None
        assert found.in_force.serial == 2
        await until(lambda: pit.directories.standings()[0].in_force_ms is not None)


async def test_a_table_that_was_off_is_told_by_the_broker_while_the_pit_is_away(
    tmp_path: Path, broker: NatsServer, known: KnownAccounts
) -> None:
    folder = tmp_path / "T1"
    folder.mkdir()
    aino, _ = people(known)
    async with pit_of(tmp_path, broker, known.engine) as pit:
        async with table_of(folder, broker) as table:
            await until(lambda: table.serial == 1)
            await until(lambda: _standing(pit) == "IN_FORCE")
        known.people.close(aino)
        await until(lambda: _newest(pit) == 2)
        await kept_at(broker, 2)
    async with table_of(folder, broker) as table:
        await until(lambda: table.serial == 2)
        assert not await table.knows("Aino", PIN)
        # And then nobody is there: broker and pit are away, and the table knows its people.
        broker.kill()
        assert await table.knows("Eino", PIN)


async def test_a_broker_that_was_wiped_keeps_the_next_one_although_the_table_listens(
    tmp_path: Path, broker: NatsServer, known: KnownAccounts
) -> None:
    """A table that listens is somebody there: a publish to no stream is not refused, it times out.
    The table began first here, too, so that there was no stream when it came.
    """
    folder = tmp_path / "T1"
    folder.mkdir()
    aino, _ = people(known)
    async with table_of(folder, broker) as table:
        # Connected is all that it can be: without a pit there is no buffer for its records either.
        await until(lambda: table.line.is_connected)
        async with pit_of(tmp_path, broker, known.engine):
            await until(lambda: table.serial == 1)
            await kept_at(broker, 1)
            broker.kill()
            broker.wipe()
            broker.start()
            known.people.close(aino)
            await until(lambda: table.serial == 2)
            await kept_at(broker, 2)


async def kept_at(broker: NatsServer, serial: int) -> None:
    """Returns once the broker has that directory for the table."""
    one = await BrokerClient().enter(broker, "T1")
    async with asyncio.timeout(PATIENCE_S):
        while True:
            with suppress(NatsError):
                last = await one.client.request(last_people("T1"), b"", timeout=1)
                if last.data and head_of(last.data).serial == serial:
                    break
            await asyncio.sleep(0.02)
    await one.client.close()


def _standing(pit: RunningPit) -> str:
    return pit.directories.standings()[0].standing.name


def _newest(pit: RunningPit) -> int:
    newest = pit.directories.standings()[0].newest
    return newest.serial if newest else 0
