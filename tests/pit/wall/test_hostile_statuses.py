"""Statuses that would stop the wall, or the browsers before it, if they were drawn."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.bus.messages import BadMessage, HeadNews, decode
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
