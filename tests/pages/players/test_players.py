"""The players' display: the felt as they see it, and what is waited for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browser.looks import cut_off, px, unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import SIZES, OpenTab
from tests.pages.dealer_display.dealer import BACK, names
from tests.pages.pictures.moments import MOMENTS, moment, players_view
from tests.pages.pictures.pit import Picture, PicturedTable, fullest, seven_seats


def moment_view(name: str) -> Picture:
    return players_view(moment(name))


SCENES: dict[str, Callable[[], Picture]] = {
    "bets open": lambda: seven_seats().players_view(),
    "five cards each": lambda: fullest().players_view(),
    "table stopped": lambda: fullest().misread().players_view(),
    "settling": lambda: seven_seats().next().until_settling().players_view(),
    "round over": lambda: seven_seats().next().play_out().players_view(),
    "shuffle": lambda: PicturedTable().opened().until_shuffle().players_view(),
    **{name: partial(moment_view, name) for name in MOMENTS},
}


def show(service: PageServer, picture: Picture) -> None:
    service.show("/events/players", "scene", picture)


def at_players(open_tab: OpenTab, service: PageServer, picture: Picture, **how: str | None) -> Page:
    show(service, picture)
    page = open_tab(f"{service.url}/players", **how)
    expect(page.locator("#notice")).to_have_text(picture["notice"])
    return page


@pytest.mark.long
@pytest.mark.parametrize("font", [None, "DejaVu Sans"], ids=["usual face", "widest face"])
@pytest.mark.parametrize("size", SIZES)
def test_every_picture_fits_and_can_be_read(
    open_tab: OpenTab, service: PageServer, size: str, font: str | None
) -> None:
    first, *others = SCENES.values()
    page = at_players(open_tab, service, first(), size=size, font=font)
    for scene in (first, *others):
        picture = scene()
        show(service, picture)
        expect(page.locator("#notice")).to_have_text(picture["notice"])
        assert cut_off(page) == []
        assert unreadable(page) == []


@pytest.mark.long
def test_players_are_told_of_a_shuffle_in_the_largest_letters(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_players(open_tab, service, SCENES["five cards each"]())
    in_play = px(page, "#notice")
    show(service, SCENES["shuffle"]())
    expect(page.locator("#notice")).to_have_text("The dealer is shuffling.")
    assert px(page, "#notice") > in_play >= 64


def test_players_see_seat_one_on_their_right(open_tab: OpenTab, service: PageServer) -> None:
    page = at_players(open_tab, service, SCENES["five cards each"]())
    boxes = [page.locator(".seat").nth(at).bounding_box() for at in range(7)]
    lefts = [box["x"] for box in boxes if box]
    assert len(lefts) == 7
    assert lefts == sorted(lefts, reverse=True)
    expect(page.locator(".seat").first.locator(".spot b")).to_have_text("1")


def test_the_rule_in_force_and_the_limits_are_shown(open_tab: OpenTab, service: PageServer) -> None:
    picture = SCENES["bets open"]()
    page = at_players(open_tab, service, picture)
    expect(page.locator("#rule")).to_have_text(picture["rule"])
    expect(page.locator("#limits")).to_have_text(picture["limits"])


def test_a_lost_line_sends_players_back_to_the_dealer(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_players(open_tab, service, SCENES["five cards each"]())
    service.cut_streams()
    expect(page.locator("#lost")).to_contain_text("Please watch the dealer")
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator("#lost")).to_be_hidden()


def test_players_see_the_pot_and_who_deals(open_tab: OpenTab, service: PageServer) -> None:
    page = at_players(open_tab, service, moment_view("ten_vying"))
    expect(page.locator("#dealer .pot-sum")).to_have_text("240.00")
    assert px(page, ".pot-sum") >= 64
    deals = page.locator(".seat").nth(9).locator(".deals")
    expect(deals).to_contain_text("deals")
    expect(page.locator(".deals")).to_have_count(1)


def test_a_card_that_lies_face_down_shows_players_its_back(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_players(open_tab, service, moment_view("hidden_card"))
    expect(page.locator(".dealer-name")).to_have_text("Operator")
    assert names(page.locator("#dealer")) == ["Ace of hearts", BACK]


def test_split_hands_have_a_wager_each(open_tab: OpenTab, service: PageServer) -> None:
    page = at_players(open_tab, service, moment_view("split_hands"))
    seat = page.locator(".seat").first
    expect(seat.locator(".hand")).to_have_count(2)
    expect(seat.locator(".spot span")).to_have_text(["25.00", "50.00"])


def test_players_are_told_a_bonus(open_tab: OpenTab, service: PageServer) -> None:
    page = at_players(open_tab, service, moment_view("bonus"))
    expect(page.locator("#notice")).to_contain_text("8-9-10 spades!")
    expect(page.locator("#notice")).to_contain_text("3,000.00")


def test_the_rules_are_a_touch_away(open_tab: OpenTab, service: PageServer) -> None:
    page = at_players(open_tab, service, moment_view("bonus"))
    expect(page.get_by_role("link", name="Rules")).to_have_attribute("href", "/rules?at=players")
