"""The wall: who needs somebody stands first, all in one look, and what is old is called old."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from controller.pit.archive.findings.standstill import ArchiveStandstill
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.tile import Need, RecordFinding
from controller.pit.wall.wall import Wall
from controller.table.inputs.pit import PIT_ACTS
from tests.pages.browser.looks import unreadable
from tests.pages.conftest import OpenTab
from tests.pages.pit_pages.pit_server import (
    NAMES,
    SETTINGS,
    TABLES,
    PitServer,
    in_play,
    now_ms,
    troubled,
)
from tests.pit.wall.statuses import hold, news
from tests.support.forms import long_only, quick_first


@pytest.fixture
def pit() -> Iterator[PitServer]:
    with PitServer(SETTINGS) as server:
        yield server


def opened(open_tab: OpenTab, pit: PitServer, size: tuple[int, int] = (1280, 720)) -> Page:
    page = open_tab("about:blank")
    pit.sign_in(page)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(page.locator("#live")).to_have_text("Live")
    return page


def order(page: Page) -> list[str]:
    """The tables as they stand: row by row, from the left."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('.tile')]
          .map((each) => [each.dataset.table, each.getBoundingClientRect()])
          .sort(([, one], [, two]) => one.top - two.top || one.left - two.left)
          .map(([name]) => name)"""
    )
    return found


SIZES = [(390, 844), (1280, 720), (3840, 2160), (800, 480)]


@pytest.mark.parametrize("size", quick_first(SIZES, [(390, 844)]))
def test_forty_tables_stand_in_one_look_and_those_in_trouble_first(
    open_tab: OpenTab, pit: PitServer, size: tuple[int, int]
) -> None:
    pit.do(troubled)
    page = opened(open_tab, pit, size)
    expect(page.locator(".tile")).to_have_count(TABLES)
    standing = order(page)
    assert standing[:6] == ["T9", "T7", "T30", "T12", "T3", "T1"]
    rest = [name for name in NAMES if name not in standing[:5]]
    assert standing[5:] == rest, "where all is well tables keep their places"
    if size != (800, 480):
        room = page.evaluate(
            "(([wall]) => [wall.scrollHeight - wall.clientHeight, "
            "document.documentElement.scrollWidth - innerWidth])"
            "([document.getElementById('wall')])"
        )
        assert room == [0, 0], "nothing has to be scrolled"
    held = page.locator('[data-table="T7"]')
    expect(held).to_contain_text("Held")
    expect(held).to_contain_text("2 min")
    assert held.locator(".need svg").count() == 1, "a word and an icon beside the colour"
    assert unreadable(page) == []


@pytest.mark.parametrize("size", quick_first([(1280, 720), (3840, 2160)], [(1280, 720)]))
def test_a_tile_says_game_limits_dealer_seats_and_pace_at_forty_tables(
    open_tab: OpenTab, pit: PitServer, size: tuple[int, int]
) -> None:
    pit.do(troubled)
    page = opened(open_tab, pit, size)
    tile = page.locator('[data-table="T3"]')
    for part, text in (
        (".what", "Deal a card to seat 2"), (".who", "▸ dealer"),
        (".game", "21-24-27"), (".stakes", "5\u2013500"), (".deals", "Aino Virtanen"),
        (".taken", "1/7"), (".pace", "62 of 60/h"),
    ):  # fmt: skip
        expect(tile.locator(part)).to_be_visible()
        expect(tile.locator(part)).to_contain_text(text)
    # 90 s as it was heard; a busy machine looks later.
    since = tile.locator(".since")
    expect(since).to_have_text(re.compile(r"^\d+ min \d+ s$"))
    minutes, seconds = map(int, re.findall(r"\d+", since.inner_text()))
    assert 60 * minutes + seconds >= 90
    cut = page.evaluate(
        """() => [...document.querySelectorAll('.tile .face')]
          .filter((each) => each.scrollHeight > each.clientHeight + 1).length"""
    )
    assert cut == 0, "no line of a tile is cut off below"
    own = page.locator('[data-table="T1"]').get_by_role("link")
    expect(own).to_have_attribute("href", "http://127.0.0.1:8027/")
    expect(page.locator('[data-table="T2"]').get_by_role("link")).to_have_count(0)


def test_what_changes_is_seen_and_counted(open_tab: OpenTab, pit: PitServer) -> None:
    pit.do(in_play)
    page = opened(open_tab, pit)
    expect(page.locator("#needs li")).to_have_count(1)
    expect(page).to_have_title("Tables")
    pit.do(troubled)
    expect(page.locator("#needs li")).to_have_count(7)
    expect(page).to_have_title("5 of 40 tables need somebody")
    page.get_by_role("button", name="1 Held").click()
    expect(page.locator(".tile")).to_have_count(1)
    expect(page.get_by_role("button", name="1 Held")).to_be_focused()
    page.get_by_role("button", name="1 Held").click()
    page.get_by_role("searchbox").fill("blackjack floor 6")
    expect(page.locator(".tile")).to_have_count(1)
    assert order(page) == ["T40"]
    page.get_by_role("searchbox").fill("nothing like it")
    expect(page.locator("#none")).to_have_text(re.compile("No table is like that"))


@pytest.mark.parametrize(("by", "heads"), [long_only("pit", 2), ("floor", 7), long_only("game", 5)])
def test_tables_stand_by_pit_floor_person_and_game(
    open_tab: OpenTab, pit: PitServer, by: str, heads: int
) -> None:
    pit.do(troubled)
    page = opened(open_tab, pit)
    page.locator("#group").select_option(by)
    expect(page.locator("#tiles h2")).to_have_count(heads)
    expect(page.locator(".tile")).to_have_count(TABLES)
    covered = page.evaluate(
        """() => { const tiles = [...document.querySelectorAll('.tile')];
          return [...document.querySelectorAll('#tiles h2')].filter((head) => {
            const one = head.getBoundingClientRect();
            return tiles.some((each) => { const two = each.getBoundingClientRect();
              return one.bottom > two.top + 2 && one.top < two.bottom && one.right > two.left; });
          }).length; }"""
    )
    assert covered == 0


def test_a_press_says_everything_of_the_table_and_leads_to_its_page(
    open_tab: OpenTab, pit: PitServer
) -> None:
    pit.do(troubled)
    page = opened(open_tab, pit)
    page.locator('[data-table="T1"]').click()
    about = page.get_by_role("complementary", name="About the table")
    expect(about).to_contain_text("Deal a card to seat 2")
    expect(about).to_contain_text("61.5, 60 expected")
    link = about.get_by_role("link", name="Open the table's page")
    expect(link).to_have_attribute("href", "http://127.0.0.1:8027/")
    page.keyboard.press("Escape")
    expect(about).to_be_hidden()


def test_the_wall_leads_to_every_page_that_its_reader_may_open(
    open_tab: OpenTab, pit: PitServer
) -> None:
    page = opened(open_tab, pit)
    page.locator("#menu summary").click()
    pages = page.get_by_role("navigation", name="Other pages of the pit").get_by_role("link")
    expect(pages).to_have_text(
        [
            "Alerts",
            "Records",
            "Reports",
            "Rounds",
            "Handover",
            "Users",
            "People at tables",
            "Audit",
            "My sessions",
        ]
    )
    page.keyboard.press("Escape")
    expect(pages.first).to_be_hidden()
    page.evaluate("localStorage.setItem('tablectl.theme', 'light')")
    page.locator("#menu summary").click()
    pages.nth(1).click()
    expect(page.get_by_role("heading", name="Records of 0 tables")).to_be_visible()
    assert page.locator("html").get_attribute("data-theme") == "light", "as it is on the wall"


def test_a_pit_that_says_nothing_is_not_live_within_three_seconds(
    open_tab: OpenTab, pit: PitServer
) -> None:
    """Three seconds by the page's own clock: from the last word to the one that says so."""
    pit.do(in_play)
    page = open_tab("about:blank")
    page.clock.install(time=0)
    pit.sign_in(page)
    expect(page.locator("#live")).to_have_text("Live")
    page.clock.pause_at(3_600_000)  # an hour of which the page saw nothing but its own clock
    expect(page.locator("#live")).to_have_text("Not live")
    page.clock.run_for(1_000)
    expect(page.locator("#live")).to_have_text("Live")
    with pit.silent():
        page.clock.run_for(3_000)
        expect(page.locator("#live")).to_have_text("Not live")


def test_a_table_that_the_pit_does_not_know_any_more_goes_with_its_next_run(
    open_tab: OpenTab, pit: PitServer
) -> None:
    """It was taken away while the pit was down, and would call somebody for ever."""

    def run(name: str, *tables: str) -> str:
        wall = Wall(WallSettings(), now_ms)
        for each in tables:
            wall.hear(news(each, at_ms=now_ms(), holds=[hold(since_ms=now_ms())]))
        wall.draw()
        return f"event: wall\nid: {name}.1\ndata: {wall.changes(0, None).decode()}\n\n"

    runs = [run("a1", "T1", "T2"), run("a1", "T1", "T2"), run("b2", "T1")]

    def answer(route: Route) -> None:
        body = runs.pop(0) if len(runs) > 1 else runs[0]
        route.fulfill(body=body, content_type="text/event-stream")

    page = open_tab("about:blank")
    page.route("**/events/wall*", answer)
    pit.sign_in(page)
    expect(page.locator(".tile")).to_have_count(2)
    expect(page.locator(".tile")).to_have_count(1)
    expect(page.get_by_role("button", name="1 Held")).to_be_visible()
    page.unroute("**/events/wall*")


def test_what_is_pressed_in_a_tables_panel_stays_itself_while_it_plays(
    open_tab: OpenTab, pit: PitServer
) -> None:
    pit.do(in_play)
    page = opened(open_tab, pit)
    page.locator('[data-table="T1"]').click()
    about = page.get_by_role("complementary", name="About the table")
    ask = about.get_by_role("link", name="Ask the table")
    ask.focus()
    pit.do(lambda wall: wall.hear(news("T1", seq=9, at_ms=now_ms(), waiting_for="Deal to seat 3")))
    expect(about).to_contain_text("Deal to seat 3")
    expect(ask).to_be_focused()
    page.locator('[data-table="T2"]').click()
    expect(about.get_by_role("heading")).to_have_text("T2")
    expect(ask).to_have_attribute("href", "/tables/T2")


def test_the_other_pages_are_asked_for_again_with_the_next_line(
    open_tab: OpenTab, pit: PitServer, complaint: Callable[[str], None]
) -> None:
    """The pit did not answer once: the wall, open for weeks, led nowhere any more."""
    page = open_tab("about:blank")
    page.clock.install()
    page.route("**/api/v1/me", lambda route: route.abort())
    pit.sign_in(page)
    expect(page.locator("#live")).to_have_text("Live")
    page.locator("#menu summary").click()
    pages = page.get_by_role("navigation", name="Other pages of the pit").get_by_role("link")
    expect(pages).to_have_text(["My sessions"])
    page.unroute("**/api/v1/me")
    with pit.silent():
        page.clock.run_for(3_000)
        expect(page.locator("#live")).to_have_text("Not live")
    page.clock.run_for(1_000)
    expect(page.locator("#live")).to_have_text("Live")
    expect(pages).to_have_count(9)
    complaint("ERR_FAILED")


@pytest.mark.long
def test_a_thousand_tables_are_drawn_where_they_are_looked_at(
    open_tab: OpenTab, pit: PitServer
) -> None:
    names = tuple(f"T{number}" for number in range(1, 1_001))
    pit.do(lambda wall: in_play(wall, names))
    page = opened(open_tab, pit)
    expect(page.locator(".tile").first).to_be_visible()
    assert page.locator(".tile").count() < 200
    page.evaluate("document.getElementById('wall').scrollTo(0, 1e9)")
    last = page.locator('[data-table="T1000"]')
    expect(last).to_contain_text("Deal a card to seat 2")
    now = now_ms()
    pit.do(lambda wall: wall.hear(news("T1000", seq=9, at_ms=now, holds=[hold(since_ms=now)])))
    expect(page.get_by_role("button", name="1 Held")).to_be_visible()
    page.evaluate("document.getElementById('wall').scrollTo(0, 0)")
    expect(page.locator('[data-table="T1000"]')).to_contain_text("Held")
    assert order(page)[0] == "T1000"


@pytest.mark.long
def test_the_page_has_a_word_an_icon_and_a_place_for_every_need(
    open_tab: OpenTab, pit: PitServer
) -> None:
    page = opened(open_tab, pit)
    names = page.evaluate(
        "import('/static/pages/wall/needs.js').then(({ NEEDS }) => Object.keys(NEEDS))"
    )
    assert names == [need.value for need in Need]


@pytest.mark.long
def test_an_archive_that_stands_still_is_said_above_the_tiles(
    open_tab: OpenTab, pit: PitServer
) -> None:
    page = opened(open_tab, pit)
    expect(page.locator("#standstill")).to_be_hidden()
    why = "the archive's database takes nothing"
    still = ArchiveStandstill(now_ms() - 125_000, why)
    pit.do(lambda wall: setattr(wall, "standstill", lambda: still))
    standstill = page.locator("#standstill")
    expect(standstill).to_have_text(
        re.compile(r"No record is archived \(the archive's .* for 2 min")
    )
    pit.do(lambda wall: setattr(wall, "standstill", lambda: None))
    expect(standstill).to_be_hidden()


@pytest.mark.long
def test_what_a_table_says_is_text_and_no_page(open_tab: OpenTab, pit: PitServer) -> None:
    """Names, dealers and reasons come from the bus: somebody else may have written them."""
    evil = "<img src=x onerror=\"document.body.id='forged'\"><script>alert(1)</script>"
    said = dict.fromkeys(("game", "waiting_for", "why", "who", "limits", "software"), evil)
    pit.do(lambda wall: wall.hear(news("T1", at_ms=now_ms(), holds=[hold()], **said)))
    pit.do(lambda wall: wall.find("T2", RecordFinding(evil, now_ms())))
    page = opened(open_tab, pit)
    page.locator("[data-table=T1]").click()
    expect(page.locator("#about .what")).to_have_text(evil)
    expect(page.locator("[data-table=T2] .what")).to_have_text(evil)
    page.locator("#group").select_option("game")
    expect(page.locator("#tiles h2", has_text="onerror")).to_be_visible()
    assert page.locator("img, #wall script, #about script").count() == 0
    assert page.locator("body#forged").count() == 0


@pytest.mark.long
@pytest.mark.parametrize("size", quick_first([(390, 844), (1280, 720), (3840, 2160)], [(390, 844)]))
def test_a_tile_leads_to_what_may_be_asked_of_its_table(
    open_tab: OpenTab, pit: PitServer, size: tuple[int, int]
) -> None:
    def closed(wall: Wall) -> None:
        in_play(wall)
        now = now_ms()
        asked = {"closed": True, "pit_acts": list(PIT_ACTS), "options": [["max_bet", "100000"]]}
        wall.hear(news("T2", at_ms=now, seq=9, phase="betting", hands=[], **asked))

    pit.do(closed)
    page = opened(open_tab, pit, size)
    tile = page.locator('[data-table="T2"]')
    expect(tile).to_contain_text("Closed")
    tile.click()
    page.get_by_role("link", name="Ask the table").click()
    expect(page.get_by_role("heading", name="Table T2")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "nothing has to be moved sideways"
    assert unreadable(page) == []


@pytest.mark.long
def test_few_tables_fill_a_4k_wall_and_are_read_from_afar(
    open_tab: OpenTab, pit: PitServer
) -> None:
    """Four stood one below the other in a fifth of the screen."""
    page = opened(open_tab, pit, (3840, 2160))
    pit.do(lambda wall: in_play(wall, NAMES[:4]))
    pit.do(lambda wall: wall.retire(frozenset(NAMES[4:])))
    tiles = page.locator(".tile")
    expect(tiles).to_have_count(4)
    page.get_by_role("searchbox").fill(" ")
    boxes = [each.bounding_box() for each in tiles.all()]
    shapes = {(each["width"], each["height"]) for each in boxes if each}
    assert len(shapes) == 1
    ((width, height),) = shapes
    assert width * height * 4 > 0.6 * 3840 * 2160
    name = page.locator('.tile[data-table="T1"] .name')
    assert float(name.evaluate("(it) => parseFloat(getComputedStyle(it).fontSize)")) > 90
    page.goto(f"{pit.url}/alerts")
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == 32
