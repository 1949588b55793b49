"""The dealer display under fingers: whoever presses a key has pressed it, and nothing else."""

from __future__ import annotations

from playwright.sync_api import Page, ViewportSize, expect

from tests.pages.browser.fingers import Point, fingers_on, middle
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.dealer_display.dealer import at_display, at_moment, settled_eye, to_choose
from tests.pages.pictures.moments import dealer_view
from tests.pages.pictures.pit import seven_seats
from tests.support.pit import opened

#: The first command is under way until the test lets it through.
SLOW_AT_FIRST = """() => {
  const ask = globalThis.fetch;
  globalThis.fetch = async (address, options) => {
    if (String(address).includes('/commands') && !globalThis.letThrough)
      await new Promise((go) => { globalThis.letThrough = go; });
    return ask(address, options);
  };
}"""
KIOSK: ViewportSize = {"width": 800, "height": 480}
TWO_AT_ONCE = "Two keys were touched at once, and none was pressed: press one."


def key(page: Page, name: str) -> Point:
    return middle(page.get_by_role("button", name=name))


def test_a_key_is_pressed_while_the_hand_lies_on_the_glass(
    open_tab: OpenTab, service: PageServer
) -> None:
    """A browser makes no click of one of two touches."""
    page = at_display(open_tab, service, to_choose().dealer_view())
    page.set_viewport_size(KIOSK)
    settled_eye(page)
    with fingers_on(page) as fingers:
        fingers.down("hand", middle(page.locator("#seats li").nth(3)))
        fingers.down("thumb", key(page, "Stand"))
        fingers.up("thumb")
        assert service.next_sent().body["action"] == "stand"
        fingers.up("hand")


def test_a_finger_that_slides_on_a_key_presses_it_once(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, to_choose().dealer_view())
    page.set_viewport_size(KIOSK)
    settled_eye(page)
    x, y = key(page, "Stand")
    with fingers_on(page) as fingers:
        fingers.down("thumb", (x, y))
        for step in range(1, 9):
            fingers.slide("thumb", (x + 5 * step, y))
        fingers.up("thumb")
        assert service.next_sent().body["action"] == "stand"
        settled_eye(page)
        fingers.tap(key(page, "Hit"))
        assert service.next_sent(2).body["action"] == "hit"
    assert len(service.stage.sent) == 2


def test_a_finger_that_leaves_its_key_presses_nothing(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, to_choose().dealer_view())
    page.set_viewport_size(KIOSK)
    settled_eye(page)
    with fingers_on(page) as fingers:
        fingers.down("thumb", key(page, "Stand"))
        fingers.slide("thumb", key(page, "Hit"))
        fingers.up("thumb")
        fingers.tap(key(page, "Call the floor"))
        assert service.next_sent().body["do"] == "call_floor"


def test_of_two_keys_that_are_touched_at_once_none_is_pressed(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_display(open_tab, service, to_choose().dealer_view())
    page.set_viewport_size(KIOSK)
    settled_eye(page)
    with fingers_on(page) as fingers:
        fingers.down("thumb", key(page, "Stand"))
        fingers.down("finger", key(page, "Hit"))
        expect(page.locator("#line")).to_have_text(f"✕{TWO_AT_ONCE}")
        fingers.up("thumb")
        fingers.up("finger")
        fingers.tap(key(page, "Call the floor"))
        assert service.next_sent().body["do"] == "call_floor"


def test_digits_are_typed_with_two_thumbs(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, seven_seats().dealer_view())
    page.set_viewport_size(KIOSK)
    with fingers_on(page) as fingers:
        fingers.tap(middle(page.locator("#seats .seat").nth(2)))
        digits = page.locator(".pad-digits")
        one, two = (digits.get_by_role("button", name=each, exact=True) for each in "12")
        fingers.down("left", middle(one))
        fingers.down("right", middle(two))
        fingers.up("left")
        fingers.up("right")
        expect(page.locator(".pad-sum")).to_have_text("12.00")


def test_a_telephone_is_scrolled_over_its_keys(open_tab: OpenTab, service: PageServer) -> None:
    page = at_moment(open_tab, service, "ten_vying")
    page.set_viewport_size({"width": 390, "height": 700})
    settled_eye(page)
    x, y = key(page, "Fold")
    with fingers_on(page) as fingers:
        fingers.down("thumb", (x, y))
        for step in range(1, 13):
            fingers.slide("thumb", (x, y - 20 * step))
        fingers.up("thumb")
        page.wait_for_function("scrollY > 100")
        page.evaluate("scrollTo(0, 0)")
        settled_eye(page)
        fingers.tap(key(page, "Call the floor"))
        assert service.next_sent().body["do"] == "call_floor"


def test_a_finger_that_rests_opens_no_menu_and_selects_nothing(
    open_tab: OpenTab, service: PageServer
) -> None:
    """In a kiosk there is no way back from a tab that such a menu opens."""
    page = at_display(open_tab, service, to_choose().dealer_view())
    rest = """node => node.dispatchEvent(new PointerEvent('contextmenu', {
      pointerType: 'touch', bubbles: true, cancelable: true }))"""
    assert page.locator(".rules").evaluate(rest) is False
    assert page.locator("body").evaluate("node => getComputedStyle(node).userSelect") == "none"


def test_bets_at_several_seats_wait_their_turn_on_a_slow_line(
    open_tab: OpenTab, service: PageServer
) -> None:
    """Seven antes are tapped faster than the first is answered: none of them is lost."""
    page = at_display(open_tab, service, dealer_view(opened(7, "seven-twenty-seven")))
    page.evaluate(SLOW_AT_FIRST)
    settled_eye(page)
    for seat in range(7):
        page.locator("#seats .seat").nth(seat).click()
    # A second tap at a seat is none of its own.
    page.locator("#seats .seat").nth(0).click()
    page.evaluate("globalThis.letThrough()")
    assert service.next_sent(7).body["do"] == "place_wager"
    assert [each.body["seat"] for each in service.stage.sent] == [1, 2, 3, 4, 5, 6, 7]
