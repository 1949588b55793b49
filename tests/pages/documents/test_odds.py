"""The page of the odds: PAR sheet, card with the price of each mistake, one page of paper."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from controller.odds.live.files import FOLDER, read_expectations
from controller.odds.live.sheet import odds_sheet
from controller.odds.pot.pot_sheet import CardLine, PointsLine, PotSheet, WinLine
from controller.record.reading.expected import Results
from controller.rules.games.registry import game
from controller.table.views.english import say
from controller.web.api.expected import answer_of
from controller.web.api.odds import OddsAnswer
from tests.pages.browser.looks import unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.pictures.pit import as_json
from tests.support.forms import quick_first
from tests.web.desk import PlayedDesk

TOKEN = "the-token"


def opened(open_tab: OpenTab, service: PageServer, name: str, size: tuple[int, int]) -> Page:
    plays = game(name)
    sheet = odds_sheet(plays, plays, read_expectations(FOLDER / f"{name}.json"))
    loses = sheet.edge_per_cent < 0
    said = "THE HOUSE LOSES 20.93 %" if loses else "House edge"
    answer = OddsAnswer(
        plays.title, say(plays.rule, plays.words), "EUR", loses, said, "", None, sheet
    )
    service.stage.documents["/api/v1/odds"] = as_json(answer)
    results = answer_of(Results(), PlayedDesk(), read=True)
    service.stage.documents["/api/v1/record/expected"] = as_json(results)
    page = open_tab(f"{service.url}/odds#token={TOKEN}")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(page.get_by_role("heading", name=f"Odds of {plays.title}")).to_be_visible()
    expect(page.locator("#card td button").first).to_be_visible()
    return page


@pytest.mark.long
@pytest.mark.parametrize("size", quick_first([(800, 480), (1280, 800), (390, 844)], [(800, 480)]))
def test_the_card_says_what_a_mistake_costs(
    open_tab: OpenTab, service: PageServer, size: tuple[int, int]
) -> None:
    page = opened(open_tab, service, "blackjack", size)
    page.get_by_role("button", name="hard 16 against up 10", exact=False).first.click()
    expect(page.locator("#cell")).to_contain_text(re.compile(r"stand costs 0\.\d+ %"))
    expect(page.locator("#options")).to_contain_text("1,000.00")
    expect(page.locator("#compared")).to_contain_text("blackjack_pays = 6:5")
    expect(page.locator("#test")).to_contain_text("once in ten years")
    assert unreadable(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_house_that_loses_is_told_so_in_red_first(open_tab: OpenTab, service: PageServer) -> None:
    page = opened(open_tab, service, "casino-7-27", (800, 480))
    expect(page.locator("#edge")).to_have_text("THE HOUSE LOSES 20.93 %")
    assert page.locator("#edge").get_attribute("data-loses") == "true"
    ink = page.locator("#edge").evaluate("each => getComputedStyle(each).color")
    red, green, blue = map(int, re.findall(r"\d+", ink))
    assert red > 2 * max(green, blue) or red == 255
    assert unreadable(page) == []


@pytest.mark.long
@pytest.mark.parametrize(
    "name", quick_first(["finnish-27", "21-24-27", "blackjack", "casino-7-27"], ["finnish-27"])
)
def test_printed_it_is_one_page(open_tab: OpenTab, service: PageServer, name: str) -> None:
    page = opened(open_tab, service, name, (800, 480))
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1


POT = PotSheet(
    players=6,
    rounds=2_000_000,
    targets=["7", "27"],
    points=[PointsLine(2, [3.62, 0.0]), PointsLine(3, [1.81, 1.21])],
    wins=[WinLine("7.5", 4.66, [86.3, 0.7], 0.43, 37.3, 0.1)],
    cards=[
        CardLine("A 6", "7 / 17", 49.6, 32.3, 0.5),
        CardLine("A A", "2 / 22", 15.0, 36.2, 1.0),
        CardLine("3 3", "6", 26.6, 28.3, 0.9),
    ],
)


@pytest.mark.parametrize("size", quick_first([(800, 480), (1280, 800), (390, 844)], [(800, 480)]))
def test_a_game_for_a_pot_shows_what_hands_win(
    open_tab: OpenTab, service: PageServer, size: tuple[int, int]
) -> None:
    plays = game("seven-twenty-seven")
    rule = say(plays.rule, plays.words)
    answer = OddsAnswer(
        plays.title,
        rule,
        "EUR",
        False,
        "No house edge",
        "There is no house.",
        None,
        None,
        POT,
    )
    service.stage.documents["/api/v1/odds"] = as_json(answer)
    page = open_tab(f"{service.url}/odds#token={TOKEN}")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    better = page.locator("#pot-cards tr td:last-child")
    expect(better).to_have_text(["refuse", "take", "about the same"])
    expect(page.locator("#pot-wins")).to_contain_text("86.3 %")
    expect(page.locator("#pot-basis")).to_contain_text("6 players, 2,000,000 dealt rounds")
    expect(page.locator("#live")).to_be_hidden()
    assert unreadable(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(prefer_css_page_size=True))) == 1


def test_without_the_token_it_asks_for_it(open_tab: OpenTab, service: PageServer) -> None:
    page = open_tab(f"{service.url}/odds#token=")
    expect(page.locator("#said")).to_contain_text("token")


def test_what_was_not_to_be_had_once_is_asked_for_again(
    open_tab: OpenTab, service: PageServer, complaint: Callable[[str], None]
) -> None:
    """The service was starting as the page was opened, and read its record for a while."""
    page = open_tab(f"{service.url}/odds#token={TOKEN}")
    expect(page.locator("#said")).to_contain_text("Not read")
    plays = game("blackjack")
    sheet = odds_sheet(plays, plays, read_expectations(FOLDER / "blackjack.json"))
    answer = OddsAnswer(
        plays.title, say(plays.rule, plays.words), "EUR", False, "House edge", "", None, sheet
    )
    results = as_json(answer_of(Results(), PlayedDesk(), read=False))
    service.stage.documents["/api/v1/record/expected"] = results
    service.stage.documents["/api/v1/odds"] = as_json(answer)
    expect(page.locator("#card td button").first).to_be_visible()
    expect(page.locator("#said")).to_have_text("")
    reading = "The record is being read."
    expect(page.locator("#test")).to_contain_text(reading)
    service.stage.documents["/api/v1/record/expected"] = results | {"read": True}
    expect(page.locator("#test")).not_to_contain_text(reading)
    complaint("404")
