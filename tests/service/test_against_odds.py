"""A running table held against its odds: as rounds end, from day to day, and to the pit alone."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from controller.devices.inputs import Condition, Health
from controller.odds.live.files import FOLDER, read_expectations, write_expectations
from controller.record.reading import expected
from controller.record.reading.expected import (
    Results,
    beside,
    computed_path,
    known_edge,
    results_of,
)
from controller.rules.game import Game
from controller.rules.games.registry import GAMES
from controller.rules.messages import message
from controller.service.house_edges import COMPUTING, NOT_COMPUTED
from controller.service.odds import expectation_files
from controller.service.odds.against_odds import AgainstOdds, NotRead, by_a_process
from controller.service.odds.expectation_files import ExpectationFiles
from controller.service.status_view import status
from controller.table.alarms import ODDS
from controller.table.facts import RoundEnded
from controller.table.views.english import say
from controller.table.views.parts.alarms import display_alarm, pit_alarms
from controller.table.views.scene import scene
from controller.web.app import create_app
from controller.web.settings import WebSettings
from tests.record.days.dealt_days import write
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.days import CalendarPit, some_round
from tests.support.patience import PATIENCE_S
from tests.support.pit import Pit, setup
from tests.web.desk import PlayedDesk

pytestmark = pytest.mark.anyio

TOKEN = "the-token"


class WatchedDesk:
    """A desk with a calendar, a record that is written as it is asked for, and what looks at it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.desk = PlayedDesk()
        self.pit = CalendarPit()
        self.desk.pit = self.pit
        self.croupier = Croupier(self.pit, random.Random(5))
        self.asked: list[int] = []
        self.odds = AgainstOdds(folder, self.earlier)

    async def earlier(self, folder: Path, before: int) -> Results:
        self.asked.append(before)
        return Results()

    async def until(self, rounds: int) -> Results:
        """The results of the day that is open, once they count so many rounds of it."""
        self.desk.tell()
        async with asyncio.timeout(PATIENCE_S):
            while True:
                found = self.odds.results
                day = self.pit.state.day
                if found and day and self.odds.day == day.label:
                    of_day = (n for about, n in found.lines.items() if about.day == day.label)
                    if sum(each.rounds for each in of_day) == rounds:
                        return found
                await asyncio.sleep(0)

    async def begun(self) -> None:
        """Returns once the open day is looked at, of which no round is counted yet."""
        await self.until(0)

    def played(self) -> list[int]:
        return [each.net for each in self.pit.facts if isinstance(each, RoundEnded)]


@pytest.fixture
def watched(tmp_path: Path) -> WatchedDesk:
    return WatchedDesk(tmp_path / "record")


async def test_rounds_count_as_they_end_and_stay_once_they_cannot_be_corrected(
    watched: WatchedDesk,
) -> None:
    watched.pit.set_clock_ms(watched.pit.now_ms + 86_400_000)
    watched.pit.close_day()
    looking = asyncio.create_task(watched.odds.run(watched.desk))
    await watched.begun()
    found = Results()
    for number in range(1, 14):
        some_round(watched.croupier)
        found = await watched.until(number)
    assert watched.asked == [], "nothing was played before"
    assert sum(each.net for each in found.lines.values()) == sum(watched.played())
    write(watched.folder, watched.pit.records)
    assert results_of(watched.folder) == found
    watched.desk.close()
    await looking


async def test_a_new_day_reads_what_was_before_it_and_begins_its_own(watched: WatchedDesk) -> None:
    looking = asyncio.create_task(watched.odds.run(watched.desk))
    await watched.begun()
    some_round(watched.croupier)
    await watched.until(1)
    watched.pit.set_clock_ms(watched.pit.now_ms + 86_400_000)
    assert watched.pit.close_day().refused == ""
    await watched.begun()
    some_round(watched.croupier)
    found = await watched.until(1)
    assert watched.asked == [2]
    assert {about.day for about in found.lines} == {watched.pit.state.day.label}  # type: ignore[union-attr]
    watched.desk.close()
    await looking


@pytest.mark.long
async def test_earlier_rounds_are_read_by_a_process(watched: WatchedDesk) -> None:
    some_round(watched.croupier)
    some_round(watched.croupier)
    write(watched.folder, watched.pit.records)
    assert await by_a_process(watched.folder, 0) == results_of(watched.folder)
    one = await by_a_process(watched.folder, 2)
    assert sum(each.rounds for each in one.lines.values()) == 1
    with pytest.raises(NotRead, match="no record"):
        await by_a_process(watched.folder / "elsewhere", 0)


async def test_a_warning_goes_to_the_pit_and_not_to_the_dealer(
    watched: WatchedDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expected, "ALARM", 0.4)
    looking = asyncio.create_task(watched.odds.run(watched.desk))
    assert watched.odds.warning() is None
    await watched.begun()
    some_round(watched.croupier)
    await watched.until(1)
    why = watched.odds.warning()
    assert why is not None
    watched.pit.give(Health(ODDS, Condition.DOWN, why))
    watched.pit.wait(300)
    state = watched.pit.state
    assert display_alarm(state) is None
    picture = scene(state, {})
    assert "odds" not in repr(picture.dealer.devices)
    shown = [each for each in pit_alarms(state) if each.about == ODDS]
    assert [each.title for each in shown] == ["Results are beyond what luck does"]
    watched.pit.give(Health(ODDS, Condition.UP, None))
    assert not [each for each in pit_alarms(watched.pit.state) if each.about == ODDS]
    watched.desk.close()
    await looking


async def test_the_api_takes_the_token_and_the_metrics_say_the_day(watched: WatchedDesk) -> None:
    looking = asyncio.create_task(watched.odds.run(watched.desk))
    await watched.begun()
    some_round(watched.croupier)
    found = await watched.until(1)
    settings = WebSettings(token=TOKEN, odds=watched.odds)
    transport = httpx.ASGITransport(create_app(watched.desk, settings), client=("127.0.0.1", 9))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as web:
        assert (await web.get("/api/v1/record/expected")).status_code == 401
        headers = {"Authorization": f"Bearer {TOKEN}"}
        answer = (await web.get("/api/v1/record/expected", headers=headers)).json()
        figures = (await web.get("/metrics")).text
    ((about, line),) = found.lines.items()
    (shown,) = answer["lines"]
    assert (shown["day"], shown["rounds"], shown["house_won"]) == (about.day, 1, -line.net)
    assert shown["expected"] == -round(line.expected)
    assert answer["read"]
    assert f"tablectl_day_players_net {float(line.net)}" in figures
    assert "tablectl_leak_warning_level " in figures
    watched.desk.close()
    await looking


async def told_after_a_round(folder: Path, *, high_first: bool) -> list[object]:
    """All that is told of a round from a shoe that has lost cards, the lowest or the highest.

    They went in rounds whose wagers nobody entered, which count for nothing.
    """
    watched = WatchedDesk(folder)
    looking = asyncio.create_task(watched.odds.run(watched.desk))
    await watched.begun()
    croupier = watched.croupier
    croupier.open_bets()
    croupier.shoe.sort(key=lambda each: each.kind.rank, reverse=not high_first)
    for _ in range(3):
        croupier.mixed = random.Random(1)
        croupier.round({1: None, 2: None})
    middle = [each for each in croupier.shoe if 7 <= each.kind.rank <= 9]
    middle.sort(key=lambda each: each.kind.code)
    random.Random(4).shuffle(middle)
    croupier.shoe, croupier.mixed = middle, random.Random(3)
    croupier.round({1: 1_000, 2: 5_000, 3: 2_500})
    results = await watched.until(1)
    settings = WebSettings(token=TOKEN, odds=watched.odds)
    transport = httpx.ASGITransport(create_app(watched.desk, settings), client=("127.0.0.1", 9))
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1", headers=headers
    ) as web:
        served = [(await web.get(path)).raise_for_status().json() for path in FIGURES]
    watched.desk.close()
    await looking
    assert any(line.cost > 0 for line in results.lines.values()), "plays by chance cost something"
    return [results.as_data(), *served]


FIGURES = ("/api/v1/record/expected", "/api/v1/odds")


async def test_what_lies_in_the_shoe_changes_no_figure(tmp_path: Path) -> None:
    low = await told_after_a_round(tmp_path / "low", high_first=False)
    high = await told_after_a_round(tmp_path / "high", high_first=True)
    assert low == high


def test_what_is_said_names_no_card() -> None:
    said = message("players-win-too-much", round=3, day="2026-11-22")
    assert set(dict(said.params)) <= {"round", "day"}


async def test_no_process_for_the_earlier_rounds_is_no_reason_to_stop(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # where there is no `nice`
    with pytest.raises(NotRead, match="no process could be started"):
        await by_a_process(tmp_path, 1)


async def test_a_defect_of_the_figures_ends_the_figures_and_nothing_else(
    watched: WatchedDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("Kh")

    monkeypatch.setattr(expected.Holders, "held", broken)
    running = asyncio.create_task(watched.odds.run(watched.desk))
    await watched.begun()
    some_round(watched.croupier)
    watched.desk.tell()
    async with asyncio.timeout(PATIENCE_S):
        await running
    assert watched.odds.results is None
    assert watched.odds.warning() == message("odds-not-held"), "the pit hears of it"


async def test_the_pit_hears_that_earlier_rounds_are_missing(watched: WatchedDesk) -> None:
    async def unread(folder: Path, before: int) -> Results:
        watched.asked.append(before)
        raise NotRead("damaged")

    watched.odds = AgainstOdds(watched.folder, unread)
    some_round(watched.croupier)
    looking = asyncio.create_task(watched.odds.run(watched.desk))
    await watched.begun()
    some_round(watched.croupier)
    await watched.until(1)
    assert watched.asked == [2]
    assert watched.odds.warning() == message("odds-without-earlier", round=2)
    watched.desk.close()
    await looking


async def test_an_edge_that_is_not_checked_is_computed_and_then_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    desk = PlayedDesk()
    desk.pit = Pit(setup(3, "casino-7-27", low_pays="5:1"))
    assert desk.state is not None
    plays = desk.state.game
    odds = AgainstOdds(tmp_path / "record")
    may_end, shown = asyncio.Event(), status(desk)
    assert "or more" in shown.house_loses, "a bound, until then"

    async def computed(plays: Game) -> None:
        await may_end.wait()
        found = read_expectations(FOLDER / "casino-7-27.json")
        path = computed_path(beside(tmp_path / "record"), plays, GAMES[plays.name])
        path.parent.mkdir()
        write_expectations(path, replace(found, facts={**found.facts, "edge_per_cent": -41.236}))

    monkeypatch.setattr(odds.files, "computed", computed)
    looking = asyncio.create_task(odds.run(desk))
    await until(desk, lambda: status(desk).edge_note == say(COMPUTING))
    assert known_edge(tmp_path / "record", plays) == plays.edge(plays.options)
    may_end.set()
    await until(desk, lambda: "41.24 %" in status(desk).house_loses)
    assert status(desk).edge_note == ""
    assert "41.24 %" in caplog.text
    assert "41.24 %" in str(known_edge(tmp_path / "record", plays)), "what doctor says"
    desk.close()
    await looking


async def test_an_edge_that_cannot_be_computed_is_said_to_be_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = PlayedDesk()
    desk.pit = Pit(setup(3, "finnish-27", min_bet=2_000))
    odds = AgainstOdds(tmp_path / "record")

    async def none(plays: Game) -> None:
        """As where numpy is missing."""

    monkeypatch.setattr(odds.files, "computed", none)
    looking = asyncio.create_task(odds.run(desk))
    await until(desk, lambda: status(desk).edge_note == say(NOT_COMPUTED))
    assert status(desk).house_loses == ""
    desk.close()
    await looking


async def until(desk: PlayedDesk, so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        async for _ in desk.changes():
            if so():
                return


async def test_a_process_that_fails_is_told_in_a_line_and_whole_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Why goes with every status of the table: a pit takes none that says too much."""
    broken = f"raise ValueError({'x' * 3_000!r})"
    monkeypatch.setattr(expectation_files, "command_for", lambda *_: [sys.executable, "-c", broken])
    files = ExpectationFiles(tmp_path / "record")
    plays = GAMES["blackjack"].with_options({"peek": True})
    await files.computed(plays)
    failure = files.failure(plays)
    assert failure is not None
    said = say(failure)
    assert said.startswith("The odds were not computed: ValueError: xxx")
    assert len(said) < 300
    assert "Traceback" not in said
    assert "Traceback" in caplog.text
