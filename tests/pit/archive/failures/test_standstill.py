"""An archive that stands still is said on the wall and by the pit's health, and since when."""

from __future__ import annotations

import json

import pytest

from controller.pit.archive.findings.standstill import (
    ANSWER_S,
    ArchiveStandstill,
    ArchiveWatch,
    why_still,
)
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.wall import Wall
from tests.pit.wall.statuses import NOW_MS, news


def test_its_beginning_stays_while_its_reason_changes() -> None:
    now_ms = NOW_MS
    watch = ArchiveWatch(lambda: now_ms, lambda: now_ms / 1_000)
    found: list[ArchiveStandstill | None] = []
    database = "the archive's database takes nothing"
    for why in ("", "nothing comes from the bus", database, ""):
        watch.look(why)
        found.append(watch.standstill)
        now_ms += 4_000
    bus = ArchiveStandstill(NOW_MS + 4_000, "nothing comes from the bus")
    assert found == [None, bus, ArchiveStandstill(NOW_MS + 4_000, database), None]


def test_it_began_when_the_database_was_asked_not_when_that_was_noticed() -> None:
    watch = ArchiveWatch(lambda: NOW_MS, lambda: 50)
    for since_s in (40, 47):
        watch.look("the archive's database takes nothing", since_s)
        assert watch.standstill is not None
        assert watch.standstill.since_ms == NOW_MS - 10_000


def test_a_clock_that_is_set_moves_its_beginning_with_it() -> None:
    """People read for how long it has lasted."""
    now_ms, steady_s = NOW_MS, 50.0
    watch = ArchiveWatch(lambda: now_ms, lambda: steady_s)
    watch.look("nothing comes from the bus")
    shown = watch.standstill
    now_ms, steady_s = now_ms + 1_001, steady_s + 1
    watch.look("nothing comes from the bus")
    assert watch.standstill == shown, "no picture is drawn of a millisecond"
    now_ms -= 3_600_000
    watch.look("nothing comes from the bus")
    assert watch.standstill is not None
    assert watch.standstill.since_ms == now_ms - 1_000


@pytest.mark.parametrize(
    ("bus", "database_s", "duty_s", "defect_s", "said", "since_s"),
    [
        ("", None, None, None, "", None),
        ("", 9, 9, None, "", None),
        ("", 10, None, None, "database takes nothing", 10),
        ("", None, 10, None, "pit that archives is silent", 10),
        ("", 12, 99, None, "database takes nothing", 12),
        ("", 12, 99, 1, "an error of the pit's own stops it", 1),
        ("no broker", 12, 99, 1, "nothing comes from the bus", None),
    ],
)
def test_why_it_stands_still(
    bus: str, database_s: int | None, duty_s: int | None, defect_s: int | None, said: str,
    since_s: int | None,
) -> None:  # fmt: skip
    def ago(seconds: int | None) -> float | None:
        return None if seconds is None else 500.0 - seconds

    why, since = why_still(500.0, bus, ago(database_s), ago(duty_s), ago(defect_s))
    assert said in why
    assert bool(said) is bool(why)
    assert since == ago(since_s)
    assert ANSWER_S == 10


def test_the_wall_draws_a_picture_of_it_although_no_table_changed() -> None:
    watch = ArchiveWatch(lambda: NOW_MS, lambda: 50)
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
