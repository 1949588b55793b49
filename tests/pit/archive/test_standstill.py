"""An archive that stands still is said on the wall and by the pit's health, and since when."""

from __future__ import annotations

import json

from controller.pit.archive.standstill import ArchiveStandstill, ArchiveWatch
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
