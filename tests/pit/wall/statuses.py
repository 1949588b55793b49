"""Statuses as tables send them, for the wall."""

from __future__ import annotations

import json
from typing import Any

from controller.pit.wall.status import TableNews, read_news

#: A wall time in ms, for tests.
NOW_MS = 1_795_000_000_000


def alarm(level: int = 2, since_ms: int = NOW_MS - 40_000, **other: Any) -> dict[str, Any]:
    return {
        "number": 1, "title": "Scanner unplugged", "text": "The floor is called", "who": "floor",
        "level": level, "since_ms": since_ms, "heard": False, "acknowledged": False, **other,
    }  # fmt: skip


def hold(number: int = 1, since_ms: int = NOW_MS - 90_000) -> dict[str, Any]:
    return {"number": number, "title": "A card was read twice", "since_ms": since_ms}


def status(**other: Any) -> dict[str, Any]:
    """A table where a round is in play and nothing is wrong."""
    return {
        "seq": 7, "game": "21-24-27", "phase": "round", "waiting_for": "Deal a card to seat 2",
        "why": "It has 14", "who": "dealer", "since_ms": NOW_MS - 2_000, "tone": "act",
        "round": 3, "rounds_played": 2, "rounds_per_hour": 61.5, "limits": "5.00 to 500.00 EUR",
        "seats": 7, "hands": [{"seat": 1, "wager": "5.00"}, {"seat": 1}, {"seat": 0}],
        "shoe": {"gone": 78, "size": 416, "cut": 312}, "holds": [], "alarms": [],
        "software": "0.1.0+3fa2", "simulated": False, "deals": "Aino Virtanen",
        "stakes": [500, 50_000], **other,
    }  # fmt: skip


def news(table: str = "T1", at_ms: int = NOW_MS, **other: Any) -> TableNews:
    shown = status(**other)
    body = {"table": table, "seq": shown["seq"], "at_ms": at_ms, "status": shown}
    return read_news(json.dumps(body).encode())
