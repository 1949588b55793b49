"""The pages on a phone, upright and sideways: nothing is cut, out of sight, or too small to hit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.record.reading.shift import shift_sheet
from controller.rules.games.registry import GAMES
from tests.pages.browser.measure import measure
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.documents.test_manual import PARTS
from tests.pages.documents.test_rules import LARGEST, running
from tests.pages.pictures.moments import moment, players_view
from tests.pages.pictures.pit import PicturedTable, as_json, fullest, seven_seats
from tests.pages.status.test_status import show
from tests.support.dealt.journals import records, write_journal
from tests.support.forms import quick_first

PHONES = ((390, 844), (844, 390))
#: What is read at arm's length, a word in a table included.
LEAST_TEXT_PX = 13
PLAYERS = ("fourteen_insured", "ten_vying", "low_cards_raised", "bonus")


def problems(page: Page, text_px: float = LEAST_TEXT_PX) -> list[str]:
    found = []
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        wrong = measure(page, scrolls=True, text_px=text_px)
        found += [f"{width}x{height}: {each}" for each in wrong]
    return found


@pytest.mark.long
def test_the_status_page_and_a_replay_fit_a_phone(open_tab: OpenTab, service: PageServer) -> None:
    shown: dict[str, Callable[[], PicturedTable]] = {
        "evening": lambda: seven_seats().next().play_out().rounds(3).repeat().next().draw(18),
        "held": lambda: fullest().unplug(),
    }
    page = open_tab("about:blank")
    for name, played in shown.items():
        show(service, played())
        page.goto("about:blank")
        page.goto(f"{service.url}/#token=a-token-of-this-table")
        expect(page.locator("#live")).to_have_text("Live")
        assert problems(page) == [], name
        page.get_by_role("button", name="Replay").first.click()
        expect(page.locator(".replay-walk")).to_be_visible()
        assert problems(page) == [], f"{name}, replay"


@pytest.mark.long
def test_a_round_is_a_card_on_a_phone_with_its_replay_in_sight(
    open_tab: OpenTab, service: PageServer
) -> None:
    show(service, seven_seats().next().play_out().rounds(2))
    page = open_tab(f"{service.url}/")
    expect(page.locator("#live")).to_have_text("Live")
    page.set_viewport_size({"width": 390, "height": 844})
    for selector in ("button.small", "th", '[data-label="Seat 7"]', ".number"):
        box = page.locator("#rounds [data-round]").first.locator(selector).bounding_box()
        assert box is not None
        assert box["x"] >= 0, selector
        assert box["x"] + box["width"] <= 390, selector


@pytest.mark.long
def test_the_players_display_fits_a_phone(open_tab: OpenTab, service: PageServer) -> None:
    view = players_view(moment(PLAYERS[0]))
    service.show("/events/players", "scene", view)
    page = open_tab(f"{service.url}/players")
    for name in PLAYERS:
        view = players_view(moment(name))
        service.show("/events/players", "scene", view)
        expect(page.locator("#notice")).to_have_text(view["notice"])
        assert problems(page) == [], name


@pytest.mark.long
def test_the_logbook_fits_a_phone(open_tab: OpenTab, service: PageServer) -> None:
    page = open_tab(f"{service.url}/logbook")
    expect(page.locator("#marks label").first).to_be_visible()
    assert problems(page) == []


@pytest.mark.long
@pytest.mark.parametrize("name", quick_first(GAMES, LARGEST))
def test_the_rules_fit_a_phone(open_tab: OpenTab, name: str) -> None:
    with running(name, 5) as house:
        page = open_tab(f"{house.url}/rules")
        expect(page.locator("#title")).to_have_text(house.book().title)
        assert problems(page) == []
        page.close()


def test_the_manual_and_the_sheet_of_a_shift_fit_a_phone(
    open_tab: OpenTab, service: PageServer, tmp_path: Path
) -> None:
    with running("blackjack", 5) as house:
        page = open_tab("about:blank")
        for part in PARTS:
            page.goto("about:blank")
            page.goto(f"{house.url}/manual?for={part}")
            expect(page.locator(".panel").last).to_be_visible()
            assert problems(page) == [], part
        page.close()
    write_journal(tmp_path / "record", records(1, 200))
    service.stage.documents["/api/v1/record/shift"] = as_json(shift_sheet(tmp_path / "record"))
    page = open_tab(f"{service.url}/shift#token=a-token")
    expect(page.get_by_role("heading", name="Shift sheet of")).to_be_visible()
    assert problems(page) == []
