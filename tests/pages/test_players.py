"""The players' display: the felt as they see it, and what is waited for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.pages.conftest import SIZES, OpenTab
from tests.pages.looks import cut_off, px, unreadable
from tests.pages.pit import Picture, Pit, fullest, seven_seats
from tests.pages.server import PageServer

SCENES: dict[str, Callable[[], Picture]] = {
    "bets open": lambda: seven_seats().players_view(),
    "five cards each": lambda: fullest().players_view(),
    "table stopped": lambda: fullest().misread().players_view(),
    "settling": lambda: seven_seats().next().until_settling().players_view(),
    "round over": lambda: seven_seats().next().play_out().players_view(),
    "shuffle": lambda: Pit().opened().until_shuffle().players_view(),
}


def show(service: PageServer, picture: Picture) -> None:
    service.show("/events/players", "scene", picture)


def at_players(open_tab: OpenTab, service: PageServer, picture: Picture, **how: str | None) -> Page:
    show(service, picture)
    page = open_tab(f"{service.url}/players", **how)
    expect(page.locator("#notice")).to_have_text(picture["notice"])
    return page


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
