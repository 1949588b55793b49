"""The odds over HTTP: delivered at once, or computed by a process for a house's own options."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.odds.live.files import FOLDER, read_expectations
from controller.odds.live.sheet import strategy_card
from controller.odds.pot.pot_sheet import PointsLine, PotSheet, write_pot_sheet
from controller.record.reading.expected import Results, beside, computed_path
from controller.rules.games.edges import COMPUTED
from controller.rules.games.registry import GAMES, game
from controller.service.odds.against_odds import AgainstOdds
from controller.web.app import create_app
from controller.web.settings import WebSettings
from tests.support.pit import Pit, setup
from tests.web.desk import PlayedDesk

pytestmark = pytest.mark.anyio

TOKEN = "the-token"


async def none_before(folder: Path, before: int) -> Results:
    return Results()


class OddsTable:
    """A table with these options, and its odds."""

    def __init__(self, folder: Path, name: str, **options: Any) -> None:
        made = setup(3, name)
        chosen = tuple({**dict(made.options), **options}.items())
        self.desk = PlayedDesk()
        self.desk.pit = Pit(replace(made, options=chosen))
        self.odds = AgainstOdds(folder / "record", none_before)
        self.app = create_app(self.desk, WebSettings(token=TOKEN, odds=self.odds))

    async def get(self) -> Any:
        transport = httpx.ASGITransport(self.app, client=("127.0.0.1", 9))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as web:
            headers = {"Authorization": f"Bearer {TOKEN}"}
            return (await web.get("/api/v1/odds", headers=headers)).json()


async def test_a_house_that_loses_hears_it_first(tmp_path: Path) -> None:
    answer = await OddsTable(tmp_path, "casino-7-27").get()
    assert answer["loses"]
    assert answer["edge"].startswith("THE HOUSE LOSES 20.92792 %")
    figures = dict(answer["sheet"]["figures"])
    assert figures["House edge at a wager of 10.00"] == "\N{MINUS SIGN}20.92792 %"


async def test_every_computed_option_stands_beside_what_is_configured(tmp_path: Path) -> None:
    sheet = (await OddsTable(tmp_path, "blackjack").get())["sheet"]
    found = {(each["option"], each["value"]): each for each in sheet["compared"]}
    usual = COMPUTED[game("blackjack").identity]
    six = usual["blackjack_pays=6:5"]
    assert found["blackjack_pays", "6:5"]["edge_per_cent"] == six
    assert found["blackjack_pays", "6:5"]["difference_per_cent"] == pytest.approx(six - usual[""])
    assert {each["name"]: each["value"] for each in sheet["options"]}["min_bet"] == "10.00"


async def test_other_options_are_computed_once_by_a_process(tmp_path: Path) -> None:
    asked = OddsTable(tmp_path, "casino-7-27", low_pays="2:1")
    first = await asked.get()
    assert first["sheet"] is None
    assert first["said"] == "The odds are being computed."
    assert first["computing_s"] == 0
    plays = asked.desk.state.game  # type: ignore[union-attr]
    await asyncio.gather(asked.odds.files.computed(plays), asked.odds.files.computed(plays))
    answer = await asked.get()
    edge = COMPUTED[plays.identity]["low_pays=2:1"]
    assert answer["sheet"]["edge_per_cent"] == pytest.approx(edge, abs=1e-9)
    assert (answer["said"], answer["computing_s"]) == ("", None)
    await asked.odds.files.close()


async def test_players_who_play_for_a_pot_see_what_hands_win(tmp_path: Path) -> None:
    asked = OddsTable(tmp_path, "seven-twenty-seven")
    plays = asked.desk.state.game  # type: ignore[union-attr]
    sheet = PotSheet(4, 100, ["7", "27"], [PointsLine(2, [3.6, 0.0])], [], [])
    path = computed_path(beside(tmp_path / "record"), plays, GAMES[plays.name])
    path.parent.mkdir()
    write_pot_sheet(path.with_name(f"{path.stem}-{plays.seats.start}.json"), sheet)
    answer = await asked.get()
    assert answer["sheet"] is None
    assert "there is no house" in answer["said"]
    assert answer["pot"] == asdict(sheet)


def test_every_line_of_the_figures_stands_on_the_card() -> None:
    for name in ("21-24-27", "blackjack", "casino-7-27", "finnish-27"):
        found = read_expectations(FOLDER / f"{name}.json")
        card = strategy_card(found)
        cells = [each for row in card.rows for each in row.cells if each is not None]
        assert sum(len(each.plays) for each in cells) == len(found.lines)
        assert all(len(row.cells) == len(card.columns) for row in card.rows)
