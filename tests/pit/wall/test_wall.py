"""The wall: pictures at most ten times a second, and what changed after any of them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.host import tried_again as tried_again_module
from controller.pit.wall.settings import FloorSection, WallSettings
from controller.pit.wall.stream import _Viewer
from controller.pit.wall.tile import Heard, RecordFinding, Tile
from controller.pit.wall.tile import tile as really_tile
from controller.pit.wall.wall import RECENT, Wall
from tests.pit.wall.statuses import NOW_MS, hold, news
from tests.support.patience import PATIENCE_S


class HandClock:
    """The pit's clock, in the test's hand."""

    def __init__(self) -> None:
        self.now_ms = NOW_MS

    def __call__(self) -> int:
        return self.now_ms


def made(**settings: Any) -> tuple[Wall, HandClock]:
    clock = HandClock()
    return Wall(WallSettings(**settings), clock), clock


def changes(wall: Wall, after: int = 0, *in_view: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(wall.changes(after, frozenset(in_view) or None))
    return found


def tables(rows: list[dict[str, Any]]) -> list[str]:
    return sorted(row["table"] for row in rows)


def test_tables_of_the_configuration_stand_there_before_they_are_heard() -> None:
    wall, _ = made(
        sections=(FloorSection("Main", "Aino", ("T1", "T2")),), pages={"T3": "http://t3/"}
    )
    wall.draw()
    assert tables(changes(wall)["places"]) == ["T1", "T2", "T3"]
    assert {each["need"] for each in changes(wall)["places"]} == {"unknown"}


def test_only_what_changed_is_sent_and_only_of_tables_in_view() -> None:
    wall, _ = made()
    for table in ("T1", "T2", "T3"):
        wall.hear(news(table))
    wall.draw()
    first = wall.picture
    wall.hear(news("T1", seq=8, waiting_for="Deal to the dealer"))
    wall.hear(news("T2", seq=8, holds=[hold()]))
    wall.draw()
    after = changes(wall, first)
    assert tables(after["tiles"]) == ["T1", "T2"]
    assert tables(after["places"]) == ["T2"], "T1 stands where it stood"
    assert tables(changes(wall, first, "T2", "T3")["tiles"]) == ["T2"]
    assert changes(wall, wall.picture)["tiles"] == []
    wall.hear(news("T2", seq=8, holds=[hold()]))
    drawn = wall.picture
    wall.draw()
    assert wall.picture == drawn, "nothing changed: there is no new picture"


def test_what_needs_time_alone_is_seen_too() -> None:
    wall, clock = made()
    wall.hear(news())
    wall.draw()
    clock.now_ms += 6_001

    async def look() -> None:
        running = asyncio.ensure_future(wall.run())
        async for _ in wall.changed():
            if wall.picture > 1:
                break
        running.cancel()

    asyncio.run(look())
    assert changes(wall)["places"][0]["need"] == "offline"


def test_a_table_of_which_nothing_was_heard_is_drawn_anew_only_once_time_tells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A thousand tables are looked at each second: each was drawn, to find that it is as before."""
    wall, clock = made()
    drawn = list[str]()

    def counted(table: str, *of: Any) -> Tile:
        drawn.append(table)
        return really_tile(table, *of)

    monkeypatch.setattr("controller.pit.wall.wall.tile", counted)
    wall.hear(news("T1"))
    wall.hear(news("T2"))

    def look() -> list[str]:
        drawn.clear()
        wall._stale.update(wall._shown)
        wall.draw()
        return sorted(drawn)

    assert look() == ["T1", "T2"]
    assert look() == []
    clock.now_ms += 1_000
    wall.find("T2", RecordFinding("a gap", clock.now_ms))
    assert look() == ["T2"]
    assert look() == []
    wall.hear_unread("T1", "no JSON")
    assert (look(), look()) == (["T1"], ["T1"]), "what it says is no tile"
    wall.hear(news("T1"))
    assert look() == ["T1"]
    clock.now_ms += 6_001
    assert look() == ["T1"], "offline; of the other its record matters more"
    assert changes(wall)["places"][0]["need"] == "offline"


def test_older_news_change_nothing_and_a_restored_table_begins_anew() -> None:
    wall, _ = made()
    wall.hear(news(seq=9, waiting_for="new", at_ms=NOW_MS))
    wall.hear(news(seq=8, waiting_for="old", at_ms=NOW_MS - 50))
    wall.draw()
    assert changes(wall)["tiles"][0]["waiting_for"] == "new"
    wall.hear(news(seq=2, waiting_for="restored", at_ms=NOW_MS + 60_000))
    wall.draw()
    assert changes(wall)["tiles"][0]["waiting_for"] == "restored"


def test_a_clock_that_is_wrong_by_a_day_does_not_make_a_table_wait_for_a_day() -> None:
    day_ms = 86_400_000
    wall, _ = made()
    wall.hear(news(at_ms=NOW_MS - day_ms, since_ms=NOW_MS - day_ms - 2_000))
    wall.draw()
    shown = changes(wall)["tiles"][0]
    assert (shown["need"], shown["since_ms"]) == ("playing", NOW_MS - 2_000)


def test_a_stopped_table_is_stopped_since_it_first_said_so() -> None:
    wall, clock = made()
    for _ in range(3):
        wall.hear(news(tone="safe", since_ms=0, at_ms=clock.now_ms))
        clock.now_ms += 2_000
    wall.draw()
    shown = changes(wall)["tiles"][0]
    assert (shown["need"], shown["since_ms"]) == ("stopped", NOW_MS)
    wall.hear(news(at_ms=clock.now_ms, since_ms=clock.now_ms))
    wall.draw()
    assert changes(wall)["tiles"][0]["need"] == "playing"


def test_a_finding_stands_until_it_is_settled() -> None:
    wall, _ = made()
    wall.find("T9", RecordFinding("Records 4 to 6 are missing", NOW_MS))
    wall.draw()
    assert changes(wall)["tiles"][0]["waiting_for"] == "Records 4 to 6 are missing"
    wall.find("T9", None)
    wall.draw()
    assert changes(wall)["tiles"][0]["need"] == "unknown"


@given(
    steps=st.lists(
        st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=4),
        min_size=1, max_size=RECENT + 20,
    ),
    has=st.integers(0, RECENT),
)  # fmt: skip
def test_whoever_missed_pictures_ends_with_the_same_wall(
    steps: list[list[tuple[int, int]]], has: int
) -> None:
    wall, clock = made()
    held: dict[str, Any] = {}
    after = 0
    seq = 0
    for number, step in enumerate(steps):
        for table, said in step:
            seq += 1
            clock.now_ms += 1
            holds = [hold()] if said == 3 else []
            wall.hear(news(f"T{table}", seq=seq, at_ms=clock.now_ms, why=str(said), holds=holds))
        wall.draw()
        if number <= has:
            held |= {each["table"]: each for each in changes(wall, after)["tiles"]}
            after = wall.picture
    held |= {each["table"]: each for each in changes(wall, after)["tiles"]}
    assert held == {each["table"]: each for each in changes(wall)["tiles"]}
    assert tables(changes(wall)["places"]) == sorted(held)


def test_pages_that_name_any_picture_make_a_quiet_wall_keep_no_more() -> None:
    wall, clock = made()
    for _ in range(3 * RECENT):
        clock.now_ms += 1_000
        wall.hear(news("T1", seq=clock.now_ms))
        wall.draw()
    for after in range(wall.picture):
        found = changes(wall, after)
        assert tables(found["tiles"]) == ["T1"], "it has changed since any of them"
        assert changes(wall, after) == found
    assert len(wall._places) <= RECENT + 1


def test_a_table_that_says_what_cannot_be_drawn_is_named_and_the_others_are_drawn(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    wall, clock = made()

    def odd(table: str, heard: Heard | None, *of: Any) -> Tile:
        if table == "T1" and heard is not None and heard.status.round == 4:
            raise KeyError("Th")
        return really_tile(table, heard, *of)

    monkeypatch.setattr("controller.pit.wall.wall.tile", odd)
    for _ in range(2):
        wall.hear(news("T1", round=4))
        wall.hear(news("T2"))
        wall.draw()
        clock.now_ms += 1_000
    tiles = {each["table"]: each for each in changes(wall)["tiles"]}
    assert tiles["T1"]["need"] == "record"
    assert "what T1 says cannot be drawn (KeyError)" in tiles["T1"]["waiting_for"]
    assert tiles["T1"]["since_ms"] == NOW_MS
    assert tiles["T2"]["need"] == "playing"
    assert len(caplog.records) == 1
    assert "'Th'" not in caplog.text
    wall.hear(news("T1", round=5))
    wall.draw()
    assert {each["need"] for each in changes(wall)["tiles"]} == {"playing"}


@pytest.mark.anyio
async def test_a_wall_that_rests_lets_viewers_go_who_would_look_at_an_old_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wall, _ = made()
    draw, fails = Wall.draw, asyncio.Event()

    def odd(of: Wall) -> None:
        if fails.is_set():
            raise KeyError("Th")
        draw(of)

    monkeypatch.setattr(Wall, "draw", odd)
    monkeypatch.setattr(tried_again_module, "AGAIN_S", 0.01)
    running = asyncio.ensure_future(tried_again_module.tried_again("no picture", wall.run))
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.sleep(0)
        fails.set()
        async for _ in wall.changed():
            pass  # it ends
        fails.clear()
        seen = 0
        while not seen:
            async for _ in wall.changed():
                wall.hear(news())
                if seen := wall.picture:
                    break
            await asyncio.sleep(0.01)
    running.cancel()
    await asyncio.wait((running,))


def test_what_was_heard_keeps_its_age_where_the_pits_clock_is_set() -> None:
    clock, steady = HandClock(), HandClock()
    wall = Wall(WallSettings(), clock, steady_ms=steady)

    def needs_after(steady_ms: int, set_ms: int) -> str:
        steady.now_ms += steady_ms
        clock.now_ms += steady_ms + set_ms
        wall.draw()
        return wall.needs["T1"]

    wall.hear(news(at_ms=clock.now_ms))
    wall.draw()
    hour_ms = 3_600_000
    assert needs_after(1_000, 0) == "playing"
    assert needs_after(1_000, hour_ms) == "playing", "it was not silent for an hour"
    assert needs_after(10_000, -hour_ms) == "offline", "nobody waits an hour to be told"
    wall.hear(news(at_ms=clock.now_ms, tone="safe"))
    assert needs_after(0, -hour_ms) == "stopped"
    assert wall.tile("T1").since_ms == clock.now_ms


def test_a_table_that_was_renamed_is_gone_from_pages_that_are_open() -> None:
    wall, _ = made()
    for table in ("T1", "T2"):
        wall.hear(news(table))
    wall.draw()
    viewer = _Viewer(wall, "run", None, "")
    first = event(viewer.newest())
    assert tables(first["change"]["places"]) == ["T1", "T2"]
    wall.forget(["T2", "T7"])
    wall.hear(news("T8"))
    wall.draw()
    assert "T2" not in wall.heard
    then = event(viewer.newest())
    # A page takes the first picture of another run for all there is.
    assert then["run"] != first["run"]
    assert tables(then["change"]["places"]) == tables(then["change"]["tiles"]) == ["T1", "T8"]
    assert viewer.newest() is None
    wall.hear(news("T1", seq=news("T1").seq + 1))
    wall.draw()
    assert event(viewer.newest())["run"] == then["run"]
    # Whoever asks from a picture of before gets all, too; nothing is forgotten twice.
    late = event(_Viewer(wall, "run", None, f"{first['run']}.{wall.picture}").newest())
    assert (late["run"], tables(late["change"]["places"])) == (then["run"], ["T1", "T8"])
    wall.forget(["T2"])
    wall.draw()
    assert viewer.newest() is None
    wall.hear(news("T2"))
    wall.draw()
    assert tables(changes(wall)["places"]) == ["T1", "T2", "T8"]


def event(sent: bytes | None) -> dict[str, Any]:
    """An event of the wall: the run of its picture, and what changed."""
    assert sent is not None
    _, named, data, *_ = sent.decode().splitlines()
    run = named.removeprefix("id: ").partition(".")[0]
    return {"run": run, "change": json.loads(data.removeprefix("data: "))}
