"""A tile: what the table needs, how urgently, since when."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import msgspec
import pytest

from controller.devices.displays import AlarmView
from controller.devices.felt_view import HandView, ShoeView
from controller.pit.wall.settings import BadSettings, FloorSection, WallSettings
from controller.pit.wall.status import (
    HandSeat,
    HoldOnTile,
    OpenAlarm,
    ShoeGauge,
    TableStatus,
    UnreadableStatus,
    read_news,
)
from controller.pit.wall.tile import URGENCY, Heard, Need, RecordFinding, need_of, tile
from controller.service.status_view import Status, safe_status, status
from controller.table.views import public
from controller.web.json_views import encode
from tests.pit.wall.statuses import NOW_MS, alarm, hold, news
from tests.web.desk import PlayedDesk

SETTINGS = WallSettings(target={"21-24-27": 70.0}, pages={"T1": "http://127.0.0.1:8027/"})
BETTING: dict[str, Any] = {"phase": "betting", "who": "players", "hands": []}
FORK = RecordFinding("Two records say number 8", NOW_MS - 5_000)


def need(finding: RecordFinding | None = None, heard_ms: int = NOW_MS, **other: Any) -> Need:
    heard = Heard(news(**other).status, heard_ms)
    return need_of(heard, finding, NOW_MS, SETTINGS)[0]


@pytest.mark.parametrize(
    ("wanted", "other"),
    [
        (Need.PLAYING, {}),
        (Need.SHUFFLE, {"phase": "cut"}),
        (Need.CLOSED, BETTING | {"closed": True}),
        (Need.PLAYING, {"closed": True}),
        (Need.OPEN, {"phase": "betting"}),
        (Need.OPEN, BETTING | {"since_ms": NOW_MS - 299_000}),
        (Need.DEAD_SPREAD, BETTING | {"since_ms": NOW_MS - 301_000}),
        (Need.LATE, {"since_ms": NOW_MS - 61_000}),
        (Need.HELD, {"holds": [hold()], "alarms": [alarm(level=3)]}),
        (Need.ALARM, {"alarms": [alarm()]}),
        (Need.PLAYING, {"alarms": [alarm(level=0)]}),
        (Need.PLAYING, {"alarms": [alarm(acknowledged=True)]}),
        (Need.STOPPED, {"tone": "safe", "since_ms": 0, "holds": [hold()]}),
    ],
)
def test_a_table_needs_most_what_is_most_urgent(wanted: Need, other: dict[str, Any]) -> None:
    assert need(**other) is wanted


def test_silence_is_offline_and_a_hold_stays_in_sight() -> None:
    assert need(heard_ms=NOW_MS - 6_001) is Need.OFFLINE
    assert need(heard_ms=NOW_MS - 5_999) is Need.PLAYING
    assert need(heard_ms=NOW_MS - 600_000, holds=[hold()]) is Need.HELD


def test_what_is_found_in_a_record_is_more_urgent_than_an_alarm_and_less_than_a_hold() -> None:
    assert need(FORK, alarms=[alarm()]) is Need.RECORD
    assert need(FORK, holds=[hold()]) is Need.HELD
    assert need_of(None, FORK, NOW_MS, SETTINGS) == (Need.RECORD, FORK.since_ms)
    shown = tile("T1", Heard(news().status, NOW_MS), FORK, NOW_MS, SETTINGS)
    assert (shown.waiting_for, shown.since_ms) == (FORK.text, FORK.since_ms)
    assert shown.who == "engineer", "the dealer, whom the table waits for, mends no record"
    assert tile("T1", None, FORK, NOW_MS, SETTINGS).who == "engineer"


def test_a_tile_says_what_the_table_says() -> None:
    shown = tile("T1", Heard(news().status, NOW_MS), None, NOW_MS, SETTINGS)
    assert (shown.need, shown.rank) == ("playing", URGENCY[Need.PLAYING])
    assert (shown.waiting_for, shown.who) == ("Deal a card to seat 2", "dealer")
    assert (shown.seats_taken, shown.seats, shown.shoe) == (1, 7, 0.25)
    assert (shown.deals, shown.stakes) == ("Aino Virtanen", (500, 50_000))
    assert (shown.pace, shown.target, shown.page) == (61.5, 70.0, "http://127.0.0.1:8027/")
    # The alarm that calls furthest is the one that is named.
    alarms = [alarm(since_ms=NOW_MS - 900_000), alarm(level=3, title="Pack short", who="pit boss")]
    called = tile("T1", Heard(news(alarms=alarms).status, NOW_MS), None, NOW_MS, SETTINGS)
    assert (called.waiting_for, called.who) == ("Pack short", "pit boss")
    assert called.since_ms == NOW_MS - 900_000
    assert (called.alarms, called.unheard) == (2, 2)


def test_a_table_that_was_never_heard_has_its_place_and_page() -> None:
    settings = WallSettings(sections=(FloorSection("Main", "Aino", ("T4",)),))
    shown = tile("T4", None, None, NOW_MS, settings)
    assert (shown.need, shown.pit, shown.floor) == ("unknown", "Main", "Aino")
    assert (shown.since_ms, shown.seq) == (None, 0)


def test_times_of_a_table_whose_clock_is_off_are_the_pits() -> None:
    heard = Heard(news(since_ms=NOW_MS + 86_400_000 - 3_000).status, NOW_MS, clock_ms=86_400_000)
    assert need_of(heard, None, NOW_MS, SETTINGS) == (Need.PLAYING, NOW_MS - 3_000)


def test_the_fields_are_those_of_the_tables_own_view() -> None:
    """What a table really sends is read, field by field, and nothing that it has not."""
    sent = Status
    for ours, theirs in (
        (TableStatus, sent), (HandSeat, HandView), (ShoeGauge, ShoeView),
        (OpenAlarm, AlarmView), (HoldOnTile, public.OpenHold),
    ):  # fmt: skip
        missing = {each.name for each in msgspec.structs.fields(ours)} - {
            each.name for each in fields(theirs)
        }
        assert missing == set(), ours
    desk = PlayedDesk()
    for view in (status(desk), safe_status(desk.scene)):
        body = encode({"table": "T1", "seq": view.seq, "at_ms": NOW_MS, "status": view})
        assert read_news(body).status.waiting_for == view.waiting_for


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"table": "T1"}', b"\xff", b'{"status": {}}'])
def test_what_is_no_status_is_refused(body: bytes) -> None:
    with pytest.raises(UnreadableStatus, match="this is no status of a table"):
        read_news(body)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"late_s": 0}, "wall.late_s is 0: use more than 0 seconds"),
        ({"offline_s": float("nan")}, "wall.offline_s is nan: use more"),
        ({"target": {"blackjack": -1}}, "wall.target.blackjack is -1: use more than 0"),
        ({"pages": {"T1": "table.example"}}, "wall.pages.T1 is 'table.example': use an address"),
        (
            {"sections": (FloorSection("A", "Aino", ()),)},
            "has 0 tables: give one floor person 1 to 6",
        ),
        (
            {"sections": (FloorSection("A", "Aino", tuple(f"T{n}" for n in range(7))),)},
            "the section of Aino in A has 7 tables",
        ),
        (
            {"sections": (FloorSection("A", "Aino", ("T1",)), FloorSection("A", "Eino", ("T1",)))},
            "T1 stands in two sections: leave it in one",
        ),
    ],
)
def test_settings_that_cannot_be_used_say_what_can(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSettings, match=said):
        WallSettings(**settings)
