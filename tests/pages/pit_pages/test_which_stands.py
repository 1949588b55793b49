"""A pit boss at a telephone says which of two histories of a table stands."""

from __future__ import annotations

from playwright.sync_api import expect

from controller.pit.archive.branches.rows import waiting
from controller.pit.archive.cursor import forked
from controller.pit.archive.findings.finding_rows import add_finding
from tests.pages.browser.looks import unreadable
from tests.pages.browser.tab import Tab
from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.pit_server import PitServer, now_ms
from tests.pages.pit_pages.test_wall import opened, pit

__all__ = ["pit"]


def test_the_tables_own_history_is_said_to_stand_and_why(
    open_tab: OpenTab, pit: PitServer, tabs: list[Tab]
) -> None:
    with pit.known.engine.begin() as connection:
        add_finding(connection, "T7", forked(412), now_ms())
    page = opened(open_tab, pit, (390, 844))
    page.goto(f"{pit.url}/findings/1")
    expect(page.get_by_role("heading", name="Table T7: fork at record 412")).to_be_visible()
    assert unreadable(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "nothing has to be moved sideways"
    page.get_by_label("Why the table").fill("The disk died at 21:40; paid rounds were written off")
    page.get_by_role("button", name="own stands").click()
    expect(page.get_by_role("heading", name="Records of")).to_be_visible()
    with pit.known.engine.connect() as connection:
        (said,) = waiting(connection)
    assert (said.table, said.who) == ("T7", "Aino")
    page.goto(f"{pit.url}/findings/1")
    page.get_by_label("Why the table").fill("again")
    page.get_by_role("button", name="own stands").click()
    expect(page.locator("#said")).to_have_text("That was said already: the table is being asked")
    (refused,) = tabs[-1].complaints  # the browser's own, of an answer that is none of success
    assert "422" in refused
    tabs[-1].complaints.clear()
