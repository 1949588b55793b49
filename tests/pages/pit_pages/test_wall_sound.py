"""The sound of the wall: for what is new and unanswered, once, and only where it may and shall."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from controller.pit.wall.wall import Wall
from tests.pages.browser.sounds import LISTEN, tones
from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.pit_server import PitServer, in_play, now_ms
from tests.pages.pit_pages.test_wall import pit
from tests.pages.pit_pages.test_wall_alerts import HELD, answered, found, shown
from tests.pit.wall.statuses import hold, news

__all__ = ["pit"]


def listened(open_tab: OpenTab, pit: PitServer) -> Page:
    """A wall whose tones are counted."""
    page = open_tab("about:blank")
    page.add_init_script(LISTEN)
    pit.sign_in(page)
    expect(page.locator("#live")).to_have_text("Live")
    return page


def held(pit: PitServer, table: str) -> None:
    """A table is held, since now."""
    now = now_ms()

    def hear(wall: Wall) -> None:
        wall.hear(news(table, seq=9, at_ms=now, holds=[hold(since_ms=now)]))

    pit.do(hear)


def held_tables(page: Page, count: int) -> None:
    """The page shows so many held tables: whatever was to sound has begun to."""
    expect(page.get_by_role("button", name=f"{count} Held")).to_be_visible()


def test_the_wall_sounds_once_for_what_is_new_and_unanswered(
    open_tab: OpenTab, pit: PitServer
) -> None:
    pit.do(in_play)
    page = listened(open_tab, pit)
    switch = page.locator("#preferences button")
    expect(switch).to_have_text("Sound: off")
    held(pit, "T7")
    held_tables(page, 1)
    assert tones(page) == [], "it is off until somebody wants it"
    switch.click()
    expect(switch).to_have_text("Sound: on")
    page.wait_for_function("globalThis.tones.length === 2")
    assert all(state == "running" for state, _ in tones(page)), "what calls already is heard"
    held(pit, "T8")
    held_tables(page, 2)
    assert len(tones(page)) == 4
    pit.do(lambda wall: wall.hear(news("T9", seq=9, at_ms=now_ms(), waiting_for="Deal to seat 3")))
    expect(page.locator("[data-table=T9] .what")).to_have_text("Deal to seat 3")
    assert len(tones(page)) == 4, "the same trouble does not sound with each picture"
    found(pit, HELD)
    expect(page.locator("#alerts .alert")).to_have_count(1)
    assert len(tones(page)) == 6
    answered(page, "T7")
    shown(pit)
    expect(page.locator(".alert[data-answered]")).to_have_count(1)
    assert len(tones(page)) == 6, "an answer is no news"
    switch.click()
    expect(switch).to_have_text("Sound: off")
    held(pit, "T10")
    held_tables(page, 3)
    assert len(tones(page)) == 6
    page.reload()
    expect(switch).to_have_text("Sound: off")


def test_a_wall_that_was_opened_anew_sounds_from_the_first_touch_on(
    open_tab: OpenTab, pit: PitServer
) -> None:
    """A browser lets no page sound that nobody has touched: it is said, and nothing is lost."""
    pit.do(in_play)
    page = listened(open_tab, pit)
    page.locator("#preferences button").click()
    page.reload()
    switch = page.locator("#preferences button")
    expect(switch).to_have_text("Sound: touch the page")
    assert switch.get_attribute("data-waits") is not None
    held(pit, "T7")
    held_tables(page, 1)
    assert tones(page) == []
    page.locator("#wall").click(position={"x": 2, "y": 2})
    expect(switch).to_have_text("Sound: on")
    page.wait_for_function("globalThis.tones.length === 2")
    assert all(state == "running" for state, _ in tones(page))


def test_trouble_whose_beginning_is_known_more_exactly_is_no_other_trouble(
    open_tab: OpenTab, pit: PitServer
) -> None:
    """The way of a message makes a table's clock look slow; the next one may be quicker."""
    began = now_ms() - 60_000

    def hear(seq: int, late_ms: int) -> None:
        said = {"holds": [hold(since_ms=began)], "waiting_for": f"Hold, record {seq}"}
        pit.do(lambda wall: wall.hear(news("T7", seq=seq, at_ms=now_ms() - late_ms, **said)))
        expect(page.locator("[data-table=T7] .what")).to_have_text(f"Hold, record {seq}")

    page = listened(open_tab, pit)
    page.locator("#preferences button").click()
    hear(9, 900)
    assert len(tones(page)) == 2
    for seq, late_ms in ((10, 600), (11, 300), (12, 0)):
        hear(seq, late_ms)
    assert len(tones(page)) == 2
    began = now_ms()
    hear(13, 0)
    assert len(tones(page)) == 4, "another hold of the same table is another trouble"
