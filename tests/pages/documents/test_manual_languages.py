"""The manual's page in the languages of its readers, on a phone and on a desk."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.languages.languages import LANGUAGES, Code, language
from controller.manual.manual import manual
from controller.rules.spoken import speaking
from tests.languages.wordiest import WORDIEST
from tests.pages.browser.looks import unreadable
from tests.pages.conftest import OpenTab
from tests.pages.documents.test_manual import PAGES_MOST, PARTS, house
from tests.pages.documents.test_rules import _SPILLS, PHONE, WIDEST, WholeWeb
from tests.pages.documents.test_rules_languages import DESK
from tests.support.forms import quick_first

__all__ = ["house"]

TRANSLATED = tuple(code for code in LANGUAGES if code != "en")


@pytest.mark.parametrize("code", quick_first(TRANSLATED, [WORDIEST]))
@pytest.mark.parametrize("part", quick_first(PARTS, ["engineer"]))
def test_every_part_fits_a_phone_and_a_desk_in_every_language(
    house: WholeWeb, open_tab: OpenTab, code: Code, part: str
) -> None:
    page = open_tab(f"{house.url}/manual?for={part}&lang={code}", font=WIDEST)
    with speaking(language(code)):
        book = manual(house.desk.setup, house.desk.alarms)
    manual_part = next(each for each in book.parts if each.name == part)
    expect(page.locator("#title")).to_have_text(manual_part.title)
    expect(page.locator("#sections h2")).to_have_text([each.title for each in manual_part.sections])
    for size in (PHONE, DESK):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert page.evaluate(_SPILLS) == []
        assert unreadable(page) == []


@pytest.mark.long
def test_the_parts_are_read_one_after_the_other_in_one_language(
    house: WholeWeb, open_tab: OpenTab
) -> None:
    page = open_tab(f"{house.url}/manual?lang=sv")
    page.get_by_role("link", name="För floor").click()
    expect(page.locator("#title")).to_have_text("För floor")
    expect(page.locator("html")).to_have_attribute("lang", "sv")


@pytest.mark.long
@pytest.mark.parametrize("code", quick_first(TRANSLATED, ["de"]))
@pytest.mark.parametrize("part", quick_first(PARTS, ["floor"]))
def test_it_is_printed_on_a_few_pages_in_every_language(
    house: WholeWeb, open_tab: OpenTab, tmp_path: Path, code: str, part: str
) -> None:
    page = open_tab(f"{house.url}/manual?for={part}&lang={code}")
    expect(page.locator(".panel").last).to_be_visible()
    sheet = tmp_path / "manual.pdf"
    sheet.write_bytes(page.pdf(format="A4", print_background=True))
    text = subprocess.run(
        ["pdftotext", "-layout", str(sheet), "-"], capture_output=True, text=True, check=True
    ).stdout
    assert 1 < len(text.rstrip("\f\n").split("\f")) <= PAGES_MOST + 1
