"""Statuses that would stop the wall, or the browsers before it, if they were drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controller.bus.messages import BadMessage, HeadNews, RecordBatch, decode
from controller.config.bus_section import BusSection
from controller.pit.archive.storage.database import open_database
from controller.pit.server import running
from controller.pit.server.running import RunningPit
from controller.pit.server.settings import ArchiveSection, PitConfig, PitWebSection
from controller.pit.wall.live_view import live_picture
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.status import UnreadableStatus, read_news
from tests.pit.wall.statuses import NOW_MS, alarm, hold, status

LARGE = 10**400
STATUSES: dict[str, dict[str, Any]] = {
    "a moment far away": {"since_ms": LARGE},
    "a hold from far away": {"holds": [hold(since_ms=LARGE)]},
    "an alarm from far away": {"alarms": [alarm(since_ms=LARGE)]},
    "a shoe without end": {"shoe": {"gone": LARGE, "size": 1, "cut": 1}},
    "a cut below nothing": {"shoe": {"gone": 5, "size": 1, "cut": -3}},
    "a million seats": {"seats": 1_000_000},
    "hands without end": {"hands": [{"seat": 1}] * 1_000},
    "alarms without end": {"alarms": [alarm()] * 1_000},
    "a book of limits": {"limits": "x" * 100_000},
    "a pace below nothing": {"rounds_per_hour": -1},
    "a number that no browser holds": {"seq": 2**60},
    "a title that PostgreSQL takes in no alert": {"holds": [{**hold(), "title": "a\0b"}]},
}


@pytest.mark.parametrize("what", STATUSES)
def test_a_status_beyond_its_bounds_is_no_status(what: str) -> None:
    body = {"table": "T1", "seq": 7, "at_ms": NOW_MS, "status": status(**STATUSES[what])}
    with pytest.raises(UnreadableStatus):
        read_news(json.dumps(body).encode())


@pytest.mark.parametrize("at_ms", [-1, 10**30, LARGE])
def test_a_time_that_no_clock_shows_is_no_message(at_ms: int) -> None:
    body = {"table": "T1", "seq": 7, "at_ms": at_ms, "status": status()}
    with pytest.raises(UnreadableStatus):
        read_news(json.dumps(body).encode())
    head = {"table": "T1", "identity": "aa", "head": {"seq": 1, "hash": "00" * 32},
            "at_ms": at_ms, "software": ""}  # fmt: skip
    with pytest.raises(BadMessage):
        decode(json.dumps(head).encode(), HeadNews)


def test_a_head_has_no_nul_and_records_are_taken_whatever_they_say() -> None:
    head = {"table": "T1", "identity": "aa", "head": {"seq": 1, "hash": "00" * 32},
            "at_ms": NOW_MS, "software": "0.1"}  # fmt: skip
    assert decode(json.dumps(head).encode(), HeadNews).software == "0.1"
    with pytest.raises(BadMessage, match="a text has a NUL"):
        decode(json.dumps({**head, "software": "0\0"}).encode(), HeadNews)
    one = {"seq": 1, "version": 1, "body": '["\\u0000"]', "hash": ""}
    after = {"seq": 0, "hash": "00" * 32}
    records = {"table": "T1", "identity": "aa", "after": after, "records": [one]}
    decode(json.dumps(records).encode(), RecordBatch)


def test_a_table_that_says_what_cannot_be_read_is_not_offline_and_shows_nothing_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'pit.db'}")
    bus = BusSection(("nats://127.0.0.1:1",), "pit", tmp_path / "password")
    config = PitConfig(bus, ArchiveSection(), PitWebSection(), WallSettings(), tmp_path)
    now_ms = NOW_MS
    monkeypatch.setattr(running, "steady_ms", lambda: now_ms)
    pit = RunningPit(config, engine, lambda: now_ms)
    wall, hear = pit.wall, pit.line_hearers().status

    def says(**other: Any) -> None:
        body = {"table": "T1", "seq": 7, "at_ms": now_ms, "status": status(**other)}
        hear("T1", json.dumps(body).encode())

    says(waiting_for="Deal a card to seat 2")
    for _ in range(60):
        now_ms += 1_000
        says(edge_note="Traceback (most recent call last)" * 100)
    shown = wall.tile("T1")
    assert (shown.need, shown.since_ms) == ("record", NOW_MS + 1_000)
    assert shown.waiting_for.startswith("What T1 says of itself cannot be read: ")
    assert "edge_note" in shown.waiting_for
    assert len(shown.waiting_for) < 300
    live = live_picture(wall, "T1", now_ms)
    assert (live.felt, live.no_felt) == (None, f"{shown.waiting_for}.")
    says(waiting_for="Deal a card to seat 3", since_ms=now_ms)
    assert (wall.tile("T1").need, wall.tile("T1").waiting_for) == (
        "playing", "Deal a card to seat 3",
    )  # fmt: skip
    says(edge_note="x" * 3_000)
    now_ms += 7_000
    assert wall.tile("T1").need == "offline", "and then it fell silent"
    engine.dispose()
