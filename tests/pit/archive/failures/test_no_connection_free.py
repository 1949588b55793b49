"""A pit every one of whose connections to its database is taken for a while goes on afterwards."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import TimeoutError as NoneFree

from controller.bus.messages import encode
from controller.config.bus_section import BusSection
from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.factors.one_time import AppSecrets
from controller.pit.alerts.settings import AlertSettings, Webhook
from controller.pit.archive.storage.database import open_database
from controller.pit.directories.settings import PeopleSettings
from controller.pit.server.app import create_pit_app
from controller.pit.server.running import RunningPit
from controller.pit.server.settings import ArchiveSection, PitConfig, PitWebSection
from controller.pit.sign_in.cookies import SESSION
from controller.pit.wall.settings import WallSettings
from tests.bus.nats_server import free_port
from tests.people.documents import KEY
from tests.pit.archive.messages import message, rows
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """One connection at most; whoever waits for it waits a tenth of a second."""
    address = f"sqlite:///{tmp_path / 'archive.db'}"
    open_database(address).dispose()
    made = create_engine(address, pool_size=1, max_overflow=0, pool_timeout=0.1)
    yield made
    made.dispose()


def pit_on(engine: Engine, folder: Path) -> RunningPit:
    """With everything that asks the database; its broker is not there."""
    for name in ("pit.password", "secret"):
        (folder / name).write_text("0123456789abcdef01234567")
    bus = BusSection(
        (f"nats://127.0.0.1:{free_port()}",), user="pit", password_file=folder / "pit.password"
    )
    hook = Webhook("pager", "http://127.0.0.1:9/", Path("secret"))
    config = PitConfig(
        bus, ArchiveSection(), PitWebSection(), WallSettings(), folder,
        alerts=AlertSettings(disk_gb=0, webhooks=(hook,)),
        people=PeopleSettings(14, {"T1": "0f" * 32}),
    )  # fmt: skip
    return RunningPit(config, engine, lambda: 1_000, KEY, AppSecrets(bytes(32)))


@asynccontextmanager
async def taken(engine: Engine) -> AsyncIterator[None]:
    """Its one connection, as soon as the pit has let go of it: it has work for it, too."""
    connection: Connection | None = None
    async with asyncio.timeout(PATIENCE_S):
        while connection is None:
            try:
                connection = engine.connect()
            except NoneFree:
                await asyncio.sleep(0.02)
    with connection:
        yield


async def until(holds: Callable[[], bool], pit: asyncio.Task[None]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            if pit.done():
                await pit
            await asyncio.sleep(0.02)


async def answers_of(pit: RunningPit) -> list[int]:
    """What it answers to somebody who has a session, and to somebody who signs in."""
    app = create_pit_app(pit.wall, pit.overview, Accounts(pit.engine, lambda: 1_000), 10)
    here = "http://localhost"
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=here) as web:
        form = {"name": "Aino", "password": "of nobody"}
        answers = [
            await web.get("/api/v1/me", headers={"Cookie": f"{SESSION}=x"}),
            await web.post("/sign-in", data=form, headers={"Origin": here}),
        ]
    return [each.status_code for each in answers]


async def test_every_part_of_a_pit_waits_for_a_connection(
    engine: Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pit = pit_on(engine, tmp_path)
    journal = rows(7, 40)

    def said() -> set[str]:
        """Who found no connection: where that was logged."""
        none = [each for each in caplog.records if "QueuePool limit" in each.getMessage()]
        return {each.name.removeprefix("controller.pit.") for each in none}

    parts = {"server.running", "archive.archivist", "archive.branching", "archive.books.keeper",
             "directories.keeper", "alerts.sender"}  # fmt: skip
    with caplog.at_level(logging.WARNING):
        running = asyncio.ensure_future(pit.run())
        try:
            async with taken(engine):
                # Nobody can see yet where the archive is.
                await until(lambda: "archive.keeper" in said(), running)
            await until(lambda: pit.archive.archives, running)
            async with taken(engine):
                await pit.archive.hear_records("T1", encode(message(journal, 1, 40)), 1)
                await until(lambda: parts <= said(), running)
                assert await answers_of(pit) == [503, 503]

            def archived() -> bool:
                try:
                    return [each.seq for each in pit.overview().tables] == [40]
                except NoneFree:
                    # A slow machine holds the one connection longer than whoever asks waits.
                    return False

            await until(archived, running)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
