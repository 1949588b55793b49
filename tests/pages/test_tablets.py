"""The pages on a tablet, held either way: nothing is too small to hit or to read."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page, ViewportSize, expect

from tests.pages.browser.fingers import fingers_on
from tests.pages.browser.measure import measure
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.dealer_display.dealer import TOKEN
from tests.pages.pictures.moments import moment, players_view
from tests.pages.pictures.pit import seven_seats
from tests.pages.status.test_status import show as show_status
from tests.pages.test_phones import LEAST_TEXT_PX

UPRIGHT: Final[ViewportSize] = {"width": 768, "height": 1024}
SIDEWAYS: Final[ViewportSize] = {"width": 1024, "height": 768}


def wrong_with(page: Page) -> list[str]:
    """What a person with a tablet would find wrong, held either way."""
    found = []
    with fingers_on(page):
        for size in (UPRIGHT, SIDEWAYS):
            page.set_viewport_size(size)
            found += measure(page, scrolls=True, text_px=LEAST_TEXT_PX)
    return found


def test_the_status_page_is_hit_by_a_finger(open_tab: OpenTab, service: PageServer) -> None:
    show_status(service, seven_seats().next().play_out().rounds(3).repeat().next().draw(18))
    page = open_tab(f"{service.url}/#token={TOKEN}")
    expect(page.locator("#live")).to_have_text("Live")
    assert wrong_with(page) == []


def test_the_logbook_is_hit_by_a_finger(open_tab: OpenTab, service: PageServer) -> None:
    page = open_tab(f"{service.url}/logbook")
    expect(page.locator("#marks label").first).to_be_visible()
    # Beside a sheet that is longer, the filters scroll for themselves.
    assert [each for each in wrong_with(page) if not each.startswith("cut: #filters")] == []


def test_a_player_reads_the_felt_on_a_tablet_that_is_held_upright(
    open_tab: OpenTab, service: PageServer
) -> None:
    """Laid out for a screen that lies, its words would be 10 px high there."""
    for name in ("ten_vying", "fourteen_insured"):
        view = players_view(moment(name))
        service.show("/events/players", "scene", view)
        page = open_tab(f"{service.url}/players")
        expect(page.locator("#notice")).to_have_text(view["notice"])
        with fingers_on(page):
            page.set_viewport_size(UPRIGHT)
            assert measure(page, scrolls=True, text_px=16) == [], name
            page.set_viewport_size(SIDEWAYS)
            assert [each for each in measure(page, text_px=0) if "target" in each] == [], name
