"""What a reader has asked of the browser, or reads by ear, is had on the pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.pages.browser.measure import measure
from tests.pages.browser.server import PageServer
from tests.pages.conftest import ARGS, OpenTab, browser_path
from tests.pages.dealer_display.dealer import TOKEN, at_moment, expect_picture, show
from tests.pages.pictures.moments import dealer_view, moment, players_view, status_view
from tests.pages.pictures.pit import Picture
from tests.support.forms import long_only

#: Counts what changes in each place that is read out when it changes.
LISTEN: Final = """() => {
  globalThis.readOut = [];
  const places = '[aria-live], [role="status"], [role="alert"]';
  const heard = (changes) => changes.forEach(({ target }) => {
    const node = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
    if (!node.closest('[role="timer"]')) readOut.push(node.closest(places).id);
  });
  for (const each of document.querySelectorAll(places))
    new MutationObserver(heard).observe(each,
      { childList: true, characterData: true, subtree: true });
}"""
#: Each page: its stream, the event, what it draws of a moment, where it says what is next, and a
#: figure beside it.
PAGES_READ: Final = {
    "/dealer": ("/events/dealer", "scene", dealer_view, "headline", "h1", "round", "#place"),
    "/players": ("/events/players", "scene", players_view, "notice", "#notice", "round", "#round"),
    "/": (
        "/events/status", "status", status_view, "waiting_for", "#waiting-for", "rounds_played",
        "#played",
    ),
}  # fmt: skip


@pytest.mark.parametrize("address", PAGES_READ)
def test_a_sentence_is_read_out_once(open_tab: OpenTab, service: PageServer, address: str) -> None:
    """A next picture that says the same is no news to whoever hears the page."""
    stream, event, drawn, says, place, figure, beside = PAGES_READ[address]
    first: Picture = drawn(moment("ten_vying"))
    service.show(stream, event, first)
    page = open_tab(f"{service.url}{address}#token={TOKEN}")
    expect(page.locator(place)).to_have_text(first[says])
    page.evaluate(LISTEN)
    service.show(stream, event, first | {figure: 4711})
    expect(page.locator(beside)).to_contain_text("4711")
    assert page.evaluate("readOut") == []
    other = drawn(moment("floor_called"))
    service.show(stream, event, other)
    expect(page.locator(place)).to_have_text(other[says])
    assert page.evaluate("readOut.length") > 0


def test_a_lost_line_and_what_is_wrong_are_read_out_on_the_status_page(
    open_tab: OpenTab, service: PageServer
) -> None:
    service.show("/events/status", "status", status_view(moment("floor_called")))
    page = open_tab(f"{service.url}/#token={TOKEN}")
    expect(page.get_by_role("status").filter(has_text="Live")).to_be_visible()
    expect(page.locator("#alarms")).to_have_attribute("aria-live", "polite")


def test_what_is_pressed_is_seen_in_colours_of_the_readers_own(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "vying")
    page.emulate_media(forced_colors="active")
    page.get_by_role("button", name="Raise").click()
    width = "node => parseFloat(getComputedStyle(node).outlineWidth)"
    usual = page.locator(".pad-usual .pick")
    assert usual.and_(page.locator('[aria-pressed="true"]')).evaluate(width) > 2
    drawn = "node => getComputedStyle(node).outlineStyle"
    assert usual.and_(page.locator('[aria-pressed="false"]')).first.evaluate(drawn) == "none"
    page.emulate_media(forced_colors="null")


@pytest.mark.parametrize("scheme", ["dark", long_only("light")])
def test_who_asks_for_more_contrast_has_no_quiet_words(
    open_tab: OpenTab, service: PageServer, scheme: str
) -> None:
    service.show("/events/status", "status", status_view(moment("floor_called")))
    page = open_tab(f"{service.url}/#token={TOKEN}", scheme=scheme)
    colour = "node => getComputedStyle(node).color"
    quiet, strong = page.locator(".label").first, page.locator("#waiting h2")
    assert quiet.evaluate(colour) != page.locator("#table").evaluate(colour)
    page.emulate_media(contrast="more")
    assert quiet.evaluate(colour) == page.locator("#table").evaluate(colour)
    expect(strong).to_be_visible()
    page.emulate_media(contrast="null")


@pytest.fixture
def large_letters(browser: Browser) -> Iterator[Page]:
    """A telephone whose owner has set letters of 24 px."""
    args = [*ARGS, "--blink-settings=defaultFontSize=24"]
    made = browser.browser_type.launch(executable_path=browser_path(), args=args)
    yield made.new_page(viewport={"width": 390, "height": 844})
    made.close()


@pytest.mark.long
def test_letters_on_a_telephone_are_as_large_as_the_reader_wants(
    large_letters: Page, service: PageServer
) -> None:
    service.show("/events/players", "scene", players_view(moment("ten_vying")))
    large_letters.goto(f"{service.url}/players")
    expect(large_letters.locator(".seat").first).to_be_visible()
    assert measure(large_letters, scrolls=True, text_px=24) == []


@pytest.mark.long
def test_letters_on_a_dealers_telephone_are_as_large_as_the_dealer_wants(
    large_letters: Page, service: PageServer
) -> None:
    """Upright and sideways; the least of them, 18 px for whoever has set nothing, are 27."""
    found = []
    large_letters.goto(f"{service.url}/dealer#token={TOKEN}")
    for name in ("ten_vying", "floor_called", "low_cards_raised"):
        shown = dealer_view(moment(name))
        show(service, shown)
        expect_picture(large_letters, shown)
        for width, height in ((390, 844), (844, 390)):
            large_letters.set_viewport_size({"width": width, "height": height})
            wrong = measure(large_letters, scrolls=True, text_px=27)
            found += [f"{name}, {width}x{height}: {each}" for each in wrong]
    assert found == []


def test_a_raise_says_what_goes_in_altogether(open_tab: OpenTab, service: PageServer) -> None:
    page = at_moment(open_tab, service, "vying")
    page.get_by_role("button", name="Raise").click()
    enter = page.locator(".confirm")
    expect(enter).to_have_text("EnterRaise 10.00: 130.00 in all")
    page.get_by_role("button", name="50.00", exact=True).click()
    expect(enter).to_have_text("EnterRaise 50.00: 170.00 in all")


def test_every_wager_is_seen_on_a_small_panel(open_tab: OpenTab, service: PageServer) -> None:
    picture = dealer_view(moment("vying"))
    show(service, picture)
    page = open_tab(f"{service.url}/dealer#token={TOKEN}")
    page.set_viewport_size({"width": 800, "height": 480})
    expect_picture(page, picture)
    wagers = page.locator(".seat-wager")
    assert wagers.all_inner_texts() == [
        each["wager"] for each in sorted(picture["hands"], key=lambda hand: int(hand["seat"]))
    ]
