"""A burned card is told by no page, stream, document or figure, however it is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.devices.inputs import Doubt
from controller.pit.views import Page, Pictures
from controller.rules.cards import card
from controller.table import inputs as i
from controller.table.holds import Way
from tests.pit.desk import PlayedDesk

pytestmark = pytest.mark.anyio

BURNED = card("7s")
READS = ("/api/v1/table", "/api/v1/scene", "/api/v1/rounds", "/healthz", "/metrics")


def _burn(desk: PlayedDesk) -> None:
    desk.pit.shuffle(BURNED.code)


def _play(desk: PlayedDesk) -> None:
    desk.pit.shuffle(BURNED.code)
    desk.pit.bet(1)
    desk.pit.bet(2, None)
    desk.pit.no_more_bets()
    desk.pit.deal("Kh 5d 9c 9d 6c")


def _unasked(desk: PlayedDesk) -> None:
    desk.pit.shuffle("2c")
    desk.pit.deal(BURNED.code)


def _set_aside(desk: PlayedDesk) -> None:
    _unasked(desk)
    desk.pit.resolve(Way.SET_ASIDE)


def _changed_dealer(desk: PlayedDesk) -> None:
    desk.pit.shuffle("2c")
    desk.pit.give(i.ChangeDealer("Aino"))
    desk.pit.deal(BURNED.code)


def _unread_burn(desk: PlayedDesk) -> None:
    desk.pit.give(i.LoadPack())
    desk.pit.give(i.CutShoe())
    desk.pit.doubt(Doubt.GARBLED)


@pytest.mark.parametrize(
    "happens", [_burn, _play, _unasked, _set_aside, _changed_dealer, _unread_burn]
)
async def test_no_answer_tells_a_burned_card(
    desk: PlayedDesk, web: Any, happens: Callable[[PlayedDesk], None]
) -> None:
    happens(desk)
    pictures = Pictures(desk)
    told = [pictures.newest(page).decode() for page in Page]
    told += [(await web.get(path)).text for path in READS]
    told.append((await web.get("/api/v1/rounds/1")).text)
    for body in (
        {"do": "load_pack"}, {"do": "close_bets"}, {"do": "press", "button": "next"},
        {"do": "resolve", "hold": 1, "way": "agrees"}, {"do": "decide", "seat": 1, "action": "hit"},
    ):  # fmt: skip
        told.append((await web.post("/api/v1/commands", json=body)).text)
    told += [pictures.newest(page).decode() for page in Page]
    for text in told:
        for name in (f'"{BURNED.code}"', BURNED.label, BURNED.name, f" {BURNED.code} "):
            assert name not in text
