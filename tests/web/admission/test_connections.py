"""Who keeps a slot when more connect than there are slots, and who is dropped in time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from controller.web.app import create_app
from controller.web.server import server
from controller.web.server.connections import (
    GRACE_S,
    WRITER_SLOTS,
    Activity,
    Connections,
    Slot,
)
from controller.web.settings import WebSettings
from tests.support.patience import PATIENCE_S
from tests.support.processes.attackers import STREAM, Attacker, attacked
from tests.web.conftest import TOKEN, WRITER
from tests.web.desk import PlayedDesk
from tests.web.server import Served, SlowViewer

pytestmark = pytest.mark.anyio

VIEWERS = 12


class NotedConnection:
    """A connection that notes its end."""

    def __init__(self) -> None:
        self.ended = False

    def abort(self) -> None:
        self.ended = True


class Hall:
    """Places with a clock in the test's hand."""

    def __init__(self, most: int) -> None:
        self.now_s = 0.0
        self.slots = Connections(most, now_s=lambda: self.now_s)

    def enter(self, address: str = "127.0.0.1", activity: Activity | None = None) -> Slot:
        slot = self.slots.enter(address)
        assert slot is not None
        slot.connection = NotedConnection()
        if activity is not None:
            self.slots.does(slot, activity)
        return slot


def ended(slot: Slot) -> bool:
    wire = slot.connection
    assert isinstance(wire, NotedConnection)
    return wire.ended


def test_who_waited_longest_without_a_request_goes() -> None:
    hall = Hall(3)
    first, asking, second = hall.enter(), hall.enter(activity=Activity.ASKING), hall.enter()
    hall.now_s = GRACE_S + 1
    newest = hall.enter()
    assert [ended(each) for each in (first, asking, second, newest)] == [True, False, False, False]
    assert (len(hall.slots), hall.slots.dropped) == (3, 1)


def test_who_has_just_connected_has_a_moment_to_ask() -> None:
    hall = Hall(2)
    asking = hall.enter(activity=Activity.ASKING)
    new = hall.enter()
    hall.enter()
    assert [ended(asking), ended(new)] == [True, False]


def test_an_address_with_many_connections_gives_way_to_another() -> None:
    hall = Hall(4)
    other = hall.enter("127.0.0.2")
    many = [hall.enter("127.0.0.1") for _ in range(3)]
    hall.now_s = GRACE_S + 1
    hall.enter("127.0.0.3")
    assert [ended(each) for each in (other, *many)] == [False, True, False, False]


def test_streams_and_whoever_had_the_token_stay() -> None:
    hall = Hall(3)
    display = hall.enter(activity=Activity.ASKING)
    display.trusted = True
    hall.enter(activity=Activity.LOOKING)
    stranger = hall.enter()
    hall.now_s = GRACE_S + 1
    hall.enter(activity=Activity.LOOKING)
    assert ended(stranger)
    assert hall.slots.enter("127.0.0.1") is None
    assert (hall.slots.refused, len(hall.slots), ended(display)) == (1, 3, False)


class Site:
    """A web on a real socket with few slots."""

    def __init__(self, slots: int) -> None:
        self.desk = PlayedDesk()
        self.desk.pit.shuffle()
        settings = WebSettings(token=TOKEN, max_viewers=VIEWERS, beat_s=0.1)
        self.slots = Connections(slots)
        self.server = Served(create_app(self.desk, settings, self.slots), self.slots)
        self.port = int(self.server.url.rpartition(":")[2])
        self.web = httpx.AsyncClient(
            base_url=self.server.url,
            timeout=PATIENCE_S,
            trust_env=False,
            verify=False,
            headers=WRITER,
        )

    async def until_connected(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while len(self.slots) != count:  # noqa: ASYNC110  (no event comes here)
                await asyncio.sleep(0.01)


@asynccontextmanager
async def site(slots: int) -> AsyncIterator[Site]:
    made = Site(slots)
    serving = asyncio.ensure_future(made.server.serve([made.server.listening]))
    try:
        await made.server.up.wait()
        yield made
    finally:
        made.desk.close()
        made.server.should_exit = True
        await made.web.aclose()
        async with asyncio.timeout(PATIENCE_S):
            await serving


async def dropped(attacker: Attacker) -> None:
    """Returns when the other end has ended every connection."""
    loop = asyncio.get_running_loop()
    for each in attacker.held:
        async with asyncio.timeout(PATIENCE_S):
            try:
                while await loop.sock_recv(each, 65_536):
                    pass
            except ConnectionError:
                continue


@pytest.mark.parametrize(
    "sends",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
        f"POST /api/v1/commands HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n"
        'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"do":'.encode(),
        b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /hea",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
    ids=["nothing", "half a head", "half a body", "half a second request", "TLS"],
)
async def test_a_request_that_is_never_whole_is_ended(
    monkeypatch: pytest.MonkeyPatch, sends: bytes
) -> None:
    monkeypatch.setattr(server, "REQUEST_S", 0.2)
    monkeypatch.setattr(server, "TRUSTED_REQUEST_S", 0.2)
    async with site(20) as here, attacked(here.port) as attacker:
        attacker.connect(5, sends)
        await attacker.connected()
        await dropped(attacker)
        await here.until_connected(0)
        assert (await here.web.get("/healthz")).status_code == 200


async def test_who_reads_nothing_is_dropped_and_others_get_everything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "STALL_S", 0.2)
    async with site(20) as here:
        slow = SlowViewer(here.server.url, "status")
        await slow.connect()
        await here.until_connected(1)
        async with asyncio.timeout(PATIENCE_S):
            while len(here.slots):
                # More than any buffer holds, until the server gives up on it.
                here.desk.tell()
                await asyncio.sleep(0)
        slow.close()
        await here.desk.nobody_watches()


async def test_viewers_without_the_token_keep_no_display_out() -> None:
    """The dealer's display has a slot, however many viewers never read."""
    async with site(VIEWERS + WRITER_SLOTS + 5) as here, attacked(here.port) as attacker:
        attacker.connect(VIEWERS, STREAM)
        await attacker.connected()
        async with asyncio.timeout(PATIENCE_S):
            while len(here.desk.watching) < VIEWERS:  # noqa: ASYNC110  (no event)
                await asyncio.sleep(0.01)
        stranger = await here.web.get("/events/dealer", headers={"Authorization": "Bearer none"})
        assert stranger.status_code == 503
        async with here.web.stream("GET", "/events/dealer") as display:
            assert display.status_code == 200
            assert "event: scene" in [line async for line in _first(display)]


async def _first(answer: httpx.Response) -> AsyncIterator[str]:
    async for line in answer.aiter_lines():
        if not line:
            return
        yield line


async def test_idle_connections_beyond_the_slots_end_the_oldest_and_no_display() -> None:
    async with site(20) as here, attacked(here.port) as attacker:
        async with here.web.stream("GET", "/events/dealer") as display:
            attacker.connect(300)
            await attacker.connected()
            assert (await here.web.get("/api/v1/scene")).status_code == 200
            assert len(here.slots) <= 20
            here.desk.tell()
            assert display.status_code == 200
            lines = display.aiter_lines()
            async with asyncio.timeout(PATIENCE_S):
                assert await anext(lines) == "event: scene"
        assert (await here.web.get("/metrics")).text.count("tablectl_connections") > 3


async def test_requests_without_the_token_wait_for_each_other_and_not_the_dealer() -> None:
    async with site(60) as here, attacked(here.port) as attacker:
        many = b"GET /api/v1/rules HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 40
        attacker.connect(40, many)
        await attacker.connected()
        await here.until_connected(40)
        answer = await here.web.post(
            "/api/v1/commands", json={"do": "place_wager", "seat": 1, "amount": 1_000}
        )
        assert answer.json()["accepted"] is True
