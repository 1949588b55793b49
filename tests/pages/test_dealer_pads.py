"""The dealer display's pads: what is touched and what is typed go together."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.pages.conftest import OpenTab
from tests.pages.dealer import at_display, at_moment, settled_eye
from tests.pages.pit import seven_seats
from tests.pages.server import PageServer


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
