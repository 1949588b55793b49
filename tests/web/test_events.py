"""The live streams: newest picture at once, beats, and viewers that are slow, many or gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from controller.devices.safe import SAFE_HEADLINE
from controller.table import inputs as i
from controller.web.app import create_app, pages_edition
from controller.web.settings import WebSettings
from controller.web.static_files import StaticFiles
from tests.support.patience import PATIENCE_S
from tests.web.conftest import TOKEN
from tests.web.desk import PlayedDesk
from tests.web.server import Served, SlowViewer, looking

pytestmark = pytest.mark.anyio

MOST = 60


class ServedTable:
    """A table, its server, and a client without a limit of connections."""

    def __init__(self) -> None:
        self.desk = PlayedDesk()
        settings = WebSettings(token=TOKEN, max_viewers=MOST, beat_s=0.1)
        self.server = Served(create_app(self.desk, settings))
        self.serving = asyncio.ensure_future(self.server.serve([self.server.listening]))
        self.web = httpx.AsyncClient(
            base_url=self.server.url, timeout=PATIENCE_S, trust_env=False, verify=False,
            limits=httpx.Limits(max_connections=None),
        )  # fmt: skip

    def change(self) -> int:
        """Something happens at the table; the number of its last record."""
        pit = self.desk.pit
        pit.give(i.RemoveWager(1)) if pit.state.betting.wagers else pit.bet(1)
        self.desk.tell()
        return pit.state.seq

    def fill_the_past(self) -> None:
        """Rounds are played, so that pictures of the status page are large."""
        pit = self.desk.pit
        for suit in "cdhs" * 2:
            pit.bet(1)
            pit.no_more_bets()
            pit.deal(f"K{suit} 9{suit} 9{suit}")
            pit.press("stand")
            pit.deal(f"Q{suit}")
            pit.press("next")
        assert len(pit.state.rounds.past) == 8

    async def close(self) -> None:
        self.desk.close()
        self.server.should_exit = True
        async with asyncio.timeout(PATIENCE_S):
            await self.serving
        await self.web.aclose()


@pytest.fixture
async def house() -> AsyncIterator[ServedTable]:
    made = ServedTable()
    made.desk.pit.shuffle()
    yield made
    await made.close()


@pytest.mark.parametrize(
    ("page", "event", "says"),
    [
        ("dealer", "scene", ("headline", "Place your bets")),
        ("players", "scene", ("notice", "Place your bets")),
        ("status", "status", ("waiting_for", "Place your bets")),
    ],
)
async def test_the_newest_picture_comes_at_once_and_then_each_change(
    house: ServedTable, page: str, event: str, says: tuple[str, str]
) -> None:
    async with looking(house.web, page) as viewer:
        assert viewer.answer.headers["content-type"].startswith("text/event-stream")
        assert viewer.answer.headers["cache-control"] == "no-store"
        name, picture = await viewer.next()
        assert (name, picture[says[0]]) == (event, says[1])
        assert picture["seq"] == house.desk.pit.state.seq
        assert await viewer.until(house.change())
        assert await viewer.until(house.change())


async def test_the_status_stream_says_that_the_table_is_simulated(house: ServedTable) -> None:
    async with looking(house.web, "status") as viewer:
        assert (await viewer.next())[1]["simulated"] is True


async def test_a_beat_comes_while_nothing_changes(house: ServedTable) -> None:
    async with looking(house.web, "dealer") as viewer:
        assert [(await viewer.next())[0] for _ in range(4)] == ["scene", "beat", "beat", "beat"]
        await viewer.until(house.change())
        name, said = await viewer.next()
        assert name == "beat"
        assert said["now_ms"] > 1_700_000_000_000


async def test_beats_say_of_which_edition_the_pages_are(house: ServedTable) -> None:
    """By that a page that was opened before an update knows that it is old."""

    def edition(**settings: Any) -> str:
        files = StaticFiles()
        return pages_edition(files, WebSettings(token=TOKEN, **settings))

    async with looking(house.web, "players") as viewer:
        _, said = await viewer.next("beat")
        assert said["edition"] == edition() == edition(max_viewers=3)
    others = edition(languages={"/dealer": "fi"}), edition(overlay_css="p { color: red }")
    assert len({edition(), *others}) == 3


async def test_beats_go_on_while_much_happens(house: ServedTable) -> None:
    """By them a viewer on a slow line knows how late its views are."""
    async with looking(house.web, "dealer") as viewer:
        names = []
        for _ in range(60):
            names.append((await viewer.next())[0])
            if names[-1] == "scene":
                await asyncio.sleep(0.02)
                house.change()
        assert names.count("beat") > 5


async def test_a_stopped_table_shows_its_safe_picture_to_who_is_looking(house: ServedTable) -> None:
    async with looking(house.web, "dealer") as dealer, looking(house.web, "status") as boss:
        await dealer.next("scene")
        await boss.next("status")
        house.desk.stop()
        assert (await dealer.next("scene"))[1]["headline"] == SAFE_HEADLINE
        assert (await boss.next("status"))[1]["waiting_for"] == SAFE_HEADLINE


async def test_a_slow_viewer_slows_nobody_and_gets_the_newest(house: ServedTable) -> None:
    house.fill_the_past()
    slow = SlowViewer(house.server.url, "status")
    await slow.connect()
    changes, last = 150, 0
    async with looking(house.web, "status") as quick:
        await quick.next("status")
        for _ in range(changes):
            # Each picture reaches the quick viewer, while the slow one reads nothing at all.
            last = house.change()
            assert await quick.until(last) == [last]
    got = await slow.read_until(f'data: {{"seq":{last},')
    slow.close()
    assert got.startswith("HTTP/1.1 200 OK")
    assert got.count("event: status") < changes / 2
    await house.desk.nobody_watches()


@pytest.mark.long
async def test_many_look_and_the_next_is_refused_as_one_too_many(house: ServedTable) -> None:
    async with AsyncExitStack() as stack:
        viewers = [
            await stack.enter_async_context(looking(house.web, "players")) for _ in range(MOST)
        ]
        for viewer in viewers:
            await viewer.next("scene")
        refused = await house.web.get("/events/dealer")
        assert refused.status_code == 503
        assert refused.json()["detail"].startswith(f"{MOST} viewers are looking already: close")
        assert int(refused.headers["retry-after"]) > 0
        assert f'tablectl_viewers{{page="players"}} {MOST}.0' in await metrics(house)
        last = house.change()
        for viewer in viewers:
            await viewer.until(last)
    await house.desk.nobody_watches()
    async with looking(house.web, "dealer") as viewer:
        await viewer.next("scene")
    await house.desk.nobody_watches()
    assert 'tablectl_viewers{page="players"} 0.0' in await metrics(house)


@pytest.mark.long
async def test_a_slow_viewer_that_goes_leaves_nothing(house: ServedTable) -> None:
    house.fill_the_past()
    slow = SlowViewer(house.server.url, "status")
    await slow.connect()
    async with looking(house.web, "dealer") as quick:
        for _ in range(100):
            await quick.until(house.change())
        slow.close()
    await house.desk.nobody_watches()


async def test_the_service_stops_while_people_look(house: ServedTable) -> None:
    async with (
        looking(house.web, "dealer") as dealer,
        looking(house.web, "players") as players,
        looking(house.web, "status") as boss,
    ):
        for viewer in (dealer, players, boss):
            await viewer.next()
        house.desk.close()
        for viewer in (dealer, players, boss):
            await viewer.end()
    await house.desk.nobody_watches()


async def test_the_service_stops_while_somebody_does_not_read(house: ServedTable) -> None:
    house.fill_the_past()
    slow = SlowViewer(house.server.url, "status")
    await slow.connect()
    async with looking(house.web, "dealer") as quick:
        for _ in range(100):
            await quick.until(house.change())
    house.desk.close()
    async with asyncio.timeout(PATIENCE_S):
        # The server is not asked to stop yet: nobody may be left that it would have to cut off.
        while 'tablectl_viewers{page="status"} 0.0' not in await metrics(house):
            pass
    await house.close()
    slow.close()


async def test_who_asks_for_the_head_of_a_stream_gets_just_that(house: ServedTable) -> None:
    answer = await house.web.head("/events/dealer")
    assert (answer.status_code, answer.content) == (200, b"")
    await house.desk.nobody_watches()


async def test_a_body_that_does_not_say_its_length_is_bounded_on_the_wire(
    house: ServedTable,
) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b" " * 1_000

    headers: dict[str, Any] = {
        "Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json",
    }  # fmt: skip
    answer = await house.web.post("/api/v1/commands", content=endless(), headers=headers)
    assert answer.status_code == 413
    assert house.desk.asked == []


async def metrics(house: ServedTable) -> str:
    return (await house.web.get("/metrics")).text
