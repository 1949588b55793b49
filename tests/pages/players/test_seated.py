"""Names of players at a distance: at their seats, short or long, with and without a connection."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from controller.rules.actions import Action
from controller.table import inputs as i
from controller.table.inputs import WindowTimes
from tests.pages.browser.looks import cut_off, unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import SIZES, OpenTab
from tests.pages.dealer_display.dealer import at_display
from tests.pages.pictures.moments import dealer_view, players_view
from tests.support.forms import quick_first
from tests.support.pit import Pit, setup

LONGEST = "WMWMWMWMWMWMWMWM"
ROUND = "8h 9c 5d Kh 2c 3d 4s 7h"


def full(name: str = LONGEST, cards: str = "8h 9c 5d Kh 2c 3d 4s 7h") -> Pit:
    pit = Pit(replace(setup(7), windows=WindowTimes(no_answer=(Action.STAND,))))
    pit.shuffle()
    for seat in range(1, 8):
        pit.give(i.TakeSeat(seat, f"p{seat}", name))
        pit.bet(seat, 100_000)
    pit.give(i.MarkAway(3, away=True))
    if cards:
        pit.no_more_bets()
        pit.deal(cards)
        pit.give(i.LeaveSeat(4))
    return pit


@pytest.mark.parametrize("cards", quick_first(["", ROUND], [""]), ids=["bets", "round"])
def test_the_longest_names_have_room(open_tab: OpenTab, service: PageServer, cards: str) -> None:
    page = at_display(open_tab, service, dealer_view(full(cards=cards)), font="DejaVu Sans")
    for size in ((1280, 720), (800, 480)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_function(
            "size => `${innerWidth} ${innerHeight}` === size", arg="{} {}".format(*size)
        )
        expect(page.locator(".player").first).to_contain_text("WMW")
        assert cut_off(page) == []
        assert unreadable(page) == []


@pytest.mark.parametrize("cards", quick_first(["", ROUND], [ROUND]), ids=["bets", "round"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("font", ["DejaVu Sans"])
def test_players_read_each_others_names(
    open_tab: OpenTab, service: PageServer, size: str, font: str, cards: str
) -> None:
    service.show("/events/players", "scene", players_view(full(cards=cards)))
    page = open_tab(f"{service.url}/players", size=size, font=font)
    expect(page.locator(".player")).to_have_count(7)
    assert cut_off(page) == []
    assert unreadable(page) == []


@pytest.mark.long
def test_who_is_away_or_leaves_is_said_in_words_too(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, dealer_view(full("Ann")))
    expect(page.locator('.seat[data-seat="3"] .player')).to_have_text("⌁ Ann, connection lost")
    expect(page.locator('.seat[data-seat="4"] .player')).to_have_text("→ Ann, leaves")
    expect(page.locator('.seat[data-seat="5"] .player')).to_have_text("Ann")
