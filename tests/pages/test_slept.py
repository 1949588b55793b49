"""A page on a device that slept: what stands on it is old, and is never called live."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.dealer_display.dealer import at_display, to_choose

#: The page's own: it looks once a second whether its line is silent.
LOOK_MS = 1_000
SIGNS = {
    "its own look": "",
    "the cover is opened": "document.dispatchEvent(new Event('visibilitychange'))",
    "its tab goes on": "document.dispatchEvent(new Event('resume'))",
}


@pytest.mark.parametrize("sign", SIGNS)
def test_a_picture_from_before_the_sleep_is_not_live(
    open_tab: OpenTab, service: PageServer, sign: str
) -> None:
    """Timers stand while a machine sleeps: only the clock says how long it was."""
    page = at_display(open_tab, service, to_choose().dealer_view())
    service.fall_silent()
    page.clock.install()
    page.clock.pause_at(time.time() + 1)
    expect(page.locator("#lost")).to_be_hidden()
    page.clock.set_system_time(time.time() + 600)
    if SIGNS[sign]:
        page.evaluate(SIGNS[sign])
    else:
        page.clock.run_for(LOOK_MS)
    expect(page.locator("#lost")).to_be_visible()
