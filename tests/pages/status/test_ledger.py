"""The status page says whether the cards add up, and lists what was played since they last did."""

from __future__ import annotations

import random
from copy import copy
from dataclasses import replace
from functools import cache

import pytest
from playwright.sync_api import Page, expect

from controller.table.inputs import CloseShoe, CutShoe, LoadPack, Method, ScanPack
from controller.table.state.phases import Phase
from controller.table.views.ledger_view import ledger_list
from tests.pages.browser.looks import cut_off, unreadable
from tests.pages.browser.server import PageServer
from tests.pages.conftest import OpenTab
from tests.pages.dealer_display.dealer import answered, at_display
from tests.pages.pictures.moments import status_view
from tests.pages.pictures.pit import as_json
from tests.support.dealt.croupier import Croupier
from tests.support.forms import quick_first
from tests.support.pit import Pit, setup

WARNING = (
    "The pack: King of hearts comes too seldom: missing, or not read? Over 12 shoes. Check it."
)


def over(method: Method = "count", *, blind: bool = True) -> Croupier:
    """A shoe has just reached its cut; each test goes on from there its own way."""
    dealt = _over(method, blind)
    return replace(dealt, pit=dealt.pit.copied(), mixed=copy(dealt.mixed), shoe=[*dealt.shoe])


@cache
def _over(method: Method, blind: bool) -> Croupier:
    set_up = replace(setup(5), reconcile=method, blind_counts=blind)
    croupier = Croupier(Pit(set_up), random.Random(1))
    while croupier.pit.state.phase is not Phase.SHUFFLE or not croupier.pit.state.shoe.number:
        croupier.round({1: 1_000, 4: 250_00})
    return croupier


def show(open_tab: OpenTab, service: PageServer, pit: Pit) -> Page:
    service.show("/events/status", "status", status_view(pit))
    service.stage.documents["/api/v1/ledger"] = as_json(ledger_list(pit.state))
    page = open_tab(f"{service.url}/")
    expect(page.locator("#waiting-for")).to_have_text(pit.display.headline)
    return page


def test_every_round_and_wager_since_the_last_clean_one_is_one_press_away(
    open_tab: OpenTab, service: PageServer
) -> None:
    croupier = over()
    rounds = croupier.pit.state.counts.rounds
    page = show(open_tab, service, croupier.pit)
    page.get_by_role("button", name=f"{rounds} rounds not added up yet").click()
    panel = page.get_by_role("region", name="Rounds since the shoes last added up")
    expect(panel.locator("tbody tr")).to_have_count(rounds)
    expect(panel.locator("tbody tr").first).to_contain_text("Seat 4: 250.00")
    for width, height in ((1280, 720), (768, 1024)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert unreadable(page) == []
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.get_by_role("button", name=f"{rounds} rounds not added up yet")).to_be_focused()


def test_a_clean_one_is_quiet_and_begins_the_list_anew(
    open_tab: OpenTab, service: PageServer
) -> None:
    croupier = over()
    assert not croupier.pit.give(CloseShoe(croupier.pit.state.shoe.left)).refused
    croupier.round({2: 1_000})
    page = show(open_tab, service, croupier.pit)
    expect(page.locator("#ledger")).to_contain_text("Agrees, shoe 1.")
    expect(page.locator('#ledger [data-trouble="true"]')).to_have_count(0)
    expect(page.get_by_role("button", name="1 round since then")).to_be_visible()


def test_a_table_that_adds_nothing_up_promises_nothing(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = over("off").pit
    page = show(open_tab, service, pit)
    ledger = page.locator("#ledger")
    expect(ledger).to_contain_text("This table does not add up its shoes.")
    expect(ledger.get_by_role("button")).to_have_text(f"{pit.state.counts.rounds} rounds")


@pytest.mark.parametrize("also", quick_first([(), (WARNING,)], [(WARNING,)]))
def test_what_is_missing_and_the_early_warning_stand_out(
    open_tab: OpenTab, service: PageServer, also: tuple[str, ...]
) -> None:
    pit = over().pit
    pit.give(CloseShoe(pit.state.shoe.left - 5))
    assert pit.give(LoadPack()).refused
    page = show(open_tab, service, pit)
    picture = status_view(pit)
    picture["ledger"]["warnings"] = list(also)
    service.show("/events/status", "status", picture)
    expect(page.locator('#ledger [data-trouble="true"]')).to_contain_text("5 cards missing")
    expect(page.locator("#ledger .warned")).to_have_count(len(also))
    assert unreadable(page) == []


def test_a_foreign_card_stands_in_the_ledger_and_names_no_card(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = Pit(setup(2, "blackjack", burn_after_shuffle=0))
    pit.shuffle()
    pit.bet(1)
    pit.no_more_bets()
    for number in ("000001", "000002", "000001"):
        pit.deal("9c", serial=number)
    page = show(open_tab, service, pit)
    expect(page.locator("#ledger .warned")).to_contain_text("This very card has left already")
    expect(page.locator("#ledger .warned")).to_contain_text("shoe 1, round 1")
    expect(page.locator("#ledger")).not_to_contain_text("clubs")
    assert unreadable(page) == []
    dealer = at_display(open_tab, service, as_json(pit.display))
    expect(dealer.get_by_role("button", name="No card left the shoe")).to_be_visible()
    assert cut_off(dealer) == []
    assert unreadable(dealer) == []


def test_the_cut_card_is_put_in_elsewhere_and_the_ledger_tells_when_it_came_out(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = Pit(setup(2, "blackjack", burn_after_shuffle=0))
    pit.give(LoadPack())
    page = at_display(open_tab, service, as_json(pit.display))
    page.get_by_role("button", name="Cut elsewhere").click()
    expect(page.get_by_role("dialog", name="After how many cards is the cut card?")).to_be_visible()
    page.keyboard.type("2")
    expect(page.get_by_role("button", name="2 cards before it")).to_be_enabled()
    page.keyboard.press("Enter")
    sent = service.next_sent().body
    assert (sent["do"], sent["at"]) == ("cut", 2)
    pit.give(CutShoe(2))
    page = show(open_tab, service, pit)
    expect(page.locator("#ledger")).to_contain_text(
        "Cut card after 2 cards, as declared; not out yet."
    )
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Th 9c")
    page = show(open_tab, service, pit)
    expect(page.locator("#ledger")).to_contain_text("out after 2 (by the number of cards)")
    expect(page.locator("#ledger")).to_contain_text("round 1")
    assert unreadable(page) == []


@pytest.mark.long
def test_a_pack_that_goes_through_the_reader_is_loaded_or_counted_instead(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = Pit(setup(2, "blackjack"))
    page = at_display(open_tab, service, as_json(pit.display))
    page.get_by_role("button", name="Run it through").click()
    assert service.next_sent().body["do"] == "scan_pack"
    answered(page)
    pit.give(ScanPack())
    pit.deal("9c", serial="000001")
    page = at_display(open_tab, service, as_json(pit.display))
    assert cut_off(page) == []
    page.get_by_role("button", name="Counted instead").click()
    expect(page.get_by_role("dialog", name="How many cards has the pack?")).to_be_visible()
    page.keyboard.type("416")
    expect(page.get_by_role("button", name="416 cards in all")).to_be_enabled()
    page.keyboard.press("Enter")
    sent = service.next_sent(2).body
    assert (sent["do"], sent["counted"]) == ("load_pack", 416)


@pytest.mark.long
def test_the_number_of_cards_left_is_typed_before_it_is_shown(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = over().pit
    left = pit.state.shoe.left
    page = at_display(open_tab, service, as_json(pit.display))
    expect(page.get_by_role("button", name="Call the floor")).to_be_visible()
    assert str(left) not in page.inner_text("body")
    page.get_by_role("button", name="Type the cards left").click()
    sheet = page.get_by_role("dialog", name="How many cards are left?")
    expect(sheet).to_be_visible()
    assert str(left) not in sheet.inner_text()
    page.keyboard.type(str(left))
    page.keyboard.press("Enter")
    sent = service.next_sent().body
    assert (sent["do"], sent["left"]) == ("close_shoe", left)


@pytest.mark.long
def test_where_counts_are_not_blind_the_dealer_says_with_one_press_how_many_cards_are_left(
    open_tab: OpenTab, service: PageServer
) -> None:
    pit = over(blind=False).pit
    left = pit.state.shoe.left
    page = at_display(open_tab, service, as_json(pit.display))
    page.get_by_role("button", name=f"{left} cards are left").click()
    assert service.next_sent().body["left"] == left
    answered(page)
    page.get_by_role("button", name="Another number").click()
    sheet = page.get_by_role("dialog", name="How many cards are left?")
    expect(sheet.get_by_role("button", name="How many?")).to_be_disabled()
    page.keyboard.type("81")
    page.keyboard.press("Backspace")
    expect(sheet.get_by_role("button", name="8 cards left")).to_be_enabled()
    for width, height in ((1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert cut_off(page) == []
        assert unreadable(page) == []
    page.keyboard.press("Enter")
    expect(sheet).to_be_hidden()
    sent = service.next_sent(2).body
    assert (sent["do"], sent["left"]) == ("close_shoe", 8)
