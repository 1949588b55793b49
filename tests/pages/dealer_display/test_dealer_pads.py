"""The dealer display's pads: what is touched and what is typed go together."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from controller.table.inputs import RemoveWager, Resolve
from controller.table.irregularities.holds import Resolution
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.dealer_display.dealer import at_display, at_moment, settled_eye, show
from tests.pages.pictures.pit import PicturedTable, seven_seats


@pytest.mark.long
def test_enter_after_touched_digits_enters_the_count(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "recount")
    settled_eye(page)
    page.get_by_role("button", name="Count the cards on the felt").click()
    pad = page.locator(".pad")
    for digit in "12":
        pad.get_by_role("button", name=digit, exact=True).click()
    expect(page.locator(".pad-sum")).to_have_text("12")
    page.keyboard.press("Enter")
    expect(pad).to_have_count(0)
    for typed in ("compared", "Eino", "4711"):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    assert service.next_sent().body["cards"] == 12


def test_enter_never_presses_the_digit_that_was_touched(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "recount")
    settled_eye(page)
    page.get_by_role("button", name="Count the cards on the felt").click()
    page.get_by_role("button", name="7", exact=True).click()
    page.get_by_role("button", name="Delete the last digit").click()
    page.get_by_role("button", name="0", exact=True).focus()
    for _ in range(3):
        page.keyboard.down("Enter")
    expect(page.locator(".pad-sum")).to_have_text("\N{EN DASH}")
    assert not service.stage.sent
    page.keyboard.up("Enter")


def test_enter_after_a_touched_chip_enters_the_amount(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, seven_seats().dealer_view())
    settled_eye(page)
    page.locator(".bet-key, button", has_text="Change").first.click()
    pad = page.locator(".pad")
    for digit in "25":
        pad.get_by_role("button", name=digit, exact=True).click()
    page.keyboard.press("Enter")
    expect(pad).to_have_count(0)
    assert service.next_sent().body["amount"] == 2500


@pytest.mark.long
def test_digits_stand_in_one_order_wherever_they_are_touched(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "recount")
    settled_eye(page)
    page.get_by_role("button", name="Count the cards on the felt").click()
    pad = page.locator(".pad-digits .pick").all_inner_texts()
    for typed in ("12", "compared", "Eino"):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    keyboard = page.locator(".keyboard[data-keys=digits] button")
    expect(keyboard.first).to_have_text("1")
    order = [each for each in keyboard.all_inner_texts() if each.isdigit()]
    assert [each for each in pad if each.isdigit()] == order == [*"1234567890"]


def test_a_count_seat_by_seat_goes_back_to_the_seat_before(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, differing_count().dealer_view())
    settled_eye(page)
    page.get_by_role("button", name="Count the cards on the felt").click()
    title, back = page.locator("#dialog-title"), page.get_by_role("button", name="Back to")
    expect(title).to_have_text("Seat 1: how many cards?")
    expect(back).to_have_count(0)
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(title).to_have_text("Seat 3: how many cards?")
    back.click()
    expect(title).to_have_text("Seat 1: how many cards?")
    expect(page.locator(".pad-sum")).to_have_text("9")
    page.keyboard.type("2")  # in the place of what was counted before
    expect(page.locator(".pad-sum")).to_have_text("2")
    page.keyboard.press("Enter")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(title).to_have_text("Dealer: how many cards?")
    page.keyboard.press("b")
    expect(title).to_have_text("Seat 3: how many cards?")
    page.keyboard.press("Enter")
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    seats = [(each["seat"], each["cards"]) for each in service.next_sent().body["seats"]]
    assert seats == [(1, 2), (3, 1), (0, 0)]


def differing_count() -> PicturedTable:
    """A recount of two seats and the dealer's hand that did not agree: it is done seat by seat."""
    pit = PicturedTable().opened().bets(s1=2500, s3=5000).next().deal("5h 8c Kh").unplug().plug()
    hold = pit.state.holds[0].number
    pit.give(Resolve(hold, Resolution.COUNT, cards=9))
    return pit


def test_what_remove_took_away_is_said_until_a_bet_lies_there_again(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = PicturedTable().opened().bets(s1=2500, s3=5000)
    page = at_display(open_tab, service, pit.dealer_view())
    settled_eye(page)
    page.keyboard.press("3")
    page.get_by_role("button", name="Remove 50.00").click()
    assert service.next_sent().body["do"] == "remove_wager"
    line = page.locator("#line")
    expect(line).not_to_contain_text("removed")  # the view still shows the bet
    pit.give(RemoveWager(3))
    show(service, pit.dealer_view())
    expect(line).to_have_text("✓Seat 3: 50.00 removed.")
    pit.bets(s3=1000)
    show(service, pit.dealer_view())
    expect(line).not_to_contain_text("removed")
