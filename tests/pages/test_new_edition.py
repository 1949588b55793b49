"""A page that stays open over an update, or another language of the service, is loaded anew."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from controller.rules.games.registry import game
from controller.rules.printed.rulebook import rule_book
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.dealer_display.dealer import at_display, to_choose
from tests.pages.pictures.pit import as_json, seven_seats
from tests.pages.status.test_status import show
from tests.support.forms import quick_first

#: What a page has until it is loaded anew.
MARK = "document.documentElement.dataset.mark = 'old'"
MARKED = "() => document.documentElement.dataset.mark === 'old'"


def beat_of(page: Page, service: PageServer, edition: str) -> None:
    """The page has heard a beat of this edition."""
    with page.expect_event("console", lambda said: said.text == f"beat {edition}"):
        service.stage.edition = edition


#: Says of which edition each beat is, before the page looks at it.
LISTEN = """
  const parse = JSON.parse;
  JSON.parse = (text, ...more) => {
    const found = parse(text, ...more);
    if (found?.edition) console.debug(`beat ${found.edition}`);
    return found;
  };
"""


def test_a_display_is_loaded_anew_once_the_service_gives_out_other_pages(
    open_tab: OpenTab, service: PageServer
) -> None:
    picture = to_choose().dealer_view()
    page = at_display(open_tab, service, picture)
    page.add_init_script(LISTEN)
    page.reload()
    beat_of(page, service, "a1")
    page.evaluate(MARK)
    service.cut_streams()  # the service was restarted, with the same pages
    with page.expect_event("console", lambda said: said.text == "beat a1"):
        pass
    assert page.evaluate(MARKED)
    service.stage.edition = "b2"
    page.wait_for_function(f"() => !({MARKED})()")
    expect(page.locator("h1")).to_have_text(picture["headline"])
    expect(page.get_by_text("View only")).to_have_count(0)  # it has its token still


def test_what_somebody_has_open_is_not_taken_away(open_tab: OpenTab, service: PageServer) -> None:
    page = at_display(open_tab, service, seven_seats().dealer_view())
    page.add_init_script(LISTEN)
    page.clock.install()
    page.reload()
    beat_of(page, service, "a1")
    page.evaluate(MARK)
    page.keyboard.press("3")
    expect(page.get_by_role("dialog")).to_be_visible()
    beat_of(page, service, "b2")
    page.clock.run_for(3_000)  # it looks every second
    assert page.evaluate(MARKED)
    page.keyboard.press("Escape")
    page.clock.run_for(1_000)
    page.wait_for_function(f"() => !({MARKED})()")


@pytest.mark.parametrize(
    "address", quick_first(["/rules", "/logbook", "/shift", "/odds", "/chips"], ["/rules"])
)
def test_a_page_that_is_read_asks_now_and_then_and_disturbs_nobody(
    open_tab: OpenTab, service: PageServer, address: str
) -> None:
    """It follows nothing: one that was open since before an update showed the old one for ever."""
    service.stage.documents["/api/v1/rules"] = as_json(rule_book(game("21-24-27"), "EUR"))
    service.stage.edition = "a1"
    page = open_tab("about:blank")
    page.clock.install()
    with page.expect_response(
        lambda each: each.request.resource_type == "fetch" and each.url.endswith(address)
    ):
        page.goto(service.url + address)
    page.evaluate(MARK)
    page.mouse.click(5, 5)
    service.stage.edition = "b2"
    page.clock.run_for(500_000)
    assert page.evaluate(MARKED)
    page.clock.run_for(200_000)
    page.wait_for_function(f"() => !({MARKED})()")


def test_a_page_that_may_sound_goes_on_until_somebody_is_there_to_touch_it(
    open_tab: OpenTab, service: PageServer
) -> None:
    """Loaded anew while nobody is there, the status page of a pit would be silent from then on."""
    show(service, seven_seats())
    page = open_tab("about:blank")
    page.add_init_script(LISTEN)
    page.clock.install()
    page.goto(f"{service.url}/")
    page.get_by_role("button", name="Sound: off").click()
    expect(page.get_by_role("button", name="Sound: on")).to_be_visible()
    beat_of(page, service, "a1")
    page.evaluate(MARK)
    beat_of(page, service, "b2")
    page.clock.run_for(3_000)
    assert page.evaluate(MARKED)
    page.mouse.click(5, 5)
    page.clock.run_for(1_000)
    page.wait_for_function(f"() => !({MARKED})()")
    expect(page.get_by_role("button", name="Sound: touch the page")).to_be_visible()
