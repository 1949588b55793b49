"""The wall: pictures at most ten times a second, and what changed after any of them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from controller.pit.wall.settings import FloorSection, WallSettings
from controller.pit.wall.tile import RecordFinding
from controller.pit.wall.wall import RECENT, Wall
from tests.pit.wall.statuses import NOW_MS, hold, news


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
