"""The report of a training: readable on a trainer's screen and a telephone, in light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from controller.languages.languages import LANGUAGES, Code, language
from controller.rules.spoken import speaking
from controller.training.page import link
from controller.training.page import page as page_of
from tests.languages.wordiest import WORDIEST
from tests.pages.browser.looks import unreadable
from tests.pages.conftest import OpenTab
from tests.pages.documents.test_rules import _SPILLS, WIDEST
from tests.support.forms import quick_first
from tests.training.records import trained


@pytest.mark.long
@pytest.mark.parametrize("scheme", quick_first(["light", "dark"], ["light"]))
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_a_trainer_reads_it_at_a_glance(
    open_tab: OpenTab, size: tuple[int, int], scheme: str
) -> None:
    found = trained().report
    page = open_tab("about:blank", scheme=scheme)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.set_content(page_of(found, "secret"))
    tiles, links = page.locator(".tiles li"), page.locator(".mistakes a")
    assert tiles.count() == 4
    expect(tiles.last).to_be_in_viewport()
    assert "3" in tiles.nth(1).inner_text()
    assert "1 early card" in tiles.nth(1).inner_text()
    expect(page.locator(".mistakes li").first).to_be_in_viewport()
    assert [each.get_attribute("href") for each in links.all()] == [
        link(found, each.round, each.seq, "secret") for each in found.mistakes
    ]
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert unreadable(page) == []


@pytest.mark.parametrize("code", quick_first(LANGUAGES, [WORDIEST]))
def test_it_fits_a_screen_and_a_telephone_in_every_language(open_tab: OpenTab, code: Code) -> None:
    with speaking(language(code)):
        said = page_of(trained().report, "secret")
    page = open_tab("about:blank", font=WIDEST)
    page.set_content(said)
    expect(page.locator("html")).to_have_attribute("lang", code)
    for width, height in ((1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(_SPILLS) == [], width
        assert unreadable(page) == [], width
