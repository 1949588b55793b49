"""A page for which the table has no place says so: nobody looks for a cable."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.pictures.pit import Picture, PicturedTable, seven_seats

NO_PLACE = "As many displays look on as may. Close one: this one goes on by itself."
#: Players close nothing, and have somebody to look at.
TO_PLAYERS = "As many displays look on as may. Please watch the dealer: this one goes on by itself."


def status_of(pit: PicturedTable) -> Picture:
    more = {"house_loses": "", "edge_note": "", "directory": None}
    return pit.status_view() | more


PAGES = [
    ("/dealer", "/events/dealer", "scene", PicturedTable.dealer_view, "#lost"),
    ("/players", "/events/players", "scene", PicturedTable.players_view, "#lost"),
    ("/", "/events/status", "status", status_of, "#live"),
]


@pytest.mark.parametrize(("address", "stream", "event", "view", "says"), PAGES)
def test_a_page_without_a_place_says_so_and_goes_on_by_itself(
    open_tab: OpenTab,
    service: PageServer,
    complaint: Callable[[str], None],
    address: str,
    stream: str,
    event: str,
    view: Callable[[PicturedTable], Picture],
    says: str,
) -> None:
    service.show(stream, event, view(seven_seats()))
    service.stage.full = True
    page = open_tab("about:blank")
    page.clock.install()
    page.goto(service.url + address)
    told = TO_PLAYERS if address == "/players" else NO_PLACE
    expect(page.locator(says)).to_contain_text(told)
    service.stage.full = False
    page.clock.run_for(6_000)
    expect(page.locator(f"{says}:visible")).to_have_text("Live" if says == "#live" else [])
    service.cut_streams()  # what is lost is lost, and no longer full
    expect(page.locator(says)).to_be_visible()
    expect(page.locator(says)).not_to_contain_text(told)
    complaint("503")


def test_a_proxy_that_finds_no_table_is_no_table_without_a_place(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    """Apache and HAProxy answer 503 for it too: nobody is to close a display then."""
    service.show("/events/players", "scene", PicturedTable.players_view(seven_seats()))
    service.stage.away = True
    page = open_tab(f"{service.url}/players")
    lost = page.locator("#lost")
    expect(lost).to_have_text("This display has lost its connection. Please watch the dealer.")
    complaint("503")
    service.stage.away = False
    expect(lost).to_be_hidden()
