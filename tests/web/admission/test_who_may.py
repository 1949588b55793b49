"""Who may what at every address: a new one fails here until it is thought about."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.access.pin_tries import TRIES
from controller.access.staff import Staff
from controller.host.service_log import LogRing
from controller.service.odds.against_odds import AgainstOdds
from controller.table import inputs as i
from controller.table.roles import Role
from controller.web.api.description import openapi
from controller.web.app import create_app
from controller.web.settings import WebSettings
from tests.support.forms import quick_first
from tests.support.people import add_person
from tests.support.pit import Pit, setup
from tests.web.conftest import PORT, TOKEN, WRITER
from tests.web.desk import PlayedDesk

pytestmark = pytest.mark.anyio

COMMANDS, BATCH, LOG = "/api/v1/commands", "/api/v1/batch", "/api/v1/log"
#: Addresses that change something or tell what is not for everybody: they take the token.
WRITES = {COMMANDS, BATCH, LOG}
#: What tells who overruled whom, or what the house won, takes the token too.
RECORD = {
    "/api/v1/record/logbook", "/api/v1/record/rounds", "/api/v1/record/shift",
    "/api/v1/record/expected", "/api/v1/odds", "/api/v1/chips",
}  # fmt: skip
#: Everything else is open to whoever reaches the port.
READS = {
    "/api/v1/table", "/api/v1/scene", "/api/v1/rules", "/api/v1/manual", "/api/v1/ledger",
    "/api/v1/rounds",
    "/api/v1/rounds/{number}", "/api/v1/rounds/{number}/outcomes", "/api/v1/pictures/{name}",
    "/api/v1/rounds/{number}/steps/{step}/likely", "/healthz", "/metrics",
}  # fmt: skip
PEOPLE = {"aino": ("1234", Role.DEALER), "eino": ("5678", Role.FLOOR)}


class StaffedTable:
    """A table with a dealer and the floor, its log, and a hold that the floor releases."""

    def __init__(self, folder: Path) -> None:
        for name, (pin, role) in PEOPLE.items():
            add_person(folder / "people.toml", name, role, pin)
        self.desk = PlayedDesk()
        self.desk.pit = Pit(replace(setup(3), roles=True))
        self.desk.pit.give(i.CallFloor())
        settings = WebSettings(
            token=TOKEN, people=Staff(folder / "people.toml"), log=LogRing(10),
            record=folder / "record", odds=AgainstOdds(folder / "record"),
        )  # fmt: skip
        self.app = create_app(self.desk, settings)
        hold = self.desk.pit.state.holds[-1].number
        self.release = {"do": "resolve", "hold": hold, "resolution": "release", "reason": "seen"}


@pytest.fixture
def house(tmp_path: Path) -> StaffedTable:
    return StaffedTable(tmp_path)


@pytest.fixture(scope="module")
def quiet_house(tmp_path_factory: pytest.TempPathFactory) -> StaffedTable:
    """A house for what must change nothing: making one takes longer than all the asking."""
    return StaffedTable(tmp_path_factory.mktemp("house"))


@asynccontextmanager
async def visiting(house: StaffedTable) -> AsyncIterator[httpx.AsyncClient]:
    transport, url = httpx.ASGITransport(house.app), f"http://127.0.0.1:{PORT}"
    async with httpx.AsyncClient(transport=transport, base_url=url) as made:
        yield made


@pytest.fixture
async def client(house: StaffedTable) -> AsyncIterator[httpx.AsyncClient]:
    async with visiting(house) as made:
        yield made


@pytest.fixture
async def stranger(quiet_house: StaffedTable) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody without the token."""
    async with visiting(quiet_house) as made:
        yield made


def people(*proofs: tuple[str, str]) -> dict[str, Any]:
    return {"people": [{"name": name, "pin": pin} for name, pin in proofs]}


def test_every_address_is_a_write_or_a_read_that_we_know_of(quiet_house: StaffedTable) -> None:
    paths = openapi(quiet_house.app)["paths"]
    writes = {path for path, methods in paths.items() if set(methods) - {"get", "head"}}
    assert writes == WRITES
    assert set(paths) - writes == READS | RECORD


@pytest.mark.parametrize("path", sorted(RECORD))
@pytest.mark.parametrize("said", ["", "Bearer wrong", f"Basic {TOKEN}"])
async def test_the_record_is_not_read_without_the_token(
    stranger: httpx.AsyncClient, path: str, said: str
) -> None:
    answer = await stranger.get(path, headers={"Authorization": said})
    assert answer.status_code == 401


@pytest.mark.parametrize("path", sorted(WRITES | READS))
@pytest.mark.parametrize(
    "method", quick_first(["POST", "PUT", "PATCH", "DELETE", "TRACE", "PURGE"], ["POST", "PURGE"])
)
async def test_nothing_is_written_without_the_token(
    quiet_house: StaffedTable, stranger: httpx.AsyncClient, path: str, method: str
) -> None:
    records = len(quiet_house.desk.pit.records)
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Cookie": f"token={TOKEN}"}):
        answer = await stranger.request(method, path, json=quiet_house.release, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
    assert len(quiet_house.desk.pit.records) == records


@pytest.mark.parametrize(
    ("who", "release", "log"),
    [
        ([], 409, 403),
        ([("aino", "1234")], 409, 403),
        ([("eino", "5678")], 200, 200),
        ([("aino", "1234"), ("eino", "5678")], 200, 200),
        ([("eino", "1234")], 403, 403),
        ([("nobody", "5678")], 403, 403),
        ([("eino", "5678"), ("aino", "5678")], 403, 403),
    ],
    ids=["nobody", "dealer", "floor", "both", "wrong PIN", "unknown", "one of two wrong"],
)
async def test_what_takes_the_floor_is_done_by_the_floor_alone(
    house: StaffedTable,
    client: httpx.AsyncClient,
    who: list[tuple[str, str]],
    release: int,
    log: int,
) -> None:
    answer = await client.post(COMMANDS, json={**house.release, **people(*who)}, headers=WRITER)
    assert answer.status_code == release, answer.text
    answer = await client.post(LOG, json=people(*who), headers=WRITER)
    assert answer.status_code == log, answer.text


@pytest.mark.parametrize("path", [COMMANDS, LOG])
async def test_a_name_that_is_locked_learns_how_long_at_every_address(
    house: StaffedTable, client: httpx.AsyncClient, path: str
) -> None:
    body = {} if path == LOG else house.release
    for _ in range(TRIES):
        wrong = {**body, **people(("eino", "0000"))}
        assert (await client.post(path, json=wrong, headers=WRITER)).status_code == 403
    for each in (COMMANDS, LOG):
        asked = {**({} if each == LOG else house.release), **people(("eino", "5678"))}
        answer = await client.post(each, json=asked, headers=WRITER)
        assert answer.status_code == 429
        assert 0 < int(answer.headers["retry-after"]) <= 60
