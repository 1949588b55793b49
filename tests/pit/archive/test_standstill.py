"""An archive that stands still is said on the wall and by the pit's health, and since when."""

from __future__ import annotations

import json

import pytest

from controller.pit.archive.standstill import ANSWER_MS, ArchiveStandstill, ArchiveWatch, why_still
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.wall import Wall
from tests.pit.wall.statuses import NOW_MS, news


def test_its_beginning_stays_while_its_reason_changes() -> None:
    now_ms = NOW_MS
    watch = ArchiveWatch(lambda: now_ms)
    found: list[ArchiveStandstill | None] = []
    database = "the archive's database takes nothing"
    for why in ("", "nothing comes from the bus", database, ""):
        watch.look(why)
        found.append(watch.standstill)
        now_ms += 4_000
    bus = ArchiveStandstill(NOW_MS + 4_000, "nothing comes from the bus")
    assert found == [None, bus, ArchiveStandstill(NOW_MS + 4_000, database), None]


def test_it_began_when_the_database_was_asked_not_when_that_was_noticed() -> None:
    watch = ArchiveWatch(lambda: NOW_MS)
    for since_ms in (NOW_MS - 10_000, NOW_MS - 3_000):
        watch.look("the archive's database takes nothing", since_ms)
        assert watch.standstill is not None
        assert watch.standstill.since_ms == NOW_MS - 10_000


@pytest.mark.parametrize(
    ("bus", "database_s", "duty_s", "said", "since_s"),
    [
        ("", None, None, "", None),
        ("", 9, 9, "", None),
        ("", 10, None, "database takes nothing", 10),
        ("", None, 10, "pit that archives is silent", 10),
        ("", 12, 99, "database takes nothing", 12),
        ("no broker", 12, 99, "nothing comes from the bus", None),
    ],
)
def test_why_it_stands_still(
    bus: str, database_s: int | None, duty_s: int | None, said: str, since_s: int | None
) -> None:
    def ago(seconds: int | None) -> int | None:
        return None if seconds is None else NOW_MS - seconds * 1_000

    why, since_ms = why_still(NOW_MS, bus, ago(database_s), ago(duty_s))
    assert said in why
    assert bool(said) is bool(why)
    assert since_ms == ago(since_s)
    assert ANSWER_MS == 10_000


def test_the_wall_draws_a_picture_of_it_although_no_table_changed() -> None:
    watch = ArchiveWatch(lambda: NOW_MS)
    wall = Wall(WallSettings(), lambda: NOW_MS, lambda: watch.standstill)
    wall.hear(news())
    wall.draw()
    before = wall.picture
    assert json.loads(wall.changes(0, None))["standstill"] is None
    watch.look("nothing comes from the bus")
    wall.draw()
    assert wall.picture == before + 1
    change = json.loads(wall.changes(before, None))
    assert change["standstill"] == {"since_ms": NOW_MS, "why": "nothing comes from the bus"}
    assert change["tiles"] == []
    wall.draw()
    assert wall.picture == before + 1
    watch.look("")
    wall.draw()
    assert json.loads(wall.changes(before + 1, None))["standstill"] is None
