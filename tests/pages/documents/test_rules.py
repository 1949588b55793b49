"""The rules page: what the API tells of the enforced rules, all of it, readable at every size."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

import httpx
import pytest
from playwright.sync_api import Page, expect

from controller.rules.games.registry import GAMES, game
from controller.rules.options import Plain
from controller.rules.printed.rulebook import RuleBook, rule_book
from controller.table.irregularities.procedures import procedures
from controller.table.views.procedures import sections
from controller.web.app import create_app
from controller.web.settings import WebSettings
from tests.pages.browser.looks import unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.pictures.moments import players_view
from tests.pages.pictures.pit import as_json
from tests.support.forms import quick_first
from tests.support.patience import PATIENCE_S
from tests.support.pit import Pit, setup
from tests.web.desk import PlayedDesk
from tests.web.server import Served

TOKEN = "a-token-for-tests-0123456789"
PHONE = {"width": 390, "height": 844}
LARGE = {"width": 1920, "height": 1080}
Open = Callable[..., "WholeWeb"]

_SPILLS = """() => [...document.querySelectorAll('body *')].filter((node) => {
  const box = node.getBoundingClientRect();
  return node.checkVisibility() && box.width
    && (box.right > innerWidth + 1.5 || box.left < -1.5 || node.scrollWidth > node.clientWidth + 1.5
        && getComputedStyle(node).display !== 'inline');
}).map((node) => `${node.tagName} ${node.textContent.slice(0, 40)}`)"""


class WholeWeb:
    """A table's whole web on a real socket; `desk` is what it stands before."""

    def __init__(self, desk: PlayedDesk, server: Served) -> None:
        self.desk = desk
        self.url = server.url

    def book(self) -> RuleBook:
        """The rules and procedures that this table enforces."""
        its = self.desk.pit.setup
        book = rule_book(game(its.game).with_options(dict(its.options)), its.currency)
        rules = procedures(its.procedures, its.own_procedures)
        return replace(book, sections=(*book.sections, *sections(rules)))


@contextmanager
def running(name: str, seats: int, **options: Plain) -> Iterator[WholeWeb]:
    desk = PlayedDesk()
    desk.pit = Pit(setup(seats, name, **options))
    with serving(desk, WebSettings(token=TOKEN)) as house:
        yield house


@contextmanager
def serving(desk: PlayedDesk, settings: WebSettings) -> Iterator[WholeWeb]:
    server = Served(create_app(desk, settings))
    server.listening.listen()
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        await server.serve(sockets=[server.listening])

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    try:
        yield WholeWeb(desk, server)
    finally:
        loops[0].call_soon_threadsafe(desk.close)
        server.should_exit = True
        thread.join()
        server.listening.close()


@pytest.fixture
def open_house() -> Iterator[Open]:
    """`open_house("blackjack", peek=True)`: the web of such a table.

    Tests name it before `open_tab`: tabs close while the house still answers them.
    """
    with ExitStack() as stack:

        def open_it(name: str, seats: int = 5, **options: Plain) -> WholeWeb:
            return stack.enter_context(running(name, seats, **options))

        yield open_it


def at_rules(open_tab: OpenTab, house: WholeWeb, path: str = "/rules", **how: str | None) -> Page:
    page = open_tab(f"{house.url}{path}", **how)
    expect(page.locator("#title")).to_have_text(house.book().title)
    return page


@pytest.mark.parametrize("name", quick_first(GAMES, ["casino-7-27"]))
def test_the_api_tells_the_rules_of_the_table_with_its_options(open_house: Open, name: str) -> None:
    house = open_house(name, smallest_chip=100)
    answer = httpx.get(f"{house.url}/api/v1/rules", timeout=PATIENCE_S, verify=False)
    assert answer.status_code == 200
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    rules, book = answer.json(), house.book()
    assert (rules["game"], rules["title"], rules["rule"]) == (book.game, book.title, book.rule)
    assert (rules["edge"], rules["house_loses"]) == (book.edge, book.house_loses)
    assert [each["title"] for each in rules["sections"]] == [each.title for each in book.sections]
    for each, section in zip(rules["sections"], book.sections, strict=True):
        assert each["lines"] == list(section.lines)
        rows = [list(row) for row in section.grid.rows] if section.grid else None
        assert (each["grid"]["rows"] if each["grid"] else None) == rows


WIDEST = "DejaVu Sans"


#: What the pages of all games say is compared above; these two have the largest tables.
LARGEST = ("finnish-27", "seven-twenty-seven")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "font"),
    [
        *(pytest.param(name, None, marks=pytest.mark.long) for name in GAMES),
        (LARGEST[0], WIDEST),
        *(pytest.param(name, WIDEST, marks=pytest.mark.long) for name in LARGEST[1:]),
    ],
)
def test_every_rule_is_on_the_page_and_can_be_read_at_every_size(
    open_house: Open, open_tab: OpenTab, name: str, font: str | None
) -> None:
    house = open_house(name)
    page = at_rules(open_tab, house, font=font)
    for size in (None, LARGE, PHONE):
        if size:
            page.set_viewport_size(size)  # type: ignore[arg-type]
        assert page.evaluate(_SPILLS) == []
        assert unreadable(page) == []
    for index, section in enumerate(house.book().sections):
        panel = page.locator(f"#section-{index}")
        expect(panel.locator("h2")).to_have_text(section.title)
        expect(panel.locator(".lines li")).to_have_text(list(section.lines))
        if section.grid:
            cells = panel.locator("tbody tr").last.locator("td").all_inner_texts()
            assert cells == list(section.grid.rows[-1][-len(cells) :])
            expect(panel.locator("tbody tr")).to_have_count(len(section.grid.rows))


@pytest.mark.long
def test_a_shared_cell_spans_its_rows_and_forced_play_is_marked(
    open_house: Open, open_tab: OpenTab
) -> None:
    page = at_rules(open_tab, open_house("21-24-27"))
    hand = page.locator("section", has=page.get_by_role("heading", name="Your hand"))
    heads = hand.locator("tbody th")
    expect(heads).to_have_text(["hard 0-20, soft 14-23", "hard 21-26, soft 24-26"])
    assert [heads.nth(at).get_attribute("rowspan") for at in range(2)] == ["3", "3"]
    expect(hand.locator("[data-forced]")).to_have_text(
        ["must hit", "must stand", "must hit", "must stand"]
    )


def test_a_negative_edge_stands_above_the_title(open_house: Open, open_tab: OpenTab) -> None:
    page = at_rules(open_tab, open_house("casino-7-27"))
    edge, title = page.locator("#edge").bounding_box(), page.locator("#title").bounding_box()
    expect(page.locator("#edge")).to_contain_text("THE HOUSE LOSES")
    assert edge
    assert title
    assert edge["y"] < title["y"]


@pytest.mark.parametrize("display", quick_first(["dealer", "players"], ["players"]))
def test_the_edge_is_not_told_on_the_displays_of_the_table(
    open_house: Open, open_tab: OpenTab, display: str
) -> None:
    page = at_rules(open_tab, open_house("casino-7-27"), f"/rules?at={display}")
    expect(page.locator("#title")).to_have_text("Casino 7-27")
    expect(page.locator("#edge")).to_be_hidden()


@pytest.mark.long
def test_the_rules_are_told_while_the_table_is_stopped(
    open_house: Open, open_tab: OpenTab, complaint: Callable[[str], None]
) -> None:
    house = open_house("finnish-27")
    house.desk.stop()
    page = at_rules(open_tab, house, "/rules?at=dealer")
    expect(page.locator("#sections section")).to_have_count(len(house.book().sections))
    expect(page.locator("#now")).to_have_attribute("data-tone", "safe")


@pytest.mark.long
@pytest.mark.parametrize("display", quick_first(["dealer", "players"], ["dealer"]))
def test_who_comes_from_a_display_keeps_the_table_in_sight_and_finds_back(
    open_house: Open, open_tab: OpenTab, display: str
) -> None:
    house = open_house("blackjack")
    page = at_rules(open_tab, house, f"/rules?at={display}&keys=off")
    scene = house.desk.scene
    says = scene.dealer.headline if display == "dealer" else scene.players.notice
    expect(page.locator("#headline")).to_have_text(says)
    page.locator("#contents a").last.click()
    expect(page).to_have_url(re.compile("#section-"))
    page.locator("#back").click()
    expect(page).to_have_url(f"{house.url}/{display}?keys=off")


@pytest.mark.long
def test_without_a_display_nothing_follows_the_table(open_house: Open, open_tab: OpenTab) -> None:
    page = at_rules(open_tab, open_house("blackjack"), "/rules?at=nobody")
    expect(page.locator("#now")).to_be_hidden()


@pytest.mark.long
def test_the_contents_lead_to_each_section(open_house: Open, open_tab: OpenTab) -> None:
    house = open_house("blackjack")
    page = at_rules(open_tab, house)
    titles = [each.title for each in house.book().sections]
    expect(page.locator("#contents a")).to_have_text(titles)
    page.locator("#contents a", has_text="House options").click()
    expect(page.locator(":target h2")).to_have_text("House options")
    expect(page.locator(":target h2")).to_be_in_viewport()


def test_a_table_that_does_not_answer_is_said_and_asked_again(
    open_house: Open, open_tab: OpenTab, complaint: Callable[[str], None]
) -> None:
    house = open_house("21-24-27")
    page = open_tab("about:blank")
    page.route("**/api/v1/rules", lambda route: route.abort(), times=1)
    page.goto(f"{house.url}/rules")
    expect(page.locator("#trouble")).to_contain_text("cannot be fetched")
    expect(page.locator("#title")).to_have_text("21-24-27")
    expect(page.locator("#trouble")).to_be_hidden()
    complaint("ERR_FAILED")


def test_rules_that_another_start_has_changed_are_read_anew(
    open_tab: OpenTab, service: PageServer
) -> None:
    """Opened from a display, they stand there for weeks: they stayed those of then."""

    def give(name: str) -> None:
        plays = game(name)
        service.stage.documents["/api/v1/rules"] = as_json(rule_book(plays, "EUR"))

    give("blackjack")
    service.show("/events/players", "scene", players_view(Pit(setup(3))))
    page = open_tab(f"{service.url}/rules?at=players")
    title = page.locator("#title")
    expect(title).to_have_text(game("blackjack").title)
    give("casino-7-27")
    service.cut_streams()
    expect(title).to_have_text(game("casino-7-27").title)
