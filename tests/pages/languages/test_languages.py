"""The pages in another language: nothing that they say themselves goes past the catalogue."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.languages.languages import LANGUAGES, Code, language
from controller.languages.translation import Translation
from controller.rules.messages import Language
from controller.rules.spoken import speaking
from controller.table.views.chips_view import chips_view
from controller.table.views.public import public
from controller.table.views.scene import scene
from controller.web.static_files import STATIC
from tests.languages.pseudo import greek, pseudo_language
from tests.languages.test_views import NAMES_OF, WORD
from tests.languages.wordiest import WORDIEST
from tests.pages.browser.looks import cut_off
from tests.pages.browser.measure import install, walk
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.dealer_display.every_picture import ShownPicture, pictures
from tests.pages.pictures.moments import MOMENTS, NAMES, moment
from tests.pages.pictures.pit import as_json
from tests.pages.rounds.test_corrections import playing, record
from tests.support.forms import is_long_form, quick_first

#: Every text that people read or hear on a page, but for what is typed, signs and drawings.
READ: Final = """() => {
    const texts = [];
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { parentElement: parent, data } = walker.currentNode;
        const silent = parent.closest("script, style, kbd, code, svg, .keyboard");
        if (!silent && data.trim()) texts.push(data);
    }
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
        for (const node of document.querySelectorAll(`[${name}]`)) {
            if (!node.closest(".keyboard button")) texts.push(node.getAttribute(name));
        }
    }
    return texts;
}"""
#: Units, names and what is typed, which are the same in every language.
SAME: Final = re.compile(r"\bmin\b|\bPIN\b|tablectl 0.0-test|tablectl|HMAC-SHA256")
#: A date as the browser writes it: in Finnish, since Greek letters are no language of its.
DATE: Final = re.compile(r"\w+ \d+\. \w+ \d{4} klo [\d.]+ UTC\+\d|\d[\d.]* klo \d[\d.]*")


#: Pictures of the dealer display, and screens, at which every language is measured.
EVERY, LONG_EVERY = 83, 3
SCREENS = ((800, 480), (1280, 720))
TRANSLATED = tuple(code for code in LANGUAGES if code != "en")


@pytest.fixture
def greek_pages(service: PageServer) -> Iterator[Translation]:
    """The pages are served in Greek letters, and so are the views."""
    language = pseudo_language()
    service.stage.language = language
    with speaking(language):
        yield language


def english_on(page: Page) -> list[str]:
    """What is English on the page."""
    texts: list[str] = page.evaluate(READ)
    return [
        each for each in texts if WORD.search(SAME.sub("", NAMES_OF.sub("", DATE.sub("", each))))
    ]


def show_displays(service: PageServer, language: Language, name: str) -> None:
    """What the dealer and the players see at that moment."""
    dealer, players = scene(moment(name).state, NAMES).drawn_in(language)
    service.show("/events/dealer", "scene", as_json(dealer))
    service.show("/events/players", "scene", as_json(players))


@pytest.mark.long
@pytest.mark.parametrize(
    "address", quick_first(["/dealer#token=t", "/players", "/overlay"], ["/dealer#token=t"])
)
def test_the_displays_say_nothing_in_english(
    open_tab: OpenTab, service: PageServer, greek_pages: Translation, address: str
) -> None:
    first, *others = MOMENTS
    show_displays(service, greek_pages, first)
    page = open_tab(service.url + address)
    for name in (first, *others):
        show_displays(service, greek_pages, name)
        state = moment(name).state
        expect(page.locator("html")).to_have_attribute("lang", "fi")
        shown = scene(state, NAMES).drawn_in(greek_pages)
        text = shown[0].lead if "dealer" in address else shown[1].notice
        expect(page.get_by_text(text).first).to_be_attached()
        assert english_on(page) == [], name


def questions(page: Page) -> Iterator[str]:
    """Opens the dealer's dialogs one after the other, and names each."""
    page.keyboard.press("?")
    yield "what happened"
    page.keyboard.press("Escape")
    for key in page.locator("#keys .key").all():
        if key.is_enabled() and not key.get_attribute("data-quiet"):
            key.click()
            yield key.inner_text()
            page.keyboard.press("Escape")


@pytest.mark.parametrize(
    "name", quick_first(["recount", "wrong_pack", "lights_down", "ten_vying"], ["recount"])
)
def test_the_questions_of_the_dealer_display_are_not_in_english(
    open_tab: OpenTab, service: PageServer, greek_pages: Translation, name: str
) -> None:
    show_displays(service, greek_pages, name)
    page = open_tab(f"{service.url}/dealer#token=t")
    expect(page.locator("#headline")).not_to_be_empty()
    for question in questions(page):
        assert english_on(page) == [], question


@pytest.mark.long
def test_a_correction_is_not_in_english(
    open_tab: OpenTab, service: PageServer, greek_pages: Translation
) -> None:
    pit = playing("6h 9c 9d 7s 5d")
    record(service, pit)
    service.show("/events/status", "status", _status(pit.state) | {"roles": True})
    page = open_tab(f"{service.url}/#token=t")
    page.get_by_role("button", name=greek("Replay round {number}").format(number=1)).click()
    page.get_by_role("button", name=greek("Correct the record")).click()
    expect(page.locator("dialog.correct")).to_be_visible()
    keys = page.locator(".correct-steps button")
    for nth in range(keys.count()):
        keys.nth(nth).click()
        assert english_on(page) == [], keys.nth(nth).inner_text()


def status_of(service: PageServer) -> None:
    state = moment("lights_down").state
    service.show("/events/status", "status", _status(state))


def chips_of(service: PageServer) -> None:
    service.stage.documents["/api/v1/chips"] = as_json(chips_view(moment("recount").state, NAMES))


def facts_of(service: PageServer) -> None:
    service.show("/events/public", "clock", {})
    # The game's own words, which the table translates.
    words = {"dealer": greek("dealer"), "seat": greek("seat"), "joker": True, "index": "finnish"}
    service.stage.documents["/api/v1/table"] = {"words": words}


def nothing_of(_: PageServer) -> None:
    """Pages that ask for a token say so."""


def _status(state: Any) -> dict[str, Any]:
    more = {"simulated": False, "notice": [], "house_loses": "", "edge_note": "", "directory": None}
    return as_json(public(state, NAMES)) | more


@pytest.mark.long
@pytest.mark.parametrize(
    ("address", "prepare", "text"),
    [
        ("/", status_of, "Live"),
        ("/chips#token=t", chips_of, "This table keeps no account of its chips"),
        ("/logbook", nothing_of, "open this page with the table"),
        ("/shift", nothing_of, "open this page with the table"),
        ("/odds", nothing_of, "open this page with the table"),
        ("/fairness", facts_of, "Has a hidden card changed?"),
    ],
)
def test_the_other_pages_say_nothing_in_english(
    open_tab: OpenTab,
    service: PageServer,
    greek_pages: Translation,
    address: str,
    prepare: Callable[[PageServer], None],
    text: str,
) -> None:
    prepare(service)
    page = open_tab(service.url + address)
    expect(page.locator("body")).to_contain_text(greek(text))
    assert "\n".join(english_on(page)) == ""


def long_words(code: Code) -> Iterator[ShownPicture]:
    """Some pictures of the dealer display in that language, those with most to say among them."""
    spoken = language(code)
    assert spoken is not None
    every = LONG_EVERY if is_long_form() else EVERY
    first = list(LANGUAGES).index(code)
    yield from pictures(full=False, language=spoken, first=first % every, every=every)


@pytest.mark.parametrize("screen", quick_first(SCREENS, SCREENS[:1]), ids=str)
@pytest.mark.parametrize("code", quick_first(TRANSLATED, (WORDIEST,)))
def test_every_picture_fits_the_dealer_display_in_every_language(
    browser: Browser, service: PageServer, code: Code, screen: tuple[int, int]
) -> None:
    service.stage.language = language(code)
    page = browser.new_page(viewport={"width": screen[0], "height": screen[1]})
    install(page)
    page.goto(f"{service.url}/dealer#token=a-token-of-this-table")
    expect(page.locator("html")).to_have_attribute("lang", code)
    shown = list(long_words(code))
    found = []
    for each, problems in zip(
        shown, walk(page, "dealer", [each.view for each in shown], scrolls=False), strict=True
    ):
        found += [f"{each.name}: {problem}" for problem in problems]
    page.close()
    assert found == []


@pytest.mark.parametrize("code", quick_first(TRANSLATED, (WORDIEST,)))
def test_every_moment_fits_the_players_page_in_every_language(
    open_tab: OpenTab, service: PageServer, code: str
) -> None:
    spoken = language(code)
    assert spoken is not None
    service.stage.language = spoken
    show_displays(service, spoken, next(iter(MOMENTS)))
    page = open_tab(f"{service.url}/players", font="DejaVu Sans")
    for name in MOMENTS:
        show_displays(service, spoken, name)
        _, players = scene(moment(name).state, NAMES).drawn_in(spoken)
        expect(page.locator("#notice")).to_have_text(players.notice)
        assert cut_off(page) == [], name


def test_a_language_that_was_asked_for_goes_along_from_page_to_page(
    open_tab: OpenTab, service: PageServer
) -> None:
    status_of(service)
    service.stage.language = language("fi")
    page = open_tab(f"{service.url}/logbook?lang=fi")
    page.locator("#back").click()
    page.wait_for_url(re.compile(r"/\?lang=fi"))
    expect(page.locator("#live")).to_have_attribute("data-live", "true")


@pytest.mark.long
def test_a_page_that_nobody_asked_in_a_language_links_without_one(
    open_tab: OpenTab, service: PageServer
) -> None:
    status_of(service)
    page = open_tab(f"{service.url}/logbook")
    page.locator("#back").click()
    page.wait_for_url(re.compile(r"/$"))
    expect(page.locator("#live")).to_have_attribute("data-live", "true")


def test_no_style_says_a_word() -> None:
    said = re.compile(r"""content: *["'][^"']*[A-Za-z]{2}""")
    for style in STATIC.rglob("*.css"):
        assert not said.search(style.read_text()), style
