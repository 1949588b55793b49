"""The dealer display: who may press, and what it says when its line is lost."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.pages.browser.looks import cut_off, px
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.dealer_display.dealer import (
    TOKEN,
    at_display,
    at_moment,
    expect_picture,
    no_press_was_sent,
    settled_eye,
    show,
    to_choose,
)
from tests.pages.pictures.moments import dealer_view, moment
from tests.pages.pictures.pit import seven_seats
from tests.support.forms import quick_first
from tests.support.patience import PATIENCE_S


def test_without_a_token_the_display_can_only_be_looked_at(
    open_tab: OpenTab, service: PageServer
) -> None:
    show(service, to_choose().dealer_view())
    page = open_tab(f"{service.url}/dealer")
    expect(page.get_by_text("View only")).to_be_visible()
    expect(page.get_by_role("button", name="Stand")).to_be_disabled()
    page.keyboard.press("s")
    show(service, seven_seats().dealer_view())
    expect(page.locator("h1")).to_have_text("Place your bets")
    expect(page.locator("button.seat")).to_have_count(0)
    page.keyboard.press("1")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert no_press_was_sent(service)


@pytest.mark.long
@pytest.mark.parametrize("font", [None, "DejaVu Sans"], ids=["usual face", "widest face"])
@pytest.mark.parametrize(
    "name", quick_first(["offered_split", "ten_vying", "low_or_high"], ["offered_split"])
)
def test_all_marks_of_a_display_fit_beside_the_shoe(
    open_tab: OpenTab, service: PageServer, name: str, font: str | None
) -> None:
    picture = dealer_view(moment(name))
    last = picture["shoe"] | {"gone": picture["shoe"]["size"], "due": True}
    last |= {"number": 12, "state": "last round of the shoe"}
    show(service, picture | {"simulated": True, "round": 1204, "shoe": last})
    page = open_tab(f"{service.url}/dealer", font=font)
    expect(page.get_by_text("Simulated table")).to_be_visible()
    expect(page.get_by_text("View only")).to_be_visible()
    expect(page.get_by_role("link", name="Rules")).to_have_attribute("href", "/rules?at=dealer")
    assert cut_off(page) == []


def test_the_token_leaves_the_address_bar_and_is_kept_for_the_tab(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, to_choose().dealer_view())
    assert TOKEN not in page.url
    page.reload()
    settled_eye(page)
    expect(page.get_by_role("button", name="Stand")).to_be_enabled()
    page.keyboard.press("s")
    assert service.next_sent().headers["authorization"] == f"Bearer {TOKEN}"


@pytest.mark.long
def test_an_empty_token_takes_the_keys_away(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, to_choose().dealer_view())
    expect(page.get_by_role("button", name="Stand")).to_be_enabled()
    page.goto(f"{service.url}/dealer?keys=off#token=")
    expect(page.get_by_role("button", name="Stand")).to_be_disabled()


# A lost line


def test_silence_makes_the_display_say_that_it_is_not_live(
    open_tab: OpenTab, service: PageServer
) -> None:
    picture = to_choose().dealer_view()
    show(service, picture)
    page = open_tab("about:blank")
    page.clock.install(time=0)
    # The page's time goes by this test's word alone: its next try for the line waits too.
    page.clock.pause_at(1_000)
    page.goto(f"{service.url}/dealer#token={TOKEN}")
    expect_picture(page, picture)
    service.fall_silent()
    page.clock.fast_forward(5_000)
    expect(page.locator("#lost")).to_be_hidden()
    # Longer than the silence that is borne, by whatever beat was still on its way.
    page.clock.fast_forward(7_000)
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator("#lost")).to_contain_text("Display not live")
    assert px(page, ".lost-title") >= 64
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="Stand", include_hidden=True)).to_have_count(1)
    assert page.locator("#table").evaluate("node => node.inert")
    assert no_press_was_sent(service)


@pytest.mark.long
def test_a_cut_line_is_shown_and_mends_itself(open_tab: OpenTab, service: PageServer) -> None:
    pit = to_choose()
    page = at_display(open_tab, service, pit.dealer_view())
    service.cut_streams()
    expect(page.locator("#lost")).to_be_visible()
    show(service, pit.stand().dealer_view())
    expect(page.locator("#lost")).to_be_hidden()
    expect_picture(page, pit.dealer_view())


def test_a_line_whose_pictures_come_late_is_not_called_live(
    open_tab: OpenTab, service: PageServer
) -> None:
    """A full line brings something all the time, and what it brings is long over."""
    page = at_display(open_tab, service, to_choose().dealer_view())
    until = time.monotonic() + PATIENCE_S
    while page.locator("#lost").is_hidden():
        assert time.monotonic() < until, "it was called live"
        service.stage.ahead_ms -= 10_000
        page.wait_for_timeout(100)
    expect(page.locator("#lost")).to_be_hidden()


def test_a_picture_that_cannot_be_drawn_is_not_called_live(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    picture = to_choose().dealer_view()
    page = at_display(open_tab, service, picture)
    show(service, {name: picture[name] for name in picture if name != "holds"})
    expect(page.locator("#lost")).to_be_visible()
    show(service, picture)
    expect(page.locator("#lost")).to_be_hidden()
    complaint("length")


def test_what_was_typed_is_back_when_the_line_is(open_tab: OpenTab, service: PageServer) -> None:
    """Hidden while the display is not live; after it as it was, and it can be gone on with."""
    page = at_display(open_tab, service, seven_seats().dealer_view())
    settled_eye(page)
    page.keyboard.press("2")
    page.keyboard.type("4")
    expect(page.locator(".pad-sum")).to_have_text("4.00")
    service.cut_streams()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#lost")).to_be_visible()
    page.keyboard.type("7")
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator(".pad-sum")).to_have_text("4.00")
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    sent = service.next_sent().body
    assert (sent["do"], sent["seat"], sent["amount"]) == ("place_wager", 2, 4000)


@pytest.mark.long
def test_a_seat_is_not_asked_for_the_bet_of_another_round(
    open_tab: OpenTab, service: PageServer
) -> None:
    picture = seven_seats().dealer_view()
    page = at_display(open_tab, service, picture)
    settled_eye(page)
    page.keyboard.press("2")
    expect(page.get_by_role("dialog")).to_be_visible()
    service.cut_streams()
    expect(page.locator("#lost")).to_be_visible()
    show(service, picture | {"round": picture["round"] + 1, "seq": picture["seq"] + 40})
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.get_by_role("dialog")).to_be_hidden()
    # It is not only out of sight: the seat can be asked anew.
    settled_eye(page)
    page.keyboard.press("3")
    expect(page.locator("#dialog-title")).to_contain_text("3")


@pytest.mark.long
def test_a_lost_line_forgets_a_pin_and_keeps_the_reason(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "floor_called")
    settled_eye(page)
    page.get_by_role("button", name="Void the round").click()
    form = page.locator(".authorize")
    form.get_by_label("Why, in a few words").fill("Wrong pack")
    form.locator("input[type=password]").first.fill("4711")
    service.cut_streams()
    expect(form).to_be_hidden()
    expect(form).to_be_visible()
    expect(form.get_by_label("Why, in a few words")).to_have_value("Wrong pack")
    expect(form.locator("input[type=password]").first).to_have_value("")
