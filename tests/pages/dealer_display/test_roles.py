"""The dealer display at a table with people: who stands for a way on, and why."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browser.looks import cut_off, unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import SIZES, OpenTab
from tests.pages.dealer_display.dealer import TOKEN, at_moment, no_press_was_sent, settled_eye, show
from tests.pages.pictures.moments import dealer_view, moment
from tests.support.forms import long_only

PIN = "4711"


def asked_for(open_tab: OpenTab, service: PageServer, name: str, key: str, **how: str) -> Page:
    """The sheet that a key of a hold opens."""
    page = at_moment(open_tab, service, name, **how)
    settled_eye(page)
    page.get_by_role("button", name=key).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


def stored(page: Page) -> str:
    """Everything that a page could keep something in: fields, address, storage, markup."""
    found: str = page.evaluate(
        """() => JSON.stringify([[...document.querySelectorAll('input')].map((each) => each.value),
          location.href, {...sessionStorage}, {...localStorage}, document.cookie,
          document.documentElement.outerHTML])"""
    )
    return found


@pytest.mark.long
def test_a_key_that_takes_more_than_the_dealer_says_so(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "wrong_pack")
    takes = {
        key.locator("span").last.inner_text(): key.locator(".takes").all_inner_texts()
        for key in page.locator("#keys .key").all()
    }
    assert takes == {
        "Enter the card": ["Needs the floor"],
        "No card left the shoe": ["Needs the floor"],
        "Put the card aside, face down": ["Needs the floor"],
        "Void, and load a new pack": ["Needs two people"],
        "Call the floor": [],
    }
    pattern = page.locator(".takes").first.evaluate(
        "node => getComputedStyle(node).backgroundImage"
    )
    assert "repeating-linear-gradient" in pattern


@pytest.mark.long
def test_the_floor_says_why_and_who_by_keyboard_and_badge(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = asked_for(open_tab, service, "floor_called", "Void the round")
    expect(page.get_by_role("heading", name="Void the round")).to_be_visible()
    page.keyboard.type("wrong pack")
    page.keyboard.press("Enter")
    page.keyboard.type("Eino")
    page.keyboard.press("Enter")
    page.keyboard.type("BADGE-0042")
    assert no_press_was_sent(service)
    page.keyboard.press("Enter")
    sent = service.next_sent()
    assert sent.body["do"] == "resolve"
    assert sent.body["resolution"] == "void"
    assert sent.body["reason"] == "wrong pack"
    assert sent.body["people"] == [{"name": "Eino", "pin": "BADGE-0042"}]
    assert "BADGE" not in sent.path + str(sent.headers)
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_the_floor_reads_what_was_counted_before_it_signs(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "recount")
    settled_eye(page)
    page.keyboard.press("a")
    expect(page.get_by_role("dialog")).to_contain_text("Count the cards of all hands on the felt")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect(page.locator(".authorize-go")).to_have_text("Count the cards on the felt: 4 cards")
    page.keyboard.press("Enter")  # in a field that is empty: it says so
    expect(page.locator(".authorize-problem")).to_have_text("✕ Still empty: Why, in a few words.")
    page.get_by_role("button", name="Table was restarted").click()
    expect(page.get_by_label("Why, in a few words")).to_have_value("Table was restarted")


def test_all_of_it_can_be_touched(open_tab: OpenTab, service: PageServer) -> None:
    page = asked_for(open_tab, service, "floor_called", "Go on")
    page.get_by_role("button", name="Payout checked").click()
    board = page.get_by_role("group", name="Keys on the screen")
    board.get_by_role("button", name="Capital").click()
    for sign in ("E", "i", "n", "o", "o"):
        board.get_by_role("button", name=sign, exact=True).click()
    board.get_by_role("button", name="Delete").click()
    page.get_by_label("PIN or badge").click()
    for digit in PIN:
        board.get_by_role("button", name=digit, exact=True).click()
    page.locator(".authorize-go").click()
    body = service.next_sent().body
    assert body["people"] == [{"name": "Eino", "pin": PIN}]
    assert body["reason"] == "Payout checked"


def test_no_browser_keeps_a_pin(open_tab: OpenTab, service: PageServer) -> None:
    """It offers to keep passwords, and fills them in for whoever comes next."""
    page = asked_for(open_tab, service, "wrong_pack", "load a new pack")
    for field in page.get_by_label("PIN or badge").all():
        expect(field).to_have_attribute("autocomplete", "one-time-code")


def test_two_people_are_two_names_and_two_pins(open_tab: OpenTab, service: PageServer) -> None:
    page = asked_for(open_tab, service, "wrong_pack", "load a new pack")
    page.get_by_role("button", name="Foreign card").click()
    for typed in ("Eino", PIN, "Aino"):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    page.locator(".authorize-go").click()
    expect(page.get_by_role("alert").locator("visible=true")).to_contain_text(
        "Still empty: Second person, PIN"
    )
    assert no_press_was_sent(service)
    page.keyboard.type("0815")
    page.keyboard.press("Enter")
    people = service.next_sent().body["people"]
    assert people == [{"name": "Eino", "pin": PIN}, {"name": "Aino", "pin": "0815"}]


def test_a_card_that_takes_the_floor_is_entered_with_both(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = asked_for(open_tab, service, "wrong_pack", "Enter the card")
    page.keyboard.type("7d")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Enter 7♦?")
    page.keyboard.press("y")
    expect(page.get_by_role("heading", name="Enter 7♦", exact=True)).to_be_visible()
    page.get_by_role("button", name="Reader misread it").click()
    for typed in ("Eino", PIN):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    body = service.next_sent(2).body
    assert (body["card"], body["people"]) == ("7d", [{"name": "Eino", "pin": PIN}])


@pytest.mark.parametrize(
    ("status", "answer", "problem"),
    [
        (403, {"detail": "Name and PIN do not fit: try again"}, "do not fit: try again"),
        long_only(
            403, {"detail": "Too many wrong PINs: wait a minute, then try again"}, "wait a minute"
        ),
        long_only(
            409, {"accepted": False, "seq": 9, "refused": "Needs the floor: name and PIN"},
            "Needs the floor",
        ),
    ],
)  # fmt: skip
def test_what_is_not_taken_is_told_and_nothing_is_lost_but_the_pin(
    open_tab: OpenTab,
    service: PageServer,
    complaint: Callable[[str], None],
    status: int,
    answer: dict[str, object],
    problem: str,
) -> None:
    page = asked_for(open_tab, service, "floor_called", "Go on")
    service.answers(status, answer)
    for typed in ("a player was heard", "Eino", PIN):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    expect(page.locator(".authorize-problem")).to_contain_text(problem)
    assert PIN not in stored(page)
    expect(page.get_by_label("Why")).to_have_value("a player was heard")
    expect(page.get_by_label("Name")).to_have_value("Eino")
    expect(page.get_by_label("PIN or badge")).to_be_focused()
    complaint(str(status))
    service.answers(200, {"accepted": True, "seq": 10})
    page.keyboard.type(PIN)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert service.next_sent(2).body["people"][0]["pin"] == PIN
    assert PIN not in stored(page)


def test_a_pin_is_never_shown_and_is_gone_with_its_sheet(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = asked_for(open_tab, service, "floor_called", "Go on")
    field = page.get_by_label("PIN or badge")
    field.fill(PIN)
    expect(field).to_have_attribute("type", "password")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert PIN not in stored(page)
    assert no_press_was_sent(service)


@pytest.mark.long
def test_the_sheet_closes_when_the_hold_is_over(open_tab: OpenTab, service: PageServer) -> None:
    page = asked_for(open_tab, service, "floor_called", "Go on")
    page.get_by_label("PIN or badge").fill(PIN)
    show(service, dealer_view(moment("recount")))
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert PIN not in stored(page)
    assert TOKEN not in page.url


def test_names_that_were_taken_are_offered_again(open_tab: OpenTab, service: PageServer) -> None:
    page = asked_for(open_tab, service, "floor_called", "Go on")
    for typed in ("heard", "Eino", PIN):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("v")
    page.get_by_role("button", name="Eino", exact=True).click()
    expect(page.get_by_label("Name")).to_have_value("Eino")
    expect(page.get_by_label("PIN or badge")).to_be_focused()


@pytest.mark.long
@pytest.mark.parametrize("font", [None, "DejaVu Sans"], ids=["usual face", "widest face"])
def test_the_sheet_fits_and_can_be_read(
    open_tab: OpenTab, service: PageServer, font: str | None
) -> None:
    for size in SIZES:
        page = at_moment(open_tab, service, "wrong_pack", size=size, font=font)
        settled_eye(page)
        page.get_by_role("button", name="load a new pack").click()
        page.locator(".authorize-go").click()
        expect(page.locator(".authorize-problem")).to_contain_text("Still empty")
        assert cut_off(page) == []
        assert unreadable(page) == []
        page.get_by_label("PIN or badge").first.click()
        assert cut_off(page) == []
