"""The newest day held against the odds, on the status page of whoever has the table's token."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from controller.record.reading.expected import ResultKey, ResultLine, Results, Warned
from controller.web.api.expected import answer_of
from tests.pages.browser.looks import unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.pictures.pit import PicturedTable, as_json
from tests.pages.status.test_status import show
from tests.web.desk import PlayedDesk

TODAY, BEFORE = "2026-11-23", "2026-11-22"
LINES = {
    ResultKey(BEFORE, "blackjack/2", "", "dealer-1"): ResultLine(rounds=9, net=-90_000),
    ResultKey(TODAY, "blackjack/2", "", "dealer-1"): ResultLine(
        rounds=30, wagered=300_000, net=-20_050, expected=-2_150.4, not_held=2
    ),
    ResultKey(TODAY, "blackjack/2", "", "dealer-2"): ResultLine(
        rounds=12, wagered=120_000, net=30_000, expected=-860.0
    ),
}


def answer(results: Results) -> dict[str, object]:
    return as_json(answer_of(results, PlayedDesk(), read=True))


def at_status(
    open_tab: OpenTab, service: PageServer, results: Results, size: tuple[int, int], token: str
) -> Page:
    service.stage.documents["/api/v1/record/expected"] = answer(results)
    show(service, PicturedTable(), rounds_played=42)
    page = open_tab(f"{service.url}/{token}")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(page.locator("#live")).to_have_text("Live")
    return page


@pytest.mark.parametrize("size", [(390, 844), pytest.param((1280, 800), marks=pytest.mark.long)])
def test_whoever_has_the_token_sees_what_the_newest_day_won_and_should_have(
    open_tab: OpenTab, service: PageServer, size: tuple[int, int]
) -> None:
    page = at_status(open_tab, service, Results(LINES), size, "#token=the-token")
    lines = page.locator("#results tbody")
    expect(lines).to_have_count(3)
    total = lines.nth(0).inner_text().replace("\N{MINUS SIGN}", "-").split()
    assert total == ["All", "42", "-99.50", "30.10", "-129.60"]
    assert lines.nth(1).inner_text().split()[-4:] == ["30", "200.50", "21.50", "+179.00"]
    expect(page.locator("#results-day")).to_have_text(TODAY)
    expect(page.locator("#results-said")).to_contain_text("2 rounds are in no figure")
    expect(page.locator("#results-warned")).to_be_hidden()
    assert unreadable(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    # A round more is asked about; a warning stands in red, first.
    warned = Results(LINES, warnings=(Warned(TODAY, 41, "dealer-2", for_players=True),))
    service.stage.documents["/api/v1/record/expected"] = answer(warned)
    show(service, PicturedTable(), rounds_played=43)
    expect(page.locator("#results-warned")).to_contain_text("round 41: the players win more")


def test_without_the_token_no_figure_of_a_dealer_is_asked_for(
    open_tab: OpenTab, service: PageServer
) -> None:
    page = at_status(open_tab, service, Results(LINES), (390, 844), "")
    expect(page.locator("#rule")).not_to_be_empty()
    expect(page.locator("#results-panel")).to_be_hidden()


def test_a_game_for_a_pot_has_no_house_and_no_line() -> None:
    pot = {ResultKey(TODAY, "seven-twenty-seven/1", "", ""): ResultLine(not_held=5)}
    assert answer(Results(pot))["lines"] == []
