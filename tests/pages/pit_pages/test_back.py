"""Whoever comes back to a page of the pit sees what is so now, and nothing once signed out."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.pages.browser.fingers import fingers_on
from tests.pages.browser.measure import measure
from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.pit_server import SETTINGS, PitServer, asked_of, in_play, troubled
from tests.support.forms import long_only


@pytest.mark.parametrize("path", ["/users", long_only("/")])
def test_a_page_that_the_browser_kept_is_asked_for_anew(open_tab: OpenTab, path: str) -> None:
    """Safari keeps pages whole: Back showed one who had signed out what stood there before."""
    with PitServer(SETTINGS) as pit:
        page = open_tab("about:blank")
        pit.sign_in(page)
        page.goto(pit.url + path)
        expect(page.get_by_role("heading").first).to_be_attached()
        kept = "new PageTransitionEvent('{}', {{ persisted: true }})"
        page.evaluate(f"dispatchEvent({kept.format('pagehide')})")
        expect(page.locator("html")).to_be_hidden()
        page.evaluate("globalThis.before = true")
        with page.expect_navigation():
            page.evaluate(f"dispatchEvent({kept.format('pageshow')})")
        assert page.evaluate("globalThis.before") is None
        expect(page.locator("html")).to_be_visible()
        page.close()


def test_the_pit_is_hit_by_a_finger(open_tab: OpenTab) -> None:
    """On a tablet, and on the smallest telephone; nothing makes a telephone zoom in."""
    with PitServer(SETTINGS) as pit:
        page = open_tab("about:blank")
        pit.sign_in(page)
        pit.do(in_play)
        pit.do(troubled)
        pit.do(asked_of)
        for path in ("/", "/alerts", "/users", "/people", "/sessions", "/tables/T1", "/handover"):
            page.goto(pit.url + path)
            if path == "/":
                expect(page.locator(".tile").first).to_be_visible()
            with fingers_on(page):
                for width, height in ((1024, 768), (320, 640)):
                    page.set_viewport_size({"width": width, "height": height})
                    found = measure(page, scrolls=True, text_px=0)
                    # Tiles are pressed as a whole, and lie under the way to the table's own page.
                    targets = [each for each in found if each.startswith(("target", "the page"))]
                    assert targets == [], path
                    small = "node => parseFloat(getComputedStyle(node).fontSize) < 16"
                    fields = page.locator("input:not([type]), input[type=search], select")
                    seen = [each for each in fields.all() if each.is_visible()]
                    assert not any(each.evaluate(small) for each in seen), path
        page.close()
