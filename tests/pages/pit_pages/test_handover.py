"""The note of a handover in a browser: it is there until it is signed, whatever comes between."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.pit_server import PitServer
from tests.pages.pit_pages.test_wall import pit

__all__ = ["pit"]

WRITTEN = "Seat 3 at T1 asks for the manager.\nThe fill of 22:40 is short."


def test_a_note_outlasts_whatever_comes_before_it_is_signed(
    open_tab: OpenTab, pit: PitServer
) -> None:
    """Whoever wrote for longer than a proof lasts was asked for the password, and the note gone."""
    page = open_tab("about:blank")
    pit.sign_in(page)
    page.goto(f"{pit.url}/handover")
    note = page.get_by_label("What the next one must know")
    note.fill(WRITTEN)
    page.goto(f"{pit.url}/prove?next=/handover")
    page.goto(f"{pit.url}/handover")
    expect(note).to_have_value(WRITTEN)
    page.get_by_role("button", name="Sign and hand over").click()
    expect(page.get_by_role("heading", name="Handover 1 waits")).to_be_visible()
    expect(page.locator("main")).to_contain_text("The fill of 22:40 is short.")
    assert page.evaluate("sessionStorage.length") == 0
