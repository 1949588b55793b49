"""The whole way of a picture: a table that deals, its line, a real broker, a pit as it is run."""

from __future__ import annotations

import asyncio
import time
from base64 import b64decode
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from controller.assembly.pit_bus import forward, line_to
from controller.assembly.wiring import load
from controller.devices.inputs import Button, Condition, Health, Press, Reading
from controller.pit.accounts.roles import PitRole
from controller.pit.api.client import PitClient, PitProblem
from controller.pit.archive.storage.database import open_database
from controller.pit.reports.search.pictures import PictureState, RoundPictures
from controller.pit.sign_in.cookies import SESSION
from controller.record.card_images import Evidence, evidence_folder
from controller.rules.actions import Action
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.service.loop import Service
from controller.table import inputs as i
from tests.bus.nats_server import PASSWORDS, NatsServer
from tests.bus.test_section import table as bus_table
from tests.pit.accounts.known import KnownAccounts
from tests.pit.archive.pit_process import PitProcess, write_config
from tests.service.test_loop import ask
from tests.support.filmed import CAMERA, CARDS, HIDDEN, name_of
from tests.support.patience import PATIENCE_S
from tests.support.pit import setup

pytestmark = pytest.mark.anyio
OPEN = [each for each in CARDS if each != HIDDEN]


def as_seen(code: str) -> bytes:
    return f"{code} as its camera saw it".encode()


async def deal(service: Service, codes: tuple[str, ...]) -> None:
    for code in codes:
        reading = Reading(CAMERA, Sealed(card(code)), apart=True, evidence=as_seen(code))
        await service.offer(reading)


async def until_there(pit: PitClient, codes: list[str]) -> RoundPictures:
    """The pictures of round 1, once these cards have theirs."""
    wanted = {name_of(as_seen(each)) for each in codes}
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                found = await pit.pictures("T1", 1)
            except PitProblem:  # it is not archived yet
                found = RoundPictures("T1", 1, "", ())
            shown = {it.name for it in found.pictures if it.state is PictureState.SHOWN}
            if wanted == shown:
                return found
            assert not shown - wanted
            await asyncio.sleep(0.5)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    with NatsServer(tmp_path / "nats") as server:
        yield server


@pytest.fixture
def floor(tmp_path: Path, broker: NatsServer) -> Iterator[httpx.AsyncClient]:
    """A browser of somebody of the floor, at a pit that runs."""
    folder = tmp_path / "pit"
    folder.mkdir()
    process = PitProcess(write_config(folder, broker))
    process.start()
    engine = open_database(f"sqlite:///{folder / 'archive.db'}")
    try:
        known = KnownAccounts(engine, lambda: time.time_ns() // 1_000_000)
        session = known.enters(known.add("Aino", PitRole.FLOOR)).session
        cookie = {"Cookie": f"{SESSION}={session}"}
        yield httpx.AsyncClient(base_url=process.url, headers=cookie, timeout=PATIENCE_S)
    finally:
        engine.dispose()
        process.end()


@asynccontextmanager
async def forwarding(tmp_path: Path, broker: NatsServer) -> AsyncIterator[Service]:
    """A table with a camera that runs, and its line to the bus."""
    (tmp_path / "T1.password").write_text(PASSWORDS["T1"])
    section = f'servers = ["{broker.url}"]\nuser = "T1"\npassword_file = "T1.password"'
    config = load(bus_table(tmp_path, section))
    record = config.record.folder
    start = i.Start(setup(1, "blackjack"), "0.0-test", (CAMERA,))
    service = Service(start, record, evidence=Evidence(evidence_folder(record), 10))
    await service.recover()
    running = [
        asyncio.ensure_future(each)
        for each in (service.run(), forward(line_to(config, service), service))
    ]
    try:
        await service.offer(Health(CAMERA, Condition.UP))
        yield service
    finally:
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        service.close()


@pytest.mark.long
async def test_a_card_is_seen_in_the_pit_once_it_lies_face_up_and_while_its_table_is_there(
    tmp_path: Path, broker: NatsServer, floor: httpx.AsyncClient
) -> None:
    async with floor as http:
        pit = PitClient(http)
        async with forwarding(tmp_path, broker) as service:
            for command in (i.LoadPack(), i.CutShoe()):
                assert await ask(service, command) == ""
            await deal(service, ("2c",))
            assert await ask(service, i.PlaceWager(1, 1_000)) == ""
            assert await ask(service, i.CloseBets()) == ""
            await deal(service, CARDS)
            found = await until_there(pit, OPEN)
            assert {b64decode(each.jpeg) for each in found.pictures} == {*map(as_seen, OPEN)}
            assert await ask(service, i.Decide(1, Action.STAND)) == ""
            await service.offer(Press("buttons", Button.NEXT))
            await until_there(pit, [*OPEN, HIDDEN])
        away = await pit.pictures("T1", 1)
        assert away.said == "T1 is away, or its software gives no pictures"
        assert {each.jpeg for each in away.pictures} == {""}
