"""A table's felt out of its status: as the table says it, and within bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from controller.pit.wall.live_view import live_picture
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.status import read_news
from controller.pit.wall.wall import Wall
from controller.table.state.state import State
from controller.table.views.public import public
from tests.pit.wall.statuses import NOW_MS
from tests.records.dealing import two_days
from tests.support.dealt.days import CalendarPit

Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def table() -> CalendarPit:
    return two_days("blackjack")


def sent(view: object) -> dict[str, Any]:
    """As it is read at the other end."""
    said: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(view))
    return said


def status_of(state: State) -> dict[str, Any]:
    return sent(public(state))


def heard(status: dict[str, Any]) -> Wall:
    wall = Wall(WallSettings(), lambda: NOW_MS)
    body = {"table": "T1", "seq": status["seq"], "at_ms": NOW_MS, "status": status}
    wall.hear(read_news(msgspec.json.encode(body)))
    return wall


def test_the_felt_is_what_the_table_says(table: CalendarPit) -> None:
    said = status_of(table.state)
    found = live_picture(heard(said), "T1", NOW_MS)
    assert found.no_felt == ""
    assert found.felt is not None
    drawn = sent(found.felt)
    for name in ("hands", "dealer", "shoe", "words", "pot", "button", "rule", "seats"):
        assert drawn[name] == said[name], name
    assert [each["number"] for each in drawn["rounds"]] == [it["number"] for it in said["rounds"]]
    assert found.tile.waiting_for == said["waiting_for"]
    # Money of rounds is for those who may see reports.
    assert set(drawn["rounds"][0]) == {"number", "started_ms", "ended_ms", "void", "dummy"}


def test_a_table_that_was_not_heard_has_none() -> None:
    wall = Wall(WallSettings(pages={"T1": "http://127.0.0.1/"}), lambda: NOW_MS)
    wall.draw()
    assert wall.knows("T1")
    assert not wall.knows("T2")
    found = live_picture(wall, "T1", NOW_MS)
    assert (found.felt, found.heard_ms) == (None, None)
    assert "not heard" in found.no_felt


def card(code: str) -> Change:
    return lambda status: status["hands"][0]["cards"].append(
        {"code": code, "label": "", "raised": False}
    )


BEYOND: dict[str, Change] = {
    "a card that nobody prints": card("Xx"),
    "a card with more behind it": card("7h\n"),
    "a hand without end": lambda it: it["hands"][0]["cards"].extend(it["hands"][0]["cards"] * 200),
    "a note like a book": lambda it: it["hands"][0].update(note="x" * 5_000),
    "no shoe at all": lambda it: it.update(shoe={}),
    "another game's words": lambda it: it["words"].update(index="roman"),
}


@pytest.mark.parametrize("what", BEYOND)
def test_what_no_page_could_draw_is_not_sent_to_one(table: CalendarPit, what: str) -> None:
    status = status_of(table.state)
    BEYOND[what](status)
    found = live_picture(heard(status), "T1", NOW_MS)
    assert found.felt is None
    assert "cannot be drawn" in found.no_felt
    assert found.tile.waiting_for == status["waiting_for"], "the wall shows it still"
