"""No page, stream, document or figure discloses a hidden card, however it is requested."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from controller.devices.inputs import Doubt
from controller.rules.cards import IndexStyle, card
from controller.table import inputs as i
from controller.table.irregularities.holds import Resolution
from controller.web.json_views import Page, ViewCache
from tests.support.dealt.croupier import Croupier, tells
from tests.web.desk import PlayedDesk

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
    desk.pit.resolve(Resolution.SET_ASIDE)


def _changed_dealer(desk: PlayedDesk) -> None:
    desk.pit.shuffle("2c")
    desk.pit.give(i.ChangeDealer("7f3a91c2"))
    desk.pit.deal(BURNED.code)


def _unread_burn(desk: PlayedDesk) -> None:
    desk.pit.give(i.LoadPack())
    desk.pit.give(i.CutShoe())
    desk.pit.doubt(Doubt.GARBLED)


@pytest.mark.parametrize(
    "happens", [_burn, _play, _unasked, _set_aside, _changed_dealer, _unread_burn]
)
async def test_no_answer_discloses_a_burned_card(
    desk: PlayedDesk, web: Any, happens: Callable[[PlayedDesk], None]
) -> None:
    happens(desk)
    pictures = ViewCache(desk)
    texts = [pictures.newest(page).decode() for page in Page]
    texts += [(await web.get(path)).text for path in READS]
    texts.append((await web.get("/api/v1/rounds/1")).text)
    for body in (
        {"do": "load_pack"}, {"do": "close_bets"}, {"do": "press", "button": "next"},
        {"do": "resolve", "hold": 1, "resolution": "count"},
        {"do": "decide", "seat": 1, "action": "hit"},
    ):  # fmt: skip
        texts.append((await web.post("/api/v1/commands", json=body)).text)
    texts += [pictures.newest(page).decode() for page in Page]
    for text in texts:
        for name in (
            f'"{BURNED.code}"',
            *map(BURNED.label, IndexStyle),
            BURNED.name,
            f" {BURNED.code} ",
        ):
            assert name not in text


@pytest.mark.parametrize(("name", "seats"), [("blackjack", 3), ("seven-twenty-seven", 4)])
async def test_no_answer_discloses_a_hidden_card_in_a_whole_round(
    desk: PlayedDesk, web: Any, name: str, seats: int
) -> None:
    """Every page, document, figure and refusal, after every step, until the card is turned."""
    desk.open_anew(seats, name)
    croupier = Croupier(desk.pit, random.Random(5), calm=0.85)
    pictures = ViewCache(desk)
    croupier.open_bets()
    croupier.down.clear()
    if name == "blackjack":
        # Of the hidden card's likes none lies open: what is told of it is told of it alone.
        hidden = croupier.shoe[-2 * seats - 2]
        likes = [each for each in croupier.shoe if each.kind is hidden.kind and each is not hidden]
        others = [each for each in croupier.shoe if each.kind is not hidden.kind]
        croupier.shoe = [*likes, *others[: -2 * seats - 1], hidden, *others[-2 * seats - 1 :]]
    for seat in range(1, seats + 1):
        desk.pit.bet(seat)
    desk.pit.no_more_bets()
    swept = 0
    while (step := desk.pit.state.step) is not None:
        croupier.answer(step)
        texts = [pictures.newest(page).decode() for page in Page]
        texts += [(await web.get(path)).text for path in (*READS, "/api/v1/rounds/1")]
        for body in ({"do": "turn", "seat": 9}, {"do": "cut"}, {"do": "turn", "card": "Zz"}):
            texts.append((await web.post("/api/v1/commands", json=body)).text)
        for each in (each for cards in croupier.down.values() for each in cards):
            swept += 1
            assert not [found for text in texts if (found := tells(text, each))]
    assert swept > 5
