"""The page of the odds in the languages of its readers, on a phone and on a desk."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.languages.languages import LANGUAGES, language
from controller.languages.translation import Translation
from controller.odds.pot.pot_sheet import write_pot_sheet
from controller.record.reading.expected import ResultKey, ResultLine, Results, Warned
from controller.rules.spoken import speaking
from controller.service.odds.expectation_files import ExpectationFiles
from controller.web.api.expected import answer_of
from controller.web.api.odds import odds_answer
from tests.languages.wordiest import WORDIEST
from tests.pages.browser.looks import unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.documents.test_odds import POT, TOKEN
from tests.pages.documents.test_rules import WIDEST
from tests.pages.pictures.pit import as_json
from tests.support.forms import long_only, quick_first
from tests.web.desk import PlayedDesk

GAMES = ("finnish-27", "casino-7-27", "blackjack", "21-24-27", "seven-twenty-seven")
SIZES = {"phone": (390, 844), "desk": (1280, 800)}
#: What leaves the page or its own box; what lies within a frame that scrolls may leave the page.
_SPILLS = """() => [...document.querySelectorAll('body *')].filter((node) => {
  const box = node.getBoundingClientRect();
  if (!node.checkVisibility() || !box.width) return false;
  const frame = node.closest('.scroll');
  if (!frame && (box.right > innerWidth + 1.5 || box.left < -1.5)) return true;
  return node !== frame && node.scrollWidth > node.clientWidth + 1.5
    && getComputedStyle(node).display !== 'inline';
}).map((node) => `${node.tagName} #${node.id} ${node.textContent.trim().slice(0, 40)}`)"""
#: A day on which a table has lost, some of it by mistakes, and was warned of.
RESULTS = Results(
    {
        ResultKey("2026-11-26", "finnish-27/1", "", ""): ResultLine(
            rounds=12_345, hands=40_000, wagered=1_234_567_800, net=-98_765_400,
            expected=-8_160_000.0, cost=-1_234_500.0, not_held=3,
        )
    },
    warnings=(Warned("2026-11-26", 4711, "", for_players=True),),
)  # fmt: skip


def at_odds(
    open_tab: OpenTab, service: PageServer, name: str, reader: Translation | None, folder: Path
) -> Page:
    """The page of that game in the reader's language, with results of a table."""
    desk = PlayedDesk()
    desk.open_anew(name=name)
    files = ExpectationFiles(folder)
    if name == "seven-twenty-seven":
        pot = folder / "pot.json"
        write_pot_sheet(pot, POT)
        files.path = lambda *_: pot  # type: ignore[method-assign]
    service.stage.language = reader
    with speaking(reader):
        answer = as_json(odds_answer(desk, files))
        results = as_json(answer_of(RESULTS, desk, read=True))
    service.stage.documents["/api/v1/odds"] = answer
    service.stage.documents["/api/v1/record/expected"] = results
    page = open_tab(f"{service.url}/odds#token={TOKEN}", font=WIDEST)
    expect(page.locator("#title")).to_contain_text(answer["title"])
    if not answer["pot"]:
        page.locator("#card td button").first.click()
        expect(page.locator("#cell p").first).to_be_visible()
        expect(page.locator("#results td").first).to_be_visible()
    return page


@pytest.mark.parametrize("code", quick_first(LANGUAGES, [WORDIEST]))
@pytest.mark.parametrize("name", quick_first(GAMES, (GAMES[-1],)))
def test_the_odds_fit_a_phone_and_a_desk_in_every_language(
    open_tab: OpenTab, service: PageServer, tmp_path: Path, code: str, name: str
) -> None:
    page = at_odds(open_tab, service, name, language(code), tmp_path)
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(_SPILLS) == [], width
        assert unreadable(page) == [], width


@pytest.mark.parametrize(
    ("code", "figures"),
    [
        long_only(
            "en", ["House edge 0.66071 %", "1.20438 %", "1,000.00", "12,345", "hard 16 (pair)"]
        ),
        long_only("fi", ["Talon etu 0,66071 %", "1\u00a0000,00", "kova 16 (pari)", "12\u00a0345"]),
        ("de", ["Hausvorteil 0,66071 %", "1.000,00", "hart 16 (Paar)", "12.345"]),
    ],
)
def test_figures_are_written_as_people_there_write_them(
    open_tab: OpenTab, service: PageServer, tmp_path: Path, code: str, figures: list[str]
) -> None:
    page = at_odds(open_tab, service, "finnish-27", language(code), tmp_path)
    said = page.locator("body").inner_text()
    assert [each for each in figures if each not in said] == []
