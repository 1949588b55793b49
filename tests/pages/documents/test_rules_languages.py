"""The rules page in the languages of its readers, on a phone and on a desk."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from controller.languages.languages import LANGUAGES, Code, language
from controller.rules.spoken import speaking
from tests.languages.wordiest import WORDIEST
from tests.pages.browser.looks import unreadable
from tests.pages.conftest import OpenTab
from tests.pages.documents.test_rules import (
    _SPILLS,
    PHONE,
    WIDEST,
    Open,
    WholeWeb,
    open_house,
)
from tests.support.forms import quick_first
from tests.support.patience import PATIENCE_S

__all__ = ["open_house"]

TRANSLATED = tuple(code for code in LANGUAGES if code != "en")
DESK = {"width": 1280, "height": 800}
#: The largest tables, and the game with most sentences.
GAMES = ("finnish-27", "seven-twenty-seven", "blackjack", "casino-7-27", "21-24-27")


def at_rules_in(open_tab: OpenTab, house: WholeWeb, code: Code) -> Page:
    page = open_tab(f"{house.url}/rules?lang={code}", font=WIDEST)
    expect(page.locator("html")).to_have_attribute("lang", code)
    with speaking(language(code)):
        book = house.book()
    expect(page.locator("#rule")).to_have_text(book.rule)
    titles = [each.title for each in book.sections]
    expect(page.locator("#sections section h2")).to_have_text(titles)
    return page


@pytest.mark.parametrize("code", quick_first(TRANSLATED, [WORDIEST]))
@pytest.mark.parametrize("name", quick_first(GAMES, GAMES[:1]))
def test_the_rules_fit_a_phone_and_a_desk_in_every_language(
    open_house: Open, open_tab: OpenTab, code: Code, name: str
) -> None:
    page = at_rules_in(open_tab, open_house(name), code)
    for size in (PHONE, DESK):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert page.evaluate(_SPILLS) == []
        assert unreadable(page) == []


@pytest.mark.long
def test_each_reader_gets_the_rules_in_their_own_language(open_house: Open) -> None:
    house = open_house("blackjack")
    for code in (*TRANSLATED, "en", *TRANSLATED):
        with speaking(language(code)):
            book = house.book()
        answer = httpx.get(
            f"{house.url}/api/v1/rules", params={"lang": code}, timeout=PATIENCE_S
        ).json()
        assert (answer["rule"], answer["edge"]) == (book.rule, book.edge)
        assert [each["title"] for each in answer["sections"]] == [
            each.title for each in book.sections
        ]


@pytest.mark.long
def test_forced_play_stands_out_in_any_language(open_house: Open, open_tab: OpenTab) -> None:
    page = at_rules_in(open_tab, open_house("21-24-27"), "de")
    hand = page.locator("section", has=page.get_by_role("heading", name="Ihre Hand", exact=True))
    expect(hand.locator("[data-forced]")).to_have_text(
        ["muss: Karte", "muss: bleiben", "muss: Karte", "muss: bleiben"]
    )


@pytest.mark.long
def test_whoever_asked_for_a_language_keeps_it_from_page_to_page(
    open_house: Open, open_tab: OpenTab
) -> None:
    page = open_tab(f"{open_house('blackjack').url}/players?lang=es")
    page.locator("a.rules").click()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(page.locator("#rule")).to_contain_text("Blackjack paga")
    page.locator("#back").click()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(page).to_have_url(re.compile("/players.*lang=es"))
