"""Alarms on the pages: who is called and since when, and what makes it quiet."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browser.looks import cut_off, unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import SIZES, OpenTab
from tests.pages.dealer_display.dealer import TOKEN, answered, at_moment, keys, settled_eye, show
from tests.pages.pictures.moments import dealer_view, floor_called, moment, status_view
from tests.pages.pictures.pit import Picture

CALLS = [
    "dealer_called", "nobody_comes", "pit_called", "lights_down", "lights_down_refused",
    "floor_has_seen",
]  # fmt: skip


def shifted(picture: Picture, by_ms: int) -> Picture:
    """The same alarms, so much younger."""
    alarm = picture["alarm"]
    return picture | {"alarm": alarm | {"since_ms": alarm["since_ms"] + by_ms}}


def at_status(open_tab: OpenTab, service: PageServer, name: str, token: str = TOKEN) -> Page:
    service.show("/events/status", "status", status_view(moment(name)))
    page = open_tab(f"{service.url}/#token={token}" if token else f"{service.url}/")
    expect(page.locator("#live")).to_have_text("Live")
    return page


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.long
@pytest.mark.parametrize("name", CALLS)
def test_it_fits_and_can_be_read(
    open_tab: OpenTab, service: PageServer, name: str, size: str
) -> None:
    page = at_moment(open_tab, service, name, size=size)
    assert not cut_off(page)
    assert not unreadable(page)


@pytest.mark.long
def test_a_quiet_table_says_nothing_of_alarms(open_tab: OpenTab, service: PageServer) -> None:
    page = at_moment(open_tab, service, "floor_called")
    expect(page.locator("#call")).to_be_hidden()
    expect(page.locator("#quiet .key")).to_have_count(0)
    expect(page.locator("#line")).to_be_visible()


def test_it_says_who_is_called_about_what_and_since_when(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "nobody_comes")
    picture = dealer_view(moment("nobody_comes"))
    now_ms = int(page.evaluate("Date.now()"))
    show(service, shifted(picture, now_ms - 83_000 - picture["alarm"]["since_ms"]))
    expect(page.locator("#call")).to_contain_text("The floor is called: nobody has answered")
    expect(page.locator("#call")).to_contain_text("Recount, 1 min 2")
    pattern = page.locator("#call").evaluate("node => getComputedStyle(node).backgroundImage")
    assert "repeating-linear-gradient" in pattern, "not by colour alone"


@pytest.mark.long
def test_a_refusal_is_read_beside_it(open_tab: OpenTab, service: PageServer) -> None:
    page = at_moment(open_tab, service, "lights_down_refused")
    expect(page.locator("#line .refusal")).to_be_visible()
    expect(page.locator("#call")).to_contain_text("The floor is called")
    assert "S Stand" in keys(page), "the game goes on"


def test_the_dealer_quiets_the_first_call_by_one_key(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_moment(open_tab, service, "dealer_called")
    settled_eye(page)
    page.keyboard.press("q")
    sent = service.next_sent().body
    answered(page)
    number = moment("dealer_called").state.alarms[-1].number
    assert (sent["do"], sent["upto"]) == ("acknowledge", number)
    assert "people" not in sent


@pytest.mark.long
def test_later_it_takes_the_floor_and_no_reason(open_tab: OpenTab, service: PageServer) -> None:
    page = at_moment(open_tab, service, "nobody_comes")
    settled_eye(page)
    quiet = page.locator("#quiet .key")
    expect(quiet).to_contain_text("Needs the floor")
    quiet.click()
    expect(page.get_by_role("dialog")).not_to_contain_text("Why")
    for typed in ("Eino", "4711"):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    sent = service.next_sent().body
    assert sent["do"] == "acknowledge"
    assert sent["people"] == [{"name": "Eino", "pin": "4711"}]
    assert "reason" not in sent
    expect(page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.long
def test_a_question_that_is_settled_is_not_asked_on(open_tab: OpenTab, service: PageServer) -> None:
    page = at_moment(open_tab, service, "nobody_comes")
    settled_eye(page)
    page.keyboard.press("q")
    expect(page.get_by_role("dialog")).to_be_visible()
    show(service, dealer_view(moment("floor_has_seen")))
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#call")).to_contain_text("Seen by Eino, not settled yet")


def test_the_status_page_tells_who_is_called_and_takes_the_floors_word(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_status(open_tab, service, "nobody_comes")
    expect(page.locator("#who")).to_have_text("floor")
    called = page.locator("#alarms li")
    expect(called).to_have_count(1)
    expect(called).to_contain_text("Hold 1: Recount")
    expect(called).to_contain_text("The floor is called: nobody has answered")
    why = status_view(moment("nobody_comes"))["why"]
    assert page.locator("body").inner_text().count(why) == 1  # above, and not once more
    page.get_by_role("button", name="Seen: Recount").click()
    page.get_by_label("Name").fill("Eino")
    page.get_by_label("PIN or badge").fill("4711")
    page.keyboard.press("Enter")
    sent = service.next_sent().body
    assert (sent["do"], sent["pit"]) == ("acknowledge", True)
    assert sent["people"] == [{"name": "Eino", "pin": "4711"}]
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_without_people_one_press_is_enough(open_tab: OpenTab, service: PageServer) -> None:
    page = at_status(open_tab, service, "pit_called")
    expect(page.locator("#who")).to_have_text("pit boss")
    page.get_by_role("button", name="Seen: Card not read").click()
    assert "people" not in service.next_sent().body
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_who_only_looks_acknowledges_nothing(open_tab: OpenTab, service: PageServer) -> None:
    page = at_status(open_tab, service, "lights_down", token="")
    expect(page.locator("#alarms")).to_contain_text("Leds down")
    expect(page.locator("#alarms")).to_contain_text("it is opened again")
    expect(page.locator("#alarms button")).to_have_count(0)


@pytest.mark.long
def test_a_called_floor_is_whom_it_waits_for(open_tab: OpenTab, service: PageServer) -> None:
    pit = floor_called()
    pit.wait(20)
    service.show("/events/status", "status", status_view(pit))
    page = open_tab(f"{service.url}/")
    expect(page.locator("#who")).to_have_text("floor")
    expect(page.locator("#alarms")).to_contain_text("The floor is called")


#: Keeps hold of what a page sounds by, so that a test can silence it as a browser does.
CONTEXTS = """
  globalThis.contexts = [];
  globalThis.AudioContext = class extends AudioContext {
    constructor(...how) { super(...how); contexts.push(this); }
  };
"""


def test_a_page_that_the_browser_silences_does_not_say_that_it_sounds(
    open_tab: OpenTab, service: PageServer
) -> None:
    """A machine that slept, or lost its loudspeaker: the next touch lets it sound again."""
    page = at_status(open_tab, service, "nobody_comes")
    page.add_init_script(CONTEXTS)
    page.reload()
    switch = page.locator("#preferences button")
    switch.click()
    expect(switch).to_have_text("Sound: on")
    page.evaluate("contexts[0].suspend()")
    expect(switch).to_have_text("Sound: touch the page")
    page.locator("h1").click()
    expect(switch).to_have_text("Sound: on")
