"""The dealer display: how much is bet or raised for a pot, and how antes come in."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.pages.browser.looks import cut_off, unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import SIZES, OpenTab
from tests.pages.dealer_display.dealer import (
    answered,
    at_display,
    at_moment,
    no_press_was_sent,
    settled_eye,
    show,
)
from tests.pages.pictures.moments import MOMENTS, dealer_view, said
from tests.support.forms import long_only
from tests.support.pit import Pit, opened


@pytest.mark.long
def test_a_raise_is_the_least_unless_something_else_is_said(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "vying")
    settled_eye(page)
    page.keyboard.press("r")
    expect(page.get_by_role("dialog")).to_contain_text("10.00 to 100.00 above the call")
    page.keyboard.press("Enter")
    sent = service.next_sent().body
    assert (sent["action"], sent["seat"], sent["amount"]) == ("raise", 4, 1000)


@pytest.mark.parametrize(
    ("typed", "amount"),
    [long_only(["2", "5"], 2500), (["ArrowUp", "ArrowUp"], 1100),
     long_only(["ArrowDown"], 1000),
     long_only(["1", "2", ".", "5", "ArrowUp"], 1300)],
)  # fmt: skip
def test_a_raise_is_typed_or_stepped_by_chips(
    open_tab: OpenTab, service: PageServer, typed: list[str], amount: int
) -> None:
    page = at_moment(open_tab, service, "vying")
    settled_eye(page)
    page.keyboard.press("r")
    for key in typed:
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    assert service.next_sent().body["amount"] == amount


def test_the_usual_amounts_run_from_the_least_to_the_most(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "vying")
    settled_eye(page)
    page.get_by_role("button", name="Raise").click()
    usual = page.get_by_role("group", name="Usual amounts").get_by_role("button")
    words = [" ".join(each.split()) for each in usual.all_inner_texts()]
    assert words[0] == "10.00 least"
    assert words[-1] == "100.00 most"
    sums = [float(each.split()[0]) for each in words]
    assert all(one < two for one, two in pairwise(sums))
    usual.last.click()
    page.get_by_role("button", name="Raise 100.00").click()
    assert service.next_sent().body["amount"] == 10_000


@pytest.mark.parametrize(
    ("typed", "answer"),
    [long_only("5", "The least is 10.00."), ("101", "The most is 100.00."),
     long_only("10.30", "The smallest chip is 0.50.")],
)  # fmt: skip
def test_what_the_table_would_refuse_is_not_sent(
    open_tab: OpenTab, service: PageServer, typed: str, answer: str
) -> None:
    page = at_moment(open_tab, service, "vying")
    settled_eye(page)
    page.keyboard.press("r")
    page.keyboard.type(typed)
    # Why, and not once more what the limits are.
    expect(page.locator(".pad-limits")).to_have_text(f"✕ {answer}")
    expect(page.locator(".confirm")).to_be_disabled()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert no_press_was_sent(service)


@pytest.mark.long
def test_the_amount_sheet_fits_and_can_be_read(open_tab: OpenTab, service: PageServer) -> None:
    for size in SIZES:
        page = at_moment(open_tab, service, "vying", size=size, font="DejaVu Sans")
        settled_eye(page)
        page.keyboard.press("r")
        page.keyboard.type("101")
        expect(page.locator(".confirm")).to_be_disabled()
        assert cut_off(page) == []
        assert unreadable(page) == []


@pytest.mark.long
def test_the_sheet_closes_when_another_player_is_to_act(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "vying")
    settled_eye(page)
    page.keyboard.press("r")
    expect(page.get_by_role("dialog")).to_be_visible()
    show(service, dealer_view(said(MOMENTS["vying"](), "call")))
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_one_press_antes_at_the_tenth_seat_too_and_an_ante_is_taken_back(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = antes_open(10)
    page = at_display(open_tab, service, dealer_view(pit))
    settled_eye(page)
    page.keyboard.press("0")
    sent = service.next_sent().body
    assert (sent["do"], sent["seat"], sent["amount"]) == ("place_wager", 10, 1000)
    answered(page)
    page.keyboard.press("4")
    expect(page.get_by_role("dialog")).to_contain_text("Ante at seat 4")
    assert cut_off(page) == []
    page.get_by_role("button", name="Remove 10.00").click()
    sent = service.next_sent(2).body
    assert (sent["do"], sent["seat"]) == ("remove_wager", 4)


def antes_open(seats: int) -> Pit:
    """Four antes lie there, the pack is in the shoe, more players may come in."""
    pit = opened(seats, "seven-twenty-seven")
    for seat in (1, 2, 3, 4):
        pit.bet(seat, 1000)
    return pit
