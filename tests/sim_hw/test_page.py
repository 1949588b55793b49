"""The table's page: what it shows, what a visitor may do, and whom it does not answer."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.training.world_list import parse_line, world_list
from controller.web.static_files import DRAWING
from sim_hw.devices.faults import FaultKind, Faults
from sim_hw.page.server import bind, serve_page
from sim_hw.people.dealer import Dealer
from sim_hw.people.page_link import Link, events
from sim_hw.people.trainer import Trainer
from sim_hw.people.training_list import LIST
from sim_hw.people.visitor_acts import TRAINING_PAGE, Visitor
from sim_hw.settings import Training, WorldError, parse_settings
from sim_hw.table.changes import Changes
from sim_hw.table.world import World
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio


class UndealtWorld:
    """A world with its page, and nobody dealing."""

    def __init__(self, folder: Path) -> None:
        self.changes = Changes()
        self.world = World(_settings(folder), Faults(), self.changes)
        self.link = Link("http://127.0.0.1:9", "token", self.changes)
        self.said: list[str] = []
        self.dealer = Dealer(self.world, self.link, self.changes, self.said.append, strict=False)
        self.page: httpx.AsyncClient

    async def act(self, **asked: Any) -> httpx.Response:
        return await self.page.post("/act", json=asked)


def _settings(folder: Path) -> Any:
    return parse_settings(
        {
            "game": "21-24-27", "seats": 2, "seed": 7, "speed": 10_000, "rounds": 0,
            "headless": False, "rundir": str(folder), "port": 0,
            "service_url": "http://127.0.0.1:9", "token": "t", "baud": 115_200,
            "pins": {
                "spots": [[2, 3, 4], [14, 15, 17]], "beam": 19,
                "buttons": {"next": 26, "stand": 20, "call": 21},
            },
        }
    )  # fmt: skip


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[UndealtWorld]:
    made = UndealtWorld(tmp_path)
    await made.world.open()
    with bind(0) as listening:
        serving = asyncio.ensure_future(
            serve_page(
                listening, Visitor(made.world, made.dealer), made.changes, "http://127.0.0.1:9"
            )
        )
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        async with httpx.AsyncClient(
            base_url=url, trust_env=False, timeout=PATIENCE_S, verify=False
        ) as made.page:
            yield made
        serving.cancel()
        await asyncio.wait([serving])
    await made.link.close()
    await made.world.close()


async def picture_where(table: UndealtWorld, **wanted: Any) -> dict[str, Any]:
    """The first picture of the stream in which all of `wanted` is so."""
    async with asyncio.timeout(PATIENCE_S), table.page.stream("GET", "/events") as stream:
        async for event, data in events(stream.aiter_lines()):
            view: dict[str, Any] = json.loads(data)
            if event == "world" and all(view[name] == value for name, value in wanted.items()):
                return view
    raise AssertionError("the stream ended")


async def test_the_first_picture_is_the_table_as_it_stands(table: UndealtWorld) -> None:
    view = await picture_where(table)
    assert view["shoe"] == {
        "size": 324, "left": 0, "cut": 81, "state": "no pack loaded", "number": 0,
    }  # fmt: skip
    assert [each["name"] for each in view["seats"]] == ["Aino", "Eino"]
    assert (view["dealer"], view["paused"]) == ("robot", False)


async def test_the_plug_can_be_pulled_and_put_back(table: UndealtWorld) -> None:
    assert (await table.act(do="unplug")).status_code == 200
    assert not table.world.reader.scanner.link.exists()
    await picture_where(table, scanner={"name": "scanner", "plugged": False, "busy": False})
    await table.act(do="plug")
    assert table.world.reader.scanner.link.exists()


async def test_a_visitor_deals_only_from_the_dealers_seat(table: UndealtWorld) -> None:
    await table.world.load()
    refused = await table.act(do="draw")
    assert refused.status_code == 400
    assert "take the dealer's seat first" in refused.json()["why"]
    await table.act(do="take_seat")
    assert (await table.act(do="draw")).status_code == 200
    view = await picture_where(table, dealer="visitor")
    assert view["shoe"]["left"] == 323
    assert len(view["dealer_cards"]) == 1


async def test_a_burned_card_is_never_in_a_picture(table: UndealtWorld) -> None:
    await table.world.load()
    await table.world.draw(None)
    view = await picture_where(table, burned=1)
    burned = table.world.felt.burned[0].kind.code
    assert burned not in json.dumps(view)


@pytest.mark.parametrize("kind", ["garbage", "double", "push_back", "miss_code", "split"])
async def test_a_fault_is_kept_for_the_next_card(table: UndealtWorld, kind: str) -> None:
    assert (await table.act(do=kind)).status_code == 200
    assert [each.kind for each in table.world.faults.take(1, 1)] == [FaultKind(kind)]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"do": "fly"}, "do one of unplug"),
        ({"do": "speed", "speed": "fast"}, "speed must be a number"),
        ({"do": "speed", "speed": 0}, "from 0.1"),
        ({"do": "press", "button": "red"}, "press next, stand, call"),
        ([], "unknown act"),
        ({"do": []}, "unknown act"),
    ],
)
async def test_an_act_that_is_none_is_told(table: UndealtWorld, asked: Any, says: str) -> None:
    answer = await table.page.post("/act", json=asked)
    assert answer.status_code == 400
    assert says in answer.json()["why"]


async def test_rubbish_and_too_much_are_refused(table: UndealtWorld) -> None:
    assert (await table.page.post("/act", content=b"{")).status_code == 400
    assert (await table.page.post("/act", content=b"[" * 4000)).status_code == 400
    assert (await table.page.post("/act", content=b" " * 5000)).status_code == 400


@pytest.mark.parametrize(
    "headers", [{"Host": "casino.example"}, {"Origin": "http://casino.example"}]
)
async def test_other_pages_are_not_answered(table: UndealtWorld, headers: dict[str, str]) -> None:
    answer = await table.page.post("/act", json={"do": "unplug"}, headers=headers)
    assert answer.status_code == 403
    assert table.world.reader.scanner.plugged


async def test_speed_and_pause_are_in_the_picture(table: UndealtWorld) -> None:
    await table.act(do="speed", speed=4)
    await table.act(do="pause")
    view = await picture_where(table, speed=4.0, paused=True)
    assert view["log"][-1] == "Paused."


async def test_a_busy_port_says_what_to_do() -> None:
    with (
        bind(0) as first,
        pytest.raises(WorldError, match="choose another one with --port"),
    ):
        bind(first.getsockname()[1])


async def test_the_page_draws_with_the_files_of_the_tables_own_pages(table: UndealtWorld) -> None:
    drawing = [each for each in DRAWING.iterdir() if each.is_file()]
    assert DRAWING / "cards.js" in drawing
    for each in drawing:
        answer = await table.page.get(f"/static/drawing/{each.name}")
        assert (answer.status_code, answer.content) == (200, each.read_bytes()), each.name


# A training


@pytest.fixture
def trained(table: UndealtWorld) -> Iterator[UndealtWorld]:
    """The same table, with a trainer beside whoever sits at it."""
    order = Training(trouble="few", target=60, rounds=2, minutes=0)
    with closing(Trainer(table.world, order)) as table.dealer.trainer:
        table.dealer.robot = False
        yield table


async def test_where_nobody_is_trained_there_is_no_report(table: UndealtWorld) -> None:
    answer = await table.page.get("/training")
    assert (answer.status_code, "--train" in answer.text) == (404, True)
    assert "there is no training" in (await table.act(do="less_trouble")).json()["why"]
    assert (await picture_where(table))["training"] is None


async def test_the_report_is_served_as_it_is_written(trained: UndealtWorld) -> None:
    assert "Nothing is on record yet" in (await trained.page.get("/training")).text
    report = trained.world.settings.rundir / TRAINING_PAGE
    report.write_text("<p>so far</p>")
    answer = await trained.page.get("/training")
    assert answer.text == "<p>so far</p>"
    policy = answer.headers["content-security-policy"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


async def test_a_dealer_in_training_keeps_the_seat_and_asks_for_less(trained: UndealtWorld) -> None:
    refused = await trained.act(do="leave_seat")
    assert "you deal" in refused.json()["why"]
    assert (await trained.act(do="less_trouble")).status_code == 200
    view = await picture_where(trained)
    assert view["training"] == {
        "round": 0, "rounds": 2, "trouble": "none", "less": False, "over": False,
    }  # fmt: skip
    assert "no trouble left" in (await trained.act(do="less_trouble")).json()["why"]


async def test_what_happened_stands_in_the_list(trained: UndealtWorld) -> None:
    await trained.act(do="pause")
    await trained.act(do="resume")
    await trained.act(do="less_trouble")
    await trained.world.load()
    await trained.act(do="garbage")
    await trained.act(do="draw")
    lines = (trained.world.settings.rundir / LIST).read_text().splitlines()
    parsed = [parse_line(each, number) for number, each in enumerate(lines, 1)]
    world = world_list(parsed)
    assert (world.began.trouble, world.trouble_at_end, world.began.target) == ("few", "none", 60)
    assert len(world.pauses) == 1
    assert [each.kind for each in world.troubles] == ["garbage"]
